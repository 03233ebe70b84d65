import { z } from 'zod';
import { Message } from '#transcripts';
import { type HistoryReader, issueText } from './history-reader.js';
import { pairingDefect } from './pairing.js';
import { readAnthropicMessage } from './read-anthropic-message.js';
import { readOpenAiMessage } from './read-openai-message.js';

/** A history in one of the accepted formats (spec 04 §1), as it came in. */
export const HistoryInput = z.strictObject({
  format: z.enum(['offshoot', 'openai', 'anthropic']),
  messages: z.array(z.unknown()).max(200_000),
});
export type HistoryInput = z.infer<typeof HistoryInput>;

/** The history in our own form, or the index in the input of the first message that cannot be taken, and why. */
export type ImportedHistory =
  | { readonly ok: true; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly index: number; readonly message: string };

const readers: Readonly<Record<HistoryInput['format'], HistoryReader>> = {
  offshoot: (raw, messages) => {
    const parsed = Message.safeParse(raw);
    if (!parsed.success) return issueText(parsed.error);
    messages.push(parsed.data);
    return null;
  },
  openai: readOpenAiMessage,
  anthropic: readAnthropicMessage,
};

/**
 * Turns a host's history into our own form, or names the first message that cannot be taken. A history that a provider
 * would refuse is refused here: it would fail every later request (field case C19). `model` is the model that the host talked
 * to, as far as we know: the session's own; signed reasoning goes back to that model only.
 */
export function importHistory(input: HistoryInput, model: string): ImportedHistory {
  const read = readers[input.format];
  const messages: Message[] = [];
  const origins: number[] = [];
  for (const [index, raw] of input.messages.entries()) {
    const refused = read(raw, messages, model);
    if (refused !== null) return refusal(index, refused);
    while (origins.length < messages.length) origins.push(index);
  }
  const defect = pairingDefect(messages);
  return defect === null
    ? { ok: true, messages }
    : refusal(origins[defect.index] ?? defect.index, defect.message);
}

const refusal = (index: number, message: string): ImportedHistory => ({
  ok: false,
  index,
  message: `Message ${index}: ${message}`,
});
