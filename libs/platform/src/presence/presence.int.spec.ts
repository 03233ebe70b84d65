import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { eventually } from '../queue/testing/eventually.js';
import { TcpProxy } from '../queue/testing/tcp-proxy.js';
import { DedicatedSession } from './dedicated-session.js';
import type { Death } from './judge-workers.js';
import { livingWorkersSql } from './living-workers.js';
import { presenceMigration } from './presence-migration.js';
import { PresenceObserver } from './presence-observer.js';
import { noticeDeadClients } from './session-settings.js';
import { HolderProgram, type HolderProcess } from './testing/holder-process.js';
import { workerApplicationName } from './worker-application-name.js';
import { WorkerPresence } from './worker-presence.js';

interface Watching {
  readonly observer: PresenceObserver;
  readonly deaths: Death[];
}

describe('presence of workers', () => {
  let database: TestDatabase;
  let admin: Client;
  let outside: Client;
  let program: HolderProgram;
  let holders: HolderProcess[] = [];
  let watching: Watching[] = [];

  beforeAll(async () => {
    program = await HolderProgram.build();
  });
  afterAll(async () => {
    await program.remove();
  });
  beforeEach(async () => {
    database = await createTestDatabase();
    admin = await connected(database.url);
    outside = await connected(database.url.replace(database.name, 'postgres'));
    await admin.query(presenceMigration);
  });
  afterEach(async () => {
    await Promise.all(watching.map(({ observer }) => observer.stop()));
    await Promise.all(holders.map((holder) => holder.end()));
    [holders, watching] = [[], []];
    await admin.end();
    await outside.end();
    await database.drop();
  });

  async function connected(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function hold(more: { databaseUrl?: string; skewMs?: number } = {}): Promise<HolderProcess> {
    const { databaseUrl = database.url, skewMs = 0 } = more;
    const holder = await program.start(databaseUrl, { skewMs });
    holders.push(holder);
    return holder;
  }

  function watch(): Watching {
    const deaths: Death[] = [];
    const observer = new PresenceObserver({
      databaseUrl: database.url,
      onDeath: (death) => deaths.push(death),
    });
    watching.push({ observer, deaths });
    observer.start();
    return { observer, deaths };
  }

  async function recorded(): Promise<{ id: string; cause: string | null }[]> {
    const { rows } = await admin.query<{ id: string; cause: string | null }>(
      'select id, death_cause as cause from worker order by started_at',
    );
    return rows;
  }

  async function sessionsOf(workerId: string): Promise<number> {
    const { rows } = await admin.query('select 1 from pg_stat_activity where application_name = $1', [
      workerApplicationName(workerId),
    ]);
    return rows.length;
  }

  /** As clients see a restart of the server: every session ends, nobody gets in for a while. */
  async function restartDatabase(downMs: number): Promise<void> {
    await outside.query(`alter database ${database.name} allow_connections false`);
    await outside.query('select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = $1', [
      database.name,
    ]);
    await pause(downMs);
    await outside.query(`alter database ${database.name} allow_connections true`);
    admin = await connected(database.url);
  }

  it('[RUN-3] a killed worker is told once by each observer, and all agree on the cause', async () => {
    const observers = [watch(), watch()];
    const [victim, other] = [await hold(), await hold()];
    victim.signal('SIGKILL');
    for (const { deaths } of observers) {
      await eventually(
        () => [...deaths],
        (told) => told.length > 0,
      );
    }
    await pause(1000);
    for (const { deaths, observer } of observers) {
      expect(deaths).toEqual([{ workerId: victim.workerId, cause: 'crashed' }]);
      expect((await observer.aliveWorkers()).map(({ id, capacity }) => [id, capacity])).toEqual([
        [other.workerId, 4],
      ]);
    }
    expect(await recorded()).toEqual([
      { id: victim.workerId, cause: 'crashed' },
      { id: other.workerId, cause: null },
    ]);
    expect((await admin.query<{ id: string }>(livingWorkersSql)).rows.map(({ id }) => id)).toEqual([
      other.workerId,
    ]);
  }, 30_000);

  it('[RUN-1] a worker killed while its statement runs has no session left when its death is told', async () => {
    const victim = await hold();
    victim.tell('sleep');
    await eventually(
      () => sessionsOf(victim.workerId),
      (count) => count === 2,
    );
    const seen: number[] = [];
    const observer = new PresenceObserver({
      databaseUrl: database.url,
      onDeath: () => void sessionsOf(victim.workerId).then((count) => seen.push(count)),
    });
    watching.push({ observer, deaths: [] });
    observer.start();
    victim.signal('SIGKILL');
    expect(
      await eventually(
        () => [...seen],
        (counts) => counts.length > 0,
      ),
    ).toEqual([0]);
  }, 30_000);

  it('[C03] a frozen worker loses its sessions before its death is told, and hears of it when it wakes', async () => {
    const { deaths } = watch();
    const victim = await hold();
    victim.tell('sleep');
    await eventually(
      () => sessionsOf(victim.workerId),
      (count) => count === 2,
    );
    victim.signal('SIGSTOP');
    expect(
      await eventually(
        () => [...deaths],
        (told) => told.length > 0,
      ),
    ).toEqual([{ workerId: victim.workerId, cause: 'frozen' }]);
    expect(await sessionsOf(victim.workerId)).toBe(0);
    victim.signal('SIGCONT');
    await victim.heard('lost declared_dead');
    await pause(1500);
    expect(victim.said).not.toContain('regained');
    expect(await recorded()).toEqual([{ id: victim.workerId, cause: 'frozen' }]);
  }, 30_000);

  it('[Q01] a worker whose event loop is blocked for longer than its lease counts as frozen', async () => {
    const { deaths } = watch();
    const victim = await hold();
    victim.tell('block');
    await eventually(
      () => [...deaths],
      (told) => told.length > 0,
    );
    await victim.heard('lost declared_dead');
    expect(deaths).toEqual([{ workerId: victim.workerId, cause: 'frozen' }]);
  }, 30_000);

  it('a worker that lives but makes no progress cannot renew, gives up first, and counts as frozen', async () => {
    const { deaths } = watch();
    const victim = await hold();
    victim.tell('stall');
    await victim.heard('lost lease_over');
    expect(deaths).toEqual([]);
    expect(
      await eventually(
        () => [...deaths],
        (told) => told.length > 0,
      ),
    ).toEqual([{ workerId: victim.workerId, cause: 'frozen' }]);
  }, 30_000);

  it('a worker that stops says so itself, and its lock is free at once', async () => {
    const { deaths } = watch();
    const victim = await hold();
    victim.tell('stop');
    await eventually(
      () => [...deaths],
      (told) => told.length > 0,
      2500,
    );
    expect(deaths).toEqual([{ workerId: victim.workerId, cause: 'stopped' }]);
    expect(await sessionsOf(victim.workerId)).toBe(0);
  }, 30_000);

  it('restarts of the database kill nobody: living workers take their locks again and go on', async () => {
    const observers = [watch(), watch()];
    const living = [await hold(), await hold(), await hold()];
    await pause(3500);
    for (const downMs of [0, 1000, 2000]) {
      await restartDatabase(downMs);
      await pause(5000);
    }
    expect(observers.flatMap(({ deaths }) => deaths)).toEqual([]);
    expect((await recorded()).map(({ cause }) => cause)).toEqual([null, null, null]);
    expect(living.flatMap(({ said }) => said)).toEqual(['started', 'started', 'started']);
    living[0]?.signal('SIGKILL');
    await eventually(
      () => observers.map(({ deaths }) => deaths.length),
      (counts) => counts.every((count) => count === 1),
    );
  }, 60_000);

  it('a worker that is slow to come back after a restart of the database is waited for', async () => {
    const { deaths } = watch();
    const holder = await hold();
    await pause(3500);
    holder.signal('SIGSTOP');
    await restartDatabase(300);
    await pause(2000);
    holder.signal('SIGCONT');
    await pause(3000);
    // On a slow machine a restart may outlast the lease: the worker gives its runs up then, and is waited for all the same.
    expect(deaths).toEqual([]);
    expect(['started', 'regained']).toContain(holder.said.at(-1));
    expect(await recorded()).toEqual([{ id: holder.workerId, cause: null }]);
  }, 30_000);

  it('an outage longer than the lease makes workers give up, and they go on under the same id afterwards', async () => {
    const { deaths } = watch();
    const holder = await hold();
    await restartDatabase(6000);
    await holder.heard('lost lease_over');
    await holder.heard('regained');
    await pause(4500);
    expect(deaths).toEqual([]);
    expect(await recorded()).toEqual([{ id: holder.workerId, cause: null }]);
  }, 60_000);

  it('a worker that dies during an outage is noticed after it', async () => {
    const { deaths } = watch();
    const [victim, other] = [await hold(), await hold()];
    const restart = restartDatabase(1500);
    victim.signal('SIGKILL');
    await restart;
    expect(
      await eventually(
        () => [...deaths],
        (told) => told.length > 0,
      ),
    ).toMatchObject([{ workerId: victim.workerId }]);
    expect(await recorded()).toContainEqual({ id: other.workerId, cause: null });
  }, 60_000);

  it('[RUN-1] a worker cut off half-open gives up by itself and is declared dead, then hears of it', async () => {
    const proxy = await TcpProxy.open(database.url);
    const { deaths } = watch();
    const victim = await hold({ databaseUrl: proxy.url });
    await pause(3500);
    proxy.fallSilent();
    await victim.heard('lost lease_over');
    // The proxy keeps answering the server's keepalives, so it is the lease that decides here.
    await eventually(
      () => [...deaths],
      (told) => told.length > 0,
    );
    expect(deaths).toEqual([{ workerId: victim.workerId, cause: 'frozen' }]);
    proxy.speak();
    await victim.heard('lost declared_dead');
    await victim.end();
    await proxy.close();
  }, 60_000);

  it('a worker whose old session the server still believes in ends it and takes the lock again', async () => {
    const proxy = await TcpProxy.open(database.url);
    const { deaths } = watch();
    const holder = await hold({ databaseUrl: proxy.url });
    const before = await admin.query<{ pid: number }>('select backend_pid as pid from worker');
    proxy.loseCurrent();
    await eventually(
      async () => (await admin.query<{ pid: number }>('select backend_pid as pid from worker')).rows[0]?.pid,
      (pid) => pid !== before.rows[0]?.pid,
    );
    await pause(2000);
    expect([holder.said, deaths]).toEqual([['started'], []]);
    await holder.end();
    await proxy.close();
  }, 60_000);

  it('[C05] wall clocks ten minutes off, of workers or of the observer, change nothing', async () => {
    const wallClock = Date.now.bind(Date);
    const skewed = jest.spyOn(Date, 'now').mockImplementation(() => wallClock() + 600_000);
    try {
      const { deaths } = watch();
      const living = [await hold({ skewMs: 600_000 }), await hold({ skewMs: -600_000 })];
      const victim = await hold({ skewMs: 600_000 });
      await pause(6000);
      expect(deaths).toEqual([]);
      victim.signal('SIGKILL');
      expect(
        await eventually(
          () => [...deaths],
          (told) => told.length > 0,
        ),
      ).toHaveLength(1);
      expect(living.flatMap(({ said }) => said)).toEqual(['started', 'started']);
    } finally {
      skewed.mockRestore();
    }
  }, 60_000);

  it('an observer that starts late judges the dead it finds, and not before its grace', async () => {
    const victim = await hold();
    await victim.end();
    const { deaths } = watch();
    await pause(2500);
    expect(deaths).toEqual([]);
    expect(
      await eventually(
        () => [...deaths],
        (told) => told.length > 0,
      ),
    ).toMatchObject([{ cause: 'crashed' }]);
    const later = watch();
    await eventually(
      () => [...later.deaths],
      (told) => told.length > 0,
      2500,
    );
  }, 30_000);

  it('every session asks the server to notice a dead client within seconds', async () => {
    const session = await DedicatedSession.open({
      databaseUrl: database.url,
      applicationName: 'offshoot-observer',
      timeoutMs: 1500,
    });
    const rows = await session.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name = any(string_to_array($1, ','))`,
      [Object.keys(noticeDeadClients).join(',')],
    );
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
    expect(settings).toEqual(noticeDeadClients);
    await session.close();
  });

  it('a statement that outlasts its time-out fails, and the session is given up', async () => {
    const session = await DedicatedSession.open({
      databaseUrl: database.url,
      applicationName: 'slow',
      timeoutMs: 300,
    });
    await expect(session.query('select pg_sleep(5)')).rejects.toThrow(/timeout/);
    session.destroy();
    expect(session.isBroken).toBe(true);
  });

  it('a worker id that is dead cannot come back under a new process', async () => {
    const losses: string[] = [];
    const workerId = randomUUID();
    const make = (): WorkerPresence =>
      new WorkerPresence({
        databaseUrl: database.url,
        workerId,
        capacity: 1,
        provesProgress: () => true,
        onLost: (loss) => losses.push(loss),
      });
    const first = make();
    await first.start();
    expect(first.holds()).toBe(true);
    await first.stop();
    expect(first.holds()).toBe(false);
    const second = make();
    await expect(second.start()).rejects.toThrow(workerId);
    expect([losses, second.holds()]).toEqual([[], false]);
    expect(await recorded()).toEqual([{ id: workerId, cause: 'stopped' }]);
  }, 30_000);
});
