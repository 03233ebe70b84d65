import type { ToolCall } from '../tools/tool.js';
import type { McpOptions } from './mcp-options.js';
import { type McpLiveTool, mcpTool } from './mcp-tool.js';
import type { ServerTool } from './parse-tool.js';
import { ServerConnection } from './server-connection.js';
import { parseServers } from './server-config.js';
import type { Withheld } from './withheld.js';

/** A session as far as its servers are concerned. */
export interface McpSession {
  readonly sessionId: string;
  readonly projectRoot: string;
  /** The runtime's JSON text. */
  readonly mcpServers: string;
}

/** What the servers of a session offer right now. */
export interface McpOffer {
  readonly tools: readonly McpLiveTool[];
  readonly withheld: readonly Withheld[];
}

/** The connections of one session on this worker, with the runs that hold them. */
export class SessionServers {
  private readonly connections: ReadonlyMap<string, ServerConnection>;
  private readonly unreadable: readonly Withheld[];
  private readonly holders = new Set<AbortSignal>();
  private busy = 0;
  private idle: NodeJS.Timeout | null = null;

  constructor(
    session: McpSession,
    private readonly options: McpOptions,
    private readonly onIdle: () => void,
  ) {
    const { servers, withheld } = parseServers(session.mcpServers);
    this.unreadable = withheld;
    this.connections = new Map(
      [...servers].map(([server, config]) => [
        server,
        new ServerConnection({ server, config, cwd: session.projectRoot }, options),
      ]),
    );
  }

  /** Reads every list anew, all servers at once; each within its deadlines. Never rejects. */
  refresh(): Promise<void> {
    return this.whileBusy(async () => {
      await Promise.all([...this.connections.values()].map((connection) => connection.refresh()));
    });
  }

  /** The tools, which call through `call`, and what is withheld, as known now. */
  offer(call: (server: string, tool: ServerTool, call: ToolCall) => Promise<unknown>): McpOffer {
    const tools = [...this.connections].flatMap(([server, connection]) =>
      Array.from(connection.listing.tools.values(), (tool) =>
        mcpTool(server, tool, connection.isTrusted, {
          call: (wanted, request) => call(server, wanted, request),
          mask: (text) => connection.mask(text),
        }),
      ),
    );
    const withheld = [...this.connections.values()].flatMap(({ listing }) => listing.withheld);
    return { tools, withheld: [...this.unreadable, ...withheld] };
  }

  /** Makes a call for a run. From its first call to its end the run holds the connections: their servers may keep state for it. */
  call(server: string, tool: ServerTool, { arguments: given, context }: ToolCall): Promise<unknown> {
    const connection = this.connections.get(server);
    if (connection === undefined) throw new Error(`There is no server "${server}" in this session.`);
    this.hold(context.signal);
    const args = given as Readonly<Record<string, unknown>>;
    return this.whileBusy(() => connection.call({ tool, arguments: args, signal: context.signal }));
  }

  async end(): Promise<void> {
    this.stopTimer();
    await Promise.all([...this.connections.values()].map((connection) => connection.end()));
  }

  private hold(signal: AbortSignal): void {
    if (signal.aborted || this.holders.has(signal)) return;
    this.holders.add(signal);
    signal.addEventListener('abort', () => {
      this.holders.delete(signal);
      this.waitForIdle();
    });
  }

  private async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    this.busy += 1;
    this.stopTimer();
    try {
      return await work();
    } finally {
      this.busy -= 1;
      this.waitForIdle();
    }
  }

  private waitForIdle(): void {
    this.stopTimer();
    if (this.busy > 0 || this.holders.size > 0) return;
    this.idle = setTimeout(this.onIdle, this.options.deadlines.idleMs).unref();
  }

  private stopTimer(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
  }
}
