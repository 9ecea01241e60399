/** Signing secrets, encrypted in the database, and signatures of the Standard Webhooks specification (`v1`). */
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../secrets/secret-keys.ts';
import type { WebhookEndpointsTable } from '../store/tables/webhooks.ts';

/** The specification requires 24 to 64. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
/** Characters by which people recognise a secret, after its prefix: 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;

/** Binds the encryption to the endpoint, so that a secret copied to another endpoint can't be decrypted. */
export const purposeOfWebhookSecret = (endpointId: string): string => `webhook:${endpointId}`;

/** `random(n)` returns n cryptographically random bytes. */
export const mintSecret = (random: (bytes: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** The headers of a request, with a signature for each secret. `atMs`: when it is sent. */
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
 * The secrets that sign at `at`, the current one first. `secret`: `null` if no configured secret key decrypts it.
 * `until`: when the old one stops signing.
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
