import { z } from 'zod';

/** What an operating program is asked for, as JSON text in its first argument. */
export const Operation = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('rebuild'), name: z.union([z.null(), z.string()]) }),
  z.strictObject({ operation: z.literal('examine') }),
  z.strictObject({
    operation: z.literal('archive'),
    folder: z.string(),
    sessions: z.union([z.null(), z.array(z.string())]),
    endedBefore: z.union([z.null(), z.iso.datetime({ offset: true })]),
    isDryRun: z.boolean(),
  }),
]);
export type Operation = z.infer<typeof Operation>;

/** What it tells its caller over the process channel. */
export type OperationMessage =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly code: string; readonly message: string };
