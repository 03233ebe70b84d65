import {
  formatLogCursor,
  type LogCursorFault,
  type LogPlace,
  parseLogCursor,
  type TranscriptStore,
} from '#transcripts';

export type CursorVersion =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly reason: LogCursorFault | 'expired' };

/** The one kind of cursor that clients see, in streams, transcripts and answers alike (spec 05 §2). */
export class LogCursors {
  constructor(private readonly store: TranscriptStore) {}

  async format(place: LogPlace): Promise<string> {
    return formatLogCursor(await this.store.logId(), place);
  }

  /**
   * The version at which an agent stood at a cursor. `expired`: the agent was archived since and brought back, so that its events stand
   * elsewhere in the log.
   */
  async versionAt(text: string, agentId: string, tenant: string): Promise<CursorVersion> {
    const extent = { logId: await this.store.logId(), end: await this.store.logEnd() };
    const cursor = parseLogCursor(text, extent);
    if (!cursor.ok) return cursor;
    const { last } = await this.store.droppedBehind(cursor.place, { tenant, agents: new Set([agentId]) });
    if (last !== null) return { ok: false, reason: 'expired' };
    return { ok: true, version: await this.store.versionAt(agentId, cursor.place) };
  }
}
