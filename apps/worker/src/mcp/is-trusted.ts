import type { TrustedServer } from '#platform';
import type { ServerConfig } from './server-config.js';

/**
 * Whether the operator vouches for a server (spec 04 §3), judged by what would be started or dialled, byte for byte: the name
 * is the session's choice, and a reference in a URL or an argument could lead anywhere, so the text before resolving counts.
 */
export function isTrusted(config: ServerConfig, trusted: readonly TrustedServer[]): boolean {
  if (config.kind === 'http') return trusted.some(({ url }) => url === config.url);
  // An environment of the session's choosing (`NODE_OPTIONS`, `PATH`) makes another program of the same command.
  if (Object.keys(config.env).length > 0) return false;
  const started = JSON.stringify([config.command, config.args]);
  return trusted.some(
    ({ command, args = [] }) => command !== undefined && JSON.stringify([command, args]) === started,
  );
}
