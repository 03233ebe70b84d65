import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { isAgentId } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { From, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { EdgeCode, ProblemError } from '../http/problem.js';
import { parseRequest } from '../http/parse-request.js';
import { UsageList, type UsagePlace } from '../projections/usage/usage-list.js';

const pageLimit = 200;

const ListUsageRequest = z.strictObject({
  session: z.string().refine(isAgentId, 'must be a session id').exactOptional(),
  agent: z.string().refine(isAgentId, 'must be an agent id').exactOptional(),
  after: z.string().max(2_048).exactOptional(),
  limit: z.coerce.number().int().min(1).default(100),
});

/** `GET /v1/usage?session=&agent=&after=&limit=`: turns, tokens and cost by agent and model, and their total. */
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageList) {}

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  async list(@Query() query: unknown, @From() { tenant }: Principal) {
    const request = parseRequest(ListUsageRequest, { ...(query as object) });
    const { session = null, agent = null, after } = request;
    const limit = Math.min(request.limit, pageLimit);
    const items = await this.usage.list(tenant, { session, agent }, parsePlace(after), limit);
    const last = items.length < limit ? undefined : items.at(-1);
    const next = last === undefined ? null : `${last.agentId}/${last.model ?? ''}`;
    return { items, total: await this.usage.total(tenant, { session, agent }), next };
  }
}

function parsePlace(text: string | undefined): UsagePlace | null {
  if (text === undefined) return null;
  const [agentId, model] = [text.slice(0, 36), text.slice(37)];
  if (!isAgentId(agentId) || text[36] !== '/' || model.includes('\0'))
    throw new ProblemError(EdgeCode.CURSOR_INVALID, 'after: must be the "next" of an earlier page.');
  return { agentId, model };
}
