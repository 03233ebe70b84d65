import { asJson, asList, isJson, number, strings, text, type Json } from './read.js';
import { isStatus, type Status } from './status.js';

/** What the tree shows of an agent, as far as list, page and live events told it. */
export interface Agent {
  readonly id: string;
  readonly kind: string;
  readonly sessionId: string | null;
  readonly parentId: string | null;
  readonly description: string;
  readonly status: Status;
  readonly epoch: number | null;
  readonly worker: string | null;
  /** Calls refused by the gate, as far as they were told or seen. */
  readonly refusals: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Version of the newest live event folded in; null before the first. */
  readonly version: number | null;
}

/** Reads an agent of `GET /v1/agents` or `GET /v1/agents/:id` (spec 05 §9); null when it has no id. */
export function parseAgent(value: unknown): Agent | null {
  if (!isJson(value)) return null;
  const id = text(value, 'id');
  if (id === null) return null;
  const run = asJson(value['run']);
  const status = value['status'];
  return {
    id,
    kind: text(value, 'kind') ?? 'agent',
    sessionId: text(value, 'sessionId'),
    parentId: text(value, 'parentId'),
    description: text(value, 'description', 'title') ?? '',
    status: isStatus(status) ? status : 'unknown',
    epoch: number(run, 'epoch') ?? startedEpoch(value),
    worker: text(run, 'worker'),
    refusals: countRefusals(value),
    createdAt: text(value, 'createdAt') ?? '',
    updatedAt: text(value, 'updatedAt') ?? '',
    version: null,
  };
}

// Epochs count from 1; 0 says that no run has claimed the agent yet.
function startedEpoch(agent: Json): number | null {
  const epoch = number(agent, 'epoch');
  return epoch === 0 ? null : epoch;
}

function countRefusals(agent: Json): number {
  const told = number(agent, 'refusals') ?? number(asJson(agent['usage']), 'refusals');
  return told ?? asList(asJson(agent['outcome'])['refusedTools']).length;
}

/** The items of a list answer and the cursor of its next page, null at the end. */
export function parsePage(value: unknown): {
  readonly items: readonly unknown[];
  readonly next: string | null;
} {
  const page = asJson(value);
  return { items: asList(page['items'] ?? page['records']), next: text(page, 'next') };
}

/** Ids of the unfinished agents that a level signal names, whichever of its spellings is used. */
export function parseLevel(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : (asJson(value)['agents'] ?? asJson(value)['unfinished']);
  const named = asList(list).map((member) => (isJson(member) ? text(member, 'id', 'agentId') : member));
  return strings(named);
}
