import {
  BootstrapUnreadableError,
  type BoundSurface,
  ChainBrokenError,
  findWorkFolder,
  type KeptMetas,
  inheritInto,
  type LoadedAgent,
  loadOwn,
  repairBatch,
  workModel,
} from '#agents';
import {
  accepted,
  type AgentEvent,
  type AgentMeta,
  type Decision,
  encodeEvent,
  type EventContext,
  executeCommand,
  isDispatchable,
  loadMeta,
  type NewEvent,
  type Runtime,
  startRun,
  type TranscriptStore,
} from '#transcripts';
import { bindRegistry, type ToolRegistry } from '../mcp/bind-registry.js';
import { mcpSessionOf } from '../mcp/session-of.js';
import type { McpSession } from '../mcp/session-servers.js';
import { foldRecorded } from './fold-recorded.js';

/** Workers lost in a row without progress; then the agent is quarantined (field case C07). */
const crashLimit = 5;
/** Of workers that were lost while no call of the agent was under way: it may only have been beside the one that took them. */
const bystanderLimit = 20;

export interface ClaimTools {
  readonly store: TranscriptStore;
  /** Sessions, verified like a run's own, and read on from where an earlier claim of this process stopped. */
  readonly sessions: KeptMetas;
  readonly newId: () => string;
  /** For the local copy of an event only. */
  readonly now: () => Date;
  readonly workerId: string;
  /** The live registry of a session, resolved for this run. */
  readonly resolveTools: (session: McpSession) => Promise<ToolRegistry>;
}

/** A claim that was won. */
export interface Claim {
  /** Without what the agent inherits, see `takeInheritance`. */
  readonly loaded: LoadedAgent;
  readonly runtime: Runtime;
  /** Where the tools of the run work, by its real path where it is not the project root. */
  readonly folder: string;
  readonly bound: BoundSurface;
  readonly runId: string;
  readonly epoch: number;
  readonly context: EventContext;
}

/**
 * Claims an agent for one run: reads its own events from the log, binds the live surface under the stored policy, and appends
 * `RunStarted` with the repair of what a lost run left behind, all at the exact version. Null when there is nothing to
 * claim: another worker was first, the job is of an old epoch, or the agent may not run and was blocked.
 */
export async function claimAgent(tools: ClaimTools, agentId: string, epoch: number): Promise<Claim | null> {
  const loaded = await loadOrBlock(tools, agentId);
  if (loaded === null || !isDispatchable(loaded.meta) || loaded.meta.epoch + 1 !== epoch) return null;
  const ready = await prepare(tools, loaded.meta);
  if (!ready.ok) return block(tools, loaded.meta, ready);
  const { runtime, folder, bound } = ready;
  const runId = tools.newId();
  const started = startRun(
    { runId, workerId: tools.workerId, model: runtime.model, surface: bound.surface },
    loaded.meta,
  );
  if (!started.ok) return null;
  const context = contextOf(tools, loaded.meta, runId);
  const facts = [...started.events, ...openingOf(loaded.meta, epoch)];
  if (!(await appendClaim(tools, loaded, facts, context))) return null;
  return { loaded, runtime, folder, bound, runId, epoch, context };
}

type Ready =
  | { readonly ok: true; readonly runtime: Runtime; readonly folder: string; readonly bound: BoundSurface }
  | ({ readonly ok: false } & Obstacle);

/** Everything that must hold before a claim: an open session, a workspace, and a surface under a policy that can be read. */
async function prepare(tools: ClaimTools, meta: AgentMeta): Promise<Ready> {
  const current = await runtimeOf(tools.sessions, meta);
  if ('reason' in current) return { ok: false, ...current };
  const runtime = { ...current, model: workModel(meta, current) };
  const obstacle = obstacleTo(meta, runtime);
  if (obstacle !== null) return { ok: false, ...obstacle };
  const found = await findWorkFolder(runtime.projectRoot, meta.launch?.workingDir ?? null);
  if (!found.ok) return { ok: false, ...blocked('workspace_missing', found.problem) };
  const bound = bindRegistry(meta, runtime, await tools.resolveTools(mcpSessionOf(meta, runtime)));
  return bound.ok ? { ok: true, runtime, folder: found.folder, bound } : bound;
}

/** What the new run records before it does anything: the repair, then the messages that wait where no batch is open. */
function openingOf(meta: AgentMeta, epoch: number): readonly AgentEvent[] {
  return meta.status === 'interrupted' ? repairBatch(meta, epoch) : [];
}

async function appendClaim(
  tools: ClaimTools,
  loaded: LoadedAgent,
  facts: readonly AgentEvent[],
  context: EventContext,
): Promise<boolean> {
  const [first, ...rest] = facts.map((event) => encodeEvent(event, tools.newId()));
  if (first === undefined) return false;
  const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
  const { agentId, head: before } = loaded.meta;
  const result = await tools.store.append({ stream: agentId, expected: before, events, context });
  if (result.ok)
    foldRecorded(loaded, { events, before, head: result.head, context, recordedAt: tools.now() });
  return result.ok;
}

async function loadOrBlock(tools: ClaimTools, agentId: string): Promise<LoadedAgent | null> {
  try {
    return await loadOwn(tools.store, agentId);
  } catch (thrown) {
    const obstacle = unreadable(thrown);
    if (obstacle === null) throw thrown;
    return block(tools, await loadMeta(tools.store, agentId), obstacle);
  }
}

/** Histories that must not run, told apart from a database that is away. */
function unreadable(thrown: unknown): Obstacle | null {
  if (thrown instanceof BootstrapUnreadableError) return blocked('bootstrap_unreadable', thrown.message);
  if (thrown instanceof ChainBrokenError) return blocked('chain_broken', thrown.message);
  return null;
}

/**
 * Reads what the agent of a won claim inherits, which may be far longer than all that the claim was decided on. Answers why it cannot be
 * read as it was, which blocks the agent; null when it is there.
 */
export async function takeInheritance(
  { store }: Pick<ClaimTools, 'store'>,
  { loaded }: Claim,
): Promise<Obstacle | null> {
  try {
    await inheritInto(store, loaded);
    return null;
  } catch (thrown) {
    const obstacle = unreadable(thrown);
    if (obstacle === null) throw thrown;
    return obstacle;
  }
}

interface Obstacle {
  readonly reason: string;
  readonly detail: string;
}

const blocked = (reason: string, detail: string): Obstacle => ({ reason, detail });

/** The current parent runtime, or why there is none to run with. */
async function runtimeOf(sessions: KeptMetas, meta: AgentMeta): Promise<Runtime | Obstacle> {
  try {
    const session = meta.launch === null ? meta : await sessions.upTo(meta.launch.sessionId);
    if (session.unreadablePolicy !== null) {
      return blocked(
        'policy_unreadable',
        `An event of type ${session.unreadablePolicy} of the session cannot be read.`,
      );
    }
    if (session.closed || session.runtime === null) return blocked('parent_closed', 'The session is closed.');
    return session.runtime;
  } catch (thrown) {
    const obstacle = unreadable(thrown);
    if (obstacle === null) throw thrown;
    return obstacle;
  }
}

/** How many workers an agent took with it, once they are too many to give it another one. */
function crashesToHold({ crashesWithoutProgress, crashesOutsideCalls }: AgentMeta): number | null {
  if (crashesWithoutProgress >= crashLimit) return crashesWithoutProgress;
  return crashesOutsideCalls >= bystanderLimit ? crashesOutsideCalls : null;
}

function obstacleTo(meta: AgentMeta, runtime: Runtime): Obstacle | null {
  const crashes = crashesToHold(meta);
  if (crashes !== null)
    return blocked('quarantined', `${crashes} workers were lost in a row without progress.`);
  if (runtime.systemInstruction === '')
    return blocked('parent_without_instruction', 'The session has no system instruction.');
  return null;
}

async function block(tools: ClaimTools, meta: AgentMeta, obstacle: Obstacle): Promise<null> {
  const decide = (now: AgentMeta): Decision =>
    isDispatchable(now)
      ? accepted({ type: 'RevivalBlocked', data: { reason: obstacle.reason, detail: obstacle.detail } })
      : accepted();
  const context = contextOf(tools, meta, tools.newId());
  await executeCommand({ store: tools.store, newId: tools.newId }, { stream: meta.agentId, decide, context });
  return null;
}

function contextOf(tools: ClaimTools, meta: AgentMeta, runId: string): EventContext {
  return { actor: `worker:${tools.workerId}`, tenant: meta.tenant, correlation: runId };
}
