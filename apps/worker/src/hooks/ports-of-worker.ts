import { dirname } from 'node:path';
import { type OffshootConfig, withoutSecrets } from '#platform';
import { childEnvironment } from '../tools/child-environment.js';
import type { WorkerHandles } from '../worker-handles.js';
import { hookName, type HookPorts } from './hook.js';

/** How the hooks of this worker are called: beside the operator's file, with an environment that holds no key. */
export function hookPortsOf(
  { logger }: Pick<WorkerHandles, 'logger'>,
  { configFile }: OffshootConfig,
): HookPorts {
  return {
    environment: childEnvironment(withoutSecrets()),
    directory: configFile === undefined ? process.cwd() : dirname(configFile),
    onFault: (hook, reason) => logger.warn({ hook: hookName(hook), reason }, 'a hook failed'),
  };
}
