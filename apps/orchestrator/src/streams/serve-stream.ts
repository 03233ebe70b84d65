import type { ServerResponse } from 'node:http';
import { formatLogCursor, type LogPlace, parseLogCursor, type TranscriptStore } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { EdgeCode, ProblemError } from '../http/problem.js';
import type { AgentRoster } from '../projections/agent-roster/agent-roster.js';
import { type StreamRequest, wants } from './event-filter.js';
import { jsonLine, sseFrame } from './event-frame.js';
import type { EventHub } from './event-hub.js';
import { StreamClient } from './stream-client.js';

const defaultHeartbeatMs = 10_000;
const retryHintMs = 1_000;

/** What serving streams needs. Also the injection token. */
export abstract class StreamRooms {
  abstract readonly store: TranscriptStore;
  abstract readonly hub: EventHub;
  abstract readonly roster: Pick<AgentRoster, 'unfinished'>;
  /** Hears why a stream was ended from this side. */
  abstract readonly onFault: (thrown: unknown) => void;
  /** Hears of a client that was cut off because it did not read. */
  abstract readonly onTooSlow: (unreadLength: number) => void;
  /** Pause between heartbeats; 10 s when not said. */
  readonly heartbeatMs?: number;
}

export interface StreamStart {
  readonly request: StreamRequest;
  readonly principal: Principal;
  /** `Last-Event-ID`, which beats `?after=`: a browser that reconnects sends both. */
  readonly lastEventId: string | undefined;
  readonly asJsonLines: boolean;
  /** Says once that the key of this stream was revoked; answers how to no longer be told. */
  readonly onRevoked: (listener: () => void) => () => void;
}

/** Where to start, judged before any header is sent: a text that cannot be a cursor is a 422, one of another log a gap. */
export type StartPlace =
  | { readonly kind: 'end' }
  | { readonly kind: 'after'; readonly place: LogPlace }
  | { readonly kind: 'gap'; readonly reason: string };

export async function startPlace(
  store: TranscriptStore,
  { request, lastEventId }: StreamStart,
): Promise<StartPlace> {
  const cursor = lastEventId ?? request.after;
  if (cursor === undefined || cursor === '') return { kind: 'end' };
  const parsed = parseLogCursor(cursor, { logId: await store.logId(), end: await store.logEnd() });
  if (parsed.ok) return { kind: 'after', place: parsed.place };
  if (parsed.reason === 'malformed')
    throw new ProblemError(
      EdgeCode.CURSOR_INVALID,
      'The cursor is none of ours; leave it out to start at the end.',
    );
  return { kind: 'gap', reason: parsed.reason };
}

/**
 * Serves one event stream until its client goes: level signal, catch-up from the log in pages, then the shared tail. Never
 * rejects: a stream that cannot go on says so in a frame of its own and ends; its client comes back with its last id (S14).
 */
export async function serveStream(
  rooms: StreamRooms,
  start: StreamStart,
  place: StartPlace,
  response: ServerResponse,
): Promise<void> {
  const { principal, request, asJsonLines } = start;
  const heartbeat = setInterval(
    () => void response.write(asJsonLines ? '\n' : ': heartbeat\n\n'),
    rooms.heartbeatMs ?? defaultHeartbeatMs,
  );
  const client: StreamClient = new StreamClient({
    response,
    wants: (frame) => frame.event.tenant === principal.tenant && wants(request, frame.event, frame.subject),
    print: asJsonLines ? jsonLine : sseFrame,
    onClosed: () => {
      clearInterval(heartbeat);
      forgetRevocation();
      rooms.hub.leave(client);
    },
    onTooSlow: rooms.onTooSlow,
  });
  const forgetRevocation = start.onRevoked(() =>
    client.end(asJsonLines ? '' : failedFrame(EdgeCode.UNAUTHENTICATED)),
  );
  // It may have gone while its cursor was judged: then nothing will say so any more (S07).
  if (response.destroyed) client.close();
  try {
    const after = place.kind === 'after' ? place.place : await rooms.store.logEnd();
    if (!asJsonLines) await client.write(await opening(rooms, principal, place, after));
    await catchUpAndJoin(rooms, after, client, start);
  } catch (thrown) {
    rooms.onFault(thrown);
    client.end(asJsonLines ? '' : failedFrame(EdgeCode.UNAVAILABLE));
  }
}

const failedFrame = (code: EdgeCode): string => `event: failed\ndata: ${JSON.stringify({ code })}\n\n`;

async function opening(
  { roster, store }: StreamRooms,
  { tenant }: Principal,
  place: StartPlace,
  after: LogPlace | null,
): Promise<string> {
  const resume = after === null ? null : formatLogCursor(await store.logId(), after);
  const gap =
    place.kind === 'gap' ? `event: gap\ndata: ${JSON.stringify({ reason: place.reason, resume })}\n\n` : '';
  const level = JSON.stringify({ unfinished: await roster.unfinished(tenant) });
  return `retry: ${retryHintMs}\n\n${gap}event: level\ndata: ${level}\n\n`;
}

async function catchUpAndJoin(
  rooms: StreamRooms,
  after: LogPlace | null,
  client: StreamClient,
  start: StreamStart,
): Promise<void> {
  let place = after;
  while (!client.closed && !rooms.hub.join(place, client)) {
    const page = await rooms.store.readLog(place);
    const frames = await rooms.hub.framesOf(page.events);
    const print = start.asJsonLines ? jsonLine : sseFrame;
    const wanted = frames.filter(
      (frame) =>
        frame.event.tenant === start.principal.tenant && wants(start.request, frame.event, frame.subject),
    );
    await client.write(wanted.map(print).join(''));
    place = page.next;
  }
  // A client that went while it was joining has said so already; nothing may keep it.
  if (client.closed) rooms.hub.leave(client);
}
