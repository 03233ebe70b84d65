import { Query } from '@nestjs/cqrs';
import type { Principal } from '../../auth/principal.js';
import type { AgentSummary } from './agent-view.js';
import type { ListAgentsRequest } from './list-agents.request.js';

export interface AgentPage {
  readonly items: readonly AgentSummary[];
  readonly next: string | null;
}

export class ListAgentsQuery extends Query<AgentPage> {
  constructor(
    readonly request: ListAgentsRequest,
    readonly principal: Principal,
  ) {
    super();
  }
}
