/** Calls of a running service by HTTP, and what is said where one fails. */
import { explainFailure } from '../failure.ts';
import { quote } from '../text.ts';

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
  const url = URL.parse(`${base.replace(/\/+$/, '')}${path}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The address of the service must begin with http:// or https://; found ${quote(base)}.`);
  }
  return url;
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
    body: parseObject(await response.text()),
    retryAfterS: Number.isFinite(seconds) ? seconds : null,
    location: response.headers.get('location'),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** `doubt`: what is not known now, a sentence. */
export function noAnswer(url: URL, error: unknown, doubt: string | null): Error {
  // fetch says only "fetch failed"; its cause has the reason.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = explainFailure(cause).replace(/\.$/, '');
  return new Error(
    `The service at ${url.origin} does not answer: ${reason}.${doubt === null ? '' : ` ${doubt}`}`,
  );
}

/** An answer that is neither an output nor a problem document. */
export const strangeAnswer = ({ status, location }: Answer): string =>
  location === null
    ? `The service answered ${status} with something that is not an answer of Claimcheck; check --url.`
    : `The service answered ${status} and points to ${quote(location)}; use that address with --url.`;
