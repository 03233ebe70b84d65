import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkServerName } from '#policy';
import { reasonText, type Withheld, WithheldCode } from './withheld.js';

/** How a server is reached. Strings may hold `${env:NAME}` references, which only a connection resolves. */
export type ServerConfig =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The servers of a session, and what stands in the configuration but cannot be a server. */
export interface ConfiguredServers {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  readonly withheld: readonly Withheld[];
}

const MOST_SERVERS = 64;
const strings = z.record(z.string(), z.string());
const Config = z.union([
  z
    .strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: strings.default({}),
    })
    .transform((stdio): ServerConfig => ({ kind: 'stdio', ...stdio })),
  z
    .strictObject({ url: z.string().min(1), headers: strings.default({}) })
    .transform((http): ServerConfig => ({ kind: 'http', ...http })),
]);

/**
 * Reads the `mcpServers` text of a session's runtime, server by server (spec 04 §3): one that cannot be read, or whose name
 * may not register (spec 02 §2), is reported and takes no other down. Throws for text that is no JSON object, which no
 * recorded runtime has.
 */
export function parseServers(text: string): ConfiguredServers {
  const servers = new Map<string, ServerConfig>();
  const withheld: Withheld[] = [];
  for (const [server, given] of Object.entries(objectOf(text)) as [string, unknown][]) {
    const problem = registrationProblem(server, servers.size);
    const config = Config.safeParse(given);
    if (problem !== null) withheld.push(reported(server, problem));
    else if (!config.success)
      withheld.push(reported(server, reasonText(WithheldCode.CONFIG, z.prettifyError(config.error))));
    else servers.set(server, config.data);
  }
  return { servers, withheld };
}

/** The parser's own object: zod would drop a member that is named `__proto__`, and nobody would be told of it. */
function objectOf(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError('The servers of a session are a JSON object.');
}

function registrationProblem(server: string, known: number): string | null {
  const named = checkServerName(server);
  if (!named.ok) return reasonText(WithheldCode.SERVER_NAME, named.rejection.message);
  return known < MOST_SERVERS
    ? null
    : reasonText(WithheldCode.CONFIG, `at most ${MOST_SERVERS} servers are connected`);
}

const reported = (server: string, reason: string): Withheld => ({ name: `mcp__${server}`, reason });

/** What two configurations must share to share their connections: session, folder and every byte of the servers' text. */
export function serversDigest(session: {
  readonly sessionId: string;
  readonly projectRoot: string;
  readonly mcpServers: string;
}): string {
  return createHash('sha256')
    .update(JSON.stringify([session.sessionId, session.projectRoot, session.mcpServers]))
    .digest('base64url');
}
