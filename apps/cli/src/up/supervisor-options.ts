import type { OffshootConfig } from '#platform';
import type { Backoff } from './backoff.js';
import type { ChildListener } from './child-event.js';
import type { Programs } from './programs.js';

/** What is run and how. Only `config` is needed. */
export interface SupervisorOptions {
  readonly config: OffshootConfig;
  readonly programs?: Programs;
  /** Further variables for every child. */
  readonly env?: Readonly<Record<string, string>>;
  readonly backoff?: Backoff;
  /** Whether the children's log goes to our standard error (default) or nowhere. */
  readonly output?: 'inherit' | 'ignore';
  /** How long the orchestrator may take to be ready; default 120 s. */
  readonly readyTimeoutMs?: number;
  /** How long the scripted model server may take to say where it listens; default 30 s. */
  readonly modelServerTimeoutMs?: number;
  /** How long each part may take to end before it is ended; default 30 s. */
  readonly stopLimitMs?: number;
  readonly onChild?: ChildListener;
}
