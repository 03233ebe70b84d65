import { type AgentEvent, type AgentMeta, type BatchCall, unansweredCalls } from '#transcripts';

/** What the model reads when nobody can say whether a call had its effect (RUN-2). */
export const outcomeUnknown =
  'The run was interrupted while this call was under way. Whether it took effect is unknown. It was not repeated: check the state before you decide to call it again.';

/** What the model reads when a call was recorded but never began. */
export const neverStarted =
  'The run was interrupted before this call was started. It had no effect; call it again if it is still needed.';

/**
 * The repair of a batch that a lost run left behind (spec 03 §4): every unanswered call that will not go on gets its
 * one recorded result. A started call of a repeatable tool runs again and a call that a person has decided on or is
 * still asked about keeps its place, so neither is answered here.
 */
export function repairBatch(meta: AgentMeta, epoch: number): readonly AgentEvent[] {
  return unansweredCalls(meta)
    .filter((call) => !goesOn(call))
    .map((call): AgentEvent => {
      const started = call.state === 'started';
      return {
        type: 'ToolCallFinished',
        data: {
          call: call.key,
          name: call.name,
          epoch,
          outcome: started ? 'unknown' : 'skipped',
          content: started ? outcomeUnknown : neverStarted,
          durationMs: 0,
        },
      };
    });
}

function goesOn(call: BatchCall): boolean {
  switch (call.state) {
    case 'asked':
    case 'approved':
    case 'denied':
      return true;
    case 'started':
      return call.repeatable;
    case 'open':
    case 'allowed':
    case 'answered':
      return false;
  }
}
