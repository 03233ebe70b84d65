import type { AgentMeta } from '#transcripts';

/** The agents above an agent, nearest first; its session is the last. Empty for a session. */
export function lineageOf({ launch }: AgentMeta): readonly string[] {
  if (launch === null) return [];
  return [...launch.ancestors.map(({ agentId }) => agentId).reverse(), launch.sessionId];
}
