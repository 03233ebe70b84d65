import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_NAMES } from '#policy';
import { entryMatches } from './entry-matches.js';
import { evaluateOffline, type OfflineQuestion } from './evaluate-offline.js';
import type { EvaluationAnswer } from './policy-answers.js';
import { printEvaluation } from './print-evaluation.js';
import { paintFor } from './terminal.js';
import { UsageError } from './usage-error.js';

function answerTo(question: Partial<OfflineQuestion>): EvaluationAnswer {
  const result = evaluateOffline({ kind: 'fork', mode: 'build', list: { given: false }, ...question });
  if (!result.ok) throw new Error(result.rejection.message);
  return result.value;
}

const listed = (...entries: readonly string[]): Pick<OfflineQuestion, 'list'> => ({
  list: { given: true, list: entries },
});

describe('a list judged without a server', () => {
  it('[POL-8] asks about every known built-in unless told otherwise', () => {
    const { decisions } = answerTo({});
    expect(decisions.map(({ call }) => call)).toEqual(BUILT_IN_NAMES);
    expect(decisions.filter(({ allowed }) => !allowed).map(({ call }) => call)).toEqual([
      'agent',
      'send_message',
      'task_stop',
      'ask_user_question',
    ]);
  });

  it('[POL-2] denies everything under the empty list', () => {
    expect(answerTo(listed()).decisions.every(({ reason }) => reason === 'deny_all')).toBe(true);
  });

  it('refuses a bad list by name', () => {
    const result = evaluateOffline({ kind: 'fork', mode: 'build', ...listed('read_file', ' x') });
    expect(result).toMatchObject({ ok: false, rejection: { code: 'ALLOWLIST_INVALID', offenders: [' x'] } });
  });

  it('takes MCP tools as server and tool', () => {
    const answer = answerTo({ ...listed('mcp__github__s*'), builtin: [], mcp: ['github/search', 'git/hub'] });
    expect(answer.decisions).toEqual([
      { call: 'mcp__github__search', allowed: true, reason: null },
      { call: 'mcp__git__hub', allowed: false, reason: 'not_in_allowlist' },
    ]);
    expect(() => answerTo({ mcp: ['search'] })).toThrow(UsageError);
  });

  it('never takes missing or unusable tools of a definition for all tools', () => {
    for (const list of [{ given: false } as const, { given: true, list: [] } as const])
      expect(() => answerTo({ kind: 'subagent', list })).toThrow(UsageError);
    const given = (more: Partial<OfflineQuestion>): readonly string[] =>
      answerTo({ kind: 'subagent', ...listed('Read'), ...more }).surface.map(({ wireName }) => wireName);
    expect(given({ builtin: ['read_file', 'edit'] })).toEqual(['read_file']);
    // Where there is a browser, its tools are given to every subagent.
    const browser = BUILT_IN_NAMES.filter((name) => name.startsWith('browser_'));
    expect(given({})).toEqual(['read_file', ...browser]);
  });
});

describe('what an entry matches', () => {
  it('is told for each entry alone, a slip of the pen included', () => {
    const answer = answerTo({ ...listed('read_file', 'read', 'mcp__*'), mcp: ['github/search'] });
    expect(entryMatches(answer)).toEqual([
      { entry: 'read_file', matches: ['read_file'] },
      { entry: 'read', matches: [] },
      { entry: 'mcp__*', matches: ['mcp__github__search'] },
    ]);
  });

  it('is printed with the decisions, without colours where none are wanted', () => {
    const answer = answerTo({ ...listed('read_file', 'nope'), builtin: ['read_file', 'edit'] });
    expect(printEvaluation(answer, entryMatches(answer), paintFor(true, '1'))).toBe(
      [
        'The list is sound: 2 entries.',
        '',
        'ENTRY      MATCHES',
        'read_file  read_file',
        'nope       (nothing)',
        '',
        'nope: matches no known tool. A launch accepts it: a tool that comes later may match.',
        '',
        'CALL       REASON            DECISION',
        'read_file                    allowed',
        'edit       not_in_allowlist  refused',
        '',
      ].join('\n'),
    );
    const slips = answerTo(listed('readfile', 'read', 'web_fech', 'mcp__github__*'));
    const notes = printEvaluation(slips, entryMatches(slips), paintFor(true, '1')).split('\n');
    expect(notes.filter((line) => line.includes('matches no'))).toEqual([
      'readfile: matches no known tool; did you mean read_file? A launch accepts it: a tool that comes later may match.',
      'read: matches no known tool; did you mean read_file? A launch accepts it: a tool that comes later may match.',
      'web_fech: matches no known tool; did you mean web_fetch? A launch accepts it: a tool that comes later may match.',
      'mcp__github__*: matches no known tool. A launch accepts it: a tool that comes later may match.',
    ]);
    expect(printEvaluation(answer, [], paintFor(true, ''))).toContain('\u001b[32mallowed\u001b[39m');
  });
});
