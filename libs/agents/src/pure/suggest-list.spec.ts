import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAllowlist, type ToolIdentity, wireName } from '#policy';
import { replayList } from './replay-list.js';
import { ListSuggester, type ListSuggestion } from './suggest-list.js';
import { allowed, finished, refusedCall, runStarted, started } from './testing/gate-events.js';

type Recorded = ReturnType<typeof allowed>;
const reader = { name: 'read_file' };
const shell = { name: 'run_shell_command' };
const search = { server: 'github', tool: 'search' };

function suggest(events: readonly Recorded[]): ListSuggestion {
  const suggester = new ListSuggester();
  for (const event of events) suggester.add(event);
  return suggester.suggestion();
}

const ran = (tool: ToolIdentity, index: number, outcome: 'ok' | 'error' = 'ok'): readonly Recorded[] => [
  allowed(tool, index),
  started(tool, index),
  finished(tool, outcome, index),
];

describe('the list that a finished agent needed', () => {
  it('names each tool that ran once, in order of first use, with its calls by outcome', () => {
    const suggestion = suggest([...ran(search, 0), ...ran(reader, 1, 'error'), ...ran(reader, 2)]);
    expect(suggestion.forkTools).toEqual(['mcp__github__search', 'read_file']);
    expect(Object.keys(suggestion.uses[1]?.outcomes ?? {})).toEqual(['ok', 'error']);
    expect(suggestion.uses).toEqual([
      { entry: 'mcp__github__search', tool: search, calls: 1, outcomes: { ok: 1 } },
      { entry: 'read_file', tool: reader, calls: 2, outcomes: { ok: 1, error: 1 } },
    ]);
  });

  it('leaves out what never started: denied, answered before its effect', () => {
    const suggestion = suggest([...ran(reader, 0), allowed(shell, 1), finished(shell, 'denied', 1)]);
    expect(suggestion.forkTools).toEqual(['read_file']);
    expect(suggestion.unneeded).toEqual([{ tool: shell, calls: 1, outcomes: { denied: 1 } }]);
  });

  it('counts a call that started and has no result, as a cancelled agent leaves it', () => {
    const suggestion = suggest([allowed(shell), started(shell)]);
    expect(suggestion.uses).toEqual([
      { entry: 'run_shell_command', tool: shell, calls: 1, outcomes: { unfinished: 1 } },
    ]);
  });

  it('reports refused calls apart, by name and reason', () => {
    const refusals = [0, 1].map((index) => refusedCall(shell, 'not_in_allowlist', index));
    const suggestion = suggest([...ran(reader, 2), ...refusals]);
    expect(suggestion.forkTools).toEqual(['read_file']);
    expect(suggestion.refused).toEqual([
      { name: 'run_shell_command', tool: shell, reason: 'not_in_allowlist', calls: 2 },
    ]);
  });

  it('keeps at most 1,000 made-up names apart and counts them all', () => {
    const calls = Array.from({ length: 1_200 }, (_, n) =>
      refusedCall({ name: `made_up_${n}` }, 'undeclared', n),
    );
    const { refused, refusedCalls } = suggest(calls);
    expect([refused.length, refusedCalls]).toEqual([1_000, 1_200]);
  });

  it('names a tool by its wire name where its raw form is no exact entry, and says when no entry can', () => {
    const starred = { server: 'files', tool: 'every*' };
    const unnameable = { name: 'odd*' };
    const suggestion = suggest([...ran(starred, 0), ...ran(unnameable, 1)]);
    expect(suggestion.forkTools).toEqual([wireName(starred)]);
    expect(suggestion.unnameable.map(({ tool }) => tool)).toEqual([unnameable]);
  });

  it('of an agent that called nothing is the empty list, not no list', () => {
    expect(suggest([runStarted([reader])]).forkTools).toEqual([]);
  });

  it('would have let every call through that ran, and is least: without any one entry it would not', () => {
    const tools = [reader, shell, search, { server: 'my.server', tool: 'do it' }, { name: 'glob' }];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 12 }), (used) => {
        const events = [runStarted(tools), ...used.flatMap((tool, index) => ran(tool, index))];
        const { forkTools } = suggest(events);
        expect(refusedBy(forkTools, events)).toBe(0);
        for (const entry of forkTools)
          expect(
            refusedBy(
              forkTools.filter((other) => other !== entry),
              events,
            ),
          ).toBeGreaterThan(0);
      }),
    );
  });
});

function refusedBy(entries: readonly string[], events: readonly Recorded[]): number {
  const forkTools = parseAllowlist(entries);
  if (!forkTools.ok) throw new Error(forkTools.rejection.message);
  const replay = replayList({ kind: 'fork', mode: 'build', forkTools: forkTools.value, ancestors: [] });
  if (!replay.ok) throw new Error(replay.rejection.message);
  for (const event of events) replay.value.add(event);
  return replay.value.result().refusedCalls;
}
