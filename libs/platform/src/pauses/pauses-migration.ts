/**
 * The table of keys that must stay away from what they open (spec 04 §2); one statement for a numbered migration, immutable once
 * released. Times are the database's clock. Not logged to disk: a pause that is forgotten in a crash is asked for anew.
 */
export const pausesMigration = `
create unlogged table provider_pause (
  key text primary key,
  paused_until timestamptz not null
)`;
