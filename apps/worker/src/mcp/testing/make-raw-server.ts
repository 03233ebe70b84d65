import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the raw server does: its tools as they are sent, and how it answers. */
export interface RawPlan {
  readonly tools: readonly unknown[];
  readonly pageSize?: number;
  /** Methods that are never answered. */
  readonly silent?: readonly string[];
  /** Announce the next change of the plan. */
  readonly announce?: boolean;
}

export interface ReceivedMessage {
  readonly method?: string;
}

/** A folder with the plan of a raw server, which may be changed while the server runs. */
export interface RawServer {
  readonly folder: string;
  /** As it stands in a session's configuration. */
  readonly config: { readonly command: string; readonly args: readonly string[] };
  plan(plan: RawPlan): Promise<void>;
  /** The messages that all processes of this server received. */
  received(): Promise<readonly ReceivedMessage[]>;
  remove(): Promise<void>;
}

export const rawServerScript = join(import.meta.dirname, 'raw-server.mjs');

export async function makeRawServer(plan: RawPlan): Promise<RawServer> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-raw-mcp-'));
  const write = (next: RawPlan): Promise<void> => writeFile(join(folder, 'plan.json'), JSON.stringify(next));
  await write(plan);
  return {
    folder,
    config: { command: process.execPath, args: [rawServerScript, folder] },
    plan: write,
    received: async () => {
      const log = await readFile(join(folder, 'received.log'), 'utf8').catch(() => '');
      return log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ReceivedMessage]));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A tool that takes anything. */
export const anyTool = (name: string, more: object = {}): object => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});
