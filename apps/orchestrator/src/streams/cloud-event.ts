import type { SoundEvent } from '#transcripts';

/** What a stream must know of the agent of an event to filter it. */
export interface EventSubject {
  readonly sessionId: string;
  readonly kind: string;
}

/** Payloads over this many UTF-16 code units go by reference: the client fetches the record when it wants it. */
const inlineLimit = 64 * 1024;

/**
 * One event as a CloudEvent 1.0 in structured JSON (spec 05 §2), on one line: the payload's recorded text is spliced in, so
 * that numbers and key order are what was recorded.
 */
export function cloudEvent(event: SoundEvent, subject: EventSubject): string {
  const head = JSON.stringify({
    specversion: '1.0',
    id: event.id,
    source: `/v1/agents/${event.stream}`,
    type: `dev.offshoot.${event.type}`,
    subject: event.stream,
    time: event.recordedAt,
    datacontenttype: 'application/json',
    streamversion: event.version,
    sessionid: subject.sessionId,
    agentkind: subject.kind,
    actor: event.actor,
  });
  const body =
    event.data.length > inlineLimit
      ? `"dataref":${JSON.stringify(`/v1/agents/${event.stream}/transcript?version=${event.version}`)}`
      : `"data":${oneLine(event.data)}`;
  return `${head.slice(0, -1)},${body}}`;
}

/** Recorded JSON has no raw line breaks inside strings; between tokens they are white space and may go. */
const oneLine = (json: string): string => json.replaceAll(/[\r\n]+/g, ' ');
