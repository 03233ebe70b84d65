import { Controller, Get } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { From, RequireScope } from '../auth/require-scope.js';
import { WorkerList } from '../projections/worker-list/worker-list.js';

/** `/v1/workers`: the living workers and the agents they run. */
@Controller('v1/workers')
export class WorkersController {
  constructor(private readonly workers: WorkerList) {}

  @Get()
  @RequireScope('observe')
  async list(@From() from: Principal) {
    return { items: await this.workers.list(from.tenant) };
  }
}
