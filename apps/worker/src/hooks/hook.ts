/** When a hook is called (spec 04 §4). */
export type HookEvent = 'PreToolUse' | 'PostToolUse' | 'AgentStart' | 'AgentStop' | 'ApprovalRequested';

/** A hook of the configuration: a command line or the address of a service, for one event. */
export interface Hook {
  readonly event: HookEvent;
  readonly command?: string;
  readonly url?: string;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
  /** A regular expression over the names of a tool; absent means every tool. */
  readonly matcher?: string;
}

/** What came of calling a hook once. `text` is what it answered; a block is its wish, a failure is not. */
export type HookReply =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** What hooks are called with. */
export interface HookPorts {
  /** All of the environment of a command: no key of ours, no provider key. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where commands run. Never the project: its files belong to the agents. */
  readonly directory: string;
  /** Hears of hooks that failed. */
  readonly onFault: (hook: Hook, reason: string) => void;
}

/** How a hook is named in logs and refusals. */
export const hookName = ({ event, command, url }: Hook): string => `${event} hook ${command ?? url ?? ''}`;
