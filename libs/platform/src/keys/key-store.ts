import type { Pool } from 'pg';
import { newId } from '../ids/new-id.js';
import { hashKey, newApiKey } from './api-key.js';
import type { KeyScope } from './key-scopes.js';
import type { NewKeyRequest } from './new-key-request.js';

/** A key as it may be shown: everything but the key. Times are ISO 8601, those of the database's clock. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  /** As they were granted. */
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** To about a minute; null when it was never used. */
  readonly lastUsedAt: string | null;
}

/** A key that opens something right now, as requests are compared with it. */
export interface LiveKey {
  readonly id: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the key, in hex. */
  readonly digest: string;
}

/** A key at the one moment at which it is known. */
export interface MadeKey extends StoredKey {
  readonly key: string;
  readonly scopes: readonly KeyScope[];
}

export type Revocation =
  | { readonly outcome: 'revoked' | 'already-revoked'; readonly key: StoredKey }
  | { readonly outcome: 'unknown' };

const instant = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const shown = `id, name, tenant, scopes, ${instant('created_at')} as "createdAt",
  ${instant('revoked_at')} as "revokedAt", ${instant('last_used_at')} as "lastUsedAt"`;

/** The keys of a database, hashed. Every method rejects with the database's error when it does not answer. */
export class KeyStore {
  constructor(private readonly pool: Pool) {}

  /** Makes a key. It is in the answer and nowhere else. */
  async create({ name, tenant, scopes }: NewKeyRequest): Promise<MadeKey> {
    const key = newApiKey();
    const { rows } = await this.pool.query<StoredKey>(
      `insert into api_key (id, name, tenant, scopes, digest) values ($1, $2, $3, $4, decode($5, 'hex')) returning ${shown}`,
      [newId(), name, tenant, scopes, hashKey(key)],
    );
    const [stored] = rows;
    if (stored === undefined) throw new Error('A key was inserted and no row came back.');
    return { ...stored, scopes, key };
  }

  /** All keys ever made, oldest first; of one tenant where one is given. */
  async list(tenant: string | null = null): Promise<readonly StoredKey[]> {
    const { rows } = await this.pool.query<StoredKey>(
      `select ${shown} from api_key where $1::text is null or tenant = $1 order by id`,
      [tenant],
    );
    return rows;
  }

  /** Ends a key for good. A key that was revoked before keeps the time of that. `id` must be a UUID. */
  async revoke(id: string): Promise<Revocation> {
    const revoked = await this.pool.query<StoredKey>(
      `update api_key set revoked_at = statement_timestamp() where id = $1 and revoked_at is null returning ${shown}`,
      [id],
    );
    if (revoked.rows[0] !== undefined) return { outcome: 'revoked', key: revoked.rows[0] };
    const { rows } = await this.pool.query<StoredKey>(`select ${shown} from api_key where id = $1`, [id]);
    return rows[0] === undefined ? { outcome: 'unknown' } : { outcome: 'already-revoked', key: rows[0] };
  }

  /** Every key that was not revoked. */
  async live(): Promise<readonly LiveKey[]> {
    const { rows } = await this.pool.query<LiveKey>({
      name: 'live-keys',
      text: `select id, tenant, scopes, encode(digest, 'hex') as digest from api_key where revoked_at is null`,
    });
    return rows;
  }

  /** Records that keys were used, at most once a minute for each. */
  async touch(ids: readonly string[]): Promise<void> {
    await this.pool.query(
      `update api_key set last_used_at = statement_timestamp()
       where id = any($1::uuid[]) and (last_used_at is null or last_used_at < statement_timestamp() - interval '1 minute')`,
      [ids],
    );
  }
}
