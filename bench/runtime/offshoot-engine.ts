import { launchAgent, LocalPolicyFiles, maxLaunchDepth } from '#agents';
import {
  createLogger,
  loadConfig,
  ModelPlaces,
  newId,
  openQueueBackend,
  SharedPauses,
  WorkerNotes,
} from '#platform';
import {
  type AgentEvent,
  encodeEvent,
  loadMeta,
  type NewEvent,
  NO_STREAM,
  openPostgresLog,
  type TranscriptStore,
} from '#transcripts';
import { InProcessProviderLimiter } from '../../apps/worker/src/models/in-process-provider-limiter.js';
import type { Model } from '../../apps/worker/src/models/model.js';
import { RunHost } from '../../apps/worker/src/run/run-host.js';
import { runHostTools } from '../../apps/worker/src/run/run-host-tools.js';
import { WorkerConfig } from '../../apps/worker/src/worker-config.js';
import { WorkerHandles } from '../../apps/worker/src/worker-handles.js';
import type { Engine } from './engine.js';
import { history, systemInstruction } from './workload.js';

const context = { actor: 'key:bench', tenant: 'default' };

export interface OffshootOptions {
  readonly databaseUrl: string;
  readonly projectRoot: string;
  readonly model: Model;
}

/** Launches, claims and runs as a worker does, in this process, without HTTP and queue: what DBOS is compared with there. */
export async function startOffshoot({ databaseUrl, projectRoot, model }: OffshootOptions): Promise<Engine> {
  // The provider is never called; without one the forks would be blocked.
  const settings = {
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OFFSHOOT_CHROMIUM: 'none',
  };
  const worker = new WorkerConfig(loadConfig(settings));
  const workerId = newId();
  const beside = { databaseUrl, applicationName: 'bench', onFault: () => undefined };
  const handles = new WorkerHandles({
    ...{ workerId, databaseUrl, concurrency: 16, operator: worker.operator },
    log: await openPostgresLog({ url: databaseUrl }),
    queue: await openQueueBackend({ databaseUrl }),
    pauses: new SharedPauses(beside),
    notes: new WorkerNotes(workerId, beside),
    places: new ModelPlaces(workerId, beside),
    logger: createLogger('bench', { level: 'silent' }),
  });
  handles.mayRun = () => true;
  const tools = runHostTools(handles, worker.config, new InProcessProviderLimiter({ maxConcurrent: 64 }));
  const host = new RunHost({
    ...tools,
    open: (claim, runtime) => {
      const opened = tools.open(claim, runtime);
      return opened.ok ? { ...opened, parts: { ...opened.parts, model } } : opened;
    },
  });
  const { store } = handles.log;
  const sessionId = await openSession(store, projectRoot);
  const launchTools = { store, newId, maxDepth: maxLaunchDepth, files: new LocalPolicyFiles() };
  const call = { description: 'read', prompt: 'Read the file and report.', subagent_type: 'fork' };
  return {
    name: 'Offshoot',
    runFork: async () => {
      const request = { callerId: sessionId, call, context, key: null, isHttp: true };
      const launched = await launchAgent(launchTools, request);
      if (!launched.ok) throw new Error(launched.rejection.message);
      await host.run(launched.agentId, 1);
      const { status } = await loadMeta(store, launched.agentId);
      if (status !== 'completed') throw new Error(`A fork ended as ${status}.`);
    },
    stop: () => handles.close(),
  };
}

async function openSession(store: TranscriptStore, projectRoot: string): Promise<string> {
  const sessionId = newId();
  const facts: readonly AgentEvent[] = [
    {
      type: 'SessionOpened',
      data: {
        sessionId,
        runtime: {
          ...{ projectRoot, model: 'openai:bench', settings: '{}', systemInstruction, builtinTools: 'all' },
          ...{ mcpServers: '{}', declarations: null, approvalMode: 'yolo', workflowMode: 'build' },
          ...{ safeMode: false, bareMode: false, permissions: {} },
        },
        limits: {},
      },
    },
    {
      type: 'MessageAppended',
      data: { messageId: newId(), source: 'history', run: false, messages: [...history] },
    },
  ];
  const events = facts.map((fact) => encodeEvent(fact, newId())) as [NewEvent, ...NewEvent[]];
  const result = await store.append({ stream: sessionId, expected: NO_STREAM, events, context });
  if (!result.ok) throw new Error('The session could not be opened.');
  return sessionId;
}
