/**
 * The table of worker processes (spec 03 §5); one statement batch for a numbered migration, immutable once released.
 * A row is alive while `dead_at` is null. `lock_key` is the session advisory lock that the worker holds; `lease_until` and
 * `renewed_at` are the database's clock. The free space in pages keeps the frequent renewals off the indexes.
 */
export const presenceMigration = `
create table worker (
  id uuid primary key,
  lock_key bigint not null,
  pid integer not null,
  host text not null,
  capacity integer not null,
  backend_pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null,
  lease_until timestamptz not null,
  stopped_at timestamptz,
  dead_at timestamptz,
  death_cause text check (death_cause in ('crashed', 'cut', 'frozen', 'stopped')),
  check ((dead_at is null) = (death_cause is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
create index worker_living on worker (id) where dead_at is null;
create index worker_dead on worker (dead_at) where dead_at is not null;
`;
