import {
  formatLogCursor,
  type LogCursorResult,
  type LogPlace,
  parseLogCursor,
  type TranscriptStore,
} from '#transcripts';

/** The one kind of cursor that clients see, in streams, transcripts and answers alike (spec 05 §2). */
export class LogCursors {
  constructor(private readonly store: TranscriptStore) {}

  async format(place: LogPlace): Promise<string> {
    return formatLogCursor(await this.store.logId(), place);
  }

  async parse(text: string): Promise<LogCursorResult> {
    return parseLogCursor(text, { logId: await this.store.logId(), end: await this.store.logEnd() });
  }
}
