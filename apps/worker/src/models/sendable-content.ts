import { wellFormedText } from './well-formed.js';

/** Sent in place of a result without content, an empty user message and an assistant turn with nothing in it (L11). */
export const EMPTY_RESULT = '(no output)';
export const EMPTY_MESSAGE = '(empty message)';
export const EMPTY_TURN = '(no content)';

/** Content that a provider accepts: well-formed, and the placeholder where nothing but white space is there. */
export function sendableContent(text: string, placeholder: string): string {
  return text.trim() === '' ? placeholder : wellFormedText(text);
}

/** A tool name that a provider accepts: a model may have called a name that no provider takes back (L05). */
export function sendableName(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, 64);
  return cleaned === '' ? 'unnamed' : cleaned;
}
