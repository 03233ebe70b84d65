import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordAnswer } from '../../apps/cli/src/api/api-shapes.js';
import { openSession, recordsOf, untilAgent } from '../support/e2e/agents.js';
import { EventReader, type SeenEvent } from '../support/e2e/event-reader.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { queueBackends } from '../support/e2e/queue-backends.js';
import { codeOf, rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(600_000);

const launches = 200;
const sessionCount = 4;

const script = {
  rules: [
    { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'Noted.' } },
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done.' } },
    {
      answer: {
        toolCalls: [
          { name: 'read_file', arguments: { path: 'input.txt' } },
          { name: 'glob', arguments: { pattern: '*.txt' } },
        ],
      },
    },
  ],
};

/** A sequence that looks random and is the same every time. */
function dice(): (sides: number) => number {
  let state = 20_250_607;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % sides;
  };
}

describe.each(queueBackends(11))(
  'two hundred launches at once, with the queue on $backend',
  ({ redisUrl }) => {
    let system: TestSystem;
    let workspace: string;
    let sessions: readonly string[];
    let agents: readonly string[];
    let transcripts: ReadonlyMap<string, readonly RecordAnswer[]>;
    let steady: EventReader;
    let restless: EventReader;

    beforeAll(async () => {
      system = await startSystem({ workers: 2, ...(redisUrl === undefined ? {} : { redisUrl }) });
      workspace = await mkdtemp(join(tmpdir(), 'offshoot-many-'));
      await writeFile(join(workspace, 'input.txt'), 'the input\n');
      await system.models.script('many', script);
      const reach = { address: system.api.address, key: system.key };
      const roll = dice();
      steady = new EventReader(reach);
      restless = new EventReader({ ...reach, hangsUpAfter: () => 1 + roll(60) });
      await Promise.all([steady.start(), restless.start()]);
      sessions = await Promise.all(Array.from({ length: sessionCount }, openHosted));
      const answers = await Promise.all(Array.from({ length: launches }, (_, n) => launchOften(n)));
      agents = answers.flatMap((ids) => ids.slice(0, 1));
      // Both posts of a keyed launch have the one outcome.
      expect(answers.filter((ids) => new Set(ids).size !== 1)).toEqual([]);
      const count = (holds: (type: string) => boolean): number =>
        steady.seen.filter(({ type }) => holds(type)).length;
      await steady.until(() => count((type) => terminal.has(type)) >= launches, 300_000);
      await steady.until(() => count((type) => type === 'OutcomeDelivered') >= launches, 120_000);
      for (const session of sessions)
        await untilAgent(system.api, session, ({ status }) => status === 'idle', 120_000);
      const all = [...sessions, ...agents];
      transcripts = new Map(
        await Promise.all(all.map(async (id) => [id, await recordsOf(system.api, id)] as const)),
      );
      const recorded = [...transcripts.values()].reduce((sum, records) => sum + records.length, 0);
      await Promise.all([
        steady.until(() => steady.seen.length >= recorded, 120_000),
        restless.until(() => restless.seen.length >= recorded, 120_000),
      ]);
    });
    afterAll(async () => {
      await steady.stop();
      await restless.stop();
      await system.stop();
      await rm(workspace, { recursive: true });
    });

    /** A session that has taken a turn here: only such a one is woken by what its children did. */
    async function openHosted(): Promise<string> {
      const session = await openSession(system.api, { projectRoot: workspace, model: 'scripted:many' });
      await system.api.post(`/v1/sessions/${session}/messages`, { text: 'Look at the input.' });
      await untilAgent(system.api, session, ({ status, usage }) => status === 'idle' && usage.turns > 1);
      return session;
    }

    /** Two of three launches carry a key and are sent twice at the same time, as a caller does that lost the answer. */
    async function launchOften(n: number): Promise<readonly string[]> {
      const isKeyed = n % 3 !== 0;
      const json = {
        description: `fork ${n}`,
        prompt: 'Look at the input.',
        subagent_type: 'fork',
        ...(n % 2 === 0 ? { fork_tools: ['read_file'] } : {}),
      };
      const headers: Record<string, string> = isKeyed ? { 'idempotency-key': `launch-${n}` } : {};
      const post = () => rawRequest(system, launchPath(n), { json, headers });
      const answers = await Promise.all(isKeyed ? [post(), post()] : [post()]);
      return answers.map(({ status, body }) => {
        expect(status).toBe(202);
        return (body as { id: string }).id;
      });
    }

    const launchPath = (n: number): string => `/v1/sessions/${sessions[n % sessionCount] ?? ''}/agents`;
    const of = (id: string): readonly RecordAnswer[] => transcripts.get(id) ?? [];

    it('[LOG-1] makes one agent per launch, however often it was sent; the key of one launch does not pass for another', async () => {
      expect(new Set(agents).size).toBe(launches);
      const json = { description: 'another', prompt: 'Look again.', subagent_type: 'fork' };
      const reused = await rawRequest(system, launchPath(1), {
        json,
        headers: { 'idempotency-key': 'launch-1' },
      });
      expect([reused.status, codeOf(reused)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('[RUN-5] ends each activation with exactly one terminal event', () => {
      const ends = agents.map((id) =>
        of(id)
          .filter(({ type }) => terminal.has(type))
          .map(({ type }) => type),
      );
      expect(ends.filter((types) => types.join() !== 'AgentCompleted')).toEqual([]);
    });

    it('[RUN-5] tells each parent of each child exactly once, in its log and in what its model reads', async () => {
      for (const [n, session] of sessions.entries()) {
        const children = agents.filter((_, index) => index % sessionCount === n).sort();
        const told = of(session)
          .filter(({ type }) => type === 'OutcomeDelivered')
          .map(({ data }) => String(data['agentId']));
        expect([...told].sort()).toEqual(children);
        const last = (await requestsOf(system.models, session)).at(-1)?.body ?? '';
        const read = [...last.matchAll(/<agent-outcome id=\\"([^\\]+)\\"/g)].map((match) => match[1] ?? '');
        expect(read.sort()).toEqual(children);
      }
    });

    it('[LOG-2] leaves no hole in the versions of any transcript', () => {
      for (const records of transcripts.values())
        expect(records.map(({ version }) => version)).toEqual(records.map((_, index) => index + 1));
    });

    it('[LOG-2] [OPS-2] gives a reader that keeps hanging up every event once, in the order that a steady reader got', () => {
      expect(restless.connections).toBeGreaterThan(20);
      expect(restless.signals).not.toContain('gap');
      const recorded = [...transcripts].flatMap(([id, records]) =>
        records.map(({ version, type }) => `${id}/${version} ${type}`),
      );
      expect(restless.seen.map(nameOf).sort()).toEqual(recorded.sort());
      expect(restless.seen.map(nameOf)).toEqual(steady.seen.map(nameOf));
      expect(restless.seen.map(({ text }) => text)).toEqual(steady.seen.map(({ text }) => text));
    });

    it('[LOG-2] gives a reader that comes late the same order again', async () => {
      const [first, ...rest] = steady.seen;
      const reach = { address: system.api.address, key: system.key };
      const late = new EventReader({ ...reach, after: first?.cursor ?? '' });
      await late.start();
      await late.until(() => late.seen.length >= rest.length);
      await late.stop();
      expect(late.seen.map(nameOf)).toEqual(rest.map(nameOf));
    });
  },
);

const terminal = new Set(['AgentCompleted', 'AgentFailed', 'AgentCancelled']);

const nameOf = ({ subject, version, type }: SeenEvent): string => `${subject}/${version} ${type}`;
