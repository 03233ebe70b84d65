import type { AgentMeta } from '../agent-meta/agent-meta.js';
import { chainBroken } from '../agent-meta/evolve-damage.js';
import { accepted, type Decision, refused, type Refused } from './decision.js';

/** Why nothing can be decided about an agent; null where its stream can be read. */
export function damageRefusal({ agentId, damage }: AgentMeta): Refused | null {
  if (damage === null) return null;
  const { version, fault } = damage;
  return refused(
    'AGENT_DAMAGED',
    `Version ${version} of agent ${agentId} is not what was recorded (${fault}). It is blocked until what is stored is restored and it is revived.`,
  );
}

/** Says in the log that an agent is blocked by the damage in its stream; where that was said, the refusal of anything else. */
export function blockDamaged(meta: AgentMeta): Decision {
  const refusal = damageRefusal(meta);
  if (refusal === null || meta.isDamageNoted) return refusal ?? accepted();
  const detail = meta.blocked?.detail ?? refusal.message;
  return accepted({ type: 'RevivalBlocked', data: { reason: chainBroken, detail } });
}
