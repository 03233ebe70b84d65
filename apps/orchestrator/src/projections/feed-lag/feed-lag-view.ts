import type { Pool } from 'pg';
import { type FeedLag, readFeedLag } from '#transcripts';

/** How far the readers of the log are behind, and who causes it. Also the injection token. */
export class FeedLagView {
  constructor(private readonly pool: Pool) {}

  read(): Promise<FeedLag> {
    return readFeedLag(this.pool);
  }
}
