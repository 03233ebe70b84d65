import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';
import type { OpenSessionRequest } from './open-session.request.js';

export class OpenSessionCommand extends Command<{ readonly id: string }> {
  constructor(
    readonly request: OpenSessionRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
