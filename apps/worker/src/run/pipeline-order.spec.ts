import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TranscriptStore } from '#transcripts';
import { call, callKey, event, InMemoryTranscriptStore, says } from '#transcripts/testing';
import type { HookVerdict } from '../hooks/tool-hooks.js';
import type { ClassifierVerdict } from '../permissions/parse-verdict.js';
import { executeBatch } from './execute-batch.js';
import { openTestRun, type SpecTool, type TestRunOptions } from './testing/open-test-run.js';

/** Every stage that was reached, in order: the log's facts by name, and whatever was looked at or called. */
let stages: string[];
beforeEach(() => {
  stages = [];
});

/** A store that records what is recorded. */
function recordingStore(): TranscriptStore {
  const store = new InMemoryTranscriptStore();
  const append = store.append.bind(store);
  store.append = (request) => {
    if (request.expected.version > 0) stages.push(...request.events.map(({ type }) => type));
    return append(request);
  };
  return store;
}

/** A tool that notices when its schema is read and when it is run. */
function recordingTool(name: string, readOnly = false): SpecTool {
  return {
    name,
    description: name,
    get parameters() {
      stages.push('validation');
      return '{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}';
    },
    readOnly,
    idempotent: false,
    destructive: !readOnly,
    outputCap: 100,
    execute: () => {
      stages.push('execution');
      return Promise.resolve({ outcome: 'ok', text: 'done' });
    },
  };
}

interface Pipeline extends Partial<TestRunOptions> {
  readonly mode?: 'plan' | 'default' | 'auto' | 'yolo';
  readonly rules?: { readonly deny?: string[]; readonly ask?: string[]; readonly allow?: string[] };
  readonly hook?: HookVerdict;
  readonly classifier?: ClassifierVerdict;
  readonly calls: readonly (readonly [name: string, args?: string])[];
}

const tools = [
  recordingTool('tool'),
  recordingTool('other'),
  recordingTool('agent'),
  recordingTool('reader', true),
];

const noUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

async function runBatch({ mode = 'yolo', rules = {}, hook, classifier, calls, ...more }: Pipeline) {
  const said = classifier ?? { verdict: 'ask' as const, reason: '' };
  const opened = await openTestRun({
    tools,
    turn: says('', ...calls.map(([name, args = '{}'], n) => call(name, `call-1-${n}`, args))),
    runtime: {
      get permissions() {
        stages.push('rules');
        return rules;
      },
      get approvalMode() {
        stages.push('mode');
        return mode;
      },
    },
    services: {
      hooks: {
        before: ({ argumentsText, arguments: args }) => {
          stages.push('pre-hook');
          return Promise.resolve(hook ?? { ok: true, argumentsText, arguments: args });
        },
        after: () => {
          stages.push('post-hook');
          return Promise.resolve();
        },
      },
      classifier: {
        classify: () => {
          stages.push('classifier');
          return Promise.resolve({ ...said, model: 'scripted:classifier', usage: noUsage });
        },
      },
    },
    ...more,
    store: recordingStore(),
  });
  const executors = new Map(opened.run.executors);
  const get = executors.get.bind(executors);
  executors.get = (name) => {
    stages.push(`look-up of ${name}`);
    return get(name);
  };
  const end = await executeBatch({ ...opened.run, executors });
  return { ...opened, end };
}

const list = (...entries: readonly string[]) => ({
  policy: { version: 1, kind: 'list', entries, bindings: [] },
});
const look = (name = 'tool') => ['ToolCallAllowed', `look-up of ${name}`, 'validation'];

describe('[POL-4] [T15] the order of the stages of a call', () => {
  it.each([
    ['undeclared', ['no_such_tool'], {}],
    ['refused by the list', ['other'], { launch: list('tool') }],
    ['forbidden in a fork', ['agent'], {}],
    ['of an empty list', ['tool'], { launch: list() }],
  ] as const)('a call that is %s touches nothing behind the gate', async (_kind, [name], more) => {
    await runBatch({ calls: [[name]], ...more });
    expect(stages).toEqual(['ToolCallRefused']);
  });

  it.each([
    ['invalid', { calls: [['tool', '{"n":"x"}']] }, [...look(), 'ToolCallFinished']],
    ['no JSON', { calls: [['tool', '{"n":']] }, [...look(), 'ToolCallFinished']],
    [
      'blocked by a hook',
      { calls: [['tool']], hook: { ok: false, text: 'no' } },
      [...look(), 'pre-hook', 'ToolCallFinished'],
    ],
    [
      'denied by a rule',
      { calls: [['tool']], rules: { deny: ['tool'] } },
      [...look(), 'pre-hook', 'rules', 'ToolCallFinished'],
    ],
    [
      'blocked by the mode',
      { calls: [['tool']], mode: 'plan' },
      [...look(), 'pre-hook', 'rules', 'mode', 'ToolCallFinished'],
    ],
    [
      'allowed by a rule in plan mode',
      { calls: [['tool']], rules: { allow: ['tool'] }, mode: 'plan' },
      [...look(), 'pre-hook', 'rules', 'mode', 'ToolCallFinished'],
    ],
    [
      'denied by the classifier',
      { calls: [['tool']], mode: 'auto', classifier: { verdict: 'deny', reason: 'no' } },
      [...look(), 'pre-hook', 'rules', 'mode', 'classifier', 'ToolCallClassified', 'ToolCallFinished'],
    ],
    [
      'asked about by a rule',
      { calls: [['tool']], rules: { ask: ['tool'] } },
      [...look(), 'pre-hook', 'rules', 'mode', 'ApprovalRequested', 'RunParked'],
    ],
    [
      'asked about by the mode',
      { calls: [['tool']], mode: 'default' },
      [...look(), 'pre-hook', 'rules', 'mode', 'ApprovalRequested', 'RunParked'],
    ],
    [
      'left to a person by the classifier',
      { calls: [['tool']], mode: 'auto' },
      [
        ...look(),
        'pre-hook',
        'rules',
        'mode',
        'classifier',
        'ToolCallClassified',
        'ApprovalRequested',
        'RunParked',
      ],
    ],
    [
      'asked about of an agent that goes on without asking',
      { calls: [['tool']], mode: 'default', launch: { onApproval: 'deny' } },
      [...look(), 'pre-hook', 'rules', 'mode', 'ToolCallFinished'],
    ],
    [
      'allowed by a rule',
      { calls: [['tool']], rules: { allow: ['tool'] }, mode: 'default' },
      [...look(), 'pre-hook', 'rules', 'mode', ...ran()],
    ],
    ['allowed by the mode', { calls: [['tool']] }, [...look(), 'pre-hook', 'rules', 'mode', ...ran()]],
    [
      'allowed by the classifier',
      { calls: [['tool']], mode: 'auto', classifier: { verdict: 'allow', reason: '' } },
      [...look(), 'pre-hook', 'rules', 'mode', 'classifier', 'ToolCallClassified', ...ran()],
    ],
    [
      'read-only',
      { calls: [['reader']], mode: 'plan' },
      [...look('reader'), 'pre-hook', 'rules', 'mode', ...ran()],
    ],
  ] satisfies readonly [string, Pipeline, string[]][])(
    'a call that is %s',
    async (_kind, given, expected) => {
      await runBatch(given);
      expect(stages).toEqual(expected);
    },
  );

  it('in a batch with an allowed call the refused ones are answered first, and the allowed one runs', async () => {
    const { run } = await runBatch({
      calls: [['other'], ['tool'], ['no_such_tool']],
      launch: list('tool'),
    });
    expect(stages).toEqual([
      'ToolCallRefused',
      'ToolCallAllowed',
      'ToolCallRefused',
      'look-up of tool',
      'validation',
      'pre-hook',
      'rules',
      'mode',
      ...ran(),
    ]);
    expect(run.log.meta.refusedTools).toEqual(['other', 'no_such_tool']);
  });

  it('a call that comes back approved passes the gate, the hooks and the rules again, and nobody is asked again', async () => {
    const asked = await runBatch({ calls: [['tool']], mode: 'default' });
    const approval = [...asked.run.log.meta.approvals.values()].at(0)?.data;
    if (approval === undefined) throw new Error('Nothing was asked.');
    const since = [
      event.toolCallAllowed({ call: callKey(), name: 'tool', tool: { name: 'tool' } }),
      event.approvalRequested(approval),
      event.approvalResolved({ approvalId: approval.approvalId }),
    ];
    stages = [];
    await runBatch({ calls: [['tool']], mode: 'default', since });
    expect(stages).toEqual(['look-up of tool', 'validation', 'pre-hook', 'rules', 'mode', ...ran()]);
    stages = [];
    await runBatch({ calls: [['tool']], mode: 'default', since, rules: { deny: ['tool'] } });
    expect(stages).toEqual(['look-up of tool', 'validation', 'pre-hook', 'rules', 'ToolCallFinished']);
    stages = [];
    await runBatch({ calls: [['tool']], mode: 'default', since, launch: list() });
    expect(stages).toEqual(['ToolCallFinished']);
  });
});

function ran(): readonly string[] {
  return ['ToolCallStarted', 'execution', 'ToolCallFinished', 'post-hook'];
}
