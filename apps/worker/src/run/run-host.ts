import { type AgentMeta, type CommandTools, executeCommand, interruptRun, type Runtime } from '#transcripts';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { claimAgent, type Claim, type ClaimTools, takeInheritance } from './claim-agent.js';
import { DrainedError, runAgent } from './run-agent.js';
import type { RunContext } from './run-context.js';
import { RunLog, RunLostError } from './run-log.js';

/** What a host needs to turn a won claim into a run. */
export interface RunHostTools extends ClaimTools, CommandTools {
  readonly limiter: ProviderLimiter;
  /** Opens what the run works with; a model that cannot be opened blocks the agent instead of failing it. */
  readonly open: (claim: Claim, runtime: Runtime) => OpenedRun;
  /** Told of each run that is over, however it ended, with what is known of its agent then. */
  readonly onRunOver: (meta: AgentMeta) => void;
  readonly onFault: (agentId: string, thrown: unknown) => void;
  /** False in a process that may have lost its lease: nothing is claimed then. */
  readonly mayRun: () => boolean;
}

export type OpenedRun =
  | {
      readonly ok: true;
      readonly parts: Pick<RunContext, 'executors' | 'model' | 'modelName' | 'limits' | 'services'>;
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

/** The lease ran out under a run: others may take its agent, and if nobody did, this worker still owes the log that the run is over. */
class LeaseLostError extends RunLostError {}

/** Between tries to record that a run is over, while the database is away. */
const tellAgainMs = 500;

interface HeldRun {
  readonly log: RunLog;
  readonly controller: AbortController;
}

/**
 * The runs that this worker holds. A job is only a hint: the claim decides. Whatever ends a run, it is either recorded
 * already, recorded here as an interruption, or not this worker's to record any more.
 */
export class RunHost {
  private readonly held = new Map<string, HeldRun>();
  /** Claims under way. A dispatch that is not claimed soon is sent again: reading a long transcript twice would only be slower. */
  private readonly claiming = new Set<string>();
  private readonly drain = new AbortController();

  constructor(private readonly tools: RunHostTools) {}

  /** Agents that this worker runs right now. */
  running(): readonly string[] {
    return [...this.held.keys()];
  }

  /** Claims and runs one agent. Quiet when the claim is lost; never throws for what a run may do. */
  async run(agentId: string, epoch: number): Promise<void> {
    if (this.drain.signal.aborted || !this.tools.mayRun() || this.held.has(agentId)) return;
    const claim = await this.claim(agentId, epoch);
    if (claim === null) return;
    const controller = new AbortController();
    const log = new RunLog(this.tools, claim.loaded, epoch, claim.context);
    this.held.set(agentId, { log, controller });
    try {
      await this.go(claim, log, controller.signal);
    } catch (thrown) {
      await this.afterThrow(claim, thrown, controller.signal);
    } finally {
      this.held.delete(agentId);
      controller.abort(new RunLostError('The run is over.'));
      this.tools.onRunOver(log.meta);
    }
  }

  /** The lease is gone: every run stops at once and writes nothing more than that it was interrupted. */
  abandonAll(reason: string): void {
    for (const { controller } of this.held.values()) controller.abort(new LeaseLostError(reason));
  }

  /** Shutting down: runs stop at their next boundary; after `graceMs` what is under way is cut off and recorded as such. */
  async drainAll(graceMs: number): Promise<void> {
    this.drain.abort();
    const deadline = Date.now() + graceMs;
    while (this.held.size > 0 && Date.now() < deadline) await pause(20);
    for (const { controller } of this.held.values())
      controller.abort(new DrainedError('The grace of the shutdown is over.'));
    const end = Date.now() + 2_000;
    while (this.held.size > 0 && Date.now() < end) await pause(20);
  }

  /** Reads what others recorded for the given agents; a run that lost its agent by it is aborted. */
  async refresh(agentIds: readonly string[]): Promise<void> {
    await Promise.all(agentIds.map((agentId) => this.refreshOne(agentId)));
  }

  /** The version each held run stands at, for whoever watches the log. */
  heads(): ReadonlyMap<string, number> {
    return new Map([...this.held].map(([agentId, { log }]) => [agentId, log.meta.head.version]));
  }

  private async claim(agentId: string, epoch: number): Promise<Claim | null> {
    const key = `${agentId}/${epoch}`;
    if (this.claiming.has(key)) return null;
    this.claiming.add(key);
    try {
      return await claimAgent(this.tools, agentId, epoch);
    } finally {
      this.claiming.delete(key);
    }
  }

  private async refreshOne(agentId: string): Promise<void> {
    const run = this.held.get(agentId);
    if (run === undefined) return;
    try {
      await run.log.refresh();
    } catch (thrown) {
      run.controller.abort(thrown);
    }
  }

  private async go(claim: Claim, log: RunLog, signal: AbortSignal): Promise<void> {
    const opened = this.tools.open(claim, claim.runtime);
    const obstacle = opened.ok ? await takeInheritance(this.tools, claim) : opened;
    if (obstacle !== null) {
      const { reason, detail } = obstacle;
      await log.record({ type: 'RevivalBlocked', data: { reason, detail } });
    }
    if (!opened.ok || obstacle !== null) return;
    const { runtime, folder, bound, runId, epoch } = claim;
    await runAgent(
      { ...opened.parts, log, runtime, folder, bound, runId, epoch, signal, draining: this.drain.signal },
      this.tools.limiter,
    );
  }

  private async afterThrow(claim: Claim, thrown: unknown, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.aborted ? signal.reason : thrown;
    if (reason instanceof LeaseLostError) return this.interrupt(claim, 'cut', reason.message);
    if (reason instanceof RunLostError) return;
    const isDrain = reason instanceof DrainedError;
    if (!isDrain) this.tools.onFault(claim.loaded.meta.agentId, thrown);
    const detail = reason instanceof Error ? reason.message : String(reason);
    await this.interrupt(claim, isDrain ? 'drained' : 'faulted', detail);
  }

  /**
   * Records that a run is over, again and again while the database is away: a worker that regains its lease still lives, so no observer
   * would do it for this one. Whoever took the agent meanwhile has a later epoch, and nothing is recorded then.
   */
  private async interrupt(claim: Claim, cause: 'drained' | 'faulted' | 'cut', detail: string): Promise<void> {
    const { runId, epoch, context } = claim;
    const { agentId } = claim.loaded.meta;
    const data = { runId, epoch, workerId: this.tools.workerId, cause, detail: detail.slice(0, 2_000) };
    const decide = (meta: AgentMeta) => interruptRun(data, meta);
    for (let tries = 1; ; tries += 1) {
      try {
        await executeCommand(this.tools, { stream: agentId, context, decide });
        return;
      } catch (fault) {
        if (tries === 1) this.tools.onFault(agentId, fault);
        // A process that ends leaves it to the observer of its death.
        if (this.drain.signal.aborted) return;
        await pause(tellAgainMs);
      }
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
