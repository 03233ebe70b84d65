import * as z from 'zod';
import { isApiKey } from '../keys/api-key.js';
import { logLevels } from './offshoot-config.js';

const wholeNumber = (lowest: number, highest: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${lowest} to ${highest}`)
    .transform(Number)
    .refine((number) => number >= lowest && number <= highest, `a whole number from ${lowest} to ${highest}`);

const address = (accepted: string, ...protocols: readonly string[]) =>
  z.string().refine((text) => hasProtocol(text, protocols), accepted);

const httpAddress = address(
  'an address that starts with http:// or https://',
  'http:',
  'https:',
).exactOptional();
const text = z.string();

/** One entry for each variable of spec 05 §9; the message of a refusal says what is accepted. */
export const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(4400),
  HOST: text.regex(/^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address, without a port').default('127.0.0.1'),
  OFFSHOOT_DATA_DIR: text.default('.offshoot'),
  OFFSHOOT_API_KEY: text.refine(isApiKey, 'osk_ and 16 to 256 letters, digits, _ or -').exactOptional(),
  DATABASE_URL: address(
    'a PostgreSQL address (postgres://user:password@host:port/database)',
    'postgres:',
    'postgresql:',
  ).exactOptional(),
  REDIS_URL: text
    .regex(
      /^(redis|rediss|redis\+cluster|rediss\+cluster|redis\+sentinel|rediss\+sentinel|unix):\/\/./,
      'a Redis address (redis://host:port, rediss:// for TLS)',
    )
    .exactOptional(),
  OFFSHOOT_WORKERS: wholeNumber(0, 256).default(1),
  OFFSHOOT_WORKER_CONCURRENCY: wholeNumber(1, 1024).default(16),
  OPENAI_BASE_URL: httpAddress,
  OPENAI_API_KEY: text.exactOptional(),
  ANTHROPIC_BASE_URL: httpAddress,
  ANTHROPIC_API_KEY: text.exactOptional(),
  OFFSHOOT_CONFIG: text.exactOptional(),
  OFFSHOOT_SCRIPTS: text.exactOptional(),
  OFFSHOOT_SCRIPTED_BASE_URL: httpAddress,
  OFFSHOOT_LOG_LEVEL: z.enum(logLevels, `one of ${logLevels.join(', ')}`).default('info'),
});

export type CheckedEnvironment = z.infer<typeof environmentSchema>;

function hasProtocol(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}
