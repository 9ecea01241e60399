/** Calls of a running service by HTTP, and the sentences for calls that fail. */

import { readBytes } from '../http/server/bodies.ts';
import { explainFailure } from '../process/failure.ts';
import { quote } from '../text/text.ts';

/** Bytes of an answer that are read; the longest page of a list has a third of it. */
const MAX_ANSWER_MIB = 64;

export interface Answer {
  readonly status: number;
  /** The body if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly retryAfterS: number | null;
  /** Target of a redirect. It is not followed, since that would turn a POST into a GET. */
  readonly location: string | null;
}

/** `base` as it was typed; `path` begins with a slash. */
export function serviceUrl(base: string, path: string): URL {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The address of the service must begin with http:// or https://; found ${quote(base)}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('The address of the service has no user name, no password, no query and no fragment.');
  }
  return new URL(`${url.href.replace(/[/?#]+$/, '')}${path}`);
}

export async function send(
  url: URL,
  {
    method,
    headers,
    body,
    timeoutMs,
  }: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
    readonly timeoutMs: number;
  },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  });
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    body: parseObject(
      await readBytes(response, MAX_ANSWER_MIB * 2 ** 20, `its answer has more than ${MAX_ANSWER_MIB} MiB`),
    ),
    retryAfterS: Number.isFinite(seconds) ? seconds : null,
    location: response.headers.get('location'),
  };
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** `doubt`: a sentence about what is not known now, such as whether a claim was redeemed. */
export const noAnswer = (url: URL, error: unknown, doubt: string | null): Error =>
  new Error(
    `The service at ${url.origin} does not answer: ${reasonOf(error)}.${doubt === null ? '' : ` ${doubt}`}`,
  );

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it took too long';
  // fetch says only "fetch failed"; its cause has the reason.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if ((cause as NodeJS.ErrnoException).code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'there is no TLS at this port; its address may begin with http://';
  }
  return explainFailure(cause).replace(/\.$/, '');
}

/** An answer from `url` that is neither an output nor a problem document. */
export function strangeAnswer({ status, location }: Answer, url: URL): string {
  const answered = `The service at ${url.origin} answered ${status}`;
  const target = location === null ? null : URL.parse(location, url);
  if (target === null) return `${answered} with something that is not an answer of Claimcheck; check --url.`;
  const path = `${url.pathname}${url.search}`;
  return target.href.endsWith(path)
    ? `${answered} and points to ${target.href.slice(0, -path.length)}; use that address with --url.`
    : `${answered} and points to ${target.origin}${target.pathname}; check --url.`;
}
