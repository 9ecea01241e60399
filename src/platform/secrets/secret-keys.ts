/**
 * The first secret key is used to derive new claim tokens and encrypt new data. The others are previous keys, kept as
 * long as older tokens and data need them. Data keys are stored encrypted with a secret key.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { SHORT_HASH_BYTES } from './secrets.ts';

/** `random(n)` returns n cryptographically random bytes. */
type Random = (bytes: number) => Uint8Array;

/** At least one key, without duplicates. */
export type SecretKeys = readonly [string, ...string[]];

/** 32 hexadecimal characters are 128 bits. */
const MIN_CHARACTERS = 32;
/** Rejects `aaaa…` and `changemechangeme…`. Random hexadecimal keys almost always have more distinct characters. */
const MIN_DISTINCT_CHARACTERS = 8;

/** Labels for key derivation. Each use has a separate key, derived from the secret key and the label. */
const FINGERPRINT_USE = 'claimcheck/key-fingerprint/1';
const ENCRYPTION_USE = 'claimcheck/encryption/1';
const SUBJECT_USE = 'claimcheck/subject/1';
const CODE_USE = 'claimcheck/one-time-code/1';
const SEAL_USE = 'claimcheck/seal/1';
const DATA_ENCRYPTION_USE = 'claimcheck/data-encryption/1';
const DATA_HASH_USE = 'claimcheck/data-hash/1';
/** Hexadecimal characters in a fingerprint. */
export const FINGERPRINT_LENGTH = 16;

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D section 8.2.2: random nonces of 96 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Maximum length accepted by `unseal`. Sealed strings are shorter. */
const MAX_SEALED_LENGTH = 256;

/** Keys are separated by commas or line breaks. `complain` gets a message to append to the setting's name. */
export function parseSecretKeys(text: string, complain: (problem: string) => void): SecretKeys {
  const texts = text
    .split(/[,\r\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const [first = '', ...others] = texts;
  const keys: SecretKeys = [first, ...others];
  for (const [index, key] of keys.entries()) {
    const weakness = weaknessOf(key);
    const which = others.length === 0 ? '' : `has ${keys.length} keys; number ${index + 1} `;
    if (weakness !== null) complain(`${which}${weakness}; create one with \`openssl rand -base64 32\``);
  }
  if (new Set(keys).size < keys.length) complain('contains the same key twice');
  return keys;
}

function weaknessOf(key: string): string | null {
  if (key.length < MIN_CHARACTERS) {
    return `must have at least ${MIN_CHARACTERS} characters; found ${key.length}`;
  }
  const distinct = new Set(key).size;
  return distinct < MIN_DISTINCT_CHARACTERS
    ? `must be random; it has only ${distinct} different characters`
    : null;
}

/** Identifies a secret key without revealing it: 16 hexadecimal characters. */
export const fingerprintOf = (key: string): string =>
  createHmac('sha256', key).update(FINGERPRINT_USE).digest('hex').slice(0, FINGERPRINT_LENGTH);

export type SecretBox = ReturnType<typeof createSecretBox>;

export function createSecretBox(keys: SecretKeys, random: Random) {
  const ciphers = new Map(keys.map((key) => [fingerprintOf(key), derivedKey(key, ENCRYPTION_USE)]));
  const fingerprint = fingerprintOf(keys[0]);
  const subjectKey = derivedKey(keys[0], SUBJECT_USE);
  const codeKeys = keys.map((key) => derivedKey(key, CODE_USE));
  const hashUnder = (key: Uint8Array, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url');
  return {
    fingerprint,
    /** `purpose`: for example `totp:<account id>`. The result starts with the first key's fingerprint and a dot. */
    encrypt(secret: string, purpose: string): string {
      return `${fingerprint}.${encrypted(ciphers.get(fingerprint)!, random, secret, purpose)}`;
    },
    /** `null` if the key is unknown, the text was modified, or it was encrypted for a different purpose. */
    decrypt(encrypted: string, purpose: string): string | null {
      const [fingerprintOfKey = '', text = ''] = encrypted.split('.');
      const key = ciphers.get(fingerprintOfKey);
      return key === undefined ? null : decrypted(key, text, purpose);
    },
    /**
     * Encrypts a short string that a client sends back, such as a cursor. Each purpose has a separate key, because
     * polling clients may request more cursors than one key can safely encrypt with random nonces.
     */
    seal(text: string, purpose: string): string {
      return encrypted(sealingKey(keys[0], purpose), random, text, purpose);
    },
    /** `null` unless one of the keys sealed the text for this purpose. */
    unseal(sealed: string, purpose: string): string | null {
      if (sealed.length > MAX_SEALED_LENGTH) return null;
      for (const key of keys) {
        const text = decrypted(sealingKey(key, purpose), sealed, purpose);
        if (text !== null) return text;
      }
      return null;
    },
    /** HMAC with the first key, base64url. A plain hash of an email address or IP address could be brute-forced. */
    hashOfSubject: (subject: string): string => hashUnder(subjectKey, subject),
    /** HMACs of a one-time code, one per key in order, base64url. A plain hash could be brute-forced. */
    hashesOfCode: (code: string) => codeKeys.map((key) => hashUnder(key, code)) as [string, ...string[]],
  };
}

const sealingKey = (key: string, purpose: string): Uint8Array => derivedKey(key, `${SEAL_USE} ${purpose}`);

/** Nonce, ciphertext and tag, base64url. */
function encrypted(key: Uint8Array, random: Random, text: string, purpose: string): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

function decrypted(key: Uint8Array, encrypted: string, purpose: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

const derivedKey = (key: string, use: string): Uint8Array => createHmac('sha256', key).update(use).digest();

const DATA_KEY_BYTES = 32;

/** A random key for one set of data. When the secret key is rotated, only the data key must be re-encrypted. */
export type DataKey = ReturnType<typeof openDataKey>;

/** Generates a key for `openDataKey`. */
export const newDataKey = (random: Random): string =>
  Buffer.from(random(DATA_KEY_BYTES)).toString('base64url');

/** `purpose` is authenticated: text encrypted for a different purpose can't be decrypted. */
export function openDataKey(key: string, purpose: string, random: Random) {
  const encryptionKey = derivedKey(key, DATA_ENCRYPTION_USE);
  const hashKey = derivedKey(key, DATA_HASH_USE);
  return {
    encrypt: (text: string): string => encrypted(encryptionKey, random, text, purpose),
    /** `null` if the text was modified, or encrypted with a different key or for a different purpose. */
    decrypt: (sealed: string): string | null => decrypted(encryptionKey, sealed, purpose),
    /** HMAC, truncated to 16 bytes, in hexadecimal. */
    hash: (text: string): string =>
      createHmac('sha256', hashKey)
        .update(text)
        .digest('hex')
        .slice(0, 2 * SHORT_HASH_BYTES),
  };
}
