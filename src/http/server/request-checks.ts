/** What every operation of the API checks in the head of a request, in the order in which it is checked. */
import type { IncomingMessage } from 'node:http';
import type { ErrorCode, RefusedCall } from '../../errors.ts';
import { type RequestHeaders, userAgentOf } from './headers.ts';

/** A failure as its code and a sentence about this request. */
export interface Fault<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly detail: string;
}

/** The request by which a browser asks whether it may make a call from another site (CORS). */
const isPreflight = (method: string | undefined, headers: RequestHeaders): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined;

export const refusedCallOf = (
  request: IncomingMessage,
  headers: RequestHeaders,
  refused: Pick<RefusedCall, 'keyHash' | 'detail' | 'ip' | 'requestId'>,
): RefusedCall => ({
  ...refused,
  requestLine: `${request.method} ${request.url?.split('?', 1)[0]}`,
  origin: headers.origin ?? null,
  userAgent: userAgentOf(request.rawHeaders),
});

/** Checks the method, then the browser. `methods`: the methods the path allows. */
export function headFault(
  { method }: Pick<IncomingMessage, 'method'>,
  headers: RequestHeaders,
  methods: readonly string[],
): Fault<'method_not_allowed' | 'browser_call'> | null {
  if (!methods.includes(method!) && !isPreflight(method, headers)) {
    return {
      code: 'method_not_allowed',
      detail: `This operation takes ${methods.join(' or ')}; found ${method}.`,
    };
  }
  if (headers.origin !== undefined || headers.secFetchSite !== undefined) {
    const found = headers.origin === undefined ? 'a Sec-Fetch-Site header' : 'an Origin header';
    return { code: 'browser_call', detail: `The request has ${found}: it comes from a browser.` };
  }
  return null;
}

/** Why there is no well-formed key. A malformed one gets the answer of an unknown one. */
export const credentialsFault = (authorization: string | undefined): Fault =>
  bearerCredentials(authorization) === null
    ? { code: 'missing_credentials', detail: 'There is no Authorization header with a Bearer API key.' }
    : { code: 'invalid_api_key', detail: INVALID_API_KEY };

/** The detail for a key that is unknown, malformed, expired or revoked. It does not say which of these. */
export const INVALID_API_KEY =
  'This API key is not valid. Send it whole and without quotes, as it was shown; a variable that is not set is sent as `undefined`.';

/** Media type, then declared length. */
export function bodyFault(
  headers: RequestHeaders,
  maxBytes: number,
): Fault<'unsupported_media_type' | 'body_too_large'> | null {
  if (!isJson(headers)) return { code: 'unsupported_media_type', detail: mediaTypeDetail(headers) };
  if (Number(headers.contentLength) > maxBytes) {
    const detail = `The body has ${headers.contentLength} bytes; at most ${maxBytes} are read.`;
    return { code: 'body_too_large', detail };
  }
  return null;
}

/** The detail of a call that came too soon after the others of its key. */
export const rateDetail = (perSecond: number): string =>
  `This API key may send ${perSecond} requests a second.`;

/** The detail of a body that turns out to be too long while it is read. */
export const lengthDetail = (maxBytes: number): string => `The body has more than ${maxBytes} bytes.`;

/** The key of a Bearer header (RFC 6750 section 2.1), null where there is none. */
export function bearerCredentials(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!header.startsWith('Bearer ') && header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  const key = header.slice(7).trim();
  return key === '' ? null : key;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
/** One parameter of a media type, RFC 9110 section 5.6.6. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\]|\\.)*"))?/y;

/** Whether the body is declared as plain JSON in UTF-8 (RFC 9110 sections 8.3 and 8.4). */
function isJson(headers: RequestHeaders): boolean {
  const { contentType } = headers;
  if (headers.contentEncoding !== undefined || contentType === undefined) return false;
  return contentType === 'application/json' || (JSON_TYPE.test(contentType) && isUtf8(contentType));
}

/** Whether the parameters are well-formed and no charset but utf-8 is named. */
function isUtf8(contentType: string): boolean {
  PARAMETER.lastIndex = 'application/json'.length;
  let end = PARAMETER.lastIndex;
  for (let found = PARAMETER.exec(contentType); found !== null; found = PARAMETER.exec(contentType)) {
    end = PARAMETER.lastIndex;
    const [, name, value] = found;
    if (name?.toLowerCase() === 'charset' && value?.replaceAll('"', '').toLowerCase() !== 'utf-8')
      return false;
  }
  return contentType.slice(end).trim() === '';
}

/** What is wrong with the type of a body that is not plain JSON. */
function mediaTypeDetail(headers: RequestHeaders): string {
  if (headers.contentEncoding !== undefined)
    return 'There is a Content-Encoding header; send the body as it is.';
  if (headers.contentType === undefined) return 'There is no Content-Type header; send application/json.';
  return `The Content-Type is ${JSON.stringify(headers.contentType.slice(0, 100))}; send application/json in UTF-8.`;
}
