import type { Message } from '#transcripts';

/** How a block says that everything up to it is worth caching. */
export const CACHE_MARK = ',"cache_control":{"type":"ephemeral"}';

/** A provider takes four marks; one is on the system text or the last tool. */
const MOST_MESSAGE_MARKS = 3;

/** The last message that was there when the ancestor asked for the last time: its request ended with it, and so did its mark. */
function endOfLastRequest(messages: readonly Message[], length: number): number {
  const answer = messages.slice(0, length).findLastIndex(({ role }) => role === 'assistant');
  return answer - 1;
}

/**
 * The messages that carry a cache mark: the last one, and in what was inherited the ones that the ancestors marked, where they
 * marked them. A mark is part of the bytes, so one that moves ends what a fork shares with its parent (spec 04 §2).
 */
export function markedMessages(
  messages: readonly Message[],
  inheritedLengths: readonly number[],
): ReadonlySet<number> {
  const inherited = inheritedLengths.map((length) => endOfLastRequest(messages, length));
  const marked = [...inherited.filter((index) => index >= 0), messages.length - 1];
  return new Set([...new Set(marked)].slice(-MOST_MESSAGE_MARKS));
}
