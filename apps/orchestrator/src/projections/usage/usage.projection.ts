import type { ClientBase } from 'pg';
import { decodeEvent, type EventData, type EventName, type RecordedEvent, type Usage } from '#transcripts';
import type { MetaCache } from '../../log/meta-cache.js';
import { storableText } from '../storable-text.js';
import { subjectOf } from '../subject-of.js';

const modelCap = 256;
const sums = [
  'turns',
  'unreported_turns',
  'unpriced_turns',
  'side_requests',
  'input_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'output_tokens',
  'cost_usd',
] as const;

// Added up as decimals by the database: doubles would differ with the size of the pages.
const add = `
  insert into agent_usage (agent_id, model, tenant, session_id, ${sums.join(', ')})
  select agent_id, model, tenant, session_id, ${sums.map((name) => `sum(${name})`).join(', ')}
  from json_to_recordset($1::json) as row(agent_id uuid, model text, tenant text, session_id uuid,
    ${sums.map((name) => `${name} numeric`).join(', ')})
  group by agent_id, model, tenant, session_id
  on conflict (agent_id, model) do update set
    ${sums.map((name) => `${name} = agent_usage.${name} + excluded.${name}`).join(', ')}`;

const using: ReadonlySet<string> = new Set<EventName>([
  'TurnRecorded',
  'ToolCallClassified',
  'HistoryCompacted',
]);

/** False for an event behind which stands no request. */
export const concernsUsage = ({ type }: RecordedEvent): boolean => using.has(type);

/** Adds what the requests of a page of the log used, in one statement. Adds once, because its checkpoint is saved with it. */
export async function applyToUsage(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const rows = [];
  for (const event of events) {
    const used = usageOf(event);
    if (used !== null) rows.push({ ...(await subjectOf(event, cache)), ...used });
  }
  if (rows.length > 0) await client.query(add, [JSON.stringify(rows)]);
}

/** What the request behind an event used; null for an event without one. Pure. */
export function usageOf(record: RecordedEvent) {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'TurnRecorded':
      return turnUsage(event.data);
    case 'ToolCallClassified':
      return { ...row(event.data.model, event.data.usage), side_requests: 1 };
    case 'HistoryCompacted':
      // The record of a summary does not say which model wrote it.
      return event.data.usage === undefined ? null : { ...row('', event.data.usage), side_requests: 1 };
    default:
      return null;
  }
}

function turnUsage({ model, usage, isUsageReported, isPriced }: EventData<'TurnRecorded'>) {
  const unknown = {
    unreported_turns: isUsageReported === false ? 1 : 0,
    unpriced_turns: isPriced === false ? 1 : 0,
  };
  return { ...row(model, usage), turns: 1, ...unknown };
}

const row = (model: string, usage: Usage) => ({
  model: storableText(model, modelCap),
  turns: 0,
  unreported_turns: 0,
  unpriced_turns: 0,
  side_requests: 0,
  input_tokens: usage.inputTokens,
  cached_tokens: usage.cachedTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  output_tokens: usage.outputTokens,
  cost_usd: usage.costUsd,
});
