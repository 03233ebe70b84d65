import type { Projection } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';
import { applyToRoster } from './agent-roster/agent-roster.projection.js';
import { applyToInbox } from './approval-inbox/approval-inbox.projection.js';
import { applyToQuestions } from './question-inbox/question-inbox.projection.js';
import { applyToRefusals } from './refusals/refusals.projection.js';
import { applyToUsage } from './usage/usage.projection.js';

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
      apply: (client, events) => applyToInbox(client, events),
    },
    {
      name: 'question-inbox',
      tables: ['question_inbox'],
      apply: (client, events) => applyToQuestions(client, events),
    },
    {
      name: 'refusals',
      tables: ['refusal'],
      apply: (client, events) => applyToRefusals(client, events, cache),
    },
    {
      name: 'usage',
      tables: ['agent_usage'],
      apply: (client, events) => applyToUsage(client, events, cache),
    },
  ];
}
