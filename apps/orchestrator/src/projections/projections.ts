import type { Projection } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';
import { applyToRoster } from './agent-roster/agent-roster.projection.js';
import { applyToInbox, concernsApprovals } from './approval-inbox/approval-inbox.projection.js';
import { applyToQuestions, concernsQuestions } from './question-inbox/question-inbox.projection.js';
import { applyToRefusals, concernsRefusals } from './refusals/refusals.projection.js';
import { applyToUsage, concernsUsage } from './usage/usage.projection.js';

/**
 * The tables that are nothing but the log read another way, each with its reader. They can be built again at any time; readers that do something
 * in the world (dispatch, family, delivery) are not among them and never begin again. Names are stored: never rename one.
 */
export function projectionsOver(cache: MetaCache): readonly Projection[] {
  return [
    {
      name: 'agent-roster',
      tables: ['agent_roster'],
      apply: (client, events) => applyToRoster(client, events, cache),
    },
    {
      name: 'approval-inbox',
      tables: ['approval_inbox'],
      concerns: concernsApprovals,
      apply: (client, events) => applyToInbox(client, events),
    },
    {
      name: 'question-inbox',
      tables: ['question_inbox'],
      concerns: concernsQuestions,
      apply: (client, events) => applyToQuestions(client, events),
    },
    {
      name: 'refusals',
      tables: ['refusal'],
      concerns: concernsRefusals,
      apply: (client, events) => applyToRefusals(client, events, cache),
    },
    {
      name: 'usage',
      tables: ['agent_usage'],
      concerns: concernsUsage,
      apply: (client, events) => applyToUsage(client, events, cache),
    },
  ];
}
