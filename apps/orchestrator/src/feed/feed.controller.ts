import { Controller, Get } from '@nestjs/common';
import { RequireScope, WholeServer } from '../auth/require-scope.js';
import { FeedLagView } from '../projections/feed-lag/feed-lag-view.js';

/**
 * `GET /v1/feed`: how far the readers of the log are behind, and the database backend that causes it. It speaks of the
 * whole server, not of one tenant, and so needs an admin key of the default tenant.
 */
@Controller('v1/feed')
export class FeedController {
  constructor(private readonly view: FeedLagView) {}

  @Get()
  @RequireScope('admin')
  @WholeServer()
  lag() {
    return this.view.read();
  }
}
