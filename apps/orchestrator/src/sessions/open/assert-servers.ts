import { checkServerName } from '#policy';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import type { OpenSessionRequest } from './open-session.request.js';

type Servers = NonNullable<OpenSessionRequest['mcpServers']>;

const secretName = /key|token|secret|passw|auth|cookie|credential/i;
const reference = /\$\{env:[A-Za-z_][A-Za-z0-9_]*\}/;

/**
 * Refuses server names that no wire name can be made of, and secrets spelt out: what a session is opened with goes into the
 * log, so a secret in it must be a reference that the worker resolves (spec 04 §3).
 */
export function assertServers(servers: Servers): void {
  for (const [name, server] of Object.entries(servers)) {
    const checked = checkServerName(name);
    if (!checked.ok)
      throw new ProblemError(checked.rejection.code, checked.rejection.message, { offenders: [name] });
    const values = Object.entries(('url' in server ? server.headers : server.env) ?? {});
    const spelt = values
      .filter(([key, value]) => secretName.test(key) && !reference.test(value))
      .map(([key]) => key);
    if (spelt.length === 0) continue;
    const message = `mcpServers.${name}: ${spelt.join(', ')} must be a reference like \${env:NAME}; a secret spelt out would be kept in the log.`;
    throw new ProblemError(EdgeCode.REQUEST_INVALID, message, { offenders: spelt });
  }
}
