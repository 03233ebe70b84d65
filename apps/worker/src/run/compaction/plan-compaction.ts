import { isRealUserTurn, type PlacedMessage } from '#agents';
import { type Message, textOfMessage } from '#transcripts';
import { messageSize } from '../../models/context-window.js';

/** What a compaction does with a history: a summary and the pinned messages stand in the place of all up to a version. */
export interface CompactionPlan {
  readonly upTo: number;
  /** What the summary is of. */
  readonly summarised: readonly Message[];
  /** Kept word for word behind the summary: directive and restriction, and the question that is being answered. */
  readonly pinned: readonly Message[];
}

/**
 * Plans the compaction of a history outside of a batch (spec 03 §3): as much of its end as fits in `tailBytes` stays as it is.
 * `prompt` is the launch prompt, which no compaction removes. Null when there is nothing that a summary could stand for. Pure.
 */
export function planCompaction(
  places: readonly PlacedMessage[],
  prompt: string | null,
  tailBytes: number,
): CompactionPlan | null {
  const highest = highestVersions(places);
  const start = startOfTail(places, highest, tailBytes);
  const replaced = places.slice(0, start).map(({ message }) => message);
  const question = places.findLast(({ message }) => isRealUserTurn(message))?.message;
  const isPinned = (message: Message): boolean => message === question || isPrompt(message, prompt);
  const summarised = replaced.filter((message) => !isPinned(message));
  if (summarised.length === 0) return null;
  const upTo = Math.max(1, highest[start - 1] ?? 0);
  return { upTo, summarised, pinned: replaced.filter(isPinned) };
}

function isPrompt(message: Message, prompt: string | null): boolean {
  return prompt !== null && message.role === 'user' && textOfMessage(message) === prompt;
}

/** The first index of the longest end within `tailBytes` that begins with no result and at a place of its own. */
function startOfTail(
  places: readonly PlacedMessage[],
  highest: readonly number[],
  tailBytes: number,
): number {
  let start = places.length;
  let size = 0;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const place = places[index];
    if (place === undefined) break;
    size += messageSize(place.message);
    if (size > tailBytes) break;
    if (mayBegin(place, highest[index - 1] ?? 0)) start = index;
  }
  return start;
}

function mayBegin(place: PlacedMessage, highestBefore: number): boolean {
  return place.message.role !== 'tool' && place.version > highestBefore;
}

/** For each place the highest version up to it: what came while a batch was open stands behind results of later versions. */
function highestVersions(places: readonly PlacedMessage[]): readonly number[] {
  let highest = 0;
  return places.map(({ version }) => (highest = Math.max(highest, version)));
}
