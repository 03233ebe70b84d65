import type { TranscriptRecord } from '../transcript.js';
import type { Json } from '../read.js';

/** The families a transcript can be narrowed to. */
export const families = ['turn', 'call', 'refusal', 'approval', 'run', 'message', 'other'] as const;
export type Family = (typeof families)[number];

/** How an entry's badge is meant: never the only sign, its words say the same. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'live';

/** A longer piece of an entry: prose as written, or code and JSON. */
export interface Block {
  readonly label: string;
  readonly body: string;
  readonly isCode: boolean;
}

/** A picture that a record names; its bytes are asked for with the version of the record. */
export interface Picture {
  readonly version: number;
  /** Whether a browser shows it; anything else is to be kept. */
  readonly isShown: boolean;
}

/** One readable line of a transcript, with what unfolds from it. Several records of one call make one entry. */
export interface Entry {
  /** Version of the first record that it is made of: its place and its key. */
  readonly version: number;
  readonly at: string;
  readonly family: Family;
  readonly title: string;
  /** One short line beside the title. */
  readonly detail: string | null;
  readonly badge: { readonly tone: Tone; readonly text: string } | null;
  readonly blocks: readonly Block[];
  readonly picture: Picture | null;
  readonly records: readonly TranscriptRecord[];
}

/** Builds an entry from one record; what is not given is empty. */
export function entryOf(
  record: TranscriptRecord,
  parts: Pick<Entry, 'family' | 'title'> & Partial<Pick<Entry, 'detail' | 'badge' | 'blocks' | 'picture'>>,
): Entry {
  return {
    version: record.version,
    at: record.at,
    detail: null,
    badge: null,
    blocks: [],
    picture: null,
    records: [record],
    ...parts,
  };
}

/** A value as text to show: strings as they are, anything else as indented JSON. */
export const printed = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** The named field as a code block; none when it is absent, null or empty. */
export function codeBlock(facts: Json, label: string, ...names: readonly string[]): readonly Block[] {
  const value = names.map((name) => facts[name]).find((found) => found !== undefined && found !== null);
  return value === undefined || value === '' ? [] : [{ label, body: printed(value), isCode: true }];
}

/** The named field as prose; none when it is absent or not a text. */
export function proseBlock(facts: Json, label: string, ...names: readonly string[]): readonly Block[] {
  const value = names.map((name) => facts[name]).find((found) => typeof found === 'string' && found !== '');
  return typeof value === 'string' ? [{ label, body: value, isCode: false }] : [];
}

/** `not_in_allowlist` as `not in allowlist`. */
export const spoken = (reason: string): string => reason.replaceAll('_', ' ');
