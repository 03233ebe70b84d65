import type { TranscriptRecord } from '../transcript.js';
import { approvalEntry, requestKey } from './approval-entries.js';
import { askedArguments, callEntry, callKey } from './call-entries.js';
import { entryOf, type Block, type Entry } from './entry.js';
import { messageEntry } from './message-entries.js';
import { runEntry } from './run-entries.js';

/**
 * Folds a transcript into entries to read: the records of one call are one entry, and so are a request and its
 * answer, each at the place of its first record. Every record is in exactly one entry; one whose name this page
 * does not know keeps its name as title.
 */
export function projectEntries(records: readonly TranscriptRecord[]): readonly Entry[] {
  const entries: Entry[] = [];
  const places = new Map<string, number>();
  const asked = new Map<string, Block>();
  for (const record of records) {
    if (record.name === 'TurnRecorded')
      for (const [call, block] of askedArguments(record)) asked.set(call, block);
    const key = joinKey(record);
    const place = key === null ? undefined : places.get(key);
    const entry = readEntry(record, place === undefined ? null : (entries[place] ?? null), asked);
    if (place !== undefined) {
      entries[place] = entry;
      continue;
    }
    if (key !== null) places.set(key, entries.length);
    entries.push(entry);
  }
  return entries;
}

function joinKey(record: TranscriptRecord): string | null {
  if (isCall(record)) return prefixed('call', callKey(record.facts));
  return isRequest(record) ? prefixed('request', requestKey(record.facts)) : null;
}

const prefixed = (family: string, key: string | null): string | null =>
  key === null ? null : `${family}:${key}`;

const isCall = (record: TranscriptRecord): boolean => record.name.startsWith('ToolCall');
const isRequest = (record: TranscriptRecord): boolean => /^(Approval|Question)/.test(record.name);

function readEntry(
  record: TranscriptRecord,
  earlier: Entry | null,
  asked: ReadonlyMap<string, Block>,
): Entry {
  if (isCall(record)) return callEntry(record, earlier, asked.get(callKey(record.facts) ?? '') ?? null);
  if (isRequest(record)) return approvalEntry(record, earlier);
  return (
    runEntry(record) ??
    messageEntry(record) ??
    entryOf(record, { family: 'other', title: titled(record.name) })
  );
}

const titled = (name: string): string => {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
