import type { TranscriptStore } from '../store/transcript-store.js';
import type { SurveyedAgent, SurveyedTree } from './tree-survey.js';

/** What to do with a tree of a file. */
export type TreePlan =
  | {
      readonly kind: 'record';
      /** How many events of each agent. */
      readonly upTo: ReadonlyMap<string, number>;
      readonly torn: ReadonlySet<string>;
      readonly lost: readonly { readonly agentId: string; readonly from: number; readonly to: number }[];
    }
  | { readonly kind: 'present' }
  | { readonly kind: 'refuse'; readonly code: string; readonly message: string };

/**
 * Judges a surveyed tree against the log that it is to be taken into: an id that exists here with other content refuses the tree, the
 * same content is here already. Of a torn tree the agents are kept that have at least their launch.
 */
export async function planTree(
  store: TranscriptStore,
  tree: SurveyedTree,
  isTorn: boolean,
): Promise<TreePlan> {
  if (tree.fault !== null) return { kind: 'refuse', code: tree.fault.code, message: tree.fault.message };
  const kept = tree.agents.filter((agent) => agent.head.version >= agent.least);
  const found = kept.filter((agent) => agent.head.version > 0);
  if (found.length === 0) return { kind: 'refuse', code: 'TREE_EMPTY', message: 'The tear took all of it.' };
  const known = await knownAgents(store, found);
  const stranger = known.find(({ isSame }) => !isSame);
  if (stranger !== undefined) return exists(`Agent ${stranger.agentId} exists here with other content.`);
  if (known.length === found.length) return { kind: 'present' };
  const [first] = known;
  if (first !== undefined)
    return exists(`Agent ${first.agentId} exists here, and other agents of its tree do not.`);
  return { kind: 'record', ...split(tree.agents, new Set(found), isTorn) };
}

const exists = (message: string): TreePlan => ({ kind: 'refuse', code: 'AGENT_EXISTS', message });

function split(agents: readonly SurveyedAgent[], found: ReadonlySet<SurveyedAgent>, isTorn: boolean) {
  const upTo = new Map([...found].map(({ agentId, head }) => [agentId, head.version]));
  const lost = agents
    .map(({ agentId, announced }) => ({ agentId, from: (upTo.get(agentId) ?? 0) + 1, to: announced }))
    .filter(({ from, to }) => from <= to);
  const torn = new Set(isTorn ? lost.map(({ agentId }) => agentId).filter((id) => upTo.has(id)) : []);
  return { upTo, torn, lost };
}

async function knownAgents(store: TranscriptStore, agents: readonly SurveyedAgent[]) {
  const heads = await store.readHeads(agents.map(({ agentId }) => agentId));
  const known = agents.filter(({ agentId }) => heads.has(agentId));
  return Promise.all(
    known.map(async ({ agentId, head }) => {
      const [event] = (await store.readStream(agentId, head.version - 1, 1)).events;
      return { agentId, isSame: event?.hash === head.hash };
    }),
  );
}
