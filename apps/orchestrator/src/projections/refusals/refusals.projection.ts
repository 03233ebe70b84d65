import type { ClientBase } from 'pg';
import { decodeEvent, type EventName, type RecordedEvent, type Surface } from '#transcripts';
import type { MetaCache } from '../../log/meta-cache.js';
import { storableText } from '../storable-text.js';
import { subjectOf } from '../subject-of.js';

/** Names are written by models and servers; an index holds them, so their length is bounded. */
const nameCap = 256;
const detailCap = 2_048;

const columns = `agent_id uuid, version integer, ordinal integer, tenant text, session_id uuid, kind text, tool text,
  reason text, detail text, recorded_at timestamptz`;

// A tool that a run found withheld is withheld in the next one too: it is noted once for each reason.
const insert = `insert into refusal select * from json_to_recordset($1::json) as row(${columns}) on conflict do nothing`;

const mayRefuse: ReadonlySet<string> = new Set<EventName>([
  'ToolCallRefused',
  'LaunchRefused',
  'RunStarted',
  'SurfaceChanged',
]);

interface Refusal {
  readonly kind: 'call' | 'launch' | 'withheld';
  readonly tool: string | null;
  readonly reason: string;
  readonly detail: string | null;
}

/** False for an event that refuses and withholds nothing. */
export const concernsRefusals = (event: RecordedEvent): boolean =>
  mayRefuse.has(event.type) && refusalsOf(event).length > 0;

/** Notes what a page of the log refused and withheld, in one statement. */
export async function applyToRefusals(
  client: ClientBase,
  events: readonly RecordedEvent[],
  cache: MetaCache,
): Promise<void> {
  const rows = [];
  for (const event of events) {
    const refusals = refusalsOf(event);
    if (refusals.length === 0) continue;
    const { version, recordedAt } = event;
    const shared = { ...(await subjectOf(event, cache)), version, recorded_at: recordedAt };
    rows.push(...refusals.map((refusal, ordinal) => ({ ...shared, ordinal, ...refusal })));
  }
  if (rows.length > 0) await client.query(insert, [JSON.stringify(rows)]);
}

/** What one event refuses or withholds. Pure. */
export function refusalsOf(record: RecordedEvent): readonly Refusal[] {
  const event = decodeEvent(record);
  switch (event.type) {
    case 'ToolCallRefused':
      return [refusal('call', event.data.name, event.data.reason)];
    case 'LaunchRefused':
      return [
        { ...refusal('launch', null, event.data.code), detail: storableText(event.data.message, detailCap) },
      ];
    case 'RunStarted':
    case 'SurfaceChanged':
      return withheldOf(event.data.surface);
    default:
      return [];
  }
}

const withheldOf = ({ withheld }: Surface): readonly Refusal[] =>
  withheld.map(({ name, reason }) => refusal('withheld', name, reason));

const refusal = (kind: Refusal['kind'], tool: string | null, reason: string): Refusal => ({
  kind,
  tool: tool === null ? null : storableText(tool, nameCap),
  reason: storableText(reason, nameCap),
  detail: null,
});
