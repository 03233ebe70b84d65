import type { Suite } from './harness/suite.js';

/** Every suite by name, loaded when it is asked for: a suite may start a database, the others must not pay for it. */
export const suites: ReadonlyMap<string, () => Promise<Suite>> = new Map([
  ['gate', async () => (await import('./gate/gate.suite.js')).gateSuite],
  ['log', async () => (await import('./log/log.suite.js')).logSuite],
  ['fanout', async () => (await import('./fanout/fanout.suite.js')).fanoutSuite],
  ['runtime', async () => (await import('./runtime/runtime.suite.js')).runtimeSuite],
  ['scale', async () => (await import('./scale/scale.suite.js')).scaleSuite],
]);
