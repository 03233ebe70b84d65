import type { DecodedEvent, UnknownEvent } from '../events/agent-event.js';
import type { FaultyEvent } from '../events/recorded-event.js';
import type { AgentMeta } from './agent-meta.js';

/** The reason of a block behind which stands an event that is not what was recorded, of the agent itself or of what it stands on. */
export const chainBroken = 'chain_broken';

/**
 * An agent whose stream holds a damaged event is blocked from there on, whatever it was and whatever follows: nobody knows what the event
 * said, so nothing behind it means what it meant. The first damage counts.
 */
export function damaged(meta: AgentMeta, { version, fault, stream }: FaultyEvent): AgentMeta {
  if (meta.damage !== null) return meta;
  return {
    ...meta,
    status: 'blocked',
    damage: { version, fault },
    isDamageNoted: false,
    blocked: {
      reason: chainBroken,
      detail: `The stream of agent ${stream} does not verify at version ${version}: ${fault}.`,
    },
    run: null,
    waitingFor: [],
    waitUntilMs: null,
    // What was damaged may have been a policy fact.
    unreadablePolicy: meta.unreadablePolicy ?? 'damaged',
  };
}

/** That the damage was noted, and that somebody gave the agent up. */
export const isFoldedBehindDamage = (event: DecodedEvent | UnknownEvent): boolean =>
  event.type === 'AgentCancelled' || (event.type === 'RevivalBlocked' && event.data.reason === chainBroken);
