import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { defaultLimits } from '#agents';
import { ServerConfig } from '../../log/server-config.js';
import { AgentAccess } from '../agent-access.js';
import { agentView, type AgentView } from './agent-view.js';
import { GetAgentQuery } from './get-agent.query.js';

/** One agent, folded from the log itself: what a caller just did is in it. */
@QueryHandler(GetAgentQuery)
export class GetAgentHandler implements IQueryHandler<GetAgentQuery> {
  constructor(
    private readonly access: AgentAccess,
    private readonly server: ServerConfig,
  ) {}

  async execute({ agentId, principal }: GetAgentQuery): Promise<AgentView> {
    const maxima = { ...defaultLimits, ...this.server.operator.limits };
    return agentView(await this.access.load(agentId, principal), maxima);
  }
}
