import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentEvent,
  type AppendRequest,
  type createPool,
  encodeEvent,
  type NewEvent,
  NO_STREAM,
  recordAppends,
  sealAppend,
  type TranscriptStore,
} from '#transcripts';
import { legacyFork, legacyIds, legacySession } from './legacy-facts.js';
import { type LegacyAgent, readLegacyAgent } from './read-legacy-agent.js';

export interface LegacyTools {
  readonly store: TranscriptStore;
  readonly pool: ReturnType<typeof createPool>;
  readonly newId: () => string;
  readonly tenant: string;
  /** Model of agents whose sidecar names none: `<provider>:<model>`. */
  readonly model: string;
}

export interface LegacyReport {
  /** The sidecar, by its name in the folder. */
  readonly file: string;
  readonly outcome: 'imported' | 'present' | 'refused';
  readonly agentId?: string;
  readonly sessionId?: string;
  /** What it may run from here on. */
  readonly policy?: string;
  readonly isTorn?: boolean;
  readonly code?: string;
  readonly message?: string;
}

const sidecar = /^agent-(.+)\.meta\.json$/;

/**
 * Takes the forks of a legacy sidecar directory (`agent-<id>.meta.json` beside `agent-<id>.jsonl`) into the log, each with a session that holds
 * what it inherited, in one transaction or not at all. Agents that had not ended are blocked until somebody revives them. Throws what
 * reading the folder or the database fails with.
 */
export async function importLegacyDir(tools: LegacyTools, folder: string): Promise<readonly LegacyReport[]> {
  const files = (await readdir(folder)).filter((name) => sidecar.test(name)).sort();
  const reports: LegacyReport[] = [];
  for (const file of files) reports.push(await importOne(tools, folder, file));
  return reports;
}

async function importOne(tools: LegacyTools, folder: string, file: string): Promise<LegacyReport> {
  const meta = await readFile(join(folder, file), 'utf8');
  const transcript = await readFile(join(folder, file.replace(/\.meta\.json$/, '.jsonl')), 'utf8').catch(
    () => null,
  );
  if (transcript === null)
    return {
      file,
      outcome: 'refused',
      code: 'LEGACY_TRANSCRIPT_MISSING',
      message: 'There is no transcript beside it.',
    };
  const reading = readLegacyAgent(meta, transcript);
  if (!reading.ok) return { file, outcome: 'refused', code: reading.code, message: reading.message };
  return { file, ...(await recordAgent(tools, reading.agent)) };
}

async function recordAgent(tools: LegacyTools, agent: LegacyAgent): Promise<Omit<LegacyReport, 'file'>> {
  const ids = legacyIds(agent);
  const model = agent.meta.model === undefined ? tools.model : withProvider(agent.meta.model);
  const session = appendOf(tools, ids.sessionId, legacySession(agent, ids, model));
  const inherited = sealAppend(session).head;
  const launch = { ids, model, inherited, runId: tools.newId(), workerId: tools.newId() };
  const fork = appendOf(tools, ids.agentId, legacyFork(agent, launch));
  const at = new Date(agent.startedAt ?? Date.now()).toISOString().replace('Z', '000Z');
  const isNew = await recordAppends(tools.pool, [session, fork], at, tools.newId);
  if (!isNew && !(await isOurs(tools.store, ids.agentId)))
    return {
      outcome: 'refused',
      ...ids,
      code: 'AGENT_EXISTS',
      message: 'The id stands for another agent here.',
    };
  const { policy } = agent.policy;
  return {
    outcome: isNew ? 'imported' : 'present',
    ...ids,
    policy: policy.kind === 'list' ? policy.entries.join(', ') || '(denies every tool)' : '(unrestricted)',
    isTorn: agent.isTorn,
  };
}

const actor = 'system:legacy-import';

/** True when the agent of this id came from an earlier import of its sidecar. */
async function isOurs(store: TranscriptStore, agentId: string): Promise<boolean> {
  return (await store.readStream(agentId, 0, 1)).events[0]?.actor === actor;
}

/** Legacy models have bare names of the OpenAI-compatible kind. */
const withProvider = (model: string): string =>
  /^(openai|anthropic|scripted):/.test(model) ? model : `openai:${model}`;

function appendOf(tools: LegacyTools, stream: string, facts: readonly AgentEvent[]): AppendRequest {
  const [first, ...rest] = facts.map((fact) => encodeEvent(fact, tools.newId()));
  if (first === undefined) throw new Error('An append needs an event.');
  const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
  const context = { actor, tenant: tools.tenant };
  return { stream, expected: NO_STREAM, events, context };
}
