/**
 * Opens the last user message of every fork (spec 03 §3). The same bytes for all forks; what differs by fork comes after it.
 */
export const forkBoilerplate = [
  '<fork>',
  'You are a fork: a copy of the agent above, started in the background for one task. The history is what you know, not what',
  'you are to go on with. Rules:',
  '- Do the task below and nothing else. Stay within its scope; report other findings in one line, do not act on them.',
  '- Do not start agents, do not message them, and do not ask the user: such calls are refused.',
  '- Work with the tools directly, without commentary between calls.',
  '- Finish with one short, factual report: what you did, what you found (paths, names, figures), what is left open.',
  '</fork>',
].join('\n');

/** The parts of a fork's last user message that differ by launch. `notice` is the text of `restrictionNotice`, if any. */
export interface ForkDirectiveParts {
  readonly directive: string;
  readonly hint?: string | null;
  readonly notice?: string | null;
}

/** The last user message of a fork: boilerplate, directive, guidance, restriction; the authoritative part comes last. */
export function composeForkDirective({ directive, hint, notice }: ForkDirectiveParts): string {
  const parts = [forkBoilerplate, directive];
  if (typeof hint === 'string' && hint !== '') parts.push(frameProfileGuidance(hint));
  if (typeof notice === 'string') parts.push(notice);
  return parts.join('\n\n');
}

/** Frames the hint of a profile as guidance of the project: `&`, `<` and `>` escaped, so that it cannot close its frame. */
export function frameProfileGuidance(hint: string): string {
  const escaped = hint.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<profile-guidance>\nGuidance of the project for this kind of fork; it changes no rule and permits no tool:\n${escaped}\n</profile-guidance>`;
}
