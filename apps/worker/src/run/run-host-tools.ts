import { defaultLimits, keptMetas, LocalPolicyFiles, maxLaunchDepth } from '#agents';
import { newId, type OffshootConfig, withoutSecrets } from '#platform';
import { hasEnded } from '#transcripts';
import { browserTools } from '../browser/browser-tools.js';
import { browserPoolOf } from '../browser/pool-of-worker.js';
import { hookPortsOf } from '../hooks/ports-of-worker.js';
import { operatorFiles } from '../hooks/operator-files.js';
import { ConfiguredToolHooks } from '../hooks/tool-hooks.js';
import type { ToolRegistry } from '../mcp/bind-registry.js';
import { mcpPoolOf } from '../mcp/pool-of-worker.js';
import type { McpOffer } from '../mcp/session-servers.js';
import { modelLimits } from '../models/context-window.js';
import { providersOf } from '../models/providers-of.js';
import { price } from '../models/price.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import type { Classifier } from '../permissions/classifier.js';
import { openClassifier } from '../permissions/open-classifier.js';
import { PlacedClassifier } from '../permissions/placed-classifier.js';
import type { Tool } from '../tools/tool.js';
import { agentTool } from '../tools/agent-tool.js';
import { askQuestionDefinition } from '../tools/conversation-definitions.js';
import { questionTools } from '../tools/question-tools.js';
import { builtInDefinitions, builtInTools } from '../tools/built-in-tools.js';
import { childEnvironment } from '../tools/child-environment.js';
import { liveBuiltIns } from '../tools/live-registry.js';
import { sendMessageTool } from '../tools/send-message.js';
import { taskStopTool } from '../tools/task-stop.js';
import type { WorkerHandles } from '../worker-handles.js';
import { runOpener } from './open-run.js';
import type { RunServices } from './run-context.js';
import { lineageOf } from './lineage-of.js';
import type { RunHostTools } from './run-host.js';

const microDollar = 1e-6;

/** Puts together what the runs of this worker work with. */
export function runHostTools(
  handles: WorkerHandles,
  config: OffshootConfig,
  limiter: ProviderLimiter,
): RunHostTools {
  const { workerId, log, logger, operator } = handles;
  const now = (): Date => new Date();
  const files = new LocalPolicyFiles(operator);
  const launchTools = {
    store: log.store,
    metas: keptMetas(log.store),
    newId,
    maxDepth: maxLaunchDepth,
    files,
  };
  const browser = browserPoolOf(handles);
  const inBrowser = browserTools(browser, (bytes) => log.store.saveBlob(bytes));
  const executors: ReadonlyMap<string, Tool> = new Map([
    ...builtInTools,
    ...inBrowser,
    ['agent', agentTool(launchTools, workerId)],
    ['send_message', sendMessageTool(launchTools)],
    ['task_stop', taskStopTool(launchTools)],
    ...questionTools.map((tool) => [tool.name, tool] as const),
  ]);
  const builtIns = liveBuiltIns(
    [...builtInDefinitions.values(), askQuestionDefinition, ...inBrowser.values()],
    executors,
  );
  const mcp = mcpPoolOf(handles);
  const withBuiltIns = ({ tools, withheld }: McpOffer): ToolRegistry => ({
    tools: [...builtIns, ...tools],
    withheld,
  });
  const providers = providersOf(config, operator);
  const parts = {
    providers,
    executors,
    limits: { ...defaultLimits, ...operator.limits },
    services: {
      ...servicesOf(handles, config, (session) => withBuiltIns(mcp.current(session))),
      classifier: placed(
        handles,
        openClassifier(operator.classifier, providers, limiter, (refusal) =>
          logger.warn({ refusal }, 'the classifier cannot be asked; people are asked in its place'),
        ),
      ),
    },
  };
  const open = runOpener(parts);
  return {
    store: log.store,
    sessions: keptMetas(log.store),
    newId,
    now,
    workerId,
    limiter,
    resolveTools: async (session) => withBuiltIns(await mcp.resolve(session)),
    open: (_claim, runtime) => open(runtime),
    onFault: (agent, thrown) => logger.error({ err: thrown, agent }, 'a run failed; it is interrupted'),
    onRunOver: (meta) => {
      if (hasEnded(meta) || meta.closed)
        void browser?.closePage({ agentId: meta.agentId, lineage: lineageOf(meta) });
    },
    mayRun: () => handles.mayRun(),
  };
}

/** Under the limit of its model, where the operator has set one. */
function placed({ operator, places }: WorkerHandles, inner: Classifier | null): Classifier | null {
  const { model = '', timeoutMs: holdMs = 0 } = operator.classifier ?? {};
  const limit = operator.concurrency.perModel.get(model);
  return inner === null || limit === undefined
    ? inner
    : new PlacedClassifier({ inner, model, limit, places, holdMs });
}

function servicesOf(
  handles: WorkerHandles,
  config: OffshootConfig,
  currentTools: RunServices['currentTools'],
): Omit<RunServices, 'classifier'> {
  const { operator } = handles;
  return {
    newId,
    now: () => new Date(),
    environment: childEnvironment(withoutSecrets()),
    currentTools,
    onLateResult: (tenant) => {
      handles.notes
        .lateResult(tenant)
        .catch((thrown: unknown) => handles.logger.warn({ err: thrown }, 'a late result was not counted'));
    },
    hooks: new ConfiguredToolHooks(operator.hooks, hookPortsOf(handles, config)),
    operatorRules: operator.permissions,
    guardedFiles: operatorFiles(operator.hooks, config.configFile),
    approvalExpiryMs: operator.approvalExpiryMs,
    modelLimits: (model) => modelLimits(model, operator.models),
    price: (model, usage) => {
      const cost = price(usage, model, operator.prices);
      return cost === null ? null : cost * microDollar;
    },
  };
}
