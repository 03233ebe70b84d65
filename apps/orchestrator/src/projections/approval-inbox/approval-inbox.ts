import type { Pool } from 'pg';
import { isAgentId } from '#transcripts';
import { canBeDecided } from '../can-be-decided.js';

export interface ApprovalItem {
  readonly id: string;
  readonly agentId: string;
  readonly tool: string;
  /** The model's argument text. */
  readonly arguments: string;
  readonly status: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
}

export interface DueApproval {
  readonly approvalId: string;
  readonly agentId: string;
  readonly tenant: string;
}

/** Queries over approvals. The log decides what an answer does; this only finds it. */
export class ApprovalInbox {
  constructor(private readonly pool: Pool) {}

  async agentOf(approvalId: string, tenant: string): Promise<string | null> {
    // What is no id never reaches the database, which takes neither NUL nor any other text for one.
    if (!isAgentId(approvalId)) return null;
    const result = await this.pool.query<{ agent_id: string }>(
      'select agent_id from approval_inbox where approval_id = $1 and tenant = $2',
      [approvalId, tenant],
    );
    return result.rows[0]?.agent_id ?? null;
  }

  async list(
    tenant: string,
    status: string | null,
    after: string | null,
    limit: number,
  ): Promise<readonly ApprovalItem[]> {
    const result = await this.pool.query<ApprovalItem>(
      `select approval_id as id, agent_id as "agentId", tool, arguments, status,
         to_char(requested_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "requestedAt", to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "expiresAt"
       from approval_inbox
       where tenant = $1 and ($2::text is null or status = $2) and ($3::uuid is null or approval_id > $3)
       order by approval_id limit $4`,
      [tenant, status, after, limit],
    );
    return result.rows;
  }

  /** Open approvals whose time is over on the database's clock. */
  async due(): Promise<readonly DueApproval[]> {
    const result = await this.pool.query<DueApproval>(
      `select approval_id as "approvalId", agent_id as "agentId", tenant from approval_inbox
       where status = 'pending' and expires_at <= statement_timestamp() and ${canBeDecided('approval_inbox')}
       order by expires_at limit 100`,
    );
    return result.rows;
  }
}
