import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jobId } from '../job-id.js';
import { openQueueBackend, type QueueBackendOptions } from '../open-queue-backend.js';
import type { JobQueue, QueueBackend, QueueFault, QueuedJob, TakenJob } from '../queue-backend.js';
import { eventually } from './eventually.js';
import { TcpProxy } from './tcp-proxy.js';

/** A backend to hold to the contract: the address the proxy stands before, and the options that lead through the proxy. */
export interface QueueUnderTest {
  readonly address: () => Promise<string>;
  readonly options: (proxiedUrl: string) => QueueBackendOptions;
  readonly end: () => Promise<void>;
}

interface Bench {
  readonly backend: QueueBackend;
  readonly queue: JobQueue;
  readonly faults: QueueFault[];
}

const job = (dispatch = 1, agentId: string = randomUUID()): QueuedJob => ({
  id: jobId(agentId, 1, dispatch),
  payload: { agentId, epoch: 1, dispatch },
});

/** Every promise of the queue port, run over both backends (field cases Q: each kind over both). */
export function queueContract(kind: 'redis' | 'postgres', subject: QueueUnderTest): void {
  describe(`the queue on ${kind}`, () => {
    let proxy: TcpProxy;
    let benches: Bench[] = [];

    beforeAll(async () => {
      proxy = await TcpProxy.open(await subject.address());
    });
    afterEach(async () => {
      await Promise.all(benches.map(({ backend }) => backend.close()));
      benches = [];
    });
    afterAll(async () => {
      await proxy.close();
      await subject.end();
    });

    async function open(
      name: string = `q-${randomUUID()}`,
      more: Partial<QueueBackendOptions> = {},
    ): Promise<Bench> {
      const faults: QueueFault[] = [];
      const backend = await openQueueBackend({
        ...subject.options(proxy.url),
        lockDurationMs: 1000,
        stalledIntervalMs: 300,
        onFault: (fault) => faults.push(fault),
        ...more,
      });
      const bench = { backend, queue: await backend.createQueue(name), faults };
      benches.push(bench);
      return bench;
    }

    async function record({ backend, queue }: Bench, concurrency = 4): Promise<TakenJob[]> {
      const taken: TakenJob[] = [];
      await backend.createWorker(
        queue.name,
        (one) => {
          taken.push(one);
          return Promise.resolve();
        },
        { concurrency },
      );
      return taken;
    }

    it('a job that is enqueued starts with the ids it carries', async () => {
      const bench = await open();
      const taken = await record(bench);
      const sent = job();
      expect(await bench.queue.enqueue(sent)).toEqual({ ok: true });
      expect(
        await eventually(
          () => [...taken],
          (jobs) => jobs.length === 1,
        ),
      ).toEqual([{ ...sent, isTakenAgain: false }]);
    });

    it('many jobs enqueued at once all start, each once', async () => {
      const bench = await open();
      const taken = await record(bench, 16);
      const sent = Array.from({ length: 200 }, () => job());
      expect(await bench.queue.enqueue(...sent)).toEqual({ ok: true });
      await eventually(
        () => taken.length,
        (count) => count >= sent.length,
      );
      expect(taken.map(({ id }) => id).sort()).toEqual(sent.map(({ id }) => String(id)).sort());
    });

    it('[Q03] the id of a kept job does not run again, the next dispatch of the same claim does', async () => {
      const bench = await open();
      const taken = await record(bench);
      const agentId = randomUUID();
      await bench.queue.enqueue(job(1, agentId));
      await eventually(
        () => taken.length,
        (count) => count === 1,
      );
      await eventually(
        () => bench.queue.depth(),
        ({ active }) => active === 0,
      );
      expect(await bench.queue.enqueue(job(1, agentId))).toEqual({ ok: true });
      await bench.queue.enqueue(job(2, agentId));
      await eventually(
        () => taken.length,
        (count) => count === 2,
      );
      expect(taken.map(({ id }) => id)).toEqual([1, 2].map((dispatch) => `${agentId}-1-${dispatch}`));
    });

    it('[Q03] a job that failed is forgotten at once, so that its id can run again', async () => {
      const bench = await open();
      let runs = 0;
      const fail = (): Promise<void> => {
        runs += 1;
        return Promise.reject(new Error('planned'));
      };
      await bench.backend.createWorker(bench.queue.name, fail, { concurrency: 1 });
      const sent = job();
      await bench.queue.enqueue(sent);
      await eventually(
        () => runs,
        (count) => count === 1,
      );
      await eventually(
        () => bench.queue.depth(),
        ({ active }) => active === 0,
      );
      await bench.queue.enqueue(sent);
      await eventually(
        () => runs,
        (count) => count === 2,
      );
    });

    it('[Q10] [Q12] a job left by a forced close is taken again, time after time, and never fails for it', async () => {
      const first = await open();
      const sent = job();
      await first.queue.enqueue(sent);
      for (let round = 0; round < 3; round += 1) {
        const bench = await open(first.queue.name);
        const started: string[] = [];
        const hang = async (one: TakenJob): Promise<void> => {
          started.push(one.id);
          await new Promise(() => undefined);
        };
        const worker = await bench.backend.createWorker(first.queue.name, hang, { concurrency: 1 });
        await eventually(
          () => started.length,
          (count) => count === 1,
        );
        expect(await worker.close(0)).toEqual({ drained: false, leftRunning: [sent.id] });
      }
      const taken = await record(first);
      expect(
        await eventually(
          () => [...taken],
          (jobs) => jobs.length === 1,
        ),
      ).toEqual([{ ...sent, isTakenAgain: true }]);
    }, 60_000);

    it('[Q14] close lets a running job end, aborts it after the grace, and takes nothing more', async () => {
      const bench = await open();
      const ends: string[] = [];
      const untilAborted = async (one: TakenJob, _token: string, signal: AbortSignal): Promise<void> => {
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        ends.push(one.id);
      };
      const worker = await bench.backend.createWorker(bench.queue.name, untilAborted, { concurrency: 1 });
      const [running, waiting] = [job(), job()];
      await bench.queue.enqueue(running);
      await eventually(
        () => worker.running(),
        (ids) => ids.length === 1,
      );
      await bench.queue.enqueue(waiting);
      expect(await worker.close(100)).toEqual({ drained: true, leftRunning: [] });
      expect(ends).toEqual([running.id]);
      expect(await bench.queue.depth()).toMatchObject({ waiting: 1, active: 0 });
    });

    it('[Q18] stopping while a job ends starts no further job and leaves none in the hands of the worker', async () => {
      const bench = await open();
      for (let round = 0; round < 30; round += 1) {
        const jobs = [job(), job(), job(), job()];
        let hasStopped = false;
        let late = 0;
        const bound: { stop?: () => void } = {};
        const endAndStop = (): Promise<void> => {
          late += hasStopped ? 1 : 0;
          setTimeout(() => bound.stop?.(), round % 3);
          return Promise.resolve();
        };
        const worker = await bench.backend.createWorker(bench.queue.name, endAndStop, { concurrency: 1 });
        bound.stop = () => {
          hasStopped = true;
          void worker.stopTaking();
        };
        await bench.queue.enqueue(...jobs);
        await eventually(() => hasStopped, Boolean);
        expect(await worker.close(500)).toMatchObject({ drained: true });
        expect([late, await bench.queue.depth()]).toMatchObject([0, { active: 0 }]);
      }
    }, 60_000);

    it('a worker that stopped taking leaves jobs waiting until it takes again', async () => {
      const bench = await open();
      const taken: string[] = [];
      const note = (one: TakenJob): Promise<void> => Promise.resolve(void taken.push(one.id));
      const worker = await bench.backend.createWorker(bench.queue.name, note, { concurrency: 1 });
      await worker.stopTaking();
      const sent = job();
      await bench.queue.enqueue(sent);
      expect(await bench.queue.depth()).toMatchObject({ waiting: 1 });
      expect(taken).toEqual([]);
      await worker.resumeTaking();
      await eventually(
        () => taken.length,
        (count) => count === 1,
      );
    });

    it('[Q06] [OPS-1] with the backend away enqueueing refuses within its deadline, and works again without a restart', async () => {
      const bench = await open(undefined, { deadlineMs: 400 });
      const taken = await record(bench);
      await proxy.goAway();
      expect(await bench.queue.enqueue(job())).toMatchObject({ ok: false, code: 'QUEUE_UNREACHABLE' });
      expect(await bench.backend.answers()).toBe(false);
      await proxy.comeBack();
      await eventually(
        () => bench.backend.answers(),
        (answers) => answers,
      );
      const sent = job();
      await eventually(
        () => bench.queue.enqueue(sent),
        ({ ok }) => ok,
      );
      await eventually(
        () => taken.map(({ id }) => id),
        (ids) => ids.includes(sent.id),
      );
    }, 60_000);

    it('[Q06] with the backend silent enqueueing refuses within its deadline too', async () => {
      const bench = await open(undefined, { deadlineMs: 400 });
      proxy.fallSilent();
      try {
        expect(await bench.queue.enqueue(job())).toMatchObject({
          ok: false,
          cause: expect.objectContaining({ code: 'DEADLINE_EXCEEDED' }),
        });
      } finally {
        proxy.speak();
      }
    }, 60_000);

    it('[Q06] a backend that is away at the start is waited for, then reported, never hung upon', async () => {
      await proxy.goAway();
      await expect(
        openQueueBackend({ ...subject.options(proxy.url), readyTimeoutMs: 500 }),
      ).rejects.toThrow();
      const opening = openQueueBackend({ ...subject.options(proxy.url), readyTimeoutMs: 20_000 });
      await proxy.comeBack();
      const backend = await opening;
      expect(await backend.answers()).toBe(true);
      await backend.close();
    }, 60_000);

    it('[Q16] cut connections are reported, the process lives, and running workers take the next job', async () => {
      const bench = await open();
      const taken = await record(bench);
      for (let round = 1; round <= 3; round += 1) {
        proxy.hangUp();
        const sent = job();
        await eventually(
          () => bench.queue.enqueue(sent),
          ({ ok }) => ok,
        );
        await eventually(
          () => taken.map(({ id }) => id),
          (ids) => ids.includes(sent.id),
        );
      }
      expect(bench.faults.length).toBeGreaterThan(0);
    }, 60_000);
  });
}
