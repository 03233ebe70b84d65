import { accepted, executeCommand, type FaultyEvent } from '#transcripts';
import type { LogTools } from '../log/log-tools.js';

/**
 * Blocks the agents of damaged events, in the log and once: whoever looks at one after that, and every list, finds it blocked. Nothing is
 * recorded for an agent whose stream verifies by now, nor for one of which nothing can be read.
 */
export async function blockDamaged(events: readonly FaultyEvent[], tools: LogTools): Promise<void> {
  for (const stream of new Set(events.map((event) => event.stream)))
    // Whatever a command wants of a damaged agent, it is blocked first.
    await executeCommand(tools, {
      stream,
      context: { actor: 'system:family', tenant: '' },
      decide: () => accepted(),
    });
}
