import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  launchFork,
  openSession,
  recordsOf,
  untilEnded,
  untilNoneHeld,
  untilRecorded,
} from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { OwnPostgres } from '../support/e2e/own-postgres.js';
import { isAnyProcess, until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

/** What a worker may be cut off for before others may take its agents; `defaultPresenceTiming` has it. */
const leaseMs = 5_000;

const append = (name: string, before = '') => ({
  answer: {
    toolCalls: [{ name: 'run_shell_command', arguments: { command: `${before}echo ${name} >> effect.log` } }],
  },
});

describe('PostgreSQL away for longer than the lease of a worker', () => {
  let postgres: OwnPostgres;
  let system: TestSystem;
  let workspace: string;
  let session: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-outage-'));
    postgres = await OwnPostgres.start();
    system = await startSystem({ workers: 1, databaseUrl: postgres.url });
    await system.models.script('outage', {
      rules: [
        {
          when: { lastToolResultContains: 'Whether it took effect is unknown' },
          answer: { text: 'Not again.' },
        },
        { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done.' } },
        // It ends with its worker's run and not before: the mark is found among the processes until then.
        {
          when: { lastUserContains: 'in its tool' },
          ...append('tool', `: ${mark()}; echo begun >> effect.log; sleep 600; `),
        },
        {
          when: { lastUserContains: 'at its model' },
          ...append('model'),
          delivery: { delayMs: 3_000 },
        },
        { when: { lastUserContains: 'asking' }, ...append('asked') },
        append('later'),
      ],
    });
    session = await openSession(system.api, { projectRoot: workspace, model: 'scripted:outage' });
  });
  afterAll(async () => {
    await system.stop();
    await postgres.remove();
    await rm(workspace, { recursive: true, force: true });
  });

  const mark = (): string => basename(workspace);
  const effects = async (): Promise<readonly string[]> =>
    (await readFile(join(workspace, 'effect.log'), 'utf8')).split('\n').slice(0, -1).sort();
  const launch = (prompt: string, of = session): Promise<string> => launchFork(system.api, of, prompt);
  const interruptionsOf = async (agent: string) =>
    (await recordsOf(system.api, agent)).filter(({ type }) => type === 'RunInterrupted');

  it('[RUN-2] [RUN-3] [OPS-2] its runs are interrupted by the worker that lived on, every agent completes, and no call is begun twice', async () => {
    const asking = await openSession(system.api, {
      ...{ projectRoot: workspace, model: 'scripted:outage', approvalMode: 'default' },
    });
    const reader = new EventReader({ address: system.api.address, key: system.key });
    await reader.start();
    const waiting = await launch('asking', asking);
    const [approval] = await untilAsked(system.api, [waiting]);
    const tool = await launch('in its tool');
    const model = await launch('at its model');
    await untilRecorded(system.api, tool, 'ToolCallStarted');
    await until('the command to begin', () => isAnyProcess(mark()));
    await until('the request', async () => (await requestsOf(system.models, model)).length > 0);
    const workers = await system.workers();

    await postgres.stop('immediate');
    // The command ends when its run is given up, which is when the lease is over.
    await until('the lease to be over', async () => !(await isAnyProcess(mark())));
    await pause(leaseMs);
    await postgres.startAgain();
    await until('the API to be ready', async () => (await rawRequest(system, '/readyz')).status === 200);

    for (const agent of [tool, model])
      expect(await untilEnded(system.api, agent)).toMatchObject({
        status: 'completed',
        epoch: 2,
        activation: 1,
      });
    await system.api.post(`/v1/approvals/${approval?.id ?? ''}`, { decision: 'allow' });
    expect(await untilEnded(system.api, waiting)).toMatchObject({ status: 'completed' });
    const later = await launch('later');
    expect(await untilEnded(system.api, later)).toMatchObject({ status: 'completed', epoch: 1 });
    await untilNoneHeld(system.api);

    expect(await system.workers()).toEqual(workers);
    expect(await effects()).toEqual(['asked', 'begun', 'later', 'model']);
    const [cut] = await interruptionsOf(tool);
    expect(cut?.data).toMatchObject({
      epoch: 1,
      cause: 'cut',
      detail: expect.stringContaining('lease_over'),
    });
    for (const agent of [tool, model]) {
      expect(await interruptionsOf(agent)).toHaveLength(1);
      const records = await recordsOf(system.api, agent);
      const callsOf = (type: string): readonly string[] =>
        records.filter((one) => one.type === type).map(({ data }) => JSON.stringify(data['call']));
      expect(callsOf('ToolCallStarted')).toHaveLength(1);
      expect(callsOf('ToolCallFinished')).toEqual(callsOf('ToolCallStarted'));
    }
    expect((await untilRecorded(system.api, tool, 'ToolCallFinished')).data).toMatchObject({
      outcome: 'unknown',
    });
    // Whoever followed the stream was not told less, or anything twice.
    const told = [tool, model, waiting, later];
    const recorded = (await Promise.all(told.map((id) => recordsOf(system.api, id)))).flatMap((records, n) =>
      records.map(({ version }) => `${told[n] ?? ''}/${version}`),
    );
    const seen = () =>
      reader.seen
        .filter(({ subject }) => told.includes(subject))
        .map(({ subject, version }) => `${subject}/${version}`);
    await reader.until(() => seen().length >= recorded.length);
    await reader.stop();
    expect(seen().sort()).toEqual(recorded.sort());
  });
});
