/** Signatures of the Standard Webhooks specification: `v1`, HMAC-SHA256 with a shared secret. */
import { Webhook } from 'standardwebhooks';

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
