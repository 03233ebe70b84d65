import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';
import type { ChangeRuntimeRequest } from './open-session.request.js';

export class ChangeRuntimeCommand extends Command<void> {
  constructor(
    readonly sessionId: string,
    readonly request: ChangeRuntimeRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
