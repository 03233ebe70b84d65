import { z } from 'zod';
import { unknownPlaceholders } from './template.js';

const template = z.string().superRefine((text, context) => {
  for (const name of unknownPlaceholders(text)) {
    context.addIssue({ code: 'custom', message: `unknown placeholder {{${name}}}` });
  }
});

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'su') instanceof RegExp;
  } catch {
    return false;
  }
}
const pattern = z.string().refine(compiles, 'not a regular expression (flags s and u apply)');

const bound = z.union([z.int().min(0), z.string().regex(/^match:\d{1,2}$/)], {
  error: 'expected a whole number or "match:N"',
});
const count = z.union(
  [z.int().min(0), z.strictObject({ atLeast: bound.exactOptional(), below: bound.exactOptional() })],
  { error: 'expected a whole number, or an object with atLeast and below' },
);

const when = z.strictObject({
  lastUserContains: z.string().exactOptional(),
  lastUserMatches: pattern.exactOptional(),
  anyUserContains: z.string().exactOptional(),
  anyUserMatches: pattern.exactOptional(),
  systemContains: z.string().exactOptional(),
  lastToolResultContains: z.string().exactOptional(),
  lastToolResultMatches: pattern.exactOptional(),
  lastRole: z.enum(['user', 'assistant', 'tool']).exactOptional(),
  declaresTool: z.string().exactOptional(),
  assistantTurns: count.exactOptional(),
  assistantTurnsSinceLastUser: count.exactOptional(),
  toolResultCount: count.exactOptional(),
  toolResultsSinceLastUser: count.exactOptional(),
});

const toolCall = z.strictObject({
  id: z.string().min(1).max(40).exactOptional(),
  name: z.string(),
  arguments: z.union([template, z.record(z.string(), z.unknown())], {
    error: 'expected an object, or the text of the arguments',
  }),
});

const tokens = z.int().min(0);
const answer = z.strictObject({
  text: template.exactOptional(),
  reasoning: z.union([template, z.array(template)]).exactOptional(),
  toolCalls: z.array(toolCall).exactOptional(),
  finishReason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']).exactOptional(),
  malformedArguments: z.boolean().exactOptional(),
  duplicateIds: z.boolean().exactOptional(),
  usage: z
    .strictObject({
      prompt: tokens.exactOptional(),
      cacheRead: tokens.exactOptional(),
      cacheWrite: tokens.exactOptional(),
      completion: tokens.exactOptional(),
      reasoning: tokens.exactOptional(),
    })
    .exactOptional(),
});

const error = z.strictObject({
  status: z.int().min(400).max(599),
  message: z.string().exactOptional(),
  type: z.string().exactOptional(),
  code: z.string().exactOptional(),
  body: z.unknown().exactOptional(),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).exactOptional(),
  times: z.int().min(1).exactOptional(),
});

const milliseconds = z.int().min(0).max(600_000);
const delivery = z.strictObject({
  delayMs: milliseconds.exactOptional(),
  chunkDelayMs: milliseconds.exactOptional(),
  chunkSize: z.int().min(1).exactOptional(),
  hangAfterChunks: z.int().min(0).exactOptional(),
  cutAfterChunks: z.int().min(0).exactOptional(),
  omitFinish: z.boolean().exactOptional(),
  omitDone: z.boolean().exactOptional(),
});

const rule = z
  .strictObject({
    name: z.string().exactOptional(),
    when: when.default({}),
    answer: answer.exactOptional(),
    error: error.exactOptional(),
    delivery: delivery.default({}),
  })
  .refine(
    (it) => (it.answer === undefined) !== (it.error === undefined),
    'a rule has either an answer or an error',
  );

/** The script format; README.md explains each field. */
export const scriptSchema = z.strictObject({
  description: z.string().exactOptional(),
  /** Tokens a request may hold; the server's own window when absent. */
  window: z.int().min(1).exactOptional(),
  rules: z.array(rule).min(1),
});

export type Script = z.infer<typeof scriptSchema>;
export type Rule = Script['rules'][number];
export type When = Rule['when'];
export type CountCondition = z.infer<typeof count>;
export type ScriptedAnswer = z.infer<typeof answer>;
export type ScriptedError = z.infer<typeof error>;
export type Delivery = z.infer<typeof delivery>;
