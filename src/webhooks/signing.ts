/**
 * Signatures of the Standard Webhooks specification: `v1` is HMAC-SHA256 with a secret of both sides, `v1a` is Ed25519
 * with a key pair.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Scheme } from './endpoint.ts';

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;
const SEED_BYTES = 32;
export const SECRET_PREFIX = 'whsec_';
const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
/** A private Ed25519 key in PKCS #8 is this and its seed (RFC 8410 section 7). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningSecret {
  /** What this side signs with: `whsec_` or `whsk_` and base64. To be encrypted before it is stored. */
  readonly secret: string;
  /** `whpk_` and base64, what the owner verifies with; `null`: with the secret itself. */
  readonly publicKey: string | null;
}

/** A new secret. `random(n)` returns n cryptographically random bytes. */
export function mintSecret(random: (bytes: number) => Uint8Array, scheme: Scheme): SigningSecret {
  if (scheme === 'hmac') {
    return { secret: SECRET_PREFIX + base64(random(SECRET_BYTES)), publicKey: null };
  }
  const seed = random(SEED_BYTES);
  const { x = '' } = createPublicKey(privateKeyOf(seed)).export({ format: 'jwk' });
  const publicBytes = Buffer.from(x, 'base64url');
  return {
    // Seed and public key together, as in RFC 8032.
    secret: PRIVATE_PREFIX + base64(Buffer.concat([seed, publicBytes])),
    publicKey: PUBLIC_PREFIX + base64(publicBytes),
  };
}

export interface SignedMessage {
  /** The `webhook-id`; without a full stop. */
  readonly id: string;
  /** Time of the request, milliseconds since the epoch; the signature covers whole seconds. */
  readonly atMs: number;
  readonly payload: string;
}

/** One signature of the `webhook-signature` header. */
export function signatureOf(secret: string, { id, atMs, payload }: SignedMessage): string {
  if (secret.startsWith(SECRET_PREFIX)) return new Webhook(secret).sign(id, new Date(atMs), payload);
  const seed = Buffer.from(secret.slice(PRIVATE_PREFIX.length), 'base64').subarray(0, SEED_BYTES);
  const signed = sign(null, Buffer.from(`${id}.${secondsOf(atMs)}.${payload}`), privateKeyOf(seed));
  return `v1a,${base64(signed)}`;
}

/** The headers of a request. Several secrets sign while one replaces another. */
export const signedHeaders = (
  secrets: readonly string[],
  message: SignedMessage,
): Readonly<Record<string, string>> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(secondsOf(message.atMs)),
  'webhook-signature': secrets.map((secret) => signatureOf(secret, message)).join(' '),
});

export const secondsOf = (ms: number): number => Math.floor(ms / 1_000);

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' });

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
