import { z } from 'zod';

const Verdict = z.strictObject({
  verdict: z.enum(['allow', 'deny', 'ask']),
  reason: z.string().max(2_000).exactOptional(),
});

export interface ClassifierVerdict {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly reason: string;
}

/** Reads the classifier's answer strictly: one JSON object and nothing else. Everything that is not understood asks a person. */
export function parseVerdict(text: string): ClassifierVerdict {
  const parsed = Verdict.safeParse(parseJson(text));
  if (parsed.success) return { verdict: parsed.data.verdict, reason: parsed.data.reason ?? '' };
  return { verdict: 'ask', reason: 'The answer of the classifier is no verdict.' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
