import { declared } from './fixture-surface.js';
import { FixtureLog } from './fixture-log.js';
import { tellRevivedFork } from './fixture-revived-fork.js';

/** Ids of the story's agents. */
export const story = {
  session: '01964f10-0000-7000-8000-00000000a001',
  restricted: '01964f10-0000-7000-8000-00000000a002',
  revived: '01964f10-0000-7000-8000-00000000a003',
  finished: '01964f10-0000-7000-8000-00000000a004',
  denied: '01964f10-0000-7000-8000-00000000a005',
  explorer: '01964f10-0000-7000-8000-00000000a006',
  otherSession: '01964f10-0000-7000-8000-00000000a007',
  approval: 'approval-1',
} as const;

const spent = {
  turns: 14,
  toolCalls: 31,
  inputTokens: 9_420,
  cachedTokens: 148_300,
  cacheWriteTokens: 11_200,
  outputTokens: 6_110,
  costUsd: 0.1834,
};

/** A morning's work: a session with a restricted, a revived, a finished and a denied fork, and one at rest. */
export function tellStory(): FixtureLog {
  const log = new FixtureLog('2026-05-04T09:00:00.000Z');
  tellSessions(log);
  tellRestrictedFork(log);
  tellRevivedFork(
    log,
    {
      ...fork(story.revived, 'Backfill ledger entries for March'),
      usage: { ...spent, turns: 6, toolCalls: 9 },
    },
    story.approval,
  );
  tellEndedForks(log);
  log.workers.push(
    { id: 'worker-ash', pid: 4121, host: 'node-1', startedAt: '2026-05-04T08:58:02.000Z', agents: 3 },
    { id: 'worker-elm', pid: 4977, host: 'node-2', startedAt: '2026-05-04T09:07:40.000Z', agents: 1 },
  );
  return log;
}

function tellSessions(log: FixtureLog): void {
  log.addAgent({
    id: story.otherSession,
    kind: 'session',
    status: 'idle',
    description: 'Release notes for 4.2',
  });
  log.pass(1000);
  const run = { id: 'run-0', epoch: 1, worker: 'worker-ash' };
  log.addAgent({
    id: story.session,
    kind: 'session',
    status: 'running',
    description: 'Migrate billing to the new ledger',
    run,
  });
  log.commit(story.session, 'SessionOpened', { projectRoot: '/srv/billing', model: 'scripted:ledger' });
  log.commit(story.session, 'RunStarted', { epoch: 1, workerId: 'worker-ash', reason: 'launch' });
}

const fork = (id: string, description: string) => ({
  id,
  kind: 'fork',
  status: 'queued',
  description,
  parentId: story.session,
  sessionId: story.session,
  depth: 1,
});

function tellRestrictedFork(log: FixtureLog): void {
  const id = story.restricted;
  log.pass(60_000);
  log.addAgent({
    ...fork(id, 'Audit rounding in invoices'),
    policy: { kind: 'list', entries: ['read_file', 'grep_search', 'glob', 'mcp__tickets__*'] },
    executionAllowedTools: ['read_file', 'grep_search', 'glob', 'mcp__tickets__*'],
    refusals: 1,
    surface: {
      declared,
      executable: ['read_file', 'grep_search', 'glob', 'mcp__tickets__search', 'mcp__tickets__close'],
      withheld: [{ name: 'mcp__crm__look up', reason: 'wire_name_collision' }],
      drift: {
        lost: [],
        changed: [],
        granted: ['mcp__tickets__close'],
        notGranted: [],
        renamed: [{ from: 'mcp__crm__find', to: 'mcp__crm__look up' }],
      },
    },
    usage: spent,
    limits: { maxTurns: 200, maxToolCalls: 40, maxTokens: 400_000, maxCostUsd: 1 },
  });
  const call = { turn: 2, index: 0, providerId: 'call_1' };
  log.commit(id, 'AgentLaunched', { kind: 'fork', description: 'Audit rounding in invoices' });
  log.commit(id, 'LaunchPromptRecorded', {
    directive: 'Find every place where an invoice amount is rounded and say which rule it follows.',
    restriction:
      'Only these tools may run: read_file, grep_search, glob, mcp__tickets__search, mcp__tickets__close.',
  });
  log.commit(
    id,
    'RunStarted',
    { epoch: 1, workerId: 'worker-ash', reason: 'launch' },
    { status: 'running', run: { id: 'run-1', epoch: 1, worker: 'worker-ash' } },
  );
  log.pass(4200);
  log.commit(id, 'TurnRecorded', {
    turn: 2,
    message: {
      role: 'assistant',
      blocks: [
        {
          type: 'text',
          text: 'I will search for rounding first, then try to run the test suite to see which cases are covered.',
        },
        {
          type: 'call',
          id: 'call_1',
          name: 'grep_search',
          arguments: '{"pattern":"Math\\\\.round","path":"src"}',
        },
        {
          type: 'call',
          id: 'call_2',
          name: 'run_shell_command',
          arguments: '{"command":"npm test -- --run invoices"}',
        },
      ],
    },
    stopReason: 'tool_calls',
    usage: { inputTokens: 800, cachedTokens: 12_000, outputTokens: 214 },
  });
  log.commit(id, 'ToolCallAllowed', {
    call,
    name: 'grep_search',
    tool: { name: 'grep_search' },
    rule: 'list entry grep_search',
  });
  log.commit(id, 'ToolCallRefused', {
    call: { turn: 2, index: 1, providerId: 'call_2' },
    name: 'run_shell_command',
    tool: { name: 'run_shell_command' },
    reason: 'not_in_allowlist',
    response:
      'This tool may not run here. Tools that may: read_file, grep_search, glob and MCP tools of tickets.',
  });
  log.commit(id, 'ToolCallStarted', {
    call,
    name: 'grep_search',
    tool: { name: 'grep_search' },
    epoch: 1,
    repeatable: true,
  });
  log.pass(310);
  log.commit(id, 'ToolCallFinished', {
    call,
    name: 'grep_search',
    outcome: 'ok',
    durationMs: 310,
    content: Array.from(
      { length: 240 },
      (_, line) => `src/invoice/line-${line}.ts:${line * 7 + 3}: return Math.round(amount * 100) / 100;`,
    ).join('\n'),
  });
}

function tellEndedForks(log: FixtureLog): void {
  log.pass(5000);
  const outcome = { reason: 'finished', partial: false, refusedTools: [] };
  log.addAgent({
    ...fork(story.finished, 'List callers of LedgerClient'),
    status: 'completed',
    outcome: {
      ...outcome,
      status: 'completed',
      result: '14 callers, all in src/billing. None uses the old constructor.',
    },
  });
  log.addAgent({
    ...fork(story.denied, 'Summarise the design without tools'),
    status: 'blocked',
    blocked: { reason: 'no_tool_left', detail: 'None of the tools that were declared exists any more.' },
    policy: { kind: 'list', entries: [] },
    executionAllowedTools: [],
    surface: { declared, executable: [], withheld: [], drift: null },
  });
  log.addAgent({
    ...fork(story.explorer, 'Map the invoice module'),
    kind: 'subagent',
    parentId: story.session,
    status: 'queued',
  });
}
