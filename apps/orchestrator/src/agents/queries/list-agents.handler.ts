import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { AgentRoster } from '../../projections/agent-roster/agent-roster.js';
import { type AgentPage, ListAgentsQuery } from './list-agents.query.js';

@QueryHandler(ListAgentsQuery)
export class ListAgentsHandler implements IQueryHandler<ListAgentsQuery> {
  constructor(private readonly roster: AgentRoster) {}

  async execute({ request, principal }: ListAgentsQuery): Promise<AgentPage> {
    const items = await this.roster.list(principal.tenant, request);
    return { items, next: items.length < request.limit ? null : (items.at(-1)?.id ?? null) };
  }
}
