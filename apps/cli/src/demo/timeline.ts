import type { EventAnswer } from '../api/api-shapes.js';

type Data = Readonly<Record<string, unknown>>;

const text = (data: Data, ...path: readonly string[]): string => {
  let value: unknown = data;
  for (const key of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** What a person reads of an event; events that are not in here are left out of the timeline. */
const lines: Readonly<Record<string, (data: Data) => string>> = {
  SessionOpened: () => 'session opened, with its history',
  AgentLaunched: (data) => `launched: "${text(data, 'description')}", policy ${text(data, 'policy', 'kind')}`,
  RunStarted: (data) =>
    `run started: epoch ${text(data, 'epoch')} (${text(data, 'reason')}) on worker ${text(data, 'workerId').slice(-6)}`,
  RunInterrupted: (data) =>
    `run interrupted: epoch ${text(data, 'epoch')}, the worker ${text(data, 'cause')}`,
  TurnRecorded: (data) =>
    `turn ${text(data, 'turn')}: ${text(data, 'usage', 'cachedTokens')} tokens from the cache, ${text(data, 'usage', 'inputTokens')} new`,
  ToolCallStarted: (data) => `${text(data, 'name')} started`,
  ToolCallRefused: (data) => `${text(data, 'name')} REFUSED (${text(data, 'reason')})`,
  ToolCallFinished: (data) => `${text(data, 'name')} finished: ${text(data, 'outcome')}`,
  AgentCompleted: () => 'completed',
  AgentFailed: (data) => `failed: ${text(data, 'outcome', 'reason')}`,
  AgentCancelled: () => 'cancelled',
  OutcomeDelivered: (data) => `the parent was told of agent ${text(data, 'agentId').slice(-6)}`,
  RevivalBlocked: (data) => `blocked: ${text(data, 'reason')} (${text(data, 'detail')})`,
};

/** One line of the timeline, or null for an event that is not shown. */
export function timelineLine(event: EventAnswer, startMs: number, label: string): string | null {
  const name = event.type.split('.').at(-1) ?? '';
  const describe = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (describe === undefined) return null;
  const seconds = Math.max(0, (Date.parse(event.time) - startMs) / 1000);
  return `${seconds.toFixed(2).padStart(7)}s  ${label.padEnd(26)} ${describe(event.data ?? {})}`;
}
