import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { isAgentId } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { From, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseRequest } from '../http/parse-request.js';
import { Refusals } from '../projections/refusals/refusals.js';
import { formatRefusalPlace, parseRefusalPlace } from './refusal-place.js';

const pageLimit = 200;

const ListRefusalsRequest = z.strictObject({
  session: z.string().refine(isAgentId, 'must be a session id').exactOptional(),
  agent: z.string().refine(isAgentId, 'must be an agent id').exactOptional(),
  reason: z
    .string()
    .regex(/^[^\0]{1,256}$/, 'must be a text of 1 to 256 characters without NUL')
    .exactOptional(),
  kind: z.enum(['call', 'launch', 'withheld']).exactOptional(),
  after: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).default(100),
});

/** `GET /v1/refusals?session=&agent=&reason=&kind=&after=&limit=`: why something was denied, newest first. */
@Controller('v1/refusals')
export class RefusalsController {
  constructor(private readonly refusals: Refusals) {}

  @Get()
  @RequireScope('observe')
  @TakesQuery()
  async list(@Query() query: unknown, @From() from: Principal) {
    const request = parseRequest(ListRefusalsRequest, { ...(query as object) });
    const { session = null, agent = null, reason = null, kind = null, after } = request;
    const limit = Math.min(request.limit, pageLimit);
    const filter = { session, agent, reason, kind, after: parseRefusalPlace(after), limit };
    const rows = await this.refusals.list(from.tenant, filter);
    const last = rows.length < limit ? undefined : rows.at(-1);
    const items = rows.map(({ ordinal: _ordinal, ...item }) => item);
    return { items, next: last === undefined ? null : formatRefusalPlace(last) };
  }
}
