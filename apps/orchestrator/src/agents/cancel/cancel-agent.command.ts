import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';

export class CancelAgentCommand extends Command<void> {
  constructor(
    readonly agentId: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
