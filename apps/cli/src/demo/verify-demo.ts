import type { ApiClient } from '../api/api-client.js';
import type { AgentAnswer, RecordAnswer } from '../api/api-shapes.js';
import { type DemoForkName, demoForkNames, demoForks } from './demo-forks.js';
import { linesOf } from './workspace.js';

/** One promise of the demo, looked up in the log and in the workspace after everything ended. */
export interface DemoCheck {
  readonly promise: string;
  readonly holds: boolean;
  readonly seen: string;
}

export interface DemoResult {
  readonly sessionId: string;
  readonly forks: Readonly<Record<DemoForkName, string>>;
  readonly workspace: string;
  readonly wasKilled: boolean;
  /** A real model goes its own way: only what holds for any model is checked then. */
  readonly isScripted: boolean;
}

interface Ended {
  readonly agent: AgentAnswer;
  readonly records: readonly RecordAnswer[];
}

const terminal = new Set(['AgentCompleted', 'AgentFailed', 'AgentCancelled']);
const ofType = (records: readonly RecordAnswer[], type: string): readonly RecordAnswer[] =>
  records.filter((record) => record.type === type);

/** Looks up every promise of the demo. */
export async function verifyDemo(api: ApiClient, result: DemoResult): Promise<readonly DemoCheck[]> {
  const ended = Object.fromEntries(
    await Promise.all(
      demoForkNames.map(async (name) => [name, await load(api, result.forks[name])] as const),
    ),
  ) as Record<DemoForkName, Ended>;
  const session = await recordsOf(api, result.sessionId);
  const general = demoForkNames.flatMap((name) => generalChecks(name, ended[name], session));
  return [...general, ...(result.isScripted ? await scriptedChecks(ended, result) : [])];
}

function generalChecks(
  name: DemoForkName,
  { agent, records }: Ended,
  session: readonly RecordAnswer[],
): readonly DemoCheck[] {
  const { label } = demoForks[name];
  const ends = records.filter((record) => terminal.has(record.type)).length;
  const told = ofType(session, 'OutcomeDelivered').filter(
    (record) => record.data['agentId'] === agent.id,
  ).length;
  const answered = ofType(records, 'ToolCallFinished').length + ofType(records, 'ToolCallRefused').length;
  const calls = ofType(records, 'TurnRecorded').reduce((sum, record) => sum + callsOf(record), 0);
  return [
    check(
      `${label}: exactly one terminal event, and the parent was told once`,
      ends === 1 && told === 1,
      `${agent.status}, ${ends} ends, told ${told} times`,
    ),
    check(
      `${label}: every call was answered once`,
      answered === calls,
      `${calls} calls, ${answered} answers`,
    ),
    check(
      `${label}: the stored policy is what was asked for`,
      policyHolds(name, agent),
      JSON.stringify(agent.policy.entries ?? agent.policy.kind),
    ),
  ];
}

async function scriptedChecks(
  ended: Record<DemoForkName, Ended>,
  { workspace, wasKilled }: DemoResult,
): Promise<readonly DemoCheck[]> {
  const { readOnly, denyAll, insisting } = ended;
  const shares = demoForkNames.map((name) => ended[name].agent.usage.cachedShare ?? 0);
  return [
    ...(await revivalChecks(ended.unrestricted, workspace, wasKilled)),
    check(
      'the read-only fork ran its reads and was refused the write',
      refusedOf(readOnly) === 'write_file' && startedOf(readOnly) > 0,
      `refused ${refusedOf(readOnly)}`,
    ),
    check(
      'the empty list ran nothing at all',
      startedOf(denyAll) === 0 && denyAll.agent.status === 'completed',
      `${startedOf(denyAll)} started`,
    ),
    check(
      'the insisting fork was stopped by the no-progress breaker',
      insisting.agent.outcome?.reason === 'no_progress' && startedOf(insisting) === 0,
      insisting.agent.outcome?.reason ?? 'no outcome',
    ),
    check(
      'forks read most of their prompt from the cache',
      shares.every((share) => share > 0.5),
      shares.map((share) => `${Math.round(share * 100)} %`).join(', '),
    ),
  ];
}

async function revivalChecks(
  unrestricted: Ended,
  workspace: string,
  wasKilled: boolean,
): Promise<readonly DemoCheck[]> {
  const lines = await linesOf(workspace, 'INVENTORY.log');
  const interrupted = ofType(unrestricted.records, 'RunInterrupted').length;
  const unknown = ofType(unrestricted.records, 'ToolCallFinished').filter(
    (record) => record.data['outcome'] === 'unknown',
  ).length;
  return [
    check(
      "the killed worker's fork went on elsewhere under the next epoch",
      wasKilled && interrupted === 1 && unrestricted.agent.epoch >= 2,
      `epoch ${unrestricted.agent.epoch}`,
    ),
    check(
      'its side effect happened once, and its outcome was told as unknown',
      lines.length === 1 && unknown === 1,
      `${lines.length} lines, ${unknown} unknown`,
    ),
  ];
}

const check = (promise: string, holds: boolean, seen: string): DemoCheck => ({ promise, holds, seen });

const startedOf = ({ records }: Ended): number => ofType(records, 'ToolCallStarted').length;

const refusedOf = ({ agent }: Ended): string => agent.outcome?.refusedTools.join(', ') ?? '';

function policyHolds(name: DemoForkName, agent: AgentAnswer): boolean {
  const fork = demoForks[name];
  if (!('forkTools' in fork)) return agent.policy.kind === 'unrestricted';
  return JSON.stringify(agent.policy.entries) === JSON.stringify(fork.forkTools);
}

function callsOf(record: RecordAnswer): number {
  const message = record.data['message'] as
    { readonly blocks?: readonly { readonly type: string }[] } | undefined;
  return message?.blocks?.filter((block) => block.type === 'call').length ?? 0;
}

async function load(api: ApiClient, id: string): Promise<Ended> {
  return { agent: await api.get<AgentAnswer>(`/v1/agents/${id}`), records: await recordsOf(api, id) };
}

/** A whole transcript, page by page. */
export async function recordsOf(api: ApiClient, id: string): Promise<readonly RecordAnswer[]> {
  const records: RecordAnswer[] = [];
  let after = '';
  for (;;) {
    const page = await api.get<{ records: readonly RecordAnswer[]; next: string | null }>(
      `/v1/agents/${id}/transcript${after}`,
    );
    records.push(...page.records);
    if (page.next === null) return records;
    after = `?after=${encodeURIComponent(page.next)}`;
  }
}
