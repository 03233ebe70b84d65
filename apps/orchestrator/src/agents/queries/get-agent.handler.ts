import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { defaultLimits } from '#agents';
import { UndeliveredOutcomes, type UndeliveredView } from '../../delivery/undelivered-outcomes.js';
import { ServerConfig } from '../../log/server-config.js';
import { AgentAccess } from '../agent-access.js';
import { agentView, type AgentView } from './agent-view.js';
import { GetAgentQuery } from './get-agent.query.js';

/** With the outcome that its parent could not be told yet; null when there is none. */
type ShownAgent = AgentView & { readonly undelivered: UndeliveredView | null };

/** One agent, folded from the log itself: what a caller just did is in it. */
@QueryHandler(GetAgentQuery)
export class GetAgentHandler implements IQueryHandler<GetAgentQuery> {
  constructor(
    private readonly access: AgentAccess,
    private readonly server: ServerConfig,
    private readonly undelivered: UndeliveredOutcomes,
  ) {}

  async execute({ agentId, principal }: GetAgentQuery): Promise<ShownAgent> {
    const maxima = { ...defaultLimits, ...this.server.operator.limits };
    const meta = await this.access.load(agentId, principal);
    return { ...agentView(meta, maxima), undelivered: await this.undelivered.of(agentId) };
  }
}
