import type { z } from '@hono/zod-openapi';
import { MAX_PAGE_SIZE } from '../../api/owner/schemas.ts';
import type { Operation } from '../../platform/http/operations/operation.ts';
import type { OperationCall } from '../../platform/http/operations/operation-routes.ts';
import { readBytes } from '../../platform/http/server/bodies.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { startsAsSecret } from '../../platform/secrets/secrets.ts';
import { quote, withoutTail } from '../../platform/text/text.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export type InputOf<O extends Operation> = Pick<
  OperationCall<O, never>,
  keyof O['input'] & ('path' | 'query' | 'body')
>;

export type OutputOfOperation<O extends Operation> = z.output<
  O['outputs'][keyof O['outputs']]['schema' & keyof O['outputs'][keyof O['outputs']]] & z.ZodType
>;

/** `message` is a complete sentence. */
export class RefusedCall extends Error {
  readonly status: number;
  /** A code from `src/platform/errors.ts`; `null` if the response is not from Claimcheck. */
  readonly code: string | null;
  constructor(sentence: string, status: number, code: string | null) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

export async function allOf<Page extends { readonly next: string | null }, Row>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await read({ ...(after !== undefined && { after }), limit: MAX_PAGE_SIZE });
    // A caching proxy that ignores the query would return the first page forever.
    if (page.next === after) throw new Error('The service sent the same page of the list twice.');
    rows.push(...rowsOf(page));
    after = page.next;
  }
  return rows;
}

export const NO_INPUT = { path: {}, query: {}, headers: {}, body: undefined };

export interface Service {
  readonly url: string;
  readonly key: string;
}

export async function callService<O extends Operation>(
  operation: Operation,
  { url: base, key }: Service,
  input: object,
): Promise<OutputOfOperation<O>> {
  const { path, query, body } = { ...NO_INPUT, ...input };
  const url = serviceUrl(base, pathOf(operation.path, path, query));
  const method = operation.method.toUpperCase();
  const doubt = method === 'GET' ? null : 'It is unknown whether the command took effect.';
  const authorization = `Bearer ${key}`;
  const request =
    body === undefined
      ? { headers: { authorization } }
      : { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await send(url, { method, ...request }, RESPONSE_TIMEOUT_MS).catch((error) => {
    throw noResponse(url, error, doubt);
  });
  const output = operation.outputs[response.status];
  if (output !== undefined && hasMembersOf(output.schema, response.body)) {
    return response.body as OutputOfOperation<O>;
  }
  const detail = response.body?.['detail'];
  const sentence = typeof detail === 'string' ? detail : unexpectedResponse(response, url);
  const code = response.body?.['code'];
  throw new RefusedCall(
    doubt !== null && response.status >= 500 ? `${sentence} ${doubt}` : sentence,
    response.status,
    typeof code === 'string' ? code : null,
  );
}

/** Ignores unknown members, because a newer service may send more. */
const hasMembersOf = (schema: z.ZodType, body: unknown): boolean =>
  (schema.safeParse(body).error?.issues ?? []).every(({ code }) => code === 'unrecognized_keys');

function pathOf(template: string, path: object, query: object): string {
  const inPath = new Map(Object.entries(path).map(([name, value]) => [name, String(value)]));
  const inQuery = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  for (const value of [...inPath.values(), ...inQuery.map(([, text]) => text!)]) refuseSecret(value);
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(inPath.get(name)!));
  const search = new URLSearchParams(inQuery).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Throws if the value is a secret, because users sometimes pass a key instead of its id, and URLs end up in logs. */
function refuseSecret(value: string): void {
  if (startsAsSecret(value)) {
    throw new Error('Found a key or a token instead of an id or a name. It was not sent.');
  }
}

/** Rejects an empty segment, `.` and `..`, because the URL would lead to a different operation. */
function segmentOf(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new Error(`${quote(value)} is not an id, email address or slug.`);
  return encodeURIComponent(value);
}

/** About three times the size of the largest list page. */
const MAX_RESPONSE_MIB = 64;

export interface ServiceResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly retryAfterS: number | null;
  /** Target of a redirect. Redirects are not followed, because `fetch` would turn a POST into a GET. */
  readonly location: string | null;
}

/** `base`: as the user typed it. `path`: starts with a slash. */
export function serviceUrl(base: string, path: string): URL {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The URL of the service must begin with http:// or https://; found ${quote(base)}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('The URL of the service must not have a user name, password, query or fragment.');
  }
  return new URL(`${withoutTail(url.href, /[/?#]/)}${path}`);
}

export async function send(url: URL, request: RequestInit, timeoutMs: number): Promise<ServiceResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...request, redirect: 'manual', signal });
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const tooLarge = `its response is larger than ${MAX_RESPONSE_MIB} MiB`;
  return {
    status: response.status,
    body: parseObject(await readBytes(response, MAX_RESPONSE_MIB * 2 ** 20, tooLarge)),
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

/** `doubt`: a sentence that says what is unknown, for example whether a claim was redeemed. */
export const noResponse = (url: URL, error: unknown, doubt: string | null): Error =>
  new Error(
    `The call to the service at ${url.origin} failed: ${reasonOf(error)}.${doubt === null ? '' : ` ${doubt}`}`,
  );

/** Returns the cause of an error from `fetch`, because the message of the error itself is only "fetch failed". */
export const causeOf = (error: unknown): NodeJS.ErrnoException =>
  error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it took too long';
  const cause = causeOf(error);
  if (cause.code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'this port does not use TLS; the URL may have to begin with http://';
  }
  return explainFailure(cause).replace(/\.$/, '');
}

export function unexpectedResponse({ status, location }: ServiceResponse, url: URL): string {
  const responded = `The service at ${url.origin} responded with ${status}`;
  const target = location === null ? null : URL.parse(location, url);
  if (target === null) return `${responded}, but the response is not from Claimcheck; check --url.`;
  const path = `${url.pathname}${url.search}`;
  return target.href.endsWith(path)
    ? `${responded} and redirects to ${target.href.slice(0, -path.length)}; use that URL with --url.`
    : `${responded} and redirects to ${target.origin}${target.pathname}; check --url.`;
}
