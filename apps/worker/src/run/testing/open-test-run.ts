import { bindSurface, defaultLimits, type LiveTool, loadAgent } from '#agents';
import {
  encodeEvent,
  type EventContext,
  type NewEvent,
  type Runtime,
  type TranscriptStore,
} from '#transcripts';
import { event, InMemoryTranscriptStore, newId, specAgentId, specRuntime } from '#transcripts/testing';
import type { AgentEvent, EventData } from '#transcripts';
import type { ToolHooks } from '../../hooks/tool-hooks.js';
import { noOperatorRules } from '../../permissions/permission-rules.js';
import type { Tool } from '../../tools/tool.js';
import type { RunContext, RunServices } from '../run-context.js';
import { RunLog } from '../run-log.js';

/** A tool as one definition: what the surface sees and what carries it out. */
export interface SpecTool extends Tool {
  readonly live?: Partial<LiveTool>;
}

export interface TestRunOptions {
  readonly tools: readonly SpecTool[];
  /** The last turn, whose batch is open. */
  readonly turn: EventData<'TurnRecorded'>['message'];
  readonly launch?: Partial<EventData<'AgentLaunched'>>;
  /** What else was recorded since that turn. */
  readonly since?: readonly AgentEvent[];
  readonly runtime?: Partial<Runtime>;
  readonly services?: Partial<RunServices>;
  readonly signal?: AbortSignal;
  readonly store?: TranscriptStore;
}

export interface TestRun {
  readonly run: RunContext;
  readonly store: TranscriptStore;
}

/** Hooks that let everything through. */
export const noHooks: ToolHooks = {
  before: ({ argumentsText, arguments: args }) =>
    Promise.resolve({ ok: true, argumentsText, arguments: args }),
  after: () => Promise.resolve(),
};

const context: EventContext = { actor: 'worker:spec', tenant: 'tenant-a' };

/** A fork in the middle of a batch, held by a run over a log in memory; everything but the given parts is the product's own. */
export async function openTestRun(options: TestRunOptions): Promise<TestRun> {
  const store = options.store ?? new InMemoryTranscriptStore();
  const opening = [
    event.agentLaunched({ agentId: specAgentId, ...options.launch }),
    event.bootstrapRecorded(),
    event.launchPromptRecorded(),
    event.runStarted(),
    event.turnRecorded({ message: options.turn }),
    ...(options.since ?? []),
  ];
  const [first, ...rest] = opening.map((fact) => encodeEvent(fact, newId()));
  if (first === undefined) throw new Error('A run begins with a launch.');
  const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
  await store.append({ stream: specAgentId, expected: { version: 0, hash: null }, events, context });
  return { run: await contextOf(options, store), store };
}

async function contextOf(options: TestRunOptions, store: TranscriptStore): Promise<RunContext> {
  const loaded = await loadAgent(store, specAgentId);
  const runtime: Runtime = overlaid(specRuntime, options.runtime ?? {});
  const bound = bindSurface(loaded.meta, runtime, options.tools.map(liveTool));
  if (!bound.ok) throw new Error(bound.detail);
  const now = (): Date => new Date();
  const services: RunServices = {
    newId,
    now,
    environment: {},
    currentTools: () => ({ tools: [], withheld: [] }),
    onLateResult: () => undefined,
    hooks: noHooks,
    operatorRules: noOperatorRules,
    guardedFiles: [],
    classifier: null,
    approvalExpiryMs: 60_000,
    modelLimits: () => ({}),
    price: () => 0,
    ...options.services,
  };
  return {
    log: new RunLog({ store, newId, now }, loaded, loaded.meta.epoch, context),
    runId: loaded.meta.run?.runId ?? '',
    epoch: loaded.meta.epoch,
    runtime,
    folder: runtime.projectRoot,
    bound,
    executors: new Map(options.tools.map((tool) => [tool.name, tool])),
    services,
    limits: defaultLimits,
    signal: options.signal ?? new AbortController().signal,
    draining: new AbortController().signal,
  } as Partial<RunContext> as RunContext;
}

/** Keeps getters of the changes, by which a spec sees that something is read. */
function overlaid(runtime: Runtime, changes: Partial<Runtime>): Runtime {
  return Object.defineProperties({ ...runtime }, Object.getOwnPropertyDescriptors(changes));
}

function liveTool({ name, description, readOnly, idempotent, live }: SpecTool): LiveTool {
  return {
    identity: { name },
    description,
    parameters: '{"type":"object"}',
    readOnly,
    idempotent: readOnly || idempotent,
    executable: true,
    ...live,
  };
}
