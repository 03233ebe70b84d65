import { Query } from '@nestjs/cqrs';
import type { Principal } from '../../auth/principal.js';
import type { AgentView } from './agent-view.js';

export class GetAgentQuery extends Query<AgentView> {
  constructor(
    readonly agentId: string,
    readonly principal: Principal,
  ) {
    super();
  }
}
