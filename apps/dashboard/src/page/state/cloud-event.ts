import { asJson, isJson, number, text, type Json } from './read.js';

/** One fact of the log as the page uses it. */
export interface LiveEvent {
  /** The log cursor; null for a signal that has no place in the log. */
  readonly cursor: string | null;
  /** The event's name, `RunStarted` for `dev.offshoot.RunStarted`. */
  readonly name: string;
  readonly agentId: string;
  /** Version in the agent's stream; null when the sender left it out. */
  readonly version: number | null;
  /** RFC 3339. */
  readonly at: string;
  readonly facts: Json;
  /** True when the payload is kept elsewhere (`dataref`), so that `facts` is not the whole of it. */
  readonly isByReference: boolean;
}

/** A frame of the event stream: a fact, the level signal, a gap, or something this page does not know. */
export type Frame =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'level'; readonly facts: unknown }
  | { readonly kind: 'gap'; readonly resumeAfter: string | null }
  | { readonly kind: 'unknown' };

const lastSegment = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

/**
 * Reads one frame of `/v1/events` (spec 05 §2). Never throws: a frame that cannot be read is `unknown`.
 *
 * @param frameName the SSE event name, `message` when the server gave none
 * @param frameText the SSE data
 * @param frameId the SSE id in force, empty when there is none
 */
export function parseFrame(frameName: string, frameText: string, frameId: string): Frame {
  const body = parseJson(frameText);
  const envelope = asJson(body);
  const name = lastSegment(text(envelope, 'type') ?? frameName);
  if (frameName === 'gap' || name === 'gap') return { kind: 'gap', resumeAfter: resumePoint(envelope) };
  if (frameName === 'level' || name === 'level') {
    return { kind: 'level', facts: 'data' in envelope ? envelope['data'] : body };
  }
  const event = parseEvent(envelope, name, frameId);
  return event === null ? { kind: 'unknown' } : { kind: 'event', event };
}

function parseEvent(envelope: Json, name: string, frameId: string): LiveEvent | null {
  const agentId = text(envelope, 'subject');
  if (agentId === null || text(envelope, 'type') === null) return null;
  const facts = asJson(envelope['data']);
  return {
    cursor: text({ frameId }, 'frameId') ?? text(envelope, 'id'),
    name,
    agentId,
    version: number(envelope, 'streamversion') ?? number(facts, 'streamversion'),
    at: text(envelope, 'time') ?? text(facts, 'time') ?? '',
    facts,
    isByReference: text(envelope, 'dataref') !== null,
  };
}

function resumePoint(envelope: Json): string | null {
  const facts = isJson(envelope['data']) ? envelope['data'] : envelope;
  return text(facts, 'resumeAfter', 'resume', 'after', 'cursor');
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}
