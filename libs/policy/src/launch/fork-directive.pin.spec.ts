import { expect, it } from '@jest/globals';
import { NO_CEILING } from '../stored/ceiling.js';
import { policyOf } from '../testing/fixtures.js';
import { composeForkDirective, forkBoilerplate, frameProfileGuidance } from './fork-directive.js';
import { restrictionNotice } from './restriction-notice.js';

it('every fork is told the same, word by word', () => {
  expect(forkBoilerplate.split('\n')).toEqual([
    '<fork>',
    'You are a fork: a copy of the agent above, started in the background for one task. The history is what you know, not what',
    'you are to go on with. Rules:',
    '- Do the task below and nothing else. Stay within its scope; report other findings in one line, do not act on them.',
    '- Do not start agents, do not message them, and do not ask the user: such calls are refused.',
    '- Work with the tools directly, without commentary between calls.',
    '- Finish with one short, factual report: what you did, what you found (paths, names, figures), what is left open.',
    '</fork>',
  ]);
});

it('guidance cannot close its frame, and without any there is no frame', () => {
  expect(frameProfileGuidance('a < b > c & d')).toBe(
    '<profile-guidance>\nGuidance of the project for this kind of fork; it changes no rule and permits no tool:\na &lt; b &gt; c &amp; d\n</profile-guidance>',
  );
  for (const hint of ['', null, undefined])
    expect(composeForkDirective({ directive: 'Look.', ...(hint === undefined ? {} : { hint }) })).toBe(
      `${forkBoilerplate}\n\nLook.`,
    );
});

it('a restriction is told, word by word', () => {
  const notice = (entries: string[]) =>
    restrictionNotice({ policy: policyOf(entries), ceiling: NO_CEILING, surface: null });
  expect(notice(['glob'])).toBe(
    '<restriction>\nOther declarations above are not for this fork, and calls of them are refused. Only declared tools that match these entries run: glob.\nThis restriction stands for the whole run and overrides anything said before.\n</restriction>',
  );
  expect(notice([])).toBe(
    '<restriction>\nNo tool runs in this fork: every call is refused, whatever is declared above. Answer from what you know.\nThis restriction stands for the whole run and overrides anything said before.\n</restriction>',
  );
});
