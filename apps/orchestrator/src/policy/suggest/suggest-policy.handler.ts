import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ListSuggester } from '#agents';
import { hasEnded } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { ProblemError } from '../../http/problem.js';
import { LogTools } from '../../log/log-tools.js';
import { readTranscript } from '../read-transcript.js';
import { type SuggestionAnswer, SuggestPolicyQuery } from './suggest-policy.query.js';

/** Folds a finished agent's transcript into the list that it needed. */
@QueryHandler(SuggestPolicyQuery)
export class SuggestPolicyHandler implements IQueryHandler<SuggestPolicyQuery> {
  constructor(
    private readonly access: AgentAccess,
    private readonly log: LogTools,
  ) {}

  async execute({ agentId, principal }: SuggestPolicyQuery): Promise<SuggestionAnswer> {
    const meta = await this.access.load(agentId, principal);
    if (!hasEnded(meta)) {
      throw new ProblemError(
        'AGENT_NOT_ENDED',
        `The agent is ${meta.status}; what it needs is known when it has ended.`,
      );
    }
    const suggester = new ListSuggester();
    for await (const event of readTranscript(this.log.store, agentId, meta.head.version))
      suggester.add(event);
    const { forkTools, ...rest } = suggester.suggestion();
    return { agentId, status: meta.status, fork_tools: forkTools, ...rest };
  }
}
