import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Principal } from '../auth/principal.js';
import { From, RequireScope } from '../auth/require-scope.js';
import { parseRequest } from '../http/parse-request.js';
import { EvaluatePolicyQuery } from './evaluate/evaluate-policy.query.js';
import { EvaluatePolicyRequest } from './evaluate/evaluate-policy.request.js';
import { ReplayPolicyQuery, ReplayPolicyRequest } from './replay/replay-policy.query.js';
import { SuggestPolicyQuery, SuggestPolicyRequest } from './suggest/suggest-policy.query.js';

/** `/v1/policy`: questions about policy. Nothing here has a side effect, so reading is scope enough. */
@Controller('v1/policy')
export class PolicyController {
  constructor(private readonly queries: QueryBus) {}

  @Post('evaluate')
  @HttpCode(200)
  @RequireScope('observe')
  evaluate(@Body() body: unknown, @From() from: Principal) {
    return this.queries.execute(new EvaluatePolicyQuery(parseRequest(EvaluatePolicyRequest, body), from));
  }

  @Post('suggest')
  @HttpCode(200)
  @RequireScope('observe')
  suggest(@Body() body: unknown, @From() from: Principal) {
    const { agentId } = parseRequest(SuggestPolicyRequest, body);
    return this.queries.execute(new SuggestPolicyQuery(agentId, from));
  }

  @Post('replay')
  @HttpCode(200)
  @RequireScope('observe')
  replay(@Body() body: unknown, @From() from: Principal) {
    return this.queries.execute(new ReplayPolicyQuery(parseRequest(ReplayPolicyRequest, body), from));
  }
}
