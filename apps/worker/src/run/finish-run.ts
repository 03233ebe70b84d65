import { accepted, type AgentMeta, type Decision, endAgent, releaseRun } from '#transcripts';
import type { RunContext } from './run-context.js';

/** The recorded outcome of an agent that stops: what it last said, whether that is an answer, and what it was refused. */
export interface Ending {
  readonly status: 'completed' | 'failed';
  readonly reason: string;
  readonly partial: boolean;
}

/** How much of the last text an outcome carries; the whole stands in the transcript. */
const resultCap = 32_768;

/**
 * Ends the run for good: a terminal event for a launched agent, a release for a session. Returns false when a message came
 * in between, in which case the run goes on with it (a message that was accepted is never lost).
 */
export async function finishRun(run: RunContext, ending: Ending): Promise<boolean> {
  const decision = await run.log.append((meta) => decideEnding(run, ending, meta));
  return decision.ok;
}

function decideEnding(run: RunContext, ending: Ending, meta: AgentMeta): Decision {
  const { runId, epoch } = run;
  if (meta.kind === 'session') {
    if (ending.status === 'failed') {
      return accepted({
        type: 'RevivalBlocked',
        data: { reason: ending.reason, detail: 'The session stopped; revive it to go on.' },
      });
    }
    return releaseRun({ runId, epoch, reason: 'idle' }, meta);
  }
  const result = Array.from(meta.lastText).slice(0, resultCap).join('');
  return endAgent({ epoch, outcome: { ...ending, result, refusedTools: [...meta.refusedTools] } }, meta);
}
