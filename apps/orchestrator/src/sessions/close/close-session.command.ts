import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';

export class CloseSessionCommand extends Command<void> {
  constructor(
    readonly sessionId: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
