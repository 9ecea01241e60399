/** What makes a request invalid whatever its path is: its framing, and what Node's parser or its time-outs report. */
import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../errors.ts';
import type { RequestHeaders } from './headers.ts';
import type { Fault } from './request-checks.ts';

const fault = (code: ErrorCode, detail: string): Fault => ({ code, detail });

/** The fault that makes a request of any path ambiguous, else null. RFC 9112 sections 3.2, 6.1, 6.3. */
export function framingFault(request: IncomingMessage, headers: RequestHeaders): Fault | null {
  if (request.httpVersionMajor !== 1) {
    return fault('http_version_not_supported', `HTTP/${request.httpVersion} is not spoken here.`);
  }
  const isPath = request.url!.charCodeAt(0) === 47; /* / */
  if (!isPath && !(request.url === '*' && request.method === 'OPTIONS')) {
    return fault('invalid_request', 'The request target must be a path, not a whole URL.');
  }
  // HTTP/1.0 may leave it out or empty, as the health checks of many balancers do.
  const needsHost = request.httpVersionMinor > 0;
  if (headers.hosts > 1 || (headers.hosts === 0 && needsHost)) {
    const found = headers.hosts === 0 ? 'There is no Host header.' : 'There are two Host headers.';
    return fault('invalid_request', `${found} Send exactly one.`);
  }
  if ((headers.host || needsHost) && !HOST.test(headers.host!))
    return fault('invalid_request', 'The Host header is not a host name.');
  if (headers.duplicate !== undefined) {
    return fault('invalid_request', `There are two ${headers.duplicate} headers. Send one at most.`);
  }
  if (headers.transferEncoding !== undefined) {
    if (request.httpVersionMinor === 0 || headers.transferEncoding.toLowerCase() !== 'chunked') {
      return fault('invalid_request', 'Transfer-Encoding may only be chunked, and only in HTTP/1.1.');
    }
  }
  return null;
}

/** RFC 3986 host with an optional port: names, IPv4, bracketed IPv6. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The fault for an error of Node's parser or its time-outs. */
export function parserFault(error: NodeJS.ErrnoException & { readonly reason?: string }): Fault {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fault('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return fault('headers_too_large', 'The headers of the request are too large.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return fault('body_too_large', 'The chunk extensions of the body are too large.');
    case 'HPE_PAUSED_H2_UPGRADE':
      return fault('http_version_not_supported', 'HTTP/2 is not spoken here.');
    case 'HPE_INVALID_VERSION':
      if (error.reason === UNKNOWN_VERSION) {
        return fault('http_version_not_supported', 'The request line does not name HTTP/1.1 or HTTP/1.0.');
      }
  }
  return fault('invalid_request', 'The request is not well-formed HTTP/1.1.');
}

/** The message of Node's parser for an unknown version; other messages mean a missing version. */
const UNKNOWN_VERSION = 'Invalid HTTP version';
