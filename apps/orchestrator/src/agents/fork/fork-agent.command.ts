import { Command } from '@nestjs/cqrs';
import { z } from 'zod';
import type { RequestOrigin } from '../../http/request-origin.js';

/**
 * `POST /v1/agents/:id/fork`: an Agent call of a fork, and where in the transcript it starts: behind a version, or at a cursor of
 * a transcript or stream; at the end as it stands when neither is given. The call itself is judged by `#policy`.
 */
export const ForkAgentRequest = z
  .looseObject({
    atVersion: z.int().min(1).exactOptional(),
    cursor: z.string().exactOptional(),
  })
  .refine(({ atVersion, cursor }) => atVersion === undefined || cursor === undefined, {
    error: 'atVersion and cursor exclude each other; give one of them.',
  });
export type ForkAgentRequest = z.infer<typeof ForkAgentRequest>;

export class ForkAgentCommand extends Command<{ readonly id: string }> {
  constructor(
    readonly agentId: string,
    readonly request: ForkAgentRequest,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
