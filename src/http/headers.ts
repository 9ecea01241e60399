/**
 * One pass over the raw headers of a request. `request.headers` drops what matters here: of two
 * Authorization or Host headers it keeps the first and says nothing.
 */

/** The headers this service acts on, the first value of each, and the names that came twice. */
export interface RequestHeaders {
  hosts: number;
  host: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  transferEncoding: string | undefined;
  expect: string | undefined;
  idempotencyKey: string | undefined;
  origin: string | undefined;
  secFetchSite: string | undefined;
  /** Every X-Forwarded-For of the request, joined in the order they came. */
  forwardedFor: string | undefined;
  /** A proxy has left a trace: Forwarded, X-Forwarded-*, Via or X-Real-IP. */
  forwarded: boolean;
  upgrade: boolean;
  /** A single-valued header that came more than once (Host is counted in `hosts`). */
  duplicate: string | undefined;
}

/** Reads `IncomingMessage.rawHeaders`: names and values in turn. */
export function readHeaders(raw: readonly string[]): RequestHeaders {
  const headers: RequestHeaders = {
    hosts: 0,
    host: undefined,
    authorization: undefined,
    contentType: undefined,
    contentLength: undefined,
    contentEncoding: undefined,
    transferEncoding: undefined,
    expect: undefined,
    idempotencyKey: undefined,
    origin: undefined,
    secFetchSite: undefined,
    forwardedFor: undefined,
    forwarded: false,
    upgrade: false,
    duplicate: undefined,
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    // The length decides first, so that most names are never lowered.
    switch (name.length) {
      case 3:
      case 7:
      case 9:
      case 15:
      case 16:
      case 17:
        readRare(headers, name.toLowerCase(), raw[i + 1]!);
        break;
      case 4:
        if (name === 'Host' || name.toLowerCase() === 'host') {
          headers.hosts += 1;
          headers.host ??= raw[i + 1]!;
        }
        break;
      case 6:
        readShort(headers, name.toLowerCase(), raw[i + 1]!);
        break;
      case 12:
        if (name === 'Content-Type' || name.toLowerCase() === 'content-type') {
          if (headers.contentType !== undefined) headers.duplicate = 'Content-Type';
          headers.contentType ??= raw[i + 1]!;
        }
        break;
      case 13:
        if (name === 'Authorization' || name.toLowerCase() === 'authorization') {
          if (headers.authorization !== undefined) headers.duplicate = 'Authorization';
          headers.authorization ??= raw[i + 1]!;
        }
        break;
      case 14: {
        const lower = name.toLowerCase();
        if (lower === 'content-length') headers.contentLength ??= raw[i + 1]!;
        else if (lower === 'sec-fetch-site') headers.secFetchSite ??= raw[i + 1]!;
        break;
      }
      default:
        if (name.length > 12 && name.toLowerCase().startsWith('x-forwarded-')) headers.forwarded = true;
    }
  }
  return headers;
}

function readShort(headers: RequestHeaders, name: string, value: string): void {
  if (name === 'origin') headers.origin ??= value;
  else if (name === 'expect')
    headers.expect = headers.expect === undefined ? value : `${headers.expect}, ${value}`;
}

function readRare(headers: RequestHeaders, name: string, value: string): void {
  switch (name) {
    case 'via':
    case 'forwarded':
    case 'x-real-ip':
      headers.forwarded = true;
      break;
    case 'upgrade':
      headers.upgrade = true;
      break;
    case 'x-forwarded-for':
      headers.forwarded = true;
      headers.forwardedFor = headers.forwardedFor === undefined ? value : `${headers.forwardedFor}, ${value}`;
      break;
    case 'idempotency-key':
      if (headers.idempotencyKey !== undefined) headers.duplicate = 'Idempotency-Key';
      headers.idempotencyKey ??= value;
      break;
    case 'content-encoding':
      headers.contentEncoding ??= value;
      break;
    case 'transfer-encoding':
      headers.transferEncoding =
        headers.transferEncoding === undefined ? value : `${headers.transferEncoding}, ${value}`;
      break;
    default:
      if (name.startsWith('x-forwarded-')) headers.forwarded = true;
  }
}
