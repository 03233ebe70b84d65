import { findChromium, withoutSecrets } from '#platform';
import { childEnvironment } from '../tools/child-environment.js';
import type { WorkerHandles } from '../worker-handles.js';
import { BrowserPool } from './browser-pool.js';
import { openChromium } from './open-chromium.js';

const pools = new WeakMap<WorkerHandles, BrowserPool | null>();

/** The one pool of a worker, closed by whoever stops the worker; null where there is no Chromium. */
export function browserPoolOf(handles: WorkerHandles): BrowserPool | null {
  const known = pools.get(handles);
  if (known !== undefined) return known;
  const executablePath = findChromium();
  const program = { env: childEnvironment(withoutSecrets()) };
  const pool =
    executablePath === null
      ? null
      : new BrowserPool({ launch: () => openChromium({ ...program, executablePath }) });
  pools.set(handles, pool);
  return pool;
}
