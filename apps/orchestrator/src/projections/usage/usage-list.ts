import type { Pool } from 'pg';

/**
 * Sums over requests. Tokens are null when not one of the turns told its usage, and the cost is null when not one has a known price: neither
 * is nothing. `unreportedTurns` and `unpricedTurns` say how many turns the sums leave out.
 */
export interface UsageSums {
  readonly turns: number;
  /** Requests beside the turns: of the classifier, and for summaries. */
  readonly sideRequests: number;
  readonly unreportedTurns: number;
  readonly unpricedTurns: number;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export interface UsageItem extends UsageSums {
  readonly agentId: string;
  readonly sessionId: string;
  /** Null for requests whose record names no model. */
  readonly model: string | null;
}

export interface UsagePlace {
  readonly agentId: string;
  readonly model: string;
}

export interface UsageFilter {
  readonly session: string | null;
  readonly agent: string | null;
}

type SumRow = Readonly<Record<keyof UsageSums, string>>;
type ItemRow = SumRow & { readonly agentId: string; readonly sessionId: string; readonly model: string };

const sumColumns = {
  turns: 'turns',
  sideRequests: 'side_requests',
  unreportedTurns: 'unreported_turns',
  unpricedTurns: 'unpriced_turns',
  inputTokens: 'input_tokens',
  cachedTokens: 'cached_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  outputTokens: 'output_tokens',
  costUsd: 'cost_usd',
};
const columns = Object.entries(sumColumns);
const where = `tenant = $1 and ($2::uuid is null or session_id = $2) and ($3::uuid is null or agent_id = $3)`;
const listText = `select agent_id as "agentId", session_id as "sessionId", model,
  ${columns.map(([name, column]) => `${column}::text as "${name}"`).join(', ')}
from agent_usage where ${where} and ($4::uuid is null or agent_id < $4 or (agent_id = $4 and model > $5))
order by agent_id desc, model limit $6`;
const totalText = `select ${columns.map(([name, column]) => `coalesce(sum(${column}), 0)::text as "${name}"`).join(', ')}
from agent_usage where ${where}`;

/** What agents used, by model. May be a moment behind the log. */
export class UsageList {
  constructor(private readonly pool: Pool) {}

  /** A page, newest agent first. */
  async list(
    tenant: string,
    { session, agent }: UsageFilter,
    after: UsagePlace | null,
    limit: number,
  ): Promise<readonly UsageItem[]> {
    const values = [tenant, session, agent, after?.agentId ?? null, after?.model ?? null, limit];
    const { rows } = await this.pool.query<ItemRow>(listText, values);
    return rows.map((row) => {
      const { agentId, sessionId, model } = row;
      return { agentId, sessionId, model: model === '' ? null : model, ...sumsOf(row) };
    });
  }

  /** The sums of everything that the filter lets through, on all pages. */
  async total(tenant: string, { session, agent }: UsageFilter): Promise<UsageSums> {
    const { rows } = await this.pool.query<SumRow>(totalText, [tenant, session, agent]);
    const [row] = rows;
    if (row === undefined) throw new Error('A sum without groups has one row.');
    return sumsOf(row);
  }
}

function sumsOf(row: SumRow): UsageSums {
  const counts = {
    turns: Number(row.turns),
    sideRequests: Number(row.sideRequests),
    unreportedTurns: Number(row.unreportedTurns),
    unpricedTurns: Number(row.unpricedTurns),
  };
  const isKnown = (unknownTurns: number): boolean =>
    counts.turns === 0 || counts.sideRequests > 0 || unknownTurns < counts.turns;
  const tokens = (text: string): number | null => (isKnown(counts.unreportedTurns) ? Number(text) : null);
  return {
    ...counts,
    inputTokens: tokens(row.inputTokens),
    cachedTokens: tokens(row.cachedTokens),
    cacheWriteTokens: tokens(row.cacheWriteTokens),
    outputTokens: tokens(row.outputTokens),
    costUsd: isKnown(counts.unpricedTurns) ? Number(row.costUsd) : null,
  };
}
