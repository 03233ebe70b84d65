import type { LiveEvent } from './cloud-event.js';
import { asJson, isJson, number, text, type Json } from './read.js';

/** One record of a transcript, from the endpoint or from the live stream. */
export interface TranscriptRecord {
  readonly cursor: string | null;
  readonly version: number;
  readonly name: string;
  readonly at: string;
  readonly facts: Json;
}

/**
 * One agent's records without holes, in the order of their versions.
 *
 * `loading`: pages are being read. `partial`: more pages exist, a person asks for them. `complete`: follows the
 * live stream. `torn`: a live record did not join; the tail must be read again from `after`. `failed`: see `problem`.
 */
export interface Transcript {
  readonly agentId: string;
  readonly phase: 'loading' | 'partial' | 'complete' | 'torn' | 'failed';
  readonly records: readonly TranscriptRecord[];
  /** Cursor to read on from, as the endpoint gave it (a live record's is the log's); null means from the start. */
  readonly after: string | null;
  /** Live records that came in while pages were read. */
  readonly held: readonly TranscriptRecord[];
  readonly problem: string | null;
}

export const openTranscript = (agentId: string): Transcript => ({
  agentId,
  phase: 'loading',
  records: [],
  after: null,
  held: [],
  problem: null,
});

/** Reads one record of `GET /v1/agents/:id/transcript` (spec 05 §9); null without version or type. */
export function parseRecord(value: unknown): TranscriptRecord | null {
  if (!isJson(value)) return null;
  const version = number(value, 'version');
  const type = text(value, 'type');
  if (version === null || type === null) return null;
  const name = type.slice(type.lastIndexOf('.') + 1);
  return {
    cursor: text(value, 'cursor'),
    version,
    name,
    at: text(value, 'at') ?? '',
    facts: asJson(value['data']),
  };
}

/** Takes in a page; at the end of the list the held live records join and the transcript follows the stream. */
export function withPage(
  transcript: Transcript,
  page: readonly TranscriptRecord[],
  next: string | null,
): Transcript {
  const last = transcript.records.at(-1)?.version ?? 0;
  const records = extended(
    transcript.records,
    page.filter((record) => record.version > last),
  );
  const after = next ?? page.at(-1)?.cursor ?? transcript.after;
  const read: Transcript = { ...transcript, records, after, phase: next === null ? 'complete' : 'loading' };
  return next === null ? withRecords({ ...read, held: [] }, transcript.held) : read;
}

/** Stops reading on at a page's end; what follows is read when a person asks for it. */
export const pausedTranscript = (transcript: Transcript): Transcript => ({
  ...transcript,
  phase: 'partial',
  held: [],
});

/** Goes on reading from `after`. */
export const resumedTranscript = (transcript: Transcript): Transcript => ({
  ...transcript,
  phase: 'loading',
});

export const failedTranscript = (transcript: Transcript, problem: string): Transcript => ({
  ...transcript,
  phase: 'failed',
  problem,
});

/** Takes in live events; those of other agents are left out. */
export function withLiveEvents(transcript: Transcript, events: readonly LiveEvent[]): Transcript {
  const own = events.filter((event) => event.agentId === transcript.agentId);
  if (own.length === 0 || transcript.phase === 'partial' || transcript.phase === 'failed') return transcript;
  if (transcript.phase === 'complete' && own.some((event) => event.version === null || event.isByReference)) {
    return { ...transcript, phase: 'torn' };
  }
  const records = own.flatMap(recordOf);
  if (transcript.phase === 'complete') return withRecords(transcript, records);
  return { ...transcript, held: [...transcript.held, ...records] };
}

function recordOf(event: LiveEvent): readonly TranscriptRecord[] {
  if (event.version === null || event.isByReference) return [];
  const { cursor, version, name, at, facts } = event;
  return [{ cursor, version, name, at, facts }];
}

function withRecords(transcript: Transcript, news: readonly TranscriptRecord[]): Transcript {
  const { records, hasHole } = joined(transcript.records, news);
  if (records === transcript.records && !hasHole) return transcript;
  return { ...transcript, records, phase: hasHole ? 'torn' : transcript.phase };
}

function joined(
  records: readonly TranscriptRecord[],
  news: readonly TranscriptRecord[],
): { readonly records: readonly TranscriptRecord[]; readonly hasHole: boolean } {
  const fresh: TranscriptRecord[] = [];
  let last = records.at(-1)?.version ?? 0;
  for (const record of news) {
    if (record.version <= last) continue;
    if (record.version > last + 1) return { records: extended(records, fresh), hasHole: true };
    fresh.push(record);
    last = record.version;
  }
  return { records: extended(records, fresh), hasHole: false };
}

const extended = (
  records: readonly TranscriptRecord[],
  fresh: readonly TranscriptRecord[],
): readonly TranscriptRecord[] => (fresh.length === 0 ? records : [...records, ...fresh]);
