/** Signing secrets, encrypted in the database, and signatures of the Standard Webhooks specification: `v1`, HMAC-SHA256 with a shared secret. */
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../secrets/secret-keys.ts';
import type { WebhookEndpointsTable } from '../store/tables/webhooks.ts';

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;
export const SECRET_PREFIX = 'whsec_';

/** The encryption is bound to the endpoint. */
export const purposeOfWebhookSecret = (endpointId: string): string => `webhook:${endpointId}`;

/** `random(n)` returns n cryptographically random bytes. */
export const mintSecret = (random: (bytes: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

export interface SignedMessage {
  /** The `webhook-id`; without a full stop. */
  readonly id: string;
  /** Time of the request; the signature covers whole seconds. */
  readonly atMs: number;
  readonly payload: string;
}

/** The headers of a request, with a signature for each secret. */
export const signedHeaders = (
  secrets: readonly string[],
  { id, atMs, payload }: SignedMessage,
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(atMs / 1_000)),
  'webhook-signature': secrets
    .map((secret) => new Webhook(secret).sign(id, new Date(atMs), payload))
    .join(' '),
});

interface Secrets {
  readonly secretBox: SecretBox;
}
type StoredSecrets = Pick<WebhookEndpointsTable, 'id' | 'secret' | 'old_secret' | 'old_secret_until'>;

/** Characters by which people recognise a secret, after its prefix: 24 of its 256 bits. */
const SHOWN_CHARACTERS = 4;

export const sealSecret = ({ secretBox }: Secrets, endpointId: string, secret: string): string =>
  secretBox.encrypt(secret, purposeOfWebhookSecret(endpointId));

interface SigningSecret {
  /** `null` if no configured secret key decrypts it. */
  readonly secret: string | null;
  /** When it stops signing; `null` for the current secret. */
  readonly until: string | null;
}

/** The secrets that sign at `at`, the current one first. */
export function signingSecrets(
  { secretBox }: Secrets,
  { id, secret, old_secret, old_secret_until: until }: StoredSecrets,
  at: string,
): readonly SigningSecret[] {
  const open = (sealed: string) => secretBox.decrypt(sealed, purposeOfWebhookSecret(id));
  const current = { secret: open(secret), until: null };
  const isOver = old_secret === null || until === null || until <= at;
  return isOver ? [current] : [current, { secret: open(old_secret), until }];
}

export interface ShownSecret extends Pick<SigningSecret, 'until'> {
  readonly start: string | null;
}

/** What pages show of them. */
export const shownSecrets = (context: Secrets, endpoint: StoredSecrets, at: string): readonly ShownSecret[] =>
  signingSecrets(context, endpoint, at).map(({ secret, until }) => ({
    start: secret?.slice(0, SECRET_PREFIX.length + SHOWN_CHARACTERS) ?? null,
    until,
  }));
