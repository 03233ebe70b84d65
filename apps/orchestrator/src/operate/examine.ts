import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentMeta,
  examineDatabase,
  examineStreams,
  type Finding,
  FindingKind,
  isDispatchable,
  loadMeta,
  orphanedBlobs,
  ProjectionShadow,
  type Projection,
} from '#transcripts';
import { migrationState } from '../migrations/migrate-database.js';
import { projectionsOver } from '../projections/projections.js';
import type { OperationTools } from './operation-tools.js';

export interface Examination {
  readonly agents: number;
  readonly events: number;
  readonly findings: readonly Finding[];
}

/**
 * Examines a database while it is in service or not, and changes nothing in it: the schema, every stream, payloads, projections against a
 * fresh fold, and agents that nobody would dispatch. What is only a moment behind is no finding.
 */
export async function examine(operation: OperationTools, heldSeconds?: number): Promise<Examination> {
  const schema = await examineSchema(operation);
  // Another schema cannot be examined with the statements of this one.
  if (schema.length > 0) return { agents: 0, events: 0, findings: schema };
  const findings = [...(await examineDatabase(operation.pool, heldSeconds))];
  const streams = { agents: 0, events: 0, waiting: new Set<string>() };
  const orphans = await orphanedBlobs(operation.pool, async (suspected) => {
    for await (const { meta, namedBlobs, findings: found } of examineStreams(operation.tools.store)) {
      findings.push(...found);
      for (const hash of namedBlobs) suspected.delete(hash);
      count(streams, meta);
      if (streams.agents % 100 === 0) operation.onProgress(`${streams.agents} agents`);
    }
  });
  findings.push(...orphans, ...(await undispatched(operation, streams.waiting)));
  findings.push(...(await undelivered(operation)));
  const damaged = findings.filter(isDamage).map(({ subject }) => subject);
  for (const projection of projectionsOver(operation.cache))
    findings.push(...(await staleProjection(operation, projection)).filter(isNotAbout(damaged)));
  return { agents: streams.agents, events: streams.events, findings };
}

const isDamage = ({ kind }: Finding): boolean =>
  kind === FindingKind.chainBroken || kind === FindingKind.payloadUnreadable;

/** What an agent that cannot be read amounts to cannot be said: its rows are as old as the damage, or as new. */
const isNotAbout =
  (agents: readonly string[]) =>
  ({ detail }: Finding): boolean =>
    !agents.some((agentId) => detail.includes(agentId));

function count(streams: { agents: number; events: number; waiting: Set<string> }, meta: AgentMeta): void {
  streams.agents += 1;
  streams.events += meta.head.version;
  if (isDispatchable(meta)) streams.waiting.add(meta.agentId);
}

async function examineSchema({ databaseUrl }: OperationTools): Promise<readonly Finding[]> {
  const { isPending, unknown } = await migrationState(databaseUrl, () => undefined);
  const pending: Finding = {
    kind: FindingKind.migrationPending,
    subject: 'schema',
    detail: 'the schema is older than this program; "offshoot up" or "npm run migrate" brings it up to date',
  };
  const newer = unknown.map((subject): Finding => ({
    kind: FindingKind.migrationUnknown,
    subject,
    detail: 'a newer release ran this migration; use that one',
  }));
  return isPending ? [pending, ...newer] : newer;
}

const settling = Object.freeze({ rounds: 4, pauseMs: 400 });

/** Differences that stay while both sides go on; the last round also lets the shadow see what the reader has not come to yet. */
async function staleProjection(
  { pool, tools, onProgress }: OperationTools,
  projection: Projection,
): Promise<readonly Finding[]> {
  onProgress(`projection ${projection.name}`);
  return ProjectionShadow.with(projection, { pool, store: tools.store }, async (shadow) => {
    let differences = await shadow.differences('reader');
    for (let round = 1; round < settling.rounds && differences.length > 0; round += 1) {
      await pause(settling.pauseMs);
      const now = new Set(await shadow.differences(round === settling.rounds - 1 ? 'log' : 'reader'));
      differences = differences.filter((difference) => now.has(difference));
    }
    return differences.map((detail) => ({
      kind: FindingKind.projectionStale,
      subject: projection.name,
      detail,
    }));
  });
}

/** Dispatchable agents without a row that would send them to a worker, once the reader that keeps these rows has seen all of the log. */
async function undispatched(
  { pool, tools }: OperationTools,
  waiting: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  let missing = [...waiting];
  for (let round = 0; round < settling.rounds && missing.length > 0; round += 1) {
    if (round > 0) await pause(settling.pauseMs);
    const { rows } = await pool.query<{ agent_id: string }>(missingText, [missing]);
    missing = rows.map(({ agent_id: agentId }) => agentId);
  }
  const findings: Finding[] = [];
  for (const subject of missing) {
    if (!isDispatchable(await loadMeta(tools.store, subject))) continue;
    const detail = 'it waits for a worker, and no dispatch of it is noted';
    findings.push({ kind: FindingKind.dispatchMissing, subject, detail });
  }
  return findings;
}

const undeliveredText = `select agent_id, problem, tries from undelivered_outcome order by since`;

async function undelivered({ pool }: OperationTools): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ agent_id: string; problem: string; tries: number }>(undeliveredText);
  return rows.map(({ agent_id: subject, problem, tries }) => ({
    kind: FindingKind.outcomeUndelivered,
    subject,
    detail: `its parent could not be told of its end, tried ${tries} times: ${problem}`,
  }));
}

const missingText = `select w.agent_id from unnest($1::uuid[]) w(agent_id)
where not exists (select 1 from dispatch d where d.agent_id = w.agent_id and not d.is_running)
  and not exists (select 1 from event e where e.stream = w.agent_id and (e.generation, e.xid, e.position) >
    (select c.generation, c.xid, c.position from checkpoint c where c.reader = 'dispatch'))
  and exists (select 1 from checkpoint c where c.reader = 'dispatch')`;
