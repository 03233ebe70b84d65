import { decodeEvent, loadMeta, type RecordedEvent, type TranscriptStore } from '#transcripts';
import { agentNotice, hookEventOf } from './agent-notice.js';
import { callHook } from './call-hook.js';
import type { Hook, HookPorts } from './hook.js';
import { matches } from './tool-hooks.js';

export interface NotifyOptions {
  readonly store: TranscriptStore;
  readonly hooks: readonly Hook[];
  readonly ports: HookPorts;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Nobody wants to hear now what happened while no hook was configured or no worker was there. */
const staleMs = 3_600_000;

/**
 * Tells the hooks what a page of the log says of agents: those of one agent in their order, different agents at the same time. What a
 * hook answers changes nothing; one that fails is reported and not asked again.
 */
export async function notifyHooks(events: readonly RecordedEvent[], options: NotifyOptions): Promise<void> {
  const oldest = options.now().getTime() - staleMs;
  const byAgent = new Map<string, RecordedEvent[]>();
  for (const record of events) {
    if (Date.parse(record.recordedAt) < oldest || !isHeard(record, options.hooks)) continue;
    byAgent.set(record.stream, [...(byAgent.get(record.stream) ?? []), record]);
  }
  await Promise.all(Array.from(byAgent.values(), (records) => tellInOrder(records, options)));
}

function isHeard(record: RecordedEvent, hooks: readonly Hook[]): boolean {
  const event = hookEventOf(decodeEvent(record));
  return event !== null && hooks.some((hook) => hook.event === event);
}

async function tellInOrder(records: readonly RecordedEvent[], options: NotifyOptions): Promise<void> {
  for (const record of records) await tell(record, options);
}

async function tell(record: RecordedEvent, { store, hooks, ports, signal }: NotifyOptions): Promise<void> {
  const event = decodeEvent(record);
  if (event.type === 'unknown' || event.type === 'damaged') return;
  const notice = agentNotice(event, await loadMeta(store, record.stream));
  if (notice === null) return;
  const meant = hooks.filter(
    (hook) =>
      hook.event === notice.event && (notice.toolNames.length === 0 || matches(hook, notice.toolNames)),
  );
  for (const hook of meant) {
    const reply = await callHook(hook, JSON.stringify({ hook: hook.event, ...notice.facts }), ports, signal);
    // Not told: the page is read again by whoever goes on.
    signal.throwIfAborted();
    if (reply.kind !== 'answered') ports.onFault(hook, reply.reason);
  }
}
