import { describe, expect, it } from '@jest/globals';
import { CLOSED_CEILING } from '../stored/ceiling.js';
import { forkGate } from '../testing/fixtures.js';
import type { Gate } from './compile-gate.js';
import { decideCall } from './partition-batch.js';
import { MAX_REFUSAL_LENGTH, refusalResponse } from './refusal-response.js';

const tools = ['read_file', 'edit', 'agent'].map((name) => ({ name }));

function textOf(gate: Gate, name: string): string {
  const decision = decideCall({ id: '1', name }, gate);
  if (decision.allowed) throw new Error(`${name} is allowed.`);
  return refusalResponse({ id: '1', name }, decision, gate).error;
}

it.each<[string, Gate, string, string]>([
  [
    'undeclared',
    forkGate(tools),
    'nope',
    'No tool of exactly this name is declared to you; nothing was run. Call declared tools by their exact names.',
  ],
  [
    'not_in_allowlist',
    forkGate(tools, ['read_file']),
    'edit',
    'You may not run this tool; nothing was run. You may run: read_file.',
  ],
  [
    'not_in_allowlist, with a list that matches nothing',
    forkGate(tools, ['nope']),
    'edit',
    'You may not run this tool; nothing was run. No declared tool may run; finish the task without tools.',
  ],
  [
    'deny_all',
    forkGate(tools, []),
    'edit',
    'You may run no tools at all; nothing was run. Finish the task without calling tools.',
  ],
  [
    'forbidden_in_fork',
    forkGate(tools),
    'agent',
    'A fork cannot start, message or stop agents, nor ask the user; nothing was run. Go on alone and report at the end.',
  ],
  [
    'blocked_by_mode',
    forkGate(tools, undefined, { ceiling: CLOSED_CEILING }),
    'edit',
    'The workflow mode you were launched in does not permit this tool; nothing was run. You may run: read_file.',
  ],
  [
    'no_executor',
    forkGate(tools, undefined, { executable: () => false }),
    'edit',
    'This tool is declared, but only the host of the parent conversation can run it; nothing was run. Go on without it.',
  ],
])('says of %s, word by word', (_reason, gate, name, text) => {
  expect(textOf(gate, name)).toBe(text);
});

describe('the names in a refusal fill what is left of 240 code units, and no more', () => {
  const lead = 'You may not run this tool; nothing was run. You may run: '.length;
  const names = (...lengths: number[]) =>
    lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length));
  const refusal = (listed: readonly string[]) =>
    textOf(
      forkGate(
        [...listed, 'x-edit'].map((name) => ({ name })),
        listed,
      ),
      'x-edit',
    );
  // Three names, two commas with blanks, one full stop.
  const room = MAX_REFUSAL_LENGTH - lead - 5;

  it('to the last unit', () => {
    const listed = names(64, 60, room - 124);
    expect(refusal(listed)).toHaveLength(240);
    expect(refusal(listed)).toContain(listed.join(', '));
  });

  it.each([1, 2])('not beyond it, by %d', (beyond) => {
    const listed = names(64, 60, room - 124 + beyond);
    expect(refusal(listed)).toContain(`${listed.slice(0, 2).join(', ')} and 1 more.`);
  });
});
