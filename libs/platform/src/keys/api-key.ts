import { createHash, randomBytes } from 'node:crypto';

const keyShape = /^osk_[A-Za-z0-9_-]{16,256}$/;

/** A new API key: `osk_` and 256 random bits in base64url. Shown once; only its hash is stored. */
export function newApiKey(): string {
  return `osk_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the shape of a key: `osk_` and 16 to 256 characters of base64url. */
export function isApiKey(text: string): boolean {
  return keyShape.test(text);
}

/**
 * SHA-256 of a key in hex, the only form that is stored or compared. A key is random, so a slow hash would
 * add nothing; comparing hashes found by an index tells an attacker nothing about the key.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}
