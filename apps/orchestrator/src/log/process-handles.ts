import type { Logger } from '#platform';
import type { PostgresLog } from '#transcripts';

/** The open log of this process. Also the injection token. */
export class LogHandle {
  constructor(readonly log: PostgresLog) {}
}

/** The logger of this process. Also the injection token. */
export class ProcessLogger {
  constructor(readonly logger: Logger) {}
}
