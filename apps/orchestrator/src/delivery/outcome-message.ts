import type { Outcome, Usage } from '#transcripts';

export interface OutcomeFacts {
  readonly agentId: string;
  readonly description: string;
  readonly outcome: Outcome;
  readonly usage: Usage;
  readonly turns: number;
  /** Other children of the same parent that have not ended. */
  readonly siblings: readonly string[];
}

/** How many siblings a parent is told by name. */
const siblingCap = 10;

/** How much of a result the parent reads; the whole is in the agent's transcript. */
const resultCap = 8_192;

/** What a parent is told of an agent that ended: structured, escaped, bounded (spec 04 §5). Pure. */
export function outcomeMessage(facts: OutcomeFacts): string {
  const { agentId, description, outcome, usage, turns, siblings } = facts;
  const text = Array.from(outcome.result);
  const result = text.slice(0, resultCap).join('');
  const cut =
    text.length > resultCap
      ? `\n[cut: ${text.length - resultCap} more characters in the transcript of ${agentId}]`
      : '';
  return [
    `<agent-outcome id="${agentId}" status="${outcome.status}" reason="${escapeMarkup(outcome.reason)}" partial="${outcome.partial}">`,
    `<description>${escapeMarkup(description)}</description>`,
    `<result>${escapeMarkup(result)}${cut}</result>`,
    `<usage turns="${turns}" input="${usage.inputTokens}" cached="${usage.cachedTokens}" output="${usage.outputTokens}"/>`,
    ...(outcome.refusedTools.length === 0
      ? []
      : [`<refused-tools>${outcome.refusedTools.map(escapeMarkup).join(', ')}</refused-tools>`]),
    ...siblingsRunning(siblings),
    '</agent-outcome>',
  ].join('\n');
}

function siblingsRunning(siblings: readonly string[]): readonly string[] {
  if (siblings.length === 0) return [];
  const more = siblings.length > siblingCap ? ' and more' : '';
  return [`<siblings-running>${siblings.slice(0, siblingCap).join(', ')}${more}</siblings-running>`];
}

export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
