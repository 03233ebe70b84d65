import type { z } from 'zod';
import { refused, type Checked } from '../refusal.js';

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** The first issue of a failed shape check, as a refusal that names the place. */
export function shapeRefusal(error: z.ZodError): Checked<never> {
  const [issue] = error.issues;
  if (issue === undefined) return refused('Invalid request.');
  const where = pathText(issue.path);
  return refused(`Invalid value at '${where || 'body'}': ${issue.message}.`, where || null, 'invalid_value');
}
