/** Makes one attempt to send a delivery. Requests are signed, except requests to chats. */

import type { Context } from '../../base/context.ts';
import { message } from '../../platform/languages/translate.ts';
import { OutgoingFailure } from '../../platform/network/outgoing-failure.ts';
import type { Outgoing, OutgoingResponse } from '../../platform/network/outgoing-request.ts';
import { decompressedBody, textOf } from '../../platform/network/response-body.ts';
import { traceparentOf } from '../../platform/process/trace.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import type { Delivery, DeliveryAttempt } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';
import { addressOf, type EndpointFormat, requestOf, shownUrl, withoutAddress } from './formats.ts';
import { holdAfter } from './hold.ts';
import { signedHeaders, signingSecrets } from './signing.ts';

export const MAX_RESPONSE_LENGTH = 1_000;
/** UTF-8 has at most four bytes per character. */
const MAX_RESPONSE_BYTES = 4 * MAX_RESPONSE_LENGTH;
const MAX_TYPE_LENGTH = 100;

/** Headers of every signed request, in addition to its signature headers. */
export const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Claimcheck-Webhooks/1',
} as const;

export interface SentAttempt {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
  /** How long the endpoint's queue waits, according to the response; `null`: it doesn't wait. */
  readonly holdMs: number | null;
}

/**
 * If the request fails, returns an attempt without a response. If `signal` aborts the request, throws the signal's
 * reason.
 */
export async function sendDelivery(
  context: Pick<Context, 'marketplace' | 'now' | 'random' | 'secretBox'>,
  outgoing: Outgoing,
  endpoint: Endpoint,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<SentAttempt> {
  const { account_id, id: delivery_id } = delivery;
  const { url, format } = endpoint;
  const atMs = context.now();
  const startedMs = performance.now();
  const about = { id: uuidv7(context), account_id, delivery_id, url, at: toIso(atMs) };
  const ended = (
    result: Pick<DeliveryAttempt, 'status' | 'answer_type' | 'answer' | 'failure' | 'redirects_to'>,
    holdMs: number | null = null,
  ) => ({
    delivery,
    attempt: { ...about, took_ms: Math.round(performance.now() - startedMs), ...result },
    holdMs,
  });
  try {
    const address = addressOf(context.secretBox, endpoint);
    if (address === null) {
      throw new OutgoingFailure(
        message('This service no longer has the secret key that encrypted the URL; save the URL again.'),
      );
    }
    const { contentType, body } = requestOf(endpoint, delivery.payload, context.marketplace.language);
    const headers =
      format === 'standard'
        ? {
            ...FIXED_HEADERS,
            ...signatures(context, endpoint, delivery, atMs),
            ...traceOf(context, delivery),
          }
        : { ...FIXED_HEADERS, 'content-type': contentType };
    const sent = await outgoing.request({ method: 'POST', url: address, headers, body, signal });
    const response = { ...sent, body: await decompressedBody(sent, MAX_RESPONSE_BYTES) };
    const { 'content-type': header } = response.headers;
    const type = typeof header === 'string' ? header.slice(0, MAX_TYPE_LENGTH) : null;
    const text = textOf(response.body, type);
    const result = {
      status: response.status,
      answer_type: type,
      answer: printable(format === 'standard' ? text : withoutAddress(text, address)),
      failure: null,
      redirects_to: redirectOf(response, address, format),
    };
    return ended(result, holdAfter(response, context.now()));
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error;
    return ended({
      status: null,
      answer_type: null,
      answer: null,
      failure: error.message,
      redirects_to: null,
    });
  }
}

const MAX_REDIRECT_LENGTH = 200;

/** Where a redirect leads, without the parts that may contain a secret; `null` if the response is not a redirect. */
function redirectOf(
  { status, headers }: Pick<OutgoingResponse, 'status' | 'headers'>,
  address: string,
  format: EndpointFormat,
): string | null {
  const location = [headers['location'] ?? ''].flat()[0] ?? '';
  if (status < 300 || status >= 400 || location === '') return null;
  const url = URL.parse(location, address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const withoutSecrets = format === 'standard' ? url.origin + url.pathname : shownUrl(url.href);
  return printable(withoutSecrets).slice(0, MAX_REDIRECT_LENGTH);
}

function signatures(
  context: Pick<Context, 'secretBox'>,
  endpoint: Endpoint,
  { message_id: id, payload }: Delivery,
  atMs: EpochMs,
): ReturnType<typeof signedHeaders> {
  const secrets = signingSecrets(context, endpoint, toIso(atMs)).flatMap(({ secret }) => secret ?? []);
  if (secrets.length > 0) return signedHeaders(secrets, { id, atMs, payload });
  throw new OutgoingFailure(
    message(
      'This service no longer has the secret key that encrypted the signing secret; roll the signing secret.',
    ),
  );
}

/** Chats get no trace, because their servers belong to somebody else. */
const traceOf = (
  { random }: Pick<Context, 'random'>,
  { trace }: Delivery,
): Readonly<Record<string, string>> => (trace === null ? {} : { traceparent: traceparentOf(trace, random) });

/** PostgreSQL cannot store U+0000 or lone surrogates. */
const printable = (text: string): string =>
  text.replaceAll('\0', '\ufffd').slice(0, MAX_RESPONSE_LENGTH).toWellFormed();
