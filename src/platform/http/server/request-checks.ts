import type { IncomingMessage } from 'node:http';
import type { ErrorCode, RefusedCall } from '../../errors.ts';
import { parseTraceparent } from '../../process/trace.ts';
import { amountOf } from '../../text/text.ts';
import { type RequestHeaders, userAgentOf } from './headers.ts';

const fault = <Code extends ErrorCode>(code: Code, detail: string): Fault<Code> => ({ code, detail });

/** The HTTP version, and whether the request is ambiguous (RFC 9112 sections 3.2, 6.1, 6.3), on all paths. */
export function framingFault(request: IncomingMessage, headers: RequestHeaders): Fault | null {
  if (request.httpVersionMajor !== 1) {
    return fault('http_version_not_supported', `HTTP/${request.httpVersion} is not supported; use HTTP/1.1.`);
  }
  const isPath = request.url!.charCodeAt(0) === 47; /* / */
  if (!isPath && !(request.url === '*' && request.method === 'OPTIONS')) {
    return fault('invalid_request', 'The request target must be a path, not an absolute URL.');
  }
  // An HTTP/1.0 request may have no Host or an empty one. Many load balancers send such health checks.
  const needsHost = request.httpVersionMinor > 0;
  if (headers.hosts > 1 || (headers.hosts === 0 && needsHost)) {
    const problem = headers.hosts === 0 ? 'There is no Host header.' : 'There are two Host headers.';
    return fault('invalid_request', `${problem} Send exactly one.`);
  }
  if ((headers.host || needsHost) && !HOST.test(headers.host!))
    return fault('invalid_request', 'The Host header is not a host name.');
  if (headers.duplicate !== undefined) {
    return fault('invalid_request', `There are two ${headers.duplicate} headers. Send at most one.`);
  }
  if (headers.transferEncoding !== undefined) {
    if (request.httpVersionMinor === 0 || headers.transferEncoding.toLowerCase() !== 'chunked') {
      return fault('invalid_request', 'Transfer-Encoding may only be chunked, and only in HTTP/1.1.');
    }
  }
  return null;
}

/** Matches an RFC 3986 host with an optional port: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Returns the fault for a timeout or an error of Node's HTTP parser. */
export function parserFault(error: NodeJS.ErrnoException & { readonly reason?: string }): Fault {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fault('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return fault('headers_too_large', 'The headers of the request are too large.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return fault('body_too_large', 'The chunk extensions of the body are too large.');
    case 'HPE_PAUSED_H2_UPGRADE':
      return fault('http_version_not_supported', 'HTTP/2 is not supported; use HTTP/1.1.');
    case 'HPE_INVALID_VERSION':
      if (error.reason === UNKNOWN_VERSION) {
        return fault('http_version_not_supported', 'The request line does not name HTTP/1.1 or HTTP/1.0.');
      }
  }
  return fault('invalid_request', 'The request is not well-formed HTTP/1.1.');
}

/** The parser's message for a well-formed but unknown version. For a malformed version, the message is different. */
const UNKNOWN_VERSION = 'Invalid HTTP version';

export interface Fault<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly detail: string;
}

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
  trace: parseTraceparent(headers.traceparent),
});

/** `path`: of the operations, such as `/claims/{id}`, because a misspelled path may be another operation's. */
export const methodDetail = (path: string, methods: readonly string[], method: string): string =>
  `The path ${path} takes ${methods.join(' or ')}; found ${method}.`;

/** Checks the method, then that the caller is not a browser. A CORS preflight counts as a browser call. */
export function headFault(
  { method }: Pick<IncomingMessage, 'method'>,
  headers: RequestHeaders,
  path: string,
  methods: readonly string[],
): Fault<'method_not_allowed' | 'browser_call'> | null {
  if (!methods.includes(method!) && !isPreflight(method, headers)) {
    return fault('method_not_allowed', methodDetail(path, methods, method!));
  }
  if (headers.origin !== undefined || headers.secFetchSite !== undefined) {
    const header = headers.origin === undefined ? 'a Sec-Fetch-Site header' : 'an Origin header';
    return fault('browser_call', `The request has ${header}: it comes from a browser.`);
  }
  return null;
}

/** A malformed key gets the same response as an unknown one. */
export const credentialsFault = (authorization: string | undefined): Fault =>
  bearerCredentials(authorization) === null
    ? fault('missing_credentials', missingCredentials(authorization?.trim() ?? ''))
    : fault('invalid_api_key', INVALID_API_KEY);

/** Names what is wrong without repeating any part of the header, which may be the key. */
function missingCredentials(authorization: string): string {
  const send = 'Send `Authorization: Bearer` with the API key.';
  if (authorization === '') return `There is no Authorization header. ${send}`;
  if (/^bearer$/i.test(authorization)) {
    return 'The Authorization header has no API key after `Bearer`; the variable with the key may be empty or not set.';
  }
  if (/^basic /i.test(authorization)) {
    return `The Authorization header has a user name and a password (Basic). ${send}`;
  }
  return `The Authorization header does not begin with \`Bearer\` and a space. ${send}`;
}

/** The same text for unknown, malformed, expired and revoked keys. */
export const INVALID_API_KEY =
  'This API key is not valid. Send it in full and without quotes, as it was shown; if the variable with the key is not set, many programs send the text `undefined` instead.';

/** Checks the media type, then the declared length. */
export function bodyFault(
  headers: RequestHeaders,
  maxBytes: number,
): Fault<'unsupported_media_type' | 'body_too_large'> | null {
  if (!isJson(headers)) return fault('unsupported_media_type', mediaTypeDetail(headers));
  return Number(headers.contentLength) > maxBytes
    ? fault('body_too_large', `The body has ${headers.contentLength} bytes; at most ${maxBytes} are allowed.`)
    : null;
}

export const rateDetail = (perSecond: number): string =>
  `This API key has exceeded its limit of ${amountOf(perSecond, 'request')} a second.`;

export const lengthDetail = (maxBytes: number): string => `The body has more than ${maxBytes} bytes.`;

/** The key in a Bearer header (RFC 6750 section 2.1). */
export function bearerCredentials(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!header.startsWith('Bearer ') && header.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  const key = header.slice(7).trim();
  return key === '' ? null : key;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
/** A media type parameter (RFC 9110 section 5.6.6). */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\]|\\.)*"))?/y;

/** RFC 9110 sections 8.3 and 8.4. */
function isJson(headers: RequestHeaders): boolean {
  const { contentType } = headers;
  if (headers.contentEncoding !== undefined || contentType === undefined) return false;
  return contentType === 'application/json' || (JSON_TYPE.test(contentType) && isUtf8(contentType));
}

/** Whether the parameters are well-formed and name no charset other than UTF-8. */
function isUtf8(contentType: string): boolean {
  PARAMETER.lastIndex = 'application/json'.length;
  let end = PARAMETER.lastIndex;
  for (
    let parameter = PARAMETER.exec(contentType);
    parameter !== null;
    parameter = PARAMETER.exec(contentType)
  ) {
    end = PARAMETER.lastIndex;
    const [, name, value] = parameter;
    if (name?.toLowerCase() === 'charset' && value?.replaceAll('"', '').toLowerCase() !== 'utf-8')
      return false;
  }
  return contentType.slice(end).trim() === '';
}

function mediaTypeDetail(headers: RequestHeaders): string {
  if (headers.contentEncoding !== undefined)
    return 'There is a Content-Encoding header; send the body uncompressed and without this header.';
  if (headers.contentType === undefined) return 'There is no Content-Type header; send application/json.';
  return `The Content-Type is ${JSON.stringify(headers.contentType.slice(0, 100))}; send application/json in UTF-8.`;
}
