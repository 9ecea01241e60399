/** One attempt of a delivery: the signed request, and what is kept of its answer. */
import type { Context } from '../context.ts';
import { type Outgoing, OutgoingFailure } from '../outgoing-request.ts';
import { uuidv7 } from '../store/uuid.ts';
import type { DeliveryAttempt, DueDelivery } from './delivery-queries.ts';
import type { SecretRow } from './endpoint-queries.ts';
import { parseRetryAfter } from './schedule.ts';
import { openSecret } from './secrets.ts';
import { signedHeaders } from './signing.ts';

/** Characters of an answer that are kept. */
export const MAX_ANSWER_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 100;

/** The headers of every request, besides those of its signature. */
export const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Claimcheck-Webhooks/1',
} as const;

export interface SentAttempt {
  readonly delivery: DueDelivery;
  readonly attempt: DeliveryAttempt;
  /** What a `Retry-After` of the answer asks for. */
  readonly retryAfterMs: number | null;
}

export interface Target {
  readonly url: string;
  /** That sign now; one that no secret key opens is left out. */
  readonly secrets: readonly SecretRow[];
}

/** Throws the reason of `signal` where that ends it; every other failure is an attempt without an answer. */
export async function sendDelivery(
  context: Pick<Context, 'now' | 'random' | 'secretBox'>,
  outgoing: Outgoing,
  { url, secrets }: Target,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<SentAttempt> {
  const atMs = context.now();
  const startedMs = performance.now();
  const about = {
    id: uuidv7(context),
    account_id: delivery.account_id,
    delivery_id: delivery.id,
    url,
    at: new Date(atMs).toISOString(),
  };
  const tookMs = () => Math.round(performance.now() - startedMs);
  try {
    const opened = secrets.flatMap((row) => openSecret(context, row) ?? []);
    if (opened.length === 0) {
      throw new OutgoingFailure('No secret key of this service opens the signing secret; roll the secret.');
    }
    const message = { id: delivery.message_id, atMs, payload: delivery.payload };
    const { status, headers, body } = await outgoing.request({
      method: 'POST',
      url,
      headers: { ...FIXED_HEADERS, ...signedHeaders(opened, message) },
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

/** PostgreSQL stores no U+0000, and half a character is no text. */
const printable = (text: string): string =>
  text.replaceAll('\0', '\ufffd').slice(0, MAX_ANSWER_LENGTH).toWellFormed();

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];
