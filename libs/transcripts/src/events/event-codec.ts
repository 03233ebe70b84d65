import {
  type AgentEvent,
  type DecodedEvent,
  type EventName,
  eventSchemas,
  type ReadEvent,
} from './agent-event.js';
import { isSound, type NewEvent, type RecordedEvent, type SoundEvent } from './recorded-event.js';
import { currentSchema, upcast } from './upcast.js';

/** Types that are policy facts by their name or by what they carry, for events from a release we do not know. */
const policyName = /polic|ceiling|permission|restrict|allow|deny|toolset|profile/i;
const policyKeys: ReadonlySet<string> = new Set([
  'policy',
  'ceiling',
  'executionAllowedTools',
  'fork_tools',
  'entries',
  'permissions',
  'approvalMode',
  'workflowMode',
]);

const isEventName = (type: string): type is EventName => Object.hasOwn(eventSchemas, type);

/** Turns a typed event into what the store records. `id` comes from the caller: this function has no chance in it. */
export function encodeEvent(event: AgentEvent, id: string): NewEvent {
  return { id, type: event.type, schema: currentSchema(event.type), data: JSON.stringify(event.data) };
}

/**
 * Reads one recorded event: the single place where payload text becomes a value and old payloads become current
 * ones. Never throws: one event that cannot be read must stop its own agent, not every reader of the log. Unknown types
 * come back as `unknown`; so do newer schemas and payloads that are not what their type says, and those stop a run. Nothing is read out
 * of an event with a fault: it comes back as `damaged`.
 */
export function decodeEvent(record: RecordedEvent): ReadEvent {
  if (!isSound(record)) return { type: 'damaged', record };
  const { type } = record;
  if (!isEventName(type)) return { type: 'unknown', statesPolicy: statesPolicy(record), record };
  // A fact that every fold needs, in a form that only a newer release can read: skipping it could revive what has ended.
  if (record.schema > currentSchema(type)) return { type: 'unknown', statesPolicy: true, record };
  try {
    const data = eventSchemas[type].parse(upcast(type, record.schema, JSON.parse(record.data)));
    return { type, data, record } as DecodedEvent;
  } catch {
    return { type: 'unknown', statesPolicy: true, record };
  }
}

function statesPolicy(record: SoundEvent): boolean {
  if (policyName.test(record.type)) return true;
  try {
    return holdsPolicyKey(JSON.parse(record.data));
  } catch {
    return true;
  }
}

/** Walks with a stack of its own: a payload may be nested deeper than the call stack goes (field case E11). */
function holdsPolicyKey(data: unknown): boolean {
  const open: unknown[] = [data];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, child] of Object.entries(node)) {
      if (policyKeys.has(key)) return true;
      open.push(child);
    }
  }
  return false;
}
