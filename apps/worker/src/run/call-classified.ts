import type { AgentEvent, BatchCall } from '#transcripts';
import type { Classified } from '../permissions/classifier.js';
import type { RunContext } from './run-context.js';

/** What the classifier said, and what that cost; counted with the usage of the agent. */
export function callClassified(
  { key, name }: BatchCall,
  { verdict, reason, model, usage }: Classified,
  { epoch, services }: RunContext,
): AgentEvent {
  // A model without a price costs nothing that anybody could say.
  const costUsd = services.price(model, usage) ?? 0;
  return {
    type: 'ToolCallClassified',
    data: { call: key, name, epoch, verdict, reason, model, usage: { ...usage, costUsd } },
  };
}
