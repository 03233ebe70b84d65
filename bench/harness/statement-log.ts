import { open } from 'node:fs/promises';
import pg from 'pg';

/** One statement of a client: which application sent it, and its first line that says anything. */
export interface SentStatement {
  readonly application: string;
  readonly text: string;
}

const settings: Readonly<Record<string, string>> = {
  log_statement: 'all',
  // Parameters hold payloads: they would be most of the file.
  log_parameter_max_length: '0',
  log_line_prefix: '%a|',
};
const ownName = 'statement-log';
const statementLine = /^([^|]*)\|LOG: {2}(statement|execute [^:]+): (.*)$/;

/**
 * Has a server write down every statement that any client sends, `begin` and `commit` included, and reads them from its log.
 * What functions of the database do is part of the statement that called them.
 */
export class StatementLog {
  private constructor(
    private readonly client: pg.Client,
    private readonly path: string,
    private offset: number,
  ) {}

  /** `path` is the file that the server logs to; `url` must be of a superuser. */
  static async start(url: string, path: string): Promise<StatementLog> {
    const client = new pg.Client({ connectionString: url, application_name: ownName });
    await client.connect();
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter system set ${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
    const log = new StatementLog(client, path, 0);
    await log.take();
    return log;
  }

  /** What was sent since the last `take`, but for what this object sends itself. */
  async take(): Promise<readonly SentStatement[]> {
    const file = await open(this.path);
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(size - this.offset);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.offset);
      const whole = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      this.offset += whole;
      return sentStatements(buffer.toString('utf8', 0, whole));
    } finally {
      await file.close();
    }
  }

  async stop(): Promise<void> {
    for (const name of Object.keys(settings)) await this.client.query(`alter system reset ${name}`);
    await this.client.query('select pg_reload_conf()');
    await this.client.end();
  }
}

/** The statements in a text of the server's log, in its order; later lines of a statement begin with a tab. */
export function sentStatements(text: string): readonly SentStatement[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, application, how, first = ''] = statementLine.exec(line) ?? [];
    if (application === undefined || application === ownName) return [];
    const whole = [first, ...linesBelow(lines, index)]
      .map((part) => part.trim())
      .filter((part) => part !== '');
    // The simple protocol takes several in one message, and the server logs the message.
    const starts = whole.filter(
      (_, part) => part === 0 || (how === 'statement' && whole[part - 1]?.endsWith(';')),
    );
    return starts.map((start) => ({ application, text: start }));
  });
}

function linesBelow(lines: readonly string[], index: number): readonly string[] {
  let end = index + 1;
  while (lines[end]?.startsWith('\t') === true) end += 1;
  return lines.slice(index + 1, end);
}
