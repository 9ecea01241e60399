/** One attempt of a delivery: the signed request, and what is kept of its answer. */
import type { Context } from '../context.ts';
import { type Outgoing, OutgoingFailure } from '../outgoing-request.ts';
import { uuidv7 } from '../store/uuid.ts';
import { toIso } from '../time-text.ts';
import type { DeliveryAttempt, DueDelivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';
import { parseRetryAfter } from './schedule.ts';
import { signingSecrets } from './secrets.ts';
import { signedHeaders } from './signing.ts';

/** Characters of an answer that are kept. */
export const MAX_ANSWER_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 100;

/** The headers of every request, in addition to those of its signature. */
export const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Claimcheck-Webhooks/1',
} as const;

export interface SentAttempt {
  readonly delivery: DueDelivery;
  readonly attempt: DeliveryAttempt;
  /** From the `Retry-After` of the answer. */
  readonly retryAfterMs: number | null;
}

/** Every failure is an attempt without an answer. Throws only the reason of `signal`. */
export async function sendDelivery(
  context: Pick<Context, 'now' | 'random' | 'secretBox'>,
  outgoing: Outgoing,
  endpoint: Endpoint,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<SentAttempt> {
  const { url } = endpoint;
  const atMs = context.now();
  const startedMs = performance.now();
  const about = {
    id: uuidv7(context),
    account_id: delivery.account_id,
    delivery_id: delivery.id,
    url,
    at: toIso(atMs),
  };
  const tookMs = () => Math.round(performance.now() - startedMs);
  try {
    const secrets = signingSecrets(context, endpoint, about.at).flatMap(({ secret }) => secret ?? []);
    if (secrets.length === 0) {
      throw new OutgoingFailure(
        'No secret key of this service decrypts the signing secret; roll the secret.',
      );
    }
    const message = { id: delivery.message_id, atMs, payload: delivery.payload };
    const { status, headers, body } = await outgoing.request({
      method: 'POST',
      url,
      headers: { ...FIXED_HEADERS, ...signedHeaders(secrets, message) },
      body: delivery.payload,
      signal,
    });
    const attempt = {
      ...about,
      took_ms: tookMs(),
      status,
      answer_type: textOf(headers['content-type'])?.slice(0, MAX_TYPE_LENGTH) ?? null,
      answer: printable(body.toString('utf8')),
      failure: null,
    };
    const retryAfterMs = parseRetryAfter(textOf(headers['retry-after']), context.now());
    return { delivery, attempt, retryAfterMs };
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    const nothing = { status: null, answer_type: null, answer: null };
    const attempt = { ...about, took_ms: tookMs(), ...nothing, failure: error.message };
    return { delivery, attempt, retryAfterMs: null };
  }
}

/** PostgreSQL cannot store U+0000 or a lone surrogate. */
const printable = (text: string): string =>
  text.replaceAll('\0', '\ufffd').slice(0, MAX_ANSWER_LENGTH).toWellFormed();

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];
