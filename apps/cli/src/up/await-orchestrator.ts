import { errorMessage } from '#platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailedError } from './start-failed-error.js';

/** What the wait looks at. */
export interface OrchestratorWatch {
  /** The address as far as it is known. */
  readonly address: () => string | undefined;
  /** Deaths in a row: one that cannot start is not waited for. */
  readonly deaths: () => number;
  readonly timeoutMs: number;
}

const hopelessDeaths = 3;

/** Waits until `/readyz` answers well and says where. Throws `StartFailedError`. */
export async function awaitOrchestrator(watch: OrchestratorWatch): Promise<string> {
  const deadline = performance.now() + watch.timeoutMs;
  let last = 'it did not say where it listens';
  while (performance.now() < deadline) {
    const address = watch.address();
    const failure = address === undefined ? last : await askReady(address);
    if (address !== undefined && failure === undefined) return address;
    last = failure ?? last;
    if (watch.deaths() >= hopelessDeaths) {
      throw new StartFailedError(
        `The orchestrator died ${watch.deaths()} times while starting; see the log above.`,
      );
    }
    await sleep(50);
  }
  throw new StartFailedError(`The orchestrator was not ready after ${watch.timeoutMs} ms: ${last}.`);
}

async function askReady(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) });
    await response.body?.cancel();
    return response.ok ? undefined : `/readyz answered ${response.status}`;
  } catch (error) {
    return `/readyz at ${address}: ${errorMessage(error)}`;
  }
}
