import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';

export class ReopenSessionCommand extends Command<void> {
  constructor(
    readonly sessionId: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
