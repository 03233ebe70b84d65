import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptStore, WakeUp } from '#transcripts';
import type { RunHost } from './run-host.js';

export interface WatchedLog {
  readonly store: TranscriptStore;
  readonly wakeUp: WakeUp;
}

/** How long a cancelled run may go on unnoticed when no wake-up comes. */
const pollMs = 1_000;
/** Wake-ups come with every append anywhere; runs are looked at no more often than this. */
const restMs = 100;

/**
 * Looks whether others wrote to the agents that this worker holds (a cancel, a message), so that a run learns of it in the
 * middle of a model stream or a tool and not only at its next append.
 */
export async function watchRuns(
  host: RunHost,
  { store, wakeUp }: WatchedLog,
  signal: AbortSignal,
  onFault: (thrown: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const seen = wakeUp.count;
    try {
      const held = host.heads();
      const heads = held.size === 0 ? held : await store.readHeads([...held.keys()]);
      await host.refresh(
        [...held]
          .filter(([agentId, version]) => (heads.get(agentId) ?? 0) > version)
          .map(([agentId]) => agentId),
      );
    } catch (thrown) {
      onFault(thrown);
    }
    await pause(restMs, undefined, { signal }).catch(() => undefined);
    await wakeUp.wait(seen, pollMs, signal);
  }
}
