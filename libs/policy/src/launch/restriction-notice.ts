import { type AgentBounds, compileGate } from '../gate/compile-gate.js';
import type { ToolSurface } from '../surface/resolve-surface.js';
import { nameList } from '../text/name-list.js';

/** Most tool names or entries in a restriction notice. */
export const MAX_NOTICE_NAMES = 60;
/** Most UTF-16 code units that they take. */
export const MAX_NOTICE_NAMES_LENGTH = 2400;

/** What the notice is made of: the fork's bounds, those above it, and the parent's last recorded surface, null where none is recorded. */
export interface NoticeInput extends AgentBounds {
  readonly surface: ToolSurface | null;
  readonly ancestors?: readonly AgentBounds[];
}

/**
 * The authoritative end of a fork's directive (spec 03 §3), or null when no restriction was requested: the declared tools that may run,
 * by wire name and bounded, or that none may; where no surface is recorded yet, the entries.
 */
export function restrictionNotice({ surface, ...bounds }: NoticeInput): string | null {
  if (bounds.policy.kind === 'unrestricted') return null;
  if (surface === null) return frame(ofEntries(bounds.policy.entries));
  return frame(ofTools(compileGate({ kind: 'fork', surface, ...bounds }).executable()));
}

function ofTools(names: readonly string[]): string {
  return names.length === 0 ? NONE : `${ONLY} these declared tools run: ${bounded(names)}.`;
}

function ofEntries(entries: readonly string[]): string {
  return entries.length === 0
    ? NONE
    : `${ONLY} declared tools that match these entries run: ${bounded(entries)}.`;
}

const NONE =
  'No tool runs in this fork: every call is refused, whatever is declared above. Answer from what you know.';
const ONLY = 'Other declarations above are not for this fork, and calls of them are refused. Only';

function bounded(names: readonly string[]): string {
  return nameList([...new Set(names)], MAX_NOTICE_NAMES, MAX_NOTICE_NAMES_LENGTH);
}

function frame(text: string): string {
  return `<restriction>\n${text}\nThis restriction stands for the whole run and overrides anything said before.\n</restriction>`;
}
