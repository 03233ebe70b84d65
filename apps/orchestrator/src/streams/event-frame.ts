import type { LogPlace, SoundEvent } from '#transcripts';
import type { EventSubject } from './cloud-event.js';

/** One event of the log as every client gets it: serialised once, however many they are. */
export interface EventFrame {
  readonly event: SoundEvent;
  readonly subject: EventSubject;
  readonly place: LogPlace;
  readonly cursor: string;
  /** The CloudEvent, on one line. */
  readonly json: string;
}

/** The frame in the form of an event stream. The id is the log's cursor, never empty. */
export const sseFrame = (frame: EventFrame): string => `id: ${frame.cursor}\ndata: ${frame.json}\n\n`;

/** The frame as a line of JSON for clients that ask for JSONL. */
export const jsonLine = (frame: EventFrame): string =>
  `${frame.json.slice(0, -1)},"cursor":"${frame.cursor}"}\n`;

/** A frame of the stream itself, which is no event of the log and has no id. */
export function signalFrame(name: 'gap' | 'level' | 'failed', data: object, asJsonLines: boolean): string {
  if (asJsonLines) return `${JSON.stringify({ type: `dev.offshoot.${name}`, data })}\n`;
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
