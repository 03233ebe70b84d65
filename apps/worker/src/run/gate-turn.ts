import type { BoundSurface } from '#agents';
import { type AllowRule, decideCall, refusalResponse } from '#policy';
import type { AgentEvent, BatchCall } from '#transcripts';

/**
 * Gates the calls of one batch, in the model's order (spec 02 §3): one fact per call, allowed with the rule that let it
 * through or refused with the one synthetic response. Pure; nothing behind the gate has been touched yet.
 */
export function gateCalls(
  calls: readonly Pick<BatchCall, 'key' | 'name'>[],
  bound: BoundSurface,
): readonly AgentEvent[] {
  return calls.map(({ key, name }): AgentEvent => {
    const label = { id: key.providerId, name };
    const decision = decideCall(label, bound.gate);
    if (decision.allowed) {
      return {
        type: 'ToolCallAllowed',
        data: { call: key, name, tool: decision.identity, rule: ruleText(decision.rule) },
      };
    }
    const { error, reason } = refusalResponse(label, decision, bound.gate);
    return {
      type: 'ToolCallRefused',
      data: {
        call: key,
        name,
        tool: decision.identity ?? null,
        reason,
        response: JSON.stringify({ error, reason }),
      },
    };
  });
}

function ruleText(rule: AllowRule): string {
  switch (rule.kind) {
    case 'unrestricted':
      return 'unrestricted';
    case 'entry':
      return `entry:${rule.entry}`;
  }
}
