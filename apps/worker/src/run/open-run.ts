import type { Limits, Runtime } from '#transcripts';
import { type ModelProviders, openModel } from '../models/model-catalog.js';
import type { Tool } from '../tools/tool.js';
import type { RunServices } from './run-context.js';
import type { OpenedRun } from './run-host.js';

/** What every run of this worker is opened with. */
export interface RunParts {
  readonly providers: ModelProviders;
  readonly executors: ReadonlyMap<string, Tool>;
  readonly limits: Required<Limits>;
  readonly services: RunServices;
}

/** Opens the model of a run. One that this worker is not configured for blocks the agent: an operator can mend that. */
function openRun(parts: RunParts, runtime: Pick<Runtime, 'model'>): OpenedRun {
  const opened = openModel(runtime.model, parts.providers);
  if (!opened.ok) return { ok: false, reason: 'provider_credentials', detail: opened.message };
  const { executors, limits, services } = parts;
  return {
    ok: true,
    parts: { executors, limits, services, model: opened.model, modelName: opened.modelName },
  };
}

/** Models that a worker keeps open, by name; more than that many are opened anew. */
const mostOpen = 256;

/** Opens each model once for all runs of this worker: it holds nothing of a run, and its client is dear to make. */
export function runOpener(parts: RunParts): (runtime: Pick<Runtime, 'model'>) => OpenedRun {
  const opened = new Map<string, OpenedRun>();
  return (runtime) => {
    const known = opened.get(runtime.model);
    if (known !== undefined) return known;
    if (opened.size >= mostOpen) opened.clear();
    const run = openRun(parts, runtime);
    opened.set(runtime.model, run);
    return run;
  };
}
