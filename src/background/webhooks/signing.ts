/** Signing secrets and signatures of the Standard Webhooks specification (`v1`). Secrets are stored encrypted. */
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import type { WebhookEndpointsTable } from '../../platform/store/tables/webhooks.ts';

/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
/** Number of characters shown after the prefix. They identify the secret, but reveal only 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;

/** Binds a ciphertext to its endpoint, so that a secret copied to another endpoint's row can't be decrypted. */
export const purposeOfWebhookSecret = (endpointId: string): string => `webhook:${endpointId}`;

/** `random(n)` returns n cryptographically random bytes. */
export const mintSecret = (random: (bytes: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** The signature headers of a request, with one signature per secret. `atMs`: when the request is sent. */
export const signedHeaders = (
  secrets: readonly string[],
  { id, atMs, payload }: { readonly id: string; readonly atMs: number; readonly payload: string },
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(atMs / 1_000)),
  'webhook-signature': secrets
    .map((secret) => new Webhook(secret).sign(id, new Date(atMs), payload))
    .join(' '),
});

/**
 * The secrets that sign requests at `at`, the current secret first. `secret`: `null` if no configured secret key can
 * decrypt it. `until`: when the old secret expires.
 */
export function signingSecrets(
  { secretBox }: { readonly secretBox: SecretBox },
  endpoint: Pick<WebhookEndpointsTable, 'id' | 'secret' | 'old_secret' | 'old_secret_until'>,
  at: string,
): readonly { readonly secret: string | null; readonly until: string | null }[] {
  const { id, secret, old_secret, old_secret_until: until } = endpoint;
  const open = (sealed: string) => secretBox.decrypt(sealed, purposeOfWebhookSecret(id));
  const current = { secret: open(secret), until: null };
  const isOver = old_secret === null || until === null || until <= at;
  return isOver ? [current] : [current, { secret: open(old_secret), until }];
}

export const shownSecrets = (...args: Parameters<typeof signingSecrets>) =>
  signingSecrets(...args).map(({ secret, until }) => ({
    start: secret?.slice(0, SECRET_PREFIX.length + SHOWN_CHARACTERS) ?? null,
    until,
  }));

export type ShownSecret = ReturnType<typeof shownSecrets>[number];
