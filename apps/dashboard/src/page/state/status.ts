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

const byEvent: Readonly<Record<string, Status>> = {
  SessionOpened: 'idle',
  AgentLaunched: 'queued',
  AgentResumed: 'queued',
  RunStarted: 'running',
  RunParked: 'waiting',
  RunInterrupted: 'interrupted',
  RunReleased: 'idle',
  WaitEnded: 'queued',
  RevivalBlocked: 'blocked',
  AgentCompleted: 'completed',
  AgentFailed: 'failed',
  AgentCancelled: 'cancelled',
};

const final: ReadonlySet<Status> = new Set(['completed', 'failed', 'cancelled']);

/**
 * The status after an event, until the server's own answer is read: most events leave it as it was. An ended agent
 * stays ended until it is resumed, whatever a late observer records.
 */
export function statusAfter(eventName: string, before: Status): Status {
  if (final.has(before) && eventName !== 'AgentResumed') return before;
  return (Object.hasOwn(byEvent, eventName) ? byEvent[eventName] : undefined) ?? before;
}

const open = [
  'SessionClosed',
  'SessionReopened',
  'RunReleased',
  'WaitEnded',
  'MessageAppended',
  'MessageQueued',
];
const answers = [
  'ApprovalResolved',
  'ApprovalExpired',
  'QuestionAnswered',
  'QuestionExpired',
  'OutcomeDelivered',
];
const unclear: ReadonlySet<string> = new Set([...open, ...answers]);

/** Whether what an event does to the status depends on more than this page folds, so that the row must be read again. */
export const leavesStatusOpen = (eventName: string): boolean => unclear.has(eventName);
