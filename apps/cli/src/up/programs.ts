import { join } from 'node:path';

/** The scripts that the supervisor starts; absolute paths. */
export interface Programs {
  readonly migrate: string;
  readonly operate: string;
  readonly orchestrator: string;
  readonly worker: string;
  readonly modelServer: string;
}

/** The built apps beside this one. */
export function builtPrograms(): Programs {
  const apps = join(import.meta.dirname, '..', '..', '..');
  const main = (app: string, file = 'main.js'): string => join(apps, app, 'src', file);
  return {
    migrate: main('orchestrator', 'migrate.js'),
    operate: main('orchestrator', 'operate.js'),
    orchestrator: main('orchestrator'),
    worker: main('worker'),
    modelServer: main('model-server'),
  };
}
