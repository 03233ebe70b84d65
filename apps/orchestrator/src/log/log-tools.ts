import type { CommandTools, TranscriptStore } from '#transcripts';

/** What every command handler needs to decide and append. Also the injection token. */
export class LogTools implements CommandTools {
  constructor(
    readonly store: TranscriptStore,
    readonly newId: () => string,
  ) {}
}
