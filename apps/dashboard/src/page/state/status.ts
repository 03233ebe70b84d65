/** The statuses of spec 05 §9, and `unknown` for one that this page has not heard of. */
export const statuses = [
  'queued',
  'running',
  'waiting',
  'interrupted',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'idle',
  'closed',
  'unknown',
] as const;

export type Status = (typeof statuses)[number];

export const isStatus = (value: unknown): value is Status => statuses.some((status) => status === value);

const ended: ReadonlySet<Status> = new Set(['completed', 'failed', 'cancelled', 'idle', 'closed']);

/** Whether the level signal is expected to name an agent of this status. */
export const isUnfinished = (status: Status): boolean => !ended.has(status);

/** Statuses that ask for a person's eye first. */
export const needsAttention = (status: Status): boolean =>
  status === 'blocked' || status === 'waiting' || status === 'interrupted' || status === 'failed';

const bySession: Readonly<Record<string, Status>> = {
  SessionOpened: 'idle',
  SessionClosed: 'closed',
  RunReleased: 'idle',
};

const byEvent: Readonly<Record<string, Status>> = {
  AgentLaunched: 'queued',
  AgentResumed: 'queued',
  RunStarted: 'running',
  RunParked: 'waiting',
  RunInterrupted: 'interrupted',
  RunReleased: 'queued',
  RevivalBlocked: 'blocked',
  AgentCompleted: 'completed',
  AgentFailed: 'failed',
  AgentCancelled: 'cancelled',
};

/** The status after an event, until the server's own answer is read: most events leave it as it was. */
export function statusAfter(eventName: string, before: Status, kind: string): Status {
  const table = kind === 'session' ? { ...byEvent, ...bySession } : byEvent;
  return (Object.hasOwn(table, eventName) ? table[eventName] : undefined) ?? before;
}
