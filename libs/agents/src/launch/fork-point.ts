import { absentAgent, type AgentMeta, decodeEvent, evolve, refused, type Refused } from '#transcripts';
import type { TranscriptStore } from '#transcripts';

/** A place in a transcript that a fork inherits up to (spec 01, beyond 5). Null is its end as it stands. */
export interface ForkPoint {
  readonly agentId: string;
  readonly version: number | null;
}

/** The agent as it stood at a fork point. */
export async function agentAt(
  store: TranscriptStore,
  { agentId, version }: ForkPoint,
): Promise<{ readonly ok: true; readonly agent: AgentMeta } | Refused> {
  const last = version ?? Number.MAX_SAFE_INTEGER;
  let agent = absentAgent(agentId);
  let after: number | null = 0;
  while (after !== null && agent.head.version < last) {
    const page = await store.readStream(agentId, after);
    for (const record of page.events) if (record.version <= last) agent = evolve(agent, decodeEvent(record));
    after = page.next;
  }
  if (agent.head.version > 0 && (version === null || agent.head.version === version))
    return { ok: true, agent };
  return refused(
    'FORK_POINT_INVALID',
    `The transcript of agent ${agentId} ends at version ${agent.head.version}; it cannot be forked at ${last}. Accepted are 1 to ${agent.head.version}.`,
  );
}
