import { describe, expect, it } from '@jest/globals';
import type { AgentEvent, EventData } from '#transcripts';
import { call, callKey, event, says } from '#transcripts/testing';
import type { ToolHooks } from '../hooks/tool-hooks.js';
import type { ToolCall } from '../tools/tool.js';
import { executeBatch } from './execute-batch.js';
import { noHooks, openTestRun, type SpecTool, type TestRunOptions } from './testing/open-test-run.js';

const key = callKey(0, 1, 'call-1-0');

/** A tool that asks in default mode, and what it was run with. */
function writer(changes: SpecTool['live'] = {}) {
  const ran: ToolCall[] = [];
  const tool: SpecTool = {
    name: 'writer',
    description: 'writes',
    parameters: '{"type":"object"}',
    readOnly: false,
    idempotent: false,
    destructive: false,
    outputCap: 100,
    execute: (given) => {
      ran.push(given);
      return Promise.resolve({ outcome: 'ok', text: 'written' });
    },
    live: changes,
  };
  return { tool, ran };
}

/** A hook that puts other arguments in the place of the model's. */
const rewriting = (text: string): ToolHooks => ({
  ...noHooks,
  before: () => Promise.resolve({ ok: true, argumentsText: text, arguments: JSON.parse(text) as unknown }),
});

interface Attempt {
  readonly text?: string;
  readonly tool?: SpecTool['live'];
  readonly hooks?: ToolHooks;
  readonly since?: readonly AgentEvent[];
  readonly turn?: TestRunOptions['turn'];
}

/** Executes the batch of one call; what was asked for, and what was run. */
async function attempt({
  text = '{"a":1,"b":2}',
  tool: changes,
  hooks = noHooks,
  since = [],
  turn,
}: Attempt) {
  const { tool, ran } = writer(changes);
  const { run } = await openTestRun({
    tools: [tool],
    turn: turn ?? says('', call('writer', key.providerId, text)),
    since,
    services: { hooks },
  });
  const end = await executeBatch(run);
  const asked = [...run.log.meta.approvals.values()].map(({ data }) => data);
  return { end, asked, ran: ran.map(({ argumentsText }) => argumentsText), run };
}

/** What is in the log once the call was asked about and a person allowed it. */
function allowed(approval: EventData<'ApprovalRequested'> | undefined): readonly AgentEvent[] {
  if (approval === undefined) throw new Error('Nothing was asked.');
  return [
    event.toolCallAllowed({ call: key, name: 'writer', tool: { name: 'writer' } }),
    event.approvalRequested(approval),
    event.approvalResolved({ approvalId: approval.approvalId }),
  ];
}

describe('[T25] an approval', () => {
  it('is asked for with the arguments that would run, and lets exactly those run once', async () => {
    const hooks = rewriting('{"a":1,"b":3}');
    const first = await attempt({ hooks });
    expect([first.end, first.ran]).toEqual(['parked', []]);
    expect(first.asked.map(({ arguments: args }) => args)).toEqual(['{"a":1,"b":3}']);
    const second = await attempt({ hooks, since: allowed(first.asked[0]) });
    expect([second.end, second.ran, second.asked]).toEqual(['answered', ['{"a":1,"b":3}'], []]);
  });

  it('is not for arguments that a hook rewrites after it was given: that needs a new one', async () => {
    const first = await attempt({});
    const second = await attempt({
      hooks: rewriting('{"a":1,"b":3}'),
      since: allowed(first.asked[0]),
    });
    expect([second.end, second.ran]).toEqual(['parked', []]);
    expect(second.asked.map(({ arguments: args }) => args)).toEqual(['{"a":1,"b":3}']);
    expect(second.asked[0]?.approvalId).not.toBe(first.asked[0]?.approvalId);
  });

  it('is for the same arguments whatever the order of their keys', async () => {
    const first = await attempt({});
    const second = await attempt({
      hooks: rewriting('{ "b": 2, "a": 1 }'),
      since: allowed(first.asked[0]),
    });
    expect([second.end, second.ran]).toEqual(['answered', ['{ "b": 2, "a": 1 }']]);
  });

  it('is not for a later call that the model sends under the same id with other arguments', async () => {
    const first = await attempt({});
    const since = [
      ...allowed(first.asked[0]),
      event.toolCallFinished({ call: key, name: 'writer' }),
      event.turnRecorded({
        turn: 2,
        message: says('', call('writer', key.providerId, '{"a":1,"b":4}')),
      }),
    ];
    const second = await attempt({ since });
    expect([second.end, second.ran, second.asked.length]).toEqual(['parked', [], 1]);
  });

  it('[M19] is not for a tool that says something else of itself by now', async () => {
    const first = await attempt({});
    const since = allowed(first.asked[0]);
    const described = await attempt({ since, tool: { description: 'writes elsewhere' } });
    expect([described.end, described.ran, described.asked.length]).toEqual(['parked', [], 1]);
    const widened = await attempt({
      since,
      tool: { parameters: '{"type":"object","properties":{"where":{"type":"string"}}}' },
    });
    expect([widened.end, widened.ran, widened.asked.length]).toEqual(['parked', [], 1]);
  });

  it('[RUN-2] is still needed for a call that was started with approved arguments and would be repeated with others', async () => {
    const first = await attempt({});
    const since = [
      ...allowed(first.asked[0]),
      event.toolCallStarted({ call: key, name: 'writer', tool: { name: 'writer' }, repeatable: true }),
    ];
    expect((await attempt({ since })).ran).toEqual(['{"a":1,"b":2}']);
    const other = await attempt({ since, hooks: rewriting('{"a":9}') });
    expect([other.end, other.ran, other.asked.length]).toEqual(['parked', [], 1]);
  });
});

it('a call that ran with the arguments of a hook says so in the log; one that ran with its own does not', async () => {
  const started = async (hooks: ToolHooks): Promise<unknown> => {
    const { tool } = writer();
    const { run, store } = await openTestRun({
      tools: [tool],
      turn: says('', call('writer', key.providerId, '{"a":1}')),
      runtime: { approvalMode: 'yolo' },
      services: { hooks },
    });
    await executeBatch(run);
    const { events } = await store.readStream(run.log.meta.agentId, 0);
    const found = events.find(({ type }) => type === 'ToolCallStarted');
    return (JSON.parse(found?.data ?? '{}') as { arguments?: string }).arguments;
  };
  expect(await started(rewriting('{"a":2}'))).toBe('{"a":2}');
  expect(await started(noHooks)).toBeUndefined();
});
