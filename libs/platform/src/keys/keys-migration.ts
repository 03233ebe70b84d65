/**
 * The table of API keys (spec 05 §7), statements for a numbered migration, immutable once released. It holds the SHA-256 of a key,
 * never the key. A trigger tells every orchestrator that a key came or went, whoever changed the table and however.
 */
export const keysMigration: readonly string[] = [
  `create table api_key (
    id uuid primary key,
    name text not null,
    tenant text not null check (tenant <> ''),
    scopes text[] not null check (cardinality(scopes) > 0),
    digest bytea not null unique check (octet_length(digest) = 32),
    created_at timestamptz not null default statement_timestamp(),
    revoked_at timestamptz,
    last_used_at timestamptz
  )`,
  `create function tell_api_key_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('offshoot_keys', '');
      return null;
    end
  $$`,
  `create trigger api_key_changed after insert or delete or truncate on api_key
    for each statement execute function tell_api_key_changed()`,
  // A use is no change: it is written often, and opens or closes nothing.
  `create trigger api_key_altered after update of id, tenant, scopes, digest, revoked_at on api_key
    for each statement execute function tell_api_key_changed()`,
];

/** Takes back what `keysMigration` made. */
export const keysMigrationDown: readonly string[] = [
  'drop table api_key',
  'drop function tell_api_key_changed()',
];
