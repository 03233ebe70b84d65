import type { ServerConfig } from './server-config.js';

/** Bounds on waiting, in milliseconds. */
export interface McpDeadlines {
  /** From starting or dialling a server to the end of its initialisation. */
  readonly connectMs: number;
  /** For all pages of a list. */
  readonly listMs: number;
  /** For a call, from its start or from its last progress. */
  readonly callMs: number;
  /** For a call, whatever progress it reports. */
  readonly callMaxMs: number;
  /** How long connections that no run holds stay open. */
  readonly idleMs: number;
}

export const defaultDeadlines: McpDeadlines = Object.freeze({
  connectMs: 30_000,
  listMs: 30_000,
  callMs: 60_000,
  callMaxMs: 600_000,
  idleMs: 300_000,
});

/** What connections borrow from their worker. */
export interface McpOptions {
  /** The environment of stdio servers before their configuration adds to it: no key of ours, no provider key. */
  readonly childEnvironment: Readonly<Record<string, string>>;
  /** Where `${env:NAME}` references are looked up. */
  readonly referenced: Readonly<Record<string, string | undefined>>;
  readonly deadlines: McpDeadlines;
  /** Whether the operator vouches for a server's annotations; without that every tool counts as side-effecting. */
  readonly trusts: (config: ServerConfig) => boolean;
  /** Hears of failures that reach no caller; the text is masked. */
  readonly onFault: (server: string, problem: string) => void;
}
