import { z } from 'zod';
import { isAgentId, type RecordedEvent } from '#transcripts';
import { parseRequest } from '../http/parse-request.js';
import type { EventSubject } from './cloud-event.js';

const list = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => new Set((Array.isArray(value) ? value : [value]).flatMap((text) => text.split(','))));
const ids = list.refine((set) => [...set].every(isAgentId), 'must be ids');

/** `GET /v1/events?type=&kind=&session=&agent=&after=&level=`; each filter takes several values, separated by commas. */
const StreamRequest = z.strictObject({
  type: list.exactOptional(),
  kind: list.exactOptional(),
  session: ids.exactOptional(),
  agent: ids.exactOptional(),
  after: z.string().exactOptional(),
  level: z.enum(['true', 'false']).exactOptional(),
});
export type StreamRequest = z.infer<typeof StreamRequest>;

export const parseStreamRequest = (query: unknown): StreamRequest =>
  parseRequest(StreamRequest, { ...(query as object) });

/** Whether a client asked for this event. */
export function wants(request: StreamRequest, event: RecordedEvent, subject: EventSubject): boolean {
  const filters: readonly (readonly [ReadonlySet<string> | undefined, string])[] = [
    [request.type, event.type],
    [request.kind, subject.kind],
    [request.session, subject.sessionId],
    [request.agent, event.stream],
  ];
  return filters.every(([accepted, value]) => accepted?.has(value) ?? true);
}
