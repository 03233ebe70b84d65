import { errorMessage } from '#platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailedError } from './start-failed-error.js';

/** What the wait looks at. */
export interface OrchestratorWatch {
  /** The address as far as it is known. */
  readonly address: () => string | undefined;
  /** Why it refused to start, when it did: starting it again would not help. */
  readonly refusal: () => string | undefined;
  /** Deaths in a row: one that cannot start is not waited for. */
  readonly deaths: () => number;
  readonly timeoutMs: number;
  /** Ends the wait with its reason. */
  readonly signal: AbortSignal;
}

const hopelessDeaths = 3;

/** Waits until `/readyz` answers well and says where. Throws `StartFailedError`. */
export async function awaitOrchestrator(watch: OrchestratorWatch): Promise<string> {
  const deadline = performance.now() + watch.timeoutMs;
  let last = 'it did not say where it listens';
  while (performance.now() < deadline) {
    watch.signal.throwIfAborted();
    const address = watch.address();
    const failure = address === undefined ? last : await askReady(address);
    if (address !== undefined && failure === undefined) return address;
    last = failure ?? last;
    throwIfHopeless(watch);
    await sleep(50);
  }
  throw new StartFailedError(`The orchestrator was not ready after ${watch.timeoutMs} ms: ${last}.`);
}

function throwIfHopeless({ refusal, deaths }: OrchestratorWatch): void {
  const refused = refusal();
  if (refused !== undefined) throw new StartFailedError(refused);
  if (deaths() >= hopelessDeaths)
    throw new StartFailedError(`The orchestrator died ${deaths()} times while starting; see the log above.`);
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
