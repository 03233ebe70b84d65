import { Command } from '@nestjs/cqrs';
import type { RequestOrigin } from '../../http/request-origin.js';

export class LaunchAgentCommand extends Command<{ readonly id: string }> {
  constructor(
    readonly sessionId: string,
    /** The Agent call as received; `#policy` judges it. */
    readonly call: Readonly<Record<string, unknown>>,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
