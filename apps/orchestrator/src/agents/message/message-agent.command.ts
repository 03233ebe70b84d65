import { Command } from '@nestjs/cqrs';
import { z } from 'zod';
import type { RequestOrigin } from '../../http/request-origin.js';

/** `POST /v1/agents/:id/messages`. */
export const MessageAgentRequest = z.strictObject({ text: z.string().min(1).max(1_000_000) });

export class MessageAgentCommand extends Command<void> {
  constructor(
    readonly agentId: string,
    readonly text: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
