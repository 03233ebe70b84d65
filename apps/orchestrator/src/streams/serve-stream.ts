import type { ServerResponse } from 'node:http';
import {
  type DroppedFilter,
  formatLogCursor,
  type LogPlace,
  parseLogCursor,
  type TranscriptStore,
} from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { EdgeCode, ProblemError } from '../http/problem.js';
import type { AgentRoster } from '../projections/agent-roster/agent-roster.js';
import { type StreamRequest, wants } from './event-filter.js';
import { jsonLine, signalFrame, sseFrame } from './event-frame.js';
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

/** Something that a client asked for is not there to be sent: why, and a place from which nothing is missing (null is the end). */
interface Gap {
  readonly reason: string;
  readonly resume: LogPlace | null;
}

/**
 * Where to start, judged before any header is sent: a text that cannot be a cursor is a 422, one of another log a gap, and so is one behind
 * which something was archived that the client asked for. What is still there behind such a place is sent all the same.
 */
export interface StartPlace {
  /** Null is the end of the log. */
  readonly after: LogPlace | null;
  readonly gap: Gap | null;
  /** How often events had been taken away when this was judged; null when it was not looked at. */
  readonly drops: number | null;
}

const fromEnd: StartPlace = { after: null, gap: null, drops: null };

export async function startPlace(store: TranscriptStore, start: StreamStart): Promise<StartPlace> {
  const cursor = start.lastEventId ?? start.request.after;
  if (cursor === undefined || cursor === '') return fromEnd;
  const parsed = parseLogCursor(cursor, { logId: await store.logId(), end: await store.logEnd() });
  if (parsed.ok) {
    const { drops, last } = await store.droppedBehind(parsed.place, filterOf(start));
    return { after: parsed.place, drops, gap: expired(last) };
  }
  if (parsed.reason === 'malformed')
    throw new ProblemError(
      EdgeCode.CURSOR_INVALID,
      'The cursor is none of ours; leave it out to start at the end.',
    );
  return { ...fromEnd, gap: { reason: parsed.reason, resume: null } };
}

const expired = (last: LogPlace | null): Gap | null =>
  last === null ? null : { reason: 'expired', resume: last };

/** Which archived agents a client would have heard of; filters by type and kind are not looked at, and may tell of a gap too many. */
function filterOf({ request: { session, agent }, principal: { tenant } }: StreamStart): DroppedFilter {
  return {
    tenant,
    ...(session === undefined ? {} : { sessions: session }),
    ...(agent === undefined ? {} : { agents: agent }),
  };
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
    client.end(failedFrame(EdgeCode.UNAUTHENTICATED, asJsonLines)),
  );
  // It may have gone while its cursor was judged: then nothing will say so any more (S07).
  if (response.destroyed) client.close();
  try {
    const after = place.after ?? (await rooms.store.logEnd());
    await client.write(await opening(rooms, start, place.gap, after));
    await catchUpAndJoin(rooms, { ...place, after }, client, start);
  } catch (thrown) {
    rooms.onFault(thrown);
    client.end(failedFrame(EdgeCode.UNAVAILABLE, asJsonLines));
  }
}

const failedFrame = (code: EdgeCode, asJsonLines: boolean): string =>
  signalFrame('failed', { code }, asJsonLines);

async function opening(
  rooms: StreamRooms,
  start: StreamStart,
  gap: Gap | null,
  after: LogPlace | null,
): Promise<string> {
  const told = gap === null ? '' : await gapText(rooms, start, { ...gap, resume: gap.resume ?? after });
  const hint = start.asJsonLines ? '' : `retry: ${retryHintMs}\n\n`;
  return `${hint}${told}${await levelText(rooms, start)}`;
}

/** Lines of JSON have it on request only: whoever reads them may take every line for an event. */
async function levelText({ roster }: StreamRooms, start: StreamStart): Promise<string> {
  const { request, principal, asJsonLines } = start;
  if ((request.level ?? String(!asJsonLines)) === 'false') return '';
  const unfinished = await roster.unfinished(principal.tenant, request);
  return signalFrame('level', { unfinished }, asJsonLines);
}

async function gapText({ store }: StreamRooms, start: StreamStart, { reason, resume }: Gap): Promise<string> {
  const cursor = resume === null ? null : formatLogCursor(await store.logId(), resume);
  return signalFrame('gap', { reason, resume: cursor }, start.asJsonLines);
}

async function catchUpAndJoin(
  rooms: StreamRooms,
  from: StartPlace,
  client: StreamClient,
  start: StreamStart,
): Promise<void> {
  let { after: place, drops } = from;
  while (!client.closed && !rooms.hub.join(place, client)) {
    const page = await rooms.store.readLog(place);
    // Taken away between two pages: nobody else can tell this client.
    if (page.drops !== drops) await client.write(await missedText(rooms, start, place));
    const frames = await rooms.hub.framesOf(page.events);
    const print = start.asJsonLines ? jsonLine : sseFrame;
    const wanted = frames.filter(
      (frame) =>
        frame.event.tenant === start.principal.tenant && wants(start.request, frame.event, frame.subject),
    );
    await client.write(wanted.map(print).join(''));
    place = page.next;
    drops = page.drops;
  }
  // A client that went while it was joining has said so already; nothing may keep it.
  if (client.closed) rooms.hub.leave(client);
}

const beforeAll: LogPlace = { generation: 0, xid: 0n, position: 0n };

async function missedText(rooms: StreamRooms, start: StreamStart, place: LogPlace | null): Promise<string> {
  const { last } = await rooms.store.droppedBehind(place ?? beforeAll, filterOf(start));
  const gap = expired(last);
  return gap === null ? '' : gapText(rooms, start, gap);
}
