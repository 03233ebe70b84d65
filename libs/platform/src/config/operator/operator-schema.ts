import * as z from 'zod';

export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'AgentStart',
  'AgentStop',
  'ApprovalRequested',
] as const;

/** An object whose members are all known; the message of a refusal names what is accepted. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `left out; known here: ${known}` : `a mapping of ${known}`,
  });
}

const wholeNumber = (lowest: number, highest: number) => {
  const accepted = `a whole number from ${lowest} to ${highest}`;
  return z.int(accepted).min(lowest, accepted).max(highest, accepted);
};
const amount = (accepted: string) => z.number(accepted).nonnegative(accepted);
const shortText = (accepted: string) => z.string(accepted).min(1, accepted).max(4_096, accepted);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, 'a list').max(1_024, 'a list of at most 1024');

const modelSpec = z
  .string('a model such as openai:gpt-5')
  .regex(
    /^(openai|anthropic|scripted):\S+$/,
    'a model such as openai:gpt-5, anthropic:<model> or scripted:<script>',
  );
const httpUrl = z
  .string('an address that starts with http:// or https://')
  .refine(
    (text) => /^https?:\/\/./.test(text) && URL.canParse(text),
    'an address that starts with http:// or https://',
  );
const pattern = shortText('a regular expression over tool names').refine(
  isPattern,
  'a regular expression over tool names',
);

const timeoutMs = wholeNumber(1, 600_000);
const exactlyOne = 'a mapping with either a command or a url';

/** The members of a target that is reached by a command or at a URL, one of which must be there. */
const reachedBy = { command: shortText('a command line').exactOptional(), url: httpUrl.exactOptional() };
type ReachedBy = { readonly command?: string; readonly url?: string };
const isReachedOnce = ({ command, url }: ReachedBy): boolean =>
  (command === undefined) !== (url === undefined);

export const hook = section({
  event: z.enum(hookEvents, `one of ${hookEvents.join(', ')}`),
  timeoutMs: timeoutMs.default(10_000),
  matcher: pattern.exactOptional(),
  ...reachedBy,
}).refine(isReachedOnce, exactlyOne);

const trustedServer = section({ ...reachedBy, args: listOf(z.string('a text')).exactOptional() }).refine(
  (server) => isReachedOnce(server) && (server.command !== undefined || server.args === undefined),
  exactlyOne,
);

const relativePath = shortText('a path relative to the project root, without ".."').refine(
  (path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..'),
  'a path relative to the project root, without ".."',
);
const protectedFolder = relativePath.refine(
  (path) => /^\.(qwen|offshoot)\/[^/]/.test(path) && !path.split('/').includes('.'),
  'a folder below .qwen or .offshoot, where what agents write is asked about',
);
const toolName = shortText('the name of a tool, as permission rules write it');

export const ruleTarget = z.preprocess(
  (given) => (typeof given === 'string' ? { tool: given } : given),
  section({ tool: toolName, path: relativePath.exactOptional() }),
);

const price = section({
  input: amount('US dollars for a million tokens'),
  cached: amount('US dollars for a million tokens'),
  cacheWrite: amount('US dollars for a million tokens'),
  output: amount('US dollars for a million tokens'),
});

const tokens = wholeNumber(1, 1_000_000_000);
const table = <Value extends z.ZodType>(value: Value) =>
  z.record(modelSpec, value, 'a mapping by model').transform((entries) => new Map(Object.entries(entries)));

/** One entry for each setting of the file. */
export const operatorSchema = section({
  hooks: listOf(hook).exactOptional(),
  classifier: section({ model: modelSpec, timeoutMs: timeoutMs.default(20_000) }).exactOptional(),
  prices: table(price).exactOptional(),
  limits: section({
    maxTurns: wholeNumber(1, 1_000_000).exactOptional(),
    maxToolCalls: wholeNumber(0, 1_000_000).exactOptional(),
    maxTokens: wholeNumber(1, Number.MAX_SAFE_INTEGER).exactOptional(),
    maxCostUsd: z.number('US dollars above 0').positive('US dollars above 0').exactOptional(),
    maxSeconds: z.number('seconds above 0').positive('seconds above 0').exactOptional(),
  }).exactOptional(),
  permissions: section({
    allow: listOf(ruleTarget).default([]),
    ask: listOf(ruleTarget).default([]),
    deny: listOf(ruleTarget).default([]),
  }).exactOptional(),
  trustedServers: listOf(trustedServer).exactOptional(),
  models: table(
    section({ contextWindow: tokens.exactOptional(), maxOutputTokens: tokens.exactOptional() }),
  ).exactOptional(),
  concurrency: section({
    perSession: wholeNumber(1, 100_000).nullable().default(null),
    perModel: table(wholeNumber(1, 100_000)).default(new Map()),
  }).exactOptional(),
  profileFolder: protectedFolder.exactOptional(),
  approvalExpirySeconds: wholeNumber(1, 366 * 24 * 3_600).exactOptional(),
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
