import type { Pool } from 'pg';

export interface RefusalItem {
  readonly agentId: string;
  readonly sessionId: string;
  /** Version of the event in the agent's transcript. */
  readonly version: number;
  /** `call`: a call that the gate stopped. `launch`: a launch that was refused to the agent. `withheld`: a declared tool that no run of it may use. */
  readonly kind: 'call' | 'launch' | 'withheld';
  /** Wire name; null for a launch. */
  readonly tool: string | null;
  readonly reason: string;
  readonly detail: string | null;
  readonly at: string;
}

/** A place in the list. */
export interface RefusalPlace {
  readonly at: string;
  readonly agentId: string;
  readonly version: number;
  readonly ordinal: number;
}

export interface RefusalFilter {
  readonly session: string | null;
  readonly agent: string | null;
  readonly reason: string | null;
  readonly kind: string | null;
  readonly after: RefusalPlace | null;
  readonly limit: number;
}

export type PlacedRefusal = RefusalItem & { readonly ordinal: number };

const listText = `select agent_id as "agentId", session_id as "sessionId", version, kind, tool, reason, detail, ordinal,
  to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
from refusal
where tenant = $1 and ($2::uuid is null or session_id = $2) and ($3::uuid is null or agent_id = $3)
  and ($4::text is null or reason = $4) and ($5::text is null or kind = $5)
  and ($6::timestamptz is null or (recorded_at, agent_id, version, ordinal) < ($6, $7::uuid, $8::int, $9::int))
order by recorded_at desc, agent_id desc, version desc, ordinal desc limit $10`;

/** Why something was denied, newest first. May be a moment behind the log. */
export class Refusals {
  constructor(private readonly pool: Pool) {}

  async list(tenant: string, filter: RefusalFilter): Promise<readonly PlacedRefusal[]> {
    const { session, agent, reason, kind, after, limit } = filter;
    const place =
      after === null ? [null, null, null, null] : [after.at, after.agentId, after.version, after.ordinal];
    const values = [tenant, session, agent, reason, kind, ...place, limit];
    const { rows } = await this.pool.query<PlacedRefusal>(listText, values);
    return rows;
  }
}
