import { Command } from '@nestjs/cqrs';
import { z } from 'zod';
import type { RequestOrigin } from '../http/request-origin.js';

/** `POST /v1/questions/:id`. */
export const AnswerQuestionRequest = z.strictObject({ text: z.string().min(1).max(100_000) });

export class AnswerQuestionCommand extends Command<void> {
  constructor(
    readonly questionId: string,
    readonly text: string,
    readonly origin: RequestOrigin,
  ) {
    super();
  }
}
