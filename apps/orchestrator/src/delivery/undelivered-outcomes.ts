import type { ClientBase, Pool } from 'pg';
import { storableText } from '../projections/storable-text.js';

/** An outcome that could not be delivered, by the event that ended its agent. */
export interface UndeliveredOutcome {
  readonly agentId: string;
  readonly activation: number;
  /** Of the event, in the transcript of the agent. */
  readonly version: number;
  readonly problem: string;
}

/** What is shown of one. */
export interface UndeliveredView {
  readonly activation: number;
  readonly problem: string;
  readonly tries: number;
  readonly since: string;
  readonly nextTryAt: string;
}

/** Characters of a problem that are kept. */
const problemCap = 2_000;

/** Most outcomes that one look tries again. */
const most = 50;

/** Twice as long each time, and never longer than five minutes. */
const nextTry = (tries: string): string =>
  `statement_timestamp() + make_interval(secs => least(300, power(2, least(${tries}, 9))))`;

const noteText = `
  insert into undelivered_outcome (agent_id, activation, version, problem, next_try_at)
  select agent_id, activation, version, problem, ${nextTry('1')}
  from json_to_recordset($1::json) as row(agent_id uuid, activation integer, version integer, problem text)
  on conflict (agent_id, activation) do update set problem = excluded.problem`;
const againText = `
  update undelivered_outcome set problem = $3, tries = tries + 1, tried_at = statement_timestamp(),
    next_try_at = ${nextTry('tries + 1')}
  where agent_id = $1 and activation = $2`;
const doneText = 'delete from undelivered_outcome where agent_id = $1 and activation = $2';
const dueText = `
  select agent_id as "agentId", activation, version, problem from undelivered_outcome
  where next_try_at <= statement_timestamp() order by next_try_at limit ${most}`;
const ofText = `
  select activation, problem, tries, since, next_try_at as "nextTryAt" from undelivered_outcome
  where agent_id = $1 order by activation desc limit 1`;

type Row = Omit<UndeliveredView, 'since' | 'nextTryAt'> & { readonly since: Date; readonly nextTryAt: Date };

/**
 * Outcomes whose parent could not be told: kept until it was, tried ever less often and never given up, so that a parent that
 * cannot be read delays nobody else's. Also the injection token.
 */
export class UndeliveredOutcomes {
  constructor(private readonly pool: Pool) {}

  /** Notes outcomes in the transaction of the reader that passes their events. */
  static async note(client: ClientBase, outcomes: readonly UndeliveredOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const rows = outcomes.map(({ agentId, activation, version, problem }) => ({
      ...{ agent_id: agentId, activation, version },
      problem: storableText(problem, problemCap),
    }));
    await client.query(noteText, [JSON.stringify(rows)]);
  }

  /** Those whose next try is due on the clock of the database, the longest due first. */
  async due(): Promise<readonly UndeliveredOutcome[]> {
    return (await this.pool.query<UndeliveredOutcome>(dueText)).rows;
  }

  async triedInVain({ agentId, activation }: UndeliveredOutcome, problem: string): Promise<void> {
    await this.pool.query(againText, [agentId, activation, storableText(problem, problemCap)]);
  }

  async done({ agentId, activation }: UndeliveredOutcome): Promise<void> {
    await this.pool.query(doneText, [agentId, activation]);
  }

  /** The latest one of an agent, or `null` when its parent knows what it has to know. */
  async of(agentId: string): Promise<UndeliveredView | null> {
    const [row] = (await this.pool.query<Row>(ofText, [agentId])).rows;
    if (row === undefined) return null;
    return { ...row, since: row.since.toISOString(), nextTryAt: row.nextTryAt.toISOString() };
  }
}
