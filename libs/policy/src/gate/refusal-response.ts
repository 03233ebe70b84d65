import { nameList } from '../text/name-list.js';
import type { Gate } from './compile-gate.js';
import type { RefusedDecision } from './decision.js';
import { RefusalReason } from './refusal-reason.js';

/** Most UTF-16 code units in the text of a refusal. */
export const MAX_REFUSAL_LENGTH = 240;
/** Most tool names in the text of a refusal. */
export const MAX_REFUSAL_NAMES = 8;

/** What names a call: the id and the name that the model gave, neither changed. */
export interface CallLabel {
  readonly id: string;
  readonly name: string;
}

/** The one synthetic answer to a refused call (spec 02 §3). */
export interface RefusalResponse {
  readonly id: string;
  readonly name: string;
  readonly error: string;
  readonly reason: RefusalReason;
}

/**
 * Writes the answer to a refused call. The text never repeats what the model wrote, never names a launch parameter and
 * never denies that a declared tool exists.
 */
export function refusalResponse(call: CallLabel, decision: RefusedDecision, gate: Gate): RefusalResponse {
  return { id: call.id, name: call.name, error: textOf(decision.reason, gate), reason: decision.reason };
}

function textOf(reason: RefusalReason, gate: Gate): string {
  switch (reason) {
    case RefusalReason.UNDECLARED:
      return 'No tool of exactly this name is declared to you; nothing was run. Call declared tools by their exact names.';
    case RefusalReason.NOT_IN_ALLOWLIST:
      return withChoices('You may not run this tool; nothing was run.', gate);
    case RefusalReason.DENY_ALL:
      return 'You may run no tools at all; nothing was run. Finish the task without calling tools.';
    case RefusalReason.FORBIDDEN_IN_FORK:
      return 'A fork cannot start, message or stop agents, nor ask the user; nothing was run. Go on alone and report at the end.';
    case RefusalReason.BLOCKED_BY_MODE:
      return withChoices(
        'The workflow mode you were launched in does not permit this tool; nothing was run.',
        gate,
      );
    case RefusalReason.NO_EXECUTOR:
      return 'This tool is declared, but only the host of the parent conversation can run it; nothing was run. Go on without it.';
  }
}

function withChoices(text: string, gate: Gate): string {
  const names = gate.executable();
  if (names.length === 0) return `${text} No declared tool may run; finish the task without tools.`;
  const lead = `${text} You may run: `;
  const list = nameList(names, MAX_REFUSAL_NAMES, MAX_REFUSAL_LENGTH - lead.length - 1);
  return list === '' ? text : `${lead}${list}.`;
}
