import type { Pool } from 'pg';
import { isAgentId } from '#transcripts';
import { canBeDecided } from '../can-be-decided.js';

export interface QuestionItem {
  readonly id: string;
  readonly agentId: string;
  /** Whom the agent asked: the person in front of its session, or the agent that launched it. */
  readonly to: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly status: string;
  readonly askedAt: string;
  readonly expiresAt: string | null;
}

export interface DueQuestion {
  readonly questionId: string;
  readonly agentId: string;
  readonly tenant: string;
}

const instant = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Queries over questions. The log decides what an answer does; this only finds it. */
export class QuestionInbox {
  constructor(private readonly pool: Pool) {}

  async agentOf(questionId: string, tenant: string): Promise<string | null> {
    // What is no id never reaches the database, which takes neither NUL nor any other text for one.
    if (!isAgentId(questionId)) return null;
    const result = await this.pool.query<{ agent_id: string }>(
      'select agent_id from question_inbox where question_id = $1 and tenant = $2',
      [questionId, tenant],
    );
    return result.rows[0]?.agent_id ?? null;
  }

  async list(
    tenant: string,
    status: string | null,
    after: string | null,
    limit: number,
  ): Promise<readonly QuestionItem[]> {
    const result = await this.pool.query<Omit<QuestionItem, 'options'> & { options: string }>(
      `select question_id as id, agent_id as "agentId", asked_of as "to", question as text, options, status,
         ${instant('asked_at')} as "askedAt", ${instant('expires_at')} as "expiresAt"
       from question_inbox
       where tenant = $1 and ($2::text is null or status = $2) and ($3::uuid is null or question_id > $3)
       order by question_id limit $4`,
      [tenant, status, after, limit],
    );
    return result.rows.map((row) => ({ ...row, options: JSON.parse(row.options) as readonly string[] }));
  }

  /** Open questions whose time is over on the database's clock. */
  async due(): Promise<readonly DueQuestion[]> {
    const result = await this.pool.query<DueQuestion>(
      `select question_id as "questionId", agent_id as "agentId", tenant from question_inbox
       where status = 'pending' and expires_at <= statement_timestamp() and ${canBeDecided('question_inbox')}
       order by expires_at limit 100`,
    );
    return result.rows;
  }
}
