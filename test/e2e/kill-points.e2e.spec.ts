import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  killWorkersOf,
  launchFork,
  openSession,
  recordsOf,
  untilEnded,
  untilRecorded,
} from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { until } from '../support/e2e/processes.js';
import { StalledAppend } from '../support/e2e/stalled-append.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

/**
 * A fork that reads a file and appends one line to another, told to look before it repeats: whenever its worker is killed,
 * the line must be there once, and every request must be one that a strict provider accepts.
 */
const effect = (before: string, after: string): string =>
  `${before}echo once >> effect.log${after}; echo effect done`;
const repeatable = 'grep -q once effect.log 2>/dev/null || echo once >> effect.log; echo effect done';

const killScript = (slow: { before?: string; after?: string; delayMs?: number; chunkDelayMs?: number }) => ({
  rules: [
    {
      when: { lastToolResultContains: 'Whether it took effect is unknown' },
      answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command: repeatable } }] },
    },
    {
      when: { lastToolResultContains: 'interrupted before this call was started' },
      answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command: effect('', '') } }] },
    },
    { when: { toolResultsSinceLastUser: { atLeast: 2 } }, answer: { text: 'The line is there once.' } },
    {
      answer: {
        text: 'I read the file and append the line, both in one go, and I take my time to say so.',
        toolCalls: [
          { name: 'read_file', arguments: { path: 'input.txt' } },
          { name: 'run_shell_command', arguments: { command: effect(slow.before ?? '', slow.after ?? '') } },
        ],
      },
      delivery: {
        chunkSize: 4,
        ...(slow.delayMs === undefined ? {} : { delayMs: slow.delayMs }),
        ...(slow.chunkDelayMs === undefined ? {} : { chunkDelayMs: slow.chunkDelayMs }),
      },
    },
  ],
});

interface KillPoint {
  readonly name: string;
  readonly script?: Parameters<typeof killScript>[0];
  /** The event whose append is held up, from before the launch, while the worker is killed. */
  readonly stalls?: { readonly type: string; readonly containing?: string };
  /** The event after whose record the worker is killed. */
  readonly sees?: {
    readonly type: string;
    readonly containing?: string;
    /** What must have happened outside of the log, too. */
    readonly then?: 'request' | 'effect';
    readonly thenMs?: number;
  };
}

const points: readonly KillPoint[] = [
  { name: 'while it claims, before the claim is recorded', stalls: { type: 'RunStarted' } },
  {
    name: 'after its claim, before the model answered',
    script: { delayMs: 10_000 },
    sees: { type: 'RunStarted', then: 'request' },
  },
  {
    name: 'in the middle of the model stream',
    script: { chunkDelayMs: 250 },
    sees: { type: 'RunStarted', then: 'request', thenMs: 700 },
  },
  {
    name: 'after the turn streamed, before it is recorded',
    stalls: { type: 'TurnRecorded', containing: '"turn":1' },
  },
  {
    name: 'after the gate, before the first call is recorded as started',
    stalls: { type: 'ToolCallStarted', containing: 'read_file' },
  },
  {
    name: 'between the two results of the batch, before the second call started',
    stalls: { type: 'ToolCallStarted', containing: 'run_shell_command' },
  },
  {
    name: 'after a side-effecting call started, before its effect',
    script: { before: 'sleep 30; ' },
    sees: { type: 'ToolCallStarted', containing: 'run_shell_command', thenMs: 300 },
  },
  {
    name: 'after the effect, while the call is still under way',
    script: { after: '; sleep 30' },
    sees: { type: 'ToolCallStarted', containing: 'run_shell_command', then: 'effect' },
  },
  {
    name: 'after the effect, before the result is recorded',
    stalls: { type: 'ToolCallFinished', containing: 'run_shell_command' },
  },
  {
    name: 'after the batch, before the second turn is recorded',
    stalls: { type: 'TurnRecorded', containing: '"turn":2' },
  },
  { name: 'after the last turn, before the terminal event', stalls: { type: 'AgentCompleted' } },
];

describe('a fork whose worker is killed', () => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
  });
  afterAll(() => system.stop());

  async function untilSeen(agentId: string, sees: NonNullable<KillPoint['sees']>): Promise<void> {
    const happened = {
      request: async () => (await requestsOf(system.models, agentId)).length > 0,
      effect: async () => (await readFile(join(workspace, 'effect.log'), 'utf8').catch(() => '')) !== '',
    };
    await untilRecorded(system.api, agentId, sees.type, sees.containing);
    if (sees.then !== undefined) await until(`the ${sees.then}`, happened[sees.then]);
    await pause(sees.thenMs ?? 0);
  }

  it.each(points)(
    '[RUN-2] [RUN-3] [C01] [L01] $name, goes on elsewhere with every promise kept',
    async ({ name, script, stalls, sees }) => {
      workspace = await mkdtemp(join(tmpdir(), 'offshoot-kill-'));
      await writeFile(join(workspace, 'input.txt'), 'the input\n');
      const scriptName = `kill-${points.findIndex((point) => point.name === name)}`;
      await system.models.script(scriptName, killScript(script ?? {}));
      const requestsBefore = (await system.models.requests()).length;
      const sessionId = await openSession(system.api, {
        projectRoot: workspace,
        model: `scripted:${scriptName}`,
      });
      const tools = ['read_file', 'run_shell_command'];
      // Armed before the launch: the point may come at once.
      const stalled =
        stalls === undefined
          ? null
          : await StalledAppend.arm(system.databaseUrl, stalls.type, stalls.containing);
      const agentId = await launchFork(system.api, sessionId, 'Read the input and append one line.', tools);
      await stalled?.reached();
      if (sees !== undefined) await untilSeen(agentId, sees);
      await killWorkersOf(system.api, agentId);
      await stalled?.disarm();
      const agent = await untilEnded(system.api, agentId);
      const records = await recordsOf(system.api, agentId);
      const requests = (await system.models.requests()).slice(requestsBefore);

      expect(agent.status).toBe('completed');
      expect(agent.policy.entries).toEqual(tools);
      expect(records.map((record) => record.version)).toEqual(records.map((_record, index) => index + 1));
      expect(answersPerCall(records)).toEqual(callsOf(records).map((call) => [call, 1]));
      expect((await readFile(join(workspace, 'effect.log'), 'utf8')).split('\n')).toEqual(['once', '']);
      const begun = startsOf(records, 'run_shell_command');
      expect(new Set(begun).size).toBe(begun.length);
      expect(
        records.filter((record) => /^Agent(Completed|Failed|Cancelled)$/.test(record.type)),
      ).toHaveLength(1);
      expect(
        records.filter((record) => record.type === 'RunInterrupted').map((record) => record.data['cause']),
      ).toEqual(isClaimed(records) ? ['crashed'] : []);
      // Null is a request whose client was killed; anything but 200 would be a history that a provider refuses.
      expect(requests.filter((request) => request.status !== 200 && request.status !== null)).toEqual([]);
      expect(
        new Set(
          records
            .filter((record) => record.type === 'RunStarted')
            .map((record) => JSON.stringify((record.data['surface'] as { executable: unknown }).executable)),
        ),
      ).toEqual(new Set([JSON.stringify(tools)]));
      await rm(workspace, { recursive: true });
    },
  );
});

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** Every call of every turn as `<turn>/<index>`. */
function callsOf(records: Records): readonly string[] {
  return records
    .filter((record) => record.type === 'TurnRecorded')
    .flatMap((record) => {
      const { blocks } = record.data['message'] as { blocks: readonly { type: string }[] };
      return blocks
        .filter((block) => block.type === 'call')
        .map((_block, index) => `${String(record.data['turn'])}/${index}`);
    });
}

function answersPerCall(records: Records): readonly (readonly [string, number])[] {
  const answers = records
    .filter((record) => record.type === 'ToolCallFinished' || record.type === 'ToolCallRefused')
    .map((record) => record.data['call'] as { turn: number; index: number })
    .map(({ turn, index }) => `${turn}/${index}`);
  return callsOf(records).map((call) => [call, answers.filter((answer) => answer === call).length] as const);
}

/** The calls of a tool as they were recorded to have begun, as `<turn>/<index>`; what may be repeated stands there again. */
const startsOf = (records: Records, tool: string): readonly string[] =>
  records
    .filter((record) => record.type === 'ToolCallStarted' && record.data['name'] === tool)
    .map((record) => record.data['call'] as { turn: number; index: number })
    .map(({ turn, index }) => `${turn}/${index}`);

/** False when the worker was killed before any claim of it was recorded: then there is no run to interrupt. */
const isClaimed = (records: Records): boolean =>
  records.filter((record) => record.type === 'RunStarted').length > 1;
