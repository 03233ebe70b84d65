import { wellFormedJson } from './well-formed.js';

// Keys that the renderer owns, and those that change what a reply is: a second value of either would be a second truth.
const RESERVED = new Set(['model', 'messages', 'tools', 'system', 'stream', 'stream_options', 'n']);

function parseObject(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Why these settings cannot be sent, or null. */
export function findSettingsDefect(settings: string): string | null {
  const parsed = parseObject(settings);
  if (parsed === null) return 'The model settings are not the text of a JSON object.';
  const reserved = Object.keys(parsed).filter((key) => RESERVED.has(key));
  return reserved.length === 0 ? null : `The model settings may not set ${reserved.join(', ')}.`;
}

/** The members of a JSON object's text without its braces, byte for byte; empty for an empty object. */
export function membersText(objectText: string): string {
  return wellFormedJson(objectText.trim().slice(1, -1).trim());
}

/** True when the text is that of a JSON object. */
export function isJsonObject(json: string): boolean {
  return parseObject(json) !== null;
}

/** True when the text of a JSON object has this member. */
export function hasMember(objectText: string, name: string): boolean {
  const parsed = parseObject(objectText);
  return parsed !== null && Object.hasOwn(parsed, name);
}
