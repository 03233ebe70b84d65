/** Whether this session got the lock. $1 key */
export const takeLock = 'select pg_try_advisory_lock($1::bigint) as taken';

/** Gives the lock back. $1 key */
export const releaseLock = 'select pg_advisory_unlock($1::bigint)';

/**
 * Registers a worker whose lock this session holds; again is no harm, when the first answer was lost. No row for an id that
 * is dead. $1 id, $2 key, $3 pid, $4 host, $5 capacity, $6 lease in ms
 */
export const register = `
insert into worker (id, lock_key, pid, host, capacity, backend_pid, renewed_at, lease_until)
select $1::uuid, $2::bigint, $3::integer, $4, $5::integer, pg_backend_pid(), clock.now, clock.now + $6::float8 * interval '1 ms'
from (select clock_timestamp() as now) clock
on conflict (id) do update set renewed_at = excluded.renewed_at, lease_until = excluded.lease_until, backend_pid = excluded.backend_pid
where worker.dead_at is null
returning id`;

/** Renews the lease of a worker that nobody declared dead; no row otherwise. $1 id, $2 lease in ms */
export const renew = `
update worker set renewed_at = clock.now, lease_until = clock.now + $2::float8 * interval '1 ms', backend_pid = pg_backend_pid()
from (select clock_timestamp() as now) clock
where id = $1::uuid and dead_at is null
returning id`;

/** A worker's own goodbye; it does not overwrite an observer's verdict. $1 id */
export const sayStopped = `
update worker set stopped_at = clock.now, dead_at = clock.now, death_cause = 'stopped'
from (select clock_timestamp() as now) clock
where id = $1::uuid and dead_at is null`;

const locks = `
select pid, (classid::bigint << 32) | objid::bigint as key
from pg_locks
where locktype = 'advisory' and objsubid = 1 and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Ends other sessions of this very worker that still hold its lock, left over from a cut. $1 key, $2 application name */
export const endOwnHolders = `
select pg_terminate_backend(l.pid, 500) as ended
from (${locks}) l join pg_stat_activity a on a.pid = l.pid
where l.key = $1::bigint and a.application_name = $2 and a.pid <> pg_backend_pid()`;

/**
 * One look: every living worker and every death since $1 (epoch ms; null: of the last 10 s), with the time of the look. The
 * clock alone comes with null columns when there is no worker.
 */
export const look = `
with held as materialized (${locks})
select extract(epoch from clock.now)::float8 * 1000 as "nowMs", w.id as "workerId", w.death_cause as "deathCause",
  held.key is not null as "lockHeld", w.lease_until < clock.now as "leaseOver",
  extract(epoch from clock.now - w.renewed_at)::float8 * 1000 as "silentMs"
from (select clock_timestamp() as now) clock
left join worker w on w.dead_at is null or w.dead_at > coalesce(to_timestamp($1::float8 / 1000), clock.now - interval '10 s')
left join held on held.key = w.lock_key`;

/** Locks the row of a living worker, unless the worker is renewing or another observer judges it right now. $1 id */
export const seize = `
select lock_key::text as "lockKey", lease_until < clock_timestamp() as "leaseOver"
from worker where id = $1::uuid and dead_at is null for update skip locked`;

/** Whether anybody holds the lock now. $1 key */
export const isLockHeld = `select exists (select from (${locks}) l where l.key = $1::bigint) as held`;

/** Ends every session of a worker and waits a little for each to be gone. $1 application name, $2 wait in ms */
export const endSessions = `
select pg_terminate_backend(pid, $2::bigint) as ended
from pg_stat_activity where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`;

/** $1 id, $2 cause */
export const declareDead = `
update worker set dead_at = clock_timestamp(), death_cause = $2 where id = $1::uuid and dead_at is null`;

/** Rows of the dead are of use to nobody after a while: an absent worker counts as dead too. */
export const forgetLongDead = `delete from worker where dead_at < clock_timestamp() - interval '7 days'`;
