import {
  absentAgent,
  type AgentMeta,
  damageRefusal,
  decodeEvent,
  evolve,
  refused,
  type Refused,
  type TranscriptStore,
} from '#transcripts';

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
  const agent = await foldUpTo(store, agentId, version ?? Number.MAX_SAFE_INTEGER);
  const damage = damageRefusal(agent);
  if (damage !== null) return damage;
  const end = agent.head.version;
  if (end > 0 && (version === null || version === end)) return { ok: true, agent };
  return refused(
    'FORK_POINT_INVALID',
    `The transcript of agent ${agentId} cannot be forked at version ${version ?? 0}. Accepted are 1 to ${end}.`,
  );
}

async function foldUpTo(store: TranscriptStore, agentId: string, last: number): Promise<AgentMeta> {
  let agent = absentAgent(agentId);
  let after: number | null = 0;
  while (after !== null && agent.head.version < last) {
    const page = await store.readStream(agentId, after);
    const upTo = page.events.filter(({ version }) => version <= last);
    for (const record of upTo) agent = evolve(agent, decodeEvent(record));
    after = page.next;
  }
  return agent;
}
