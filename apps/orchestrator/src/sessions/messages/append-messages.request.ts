import { z } from 'zod';
import { HistoryInput } from '#agents';

/** `POST /v1/sessions/:id/messages`: a text starts a turn; `run: false` takes over a host's history without one. */
export const AppendMessagesRequest = z.union([
  z.strictObject({ text: z.string().min(1).max(1_000_000), run: z.literal(true).exactOptional() }),
  z.strictObject({ history: HistoryInput, run: z.literal(false) }),
]);
export type AppendMessagesRequest = z.infer<typeof AppendMessagesRequest>;
