import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';
import type { AppendMessagesRequest } from './append-messages.request.js';

/** Answers where the message stands in the session's transcript. */
export class AppendMessagesCommand extends Command<{ readonly cursor: string }> {
  constructor(
    readonly sessionId: string,
    readonly request: AppendMessagesRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
