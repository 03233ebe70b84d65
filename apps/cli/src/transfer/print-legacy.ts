import type { LegacyReport } from '#agents';
import { counted } from '../policy/counted.js';
import { formatTable, visible } from '../policy/format-table.js';

/** An import of legacy agents for people: what became of each, and what it may run. */
export function printLegacy(agents: readonly LegacyReport[]): string {
  if (agents.length === 0) return 'The folder holds no agent-<id>.meta.json.\n';
  const rows = agents.map(
    ({ file, outcome, agentId = '', policy = '', code = '', message = '', isTorn = false }) => [
      file,
      outcome,
      agentId,
      code === '' ? policy : `${code}: ${message}`,
      isTorn ? 'its last line was cut' : '',
    ],
  );
  const refused = agents.filter(({ outcome }) => outcome === 'refused').length;
  return `${formatTable(['SIDECAR', 'OUTCOME', 'AGENT', 'MAY RUN', 'LOST'], rows)}\n${visible(`${counted(agents.length, 'agent')}, ${refused} refused.`)}\n`;
}
