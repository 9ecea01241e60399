/**
 * A random key of one thing, stored encrypted under a secret key. After a new secret key only this key is encrypted
 * again; what it encrypts and hashes stays.
 */
import { createHmac } from 'node:crypto';
import { decrypted, derivedKey, encrypted } from './secret-keys.ts';
import { SHORT_HASH_BYTES } from './secrets.ts';

const KEY_BYTES = 32;
const ENCRYPTION_USE = 'claimcheck/data-encryption/1';
const HASH_USE = 'claimcheck/data-hash/1';

type Random = (bytes: number) => Uint8Array;

export interface DataKey {
  encrypt(text: string): string;
  /** `null`: it was changed, or encrypted with another key. */
  decrypt(sealed: string): string | null;
  /** 16 bytes in hexadecimal. */
  hash(text: string): string;
}

/** A new key, as text for `openDataKey`. */
export const newDataKey = (random: Random): string => Buffer.from(random(KEY_BYTES)).toString('base64url');

/** `purpose`: what it encrypts, so that nothing else can stand in for it. */
export function openDataKey(key: string, purpose: string, random: Random): DataKey {
  const encryptionKey = derivedKey(key, ENCRYPTION_USE);
  const hashKey = derivedKey(key, HASH_USE);
  return {
    encrypt: (text) => encrypted(encryptionKey, random, text, purpose),
    decrypt: (sealed) => decrypted(encryptionKey, sealed, purpose),
    hash: (text) =>
      createHmac('sha256', hashKey)
        .update(text)
        .digest('hex')
        .slice(0, 2 * SHORT_HASH_BYTES),
  };
}
