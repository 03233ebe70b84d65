import * as z from 'zod';
import { keyScopes } from './key-scopes.js';

/** Who a key is for and what it may do. */
export const NewKeyRequest = z.strictObject({
  /** For people, who read it in lists. */
  name: z
    .string()
    .regex(/^[^\p{Cc}\p{Bidi_Control}\p{Surrogate}]{1,100}$/u, 'must be 1 to 100 printable characters'),
  tenant: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,62}$/,
      'must be 1 to 63 of a-z, 0-9, ".", "_" and "-", and begin with a letter or digit',
    ),
  scopes: z
    .array(z.enum(keyScopes, `must be one of ${keyScopes.join(', ')}`))
    .nonempty('must be at least one'),
});
export type NewKeyRequest = z.infer<typeof NewKeyRequest>;

export type NewKeyResult =
  { readonly ok: true; readonly request: NewKeyRequest } | { readonly ok: false; readonly message: string };

/** Checks a request for a key; the message of a refusal names each part that cannot be used, and what is accepted. */
export function parseNewKeyRequest(given: unknown): NewKeyResult {
  const parsed = NewKeyRequest.safeParse(given);
  if (parsed.success) return { ok: true, request: parsed.data };
  const message = parsed.error.issues
    .map((issue) => `${String(issue.path[0] ?? 'request')}: ${issue.message}`)
    .join('; ');
  return { ok: false, message };
}
