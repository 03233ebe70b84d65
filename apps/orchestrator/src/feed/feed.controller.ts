import { Controller, Get } from '@nestjs/common';
import pg from 'pg';
import { readFeedLag } from '#transcripts';

/**
 * `GET /v1/feed`: how far the readers of the log are behind, and the database backend that causes it. It speaks of the
 * whole server, not of one tenant, and so needs an admin key.
 */
@Controller('v1/feed')
export class FeedController {
  constructor(private readonly pool: pg.Pool) {}

  @Get()
  lag() {
    return readFeedLag(this.pool);
  }
}
