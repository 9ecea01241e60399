/** Raw requests that a hostile or broken client may send, and the required responses. */
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { KEY, TOKEN } from './harness.ts';

export interface RawVector {
  readonly name: string;
  /** Sent in separate writes. */
  readonly parts: readonly string[];
  /** Statuses of the responses, in order. */
  readonly statuses: readonly number[];
  /** Whether the server closes the connection after the responses. Otherwise, it answers the next request. */
  readonly closes: boolean;
  /** The number of tokens that the server looks up. */
  readonly lookups: number;
}

const BODY = `{"token":"${TOKEN}"}`;
const LINE = `POST ${VERIFY_PATH} HTTP/1.1`;
const AUTH = `Authorization: Bearer ${KEY}`;
const TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const HOST = 'Host: a.example';

const request = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;
const CONNECT = request(['CONNECT a.example:443 HTTP/1.1', HOST]);
const VALID = request([LINE, HOST, AUTH, TYPE, LENGTH], BODY);
/** Length of the body, in hexadecimal. */
const SIZE = BODY.length.toString(16);
const asChunks = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

type Parts = string | readonly string[];
const vector = (
  name: string,
  parts: Parts,
  statuses: readonly number[],
  closes: boolean,
  lookups = 0,
): RawVector => ({ name, parts: typeof parts === 'string' ? [parts] : parts, statuses, closes, lookups });

/** Rejected; the connection is closed. */
const refused = (name: string, parts: Parts, status = 400): RawVector => vector(name, parts, [status], true);
/** Rejected; the connection stays open. */
const answered = (name: string, parts: Parts, status: number): RawVector =>
  vector(name, parts, [status], false);
/** Accepted: one lookup, and a 200 response. */
const served = (name: string, parts: Parts, closes = false): RawVector =>
  vector(name, parts, [200], closes, 1);

/** Answered with these statuses, with one lookup per 200; then the connection is closed. */
const closed = (name: string, parts: Parts, statuses: readonly number[]): RawVector =>
  vector(name, parts, statuses, true, statuses.filter((status) => status === 200).length);

/** The valid request with `from` replaced by `to`. */
const changed = (from: string, to: string): string => VALID.replace(from, () => to);
const without = (line: string): string => changed(`${line}\r\n`, '');
/** The same request in HTTP/1.0. */
const older = (text: string): string => text.replace('HTTP/1.1', 'HTTP/1.0');
/** The valid request with additional headers. */
const plus = (...lines: string[]): string => changed(LENGTH, [LENGTH, ...lines].join('\r\n'));
const chunked = (body: string, ...lines: string[]): string =>
  request([LINE, HOST, AUTH, TYPE, CHUNKED, ...lines], body);

/** A chunked request with `line` instead of the Transfer-Encoding header. */
const coded = (line: string): string => chunked(asChunks(BODY)).replace(CHUNKED, line);

const hosts: RawVector[] = [
  refused('missing Host', without(HOST)),
  refused('two Hosts in HTTP/1.0', older(plus(HOST))),
  refused('Host with a space in HTTP/1.0', older(changed(HOST, 'Host: a b'))),
  served('missing Host in HTTP/1.0', older(without(HOST)), true),
  served('empty Host in HTTP/1.0', older(changed(HOST, 'Host:')), true),
  refused('two different Hosts', plus('Host: b.example')),
  refused('two identical Hosts', plus(HOST)),
  refused('two Hosts, one with a lowercase name', plus('host: b.example')),
  refused('empty Host', changed(HOST, 'Host:')),
  refused('Host with a space', changed(HOST, 'Host: a b')),
  refused('Host with user info', changed(HOST, 'Host: x@a.example')),
  refused('Host with a path', changed(HOST, 'Host: a.example/x')),
  refused('Host with a scheme', changed(HOST, 'Host: http://a.example')),
  refused('comma-separated Hosts', changed(HOST, 'Host: a.example, b.example')),
  refused('Host with a non-numeric port', changed(HOST, 'Host: a.example:x')),
  refused('Host with an unclosed bracket', changed(HOST, 'Host: [::1')),
  refused('Host with a non-ASCII byte', changed(HOST, 'Host: a\xffb')),
  refused('second Host after 2,100 other headers', plus(...Array(2_100).fill('a:b'), 'Host: b.example')),
  served('Host with a port', changed(HOST, 'Host: a.example:8080')),
  served('IPv6 Host', changed(HOST, 'Host: [::1]:8080')),
  served('Host with a mixed-case name', changed(HOST, 'hOsT: a.example')),
];

const duplicates: RawVector[] = [
  refused('two different Authorizations', plus('Authorization: Bearer other')),
  refused('two identical Authorizations', plus(AUTH)),
  refused('two Authorizations, one with a lowercase name', plus(`authorization: Bearer ${KEY}`)),
  refused(
    'two Authorizations, Basic first',
    request([LINE, HOST, 'Authorization: Basic eDp5', AUTH, TYPE, LENGTH], BODY),
  ),
  refused('second Authorization after 2,100 other headers', plus(...Array(2_100).fill('a:b'), AUTH)),
  refused('two Authorizations on /healthz', changed(VERIFY_PATH, '/healthz').replace(TYPE, AUTH)),
  refused('two Content-Types', plus('Content-Type: text/plain')),
  refused('two Idempotency-Keys', plus('Idempotency-Key: a', 'Idempotency-Key: b')),
  answered(
    'comma-separated keys in one Authorization',
    changed(AUTH, `Authorization: Bearer ${KEY}, Bearer ${KEY}`),
    401,
  ),
];

const lengths: RawVector[] = [
  refused('two different Content-Lengths', plus('Content-Length: 5')),
  refused('two identical Content-Lengths', plus(LENGTH)),
  refused(
    'comma-separated Content-Lengths',
    changed(LENGTH, `Content-Length: ${BODY.length}, ${BODY.length}`),
  ),
  refused('negative Content-Length', changed(LENGTH, 'Content-Length: -1')),
  refused('non-numeric Content-Length', changed(LENGTH, 'Content-Length: many')),
  refused('empty Content-Length', changed(LENGTH, 'Content-Length:')),
  refused('Content-Length above 64 bits', changed(LENGTH, 'Content-Length: 99999999999999999999999')),
  refused('Transfer-Encoding before Content-Length', chunked(asChunks(BODY), LENGTH)),
  refused(
    'Content-Length before Transfer-Encoding',
    request([LINE, HOST, AUTH, TYPE, LENGTH, CHUNKED], asChunks(BODY)),
  ),
  refused(
    'chunked with Content-Length: 0 and a smuggled request',
    chunked(`0\r\n\r\n${VALID}`, 'Content-Length: 0'),
  ),
  refused(
    'chunked with Content-Length: 4 and a smuggled request',
    chunked(`5c\r\n${VALID}`, 'Content-Length: 4'),
  ),
  refused('Content-Length above 4 KiB with a short body', changed(LENGTH, 'Content-Length: 4097'), 413),
  refused('Content-Length above 9 GB with a short body', changed(LENGTH, 'Content-Length: 9999999999'), 413),
  refused(
    'Content-Length and body above 4 KiB',
    changed(LENGTH, 'Content-Length: 9000').replace(BODY, 'x'.repeat(9_000)),
    413,
  ),
  answered('Content-Length: 0', request([LINE, HOST, AUTH, TYPE, 'Content-Length: 0']), 400),
  answered('missing Content-Length', request([LINE, HOST, AUTH, TYPE]), 400),
  served('Content-Length with leading zeros', changed(LENGTH, `Content-Length: 000${BODY.length}`)),
  served('Content-Length with surrounding spaces', changed(LENGTH, `Content-Length:  ${BODY.length}  `)),
  closed('extra bytes after the body', `${VALID}xx\r\n`, [200, 400]),
  closed('Content-Length that ends inside the JSON', changed(LENGTH, 'Content-Length: 2'), [400, 400]),
];

const codings: RawVector[] = [
  refused('Transfer-Encoding: identity', chunked(BODY).replace(CHUNKED, 'Transfer-Encoding: identity')),
  refused('Transfer-Encoding: gzip', chunked(BODY).replace(CHUNKED, 'Transfer-Encoding: gzip')),
  refused('Transfer-Encoding: gzip, chunked', coded('Transfer-Encoding: gzip, chunked')),
  refused('Transfer-Encoding: chunked, identity', coded('Transfer-Encoding: chunked, identity')),
  refused('Transfer-Encoding: chunked, chunked', coded('Transfer-Encoding: chunked, chunked')),
  refused('two Transfer-Encodings', chunked(asChunks(BODY), CHUNKED)),
  refused(
    'malformed chunk after 70,000 bytes for a page',
    chunked(`11170\r\n${'x'.repeat(70_000)}\r\nz\r\n`).replace(VERIFY_PATH, '/sign-in'),
  ),
  refused('Transfer-Encoding with a parameter', coded('Transfer-Encoding: chunked;q=1')),
  refused('Transfer-Encoding: xchunked', coded('Transfer-Encoding: xchunked')),
  refused('Transfer-Encoding with a vertical tab', coded('Transfer-Encoding: \x0bchunked')),
  refused('Transfer-Encoding with a trailing comma', coded('Transfer-Encoding: chunked,')),
  refused('empty Transfer-Encoding', coded('Transfer-Encoding:')),
  refused('Transfer-Encoding with a space before the colon', coded('Transfer-Encoding : chunked')),
  refused('Transfer-Encoding folded over two lines', coded('Transfer-Encoding:\r\n chunked')),
  refused('Transfer-Encoding: chunked in HTTP/1.0', older(chunked(asChunks(BODY)))),
  served('Transfer-Encoding: chunked', chunked(asChunks(BODY))),
  served('Transfer-Encoding: chunked in mixed case', coded('transfer-encoding: CHUNKED')),
];

const chunks: RawVector[] = [
  refused('non-hexadecimal chunk size', chunked(`zz\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('chunk size above 64 bits', chunked(`fffffffffffffffff\r\nhello\r\n0\r\n\r\n`)),
  refused('chunk size with a trailing space', chunked(`5 \r\nhello\r\n0\r\n\r\n`)),
  refused('chunk size line that ends with LF', chunked(`5\nhello\r\n0\r\n\r\n`)),
  refused('chunk data that ends with LF', chunked(`5\r\nhello\n0\r\n\r\n`)),
  refused('chunk data longer than the chunk size', chunked(`3\r\nhello\r\n0\r\n\r\n`)),
  refused('trailer line without a colon', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nX\r\n\r\n`)),
  refused('last chunk that ends with LF', chunked(`${SIZE}\r\n${BODY}\r\n0\n\n`)),
  refused('chunk extension with a lone LF', chunked(`5;a\nb\r\nhello\r\n0\r\n\r\n`)),
  refused('unterminated chunk extension', chunked(`5;${'a'.repeat(20_000)}`), 413),
  refused('one chunk above 4 KiB', chunked(asChunks('x'.repeat(5_000))), 413),
  refused(
    'small chunks above 4 KiB in total',
    chunked(`${'10\r\n0123456789abcdef\r\n'.repeat(400)}0\r\n\r\n`),
    413,
  ),
  served('chunk extension', chunked(`${SIZE};a=b\r\n${BODY}\r\n0\r\n\r\n`)),
  served(
    'uppercase chunk size with leading zeros',
    chunked(`00${SIZE.toUpperCase()}\r\n${BODY}\r\n000\r\n\r\n`),
  ),
  served('one chunk per byte', chunked(`${[...BODY].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`)),
  served('trailers', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nX-Sum: 1\r\n\r\n`)),
  vector(
    'credentials in the trailers',
    request([LINE, HOST, TYPE, CHUNKED], `${SIZE}\r\n${BODY}\r\n0\r\n${AUTH}\r\n\r\n`),
    [401],
    true,
  ),
  served('second Host in the trailers', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nHost: b.example\r\n\r\n`)),
];

const targets: RawVector[] = [
  refused('absolute-form target', changed(VERIFY_PATH, `http://a.example${VERIFY_PATH}`)),
  refused('absolute-form target without a path', changed(VERIFY_PATH, 'http://a.example')),
  refused('absolute-form target with another path', changed(VERIFY_PATH, 'http://a.example/healthz')),
  refused('authority-form target', changed(VERIFY_PATH, 'a.example:80')),
  refused('asterisk-form target', changed(VERIFY_PATH, '*')),
  vector('OPTIONS with an asterisk-form target', request(['OPTIONS * HTTP/1.1', HOST]), [200], false, 0),
  refused('target without a leading slash', changed(VERIFY_PATH, 'api/v1/marketplace/claims/verify')),
  refused('empty target', `POST  HTTP/1.1\r\n${HOST}\r\n\r\n`),
  refused('target with a space', changed(VERIFY_PATH, `${VERIFY_PATH} x`)),
  refused('target with a non-ASCII byte', changed(VERIFY_PATH, `${VERIFY_PATH}\xff`)),
  refused('target with a backslash', changed(VERIFY_PATH, '\\api\\v1')),
  answered('target with a double slash', changed(VERIFY_PATH, `/api/${VERIFY_PATH}`), 404),
  answered('target with a .. segment', changed(VERIFY_PATH, '/api/v1/x/../marketplace/claims/verify'), 404),
  answered(
    'target with an encoded .. segment',
    changed(VERIFY_PATH, '/api/v1/x/%2e%2e/marketplace/claims/verify'),
    404,
  ),
  answered(
    'target with a percent-encoded letter',
    changed(VERIFY_PATH, '/api/v1/marketplace/claims/%76erify'),
    404,
  ),
  answered('target with an invalid percent-encoding', changed(VERIFY_PATH, '/api/%zz'), 404),
  answered('target with a trailing slash', changed(VERIFY_PATH, `${VERIFY_PATH}/`), 404),
  served('target with a query', changed(VERIFY_PATH, `${VERIFY_PATH}?a=b`)),
];

const versions: RawVector[] = [
  refused('HTTP/2.0', changed('HTTP/1.1', 'HTTP/2.0'), 505),
  refused('HTTP/1.2', changed('HTTP/1.1', 'HTTP/1.2'), 505),
  refused('HTTP/1.10', changed('HTTP/1.1', 'HTTP/1.10')),
  refused('http/1.1', changed('HTTP/1.1', 'http/1.1')),
  refused('missing HTTP version', changed('HTTP/1.1', '')),
  closed('HTTP/2 connection preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [505]),
  refused('HTTP/2.0 on /healthz', request(['GET /healthz HTTP/2.0', HOST]), 505),
  served('HTTP/1.0', older(VALID), true),
  served(
    'HTTP/1.0 with Connection: keep-alive',
    older(VALID).replace(TYPE, `${TYPE}\r\nConnection: keep-alive`),
  ),
];

const methods: RawVector[] = [
  refused('lowercase method', changed('POST', 'post')),
  refused('unknown method', changed('POST', 'FOO')),
  refused('method followed by a tab', changed('POST', 'POST\t')),
  refused('CONNECT', CONNECT),
  refused('CONNECT with a smuggled request', CONNECT + VALID),
  refused('CONNECT with a path as its target', request([`CONNECT ${VERIFY_PATH} HTTP/1.1`, HOST])),
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'].map((name) =>
    answered(`method ${name} with a body`, changed('POST', name), 405),
  ),
  answered('GET without a body', request([`GET ${VERIFY_PATH} HTTP/1.1`, HOST]), 405),
];

const syntax: RawVector[] = [
  refused('header name with a trailing space', plus('X-A : b')),
  refused('header line without a colon', plus('X-A')),
  refused('header name with a NUL', plus('X\0A: b')),
  refused('header value with a NUL', plus('X-A: b\0c')),
  refused('header value with a lone CR', plus('X-A: b\rc')),
  refused('header folded over two lines', plus('X-A: b\r\n c')),
  refused('all header lines end with LF', VALID.replaceAll('\r\n', '\n')),
  refused('all header lines end with CR', VALID.replaceAll('\r\n', '\r')),
  refused('one header line ends with LF', VALID.replace(`${HOST}\r\n`, `${HOST}\n`)),
  refused('header of 20 KB', plus(`X-A: ${'a'.repeat(20_000)}`), 431),
  refused('target of 20 KB', changed(VERIFY_PATH, `/${'a'.repeat(20_000)}`), 431),
  refused('1,000 headers of 20 bytes', plus(...Array(1_000).fill('X-AAAAAAAAAA: bbbbbb')), 431),
  refused('TLS ClientHello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  refused('random bytes', '\xde\xad\xbe\xef\r\n\r\n'),
  served('empty lines before the request', `\r\n\r\n${VALID}`),
  served('header value with non-ASCII bytes', plus('X-A: \xff\xfe')),
  served('headers split across writes', [VALID.slice(0, 20), VALID.slice(20, 90), VALID.slice(90)]),
  served('body split across writes', [VALID.slice(0, -30), VALID.slice(-30, -4), VALID.slice(-4)]),
];

const expectations: RawVector[] = [
  vector('Expect: 100-continue', plus('Expect: 100-continue'), [100, 200], false, 1),
  vector('Expect: 100-Continue', plus('Expect: 100-Continue'), [100, 200], false, 1),
  refused('unknown Expect', plus('Expect: 200-ok'), 417),
  refused('empty Expect', plus('Expect:'), 417),
  refused('comma-separated Expect', plus('Expect: 100-continue, x'), 417),
  refused('unknown Expect on /healthz', changed(VERIFY_PATH, '/healthz').replace(TYPE, 'Expect: x'), 417),
  refused(
    'Expect: 100-continue with a body that is too large',
    changed(LENGTH, ['Content-Length: 5000', 'Expect: 100-continue'].join('\r\n')),
    413,
  ),
  refused('Expect: 100-continue without credentials', changed(AUTH, 'Expect: 100-continue'), 401),
  served(
    'Expect: 100-continue in HTTP/1.0',
    older(VALID).replace(TYPE, `${TYPE}\r\nExpect: 100-continue`),
    true,
  ),
];

const connections: RawVector[] = [
  served('Upgrade: websocket', plus('Connection: Upgrade', 'Upgrade: websocket'), true),
  served(
    'Upgrade: h2c',
    plus('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    true,
  ),
  vector(
    'Upgrade on GET /healthz',
    request(['GET /healthz HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket']),
    [200],
    true,
  ),
  served('Connection: close', plus('Connection: close'), true),
  vector('two pipelined requests', VALID + VALID, [200, 200], false, 2),
  vector('ten pipelined requests', VALID.repeat(10), Array(10).fill(200), false, 10),
  closed('a request, then random bytes in the same write', `${VALID}\xde\xad\r\n\r\n`, [200, 400]),
  closed('a request, then random bytes in a second write', [VALID, '\xde\xad\r\n\r\n'], [200, 400]),
  closed('two requests, then random bytes', `${VALID}${VALID}\xde\xad\r\n\r\n`, [200, 200, 400]),
  closed('a request, then one with two Content-Lengths', VALID + plus('Content-Length: 5'), [200, 400]),
  closed('a request, then one without a Host', VALID + without(HOST), [200, 400]),
  closed('a request, then one in HTTP/2.0', VALID + changed('HTTP/1.1', 'HTTP/2.0'), [200, 505]),
  closed(
    'a request, then one with headers that are too large',
    VALID + plus(`X-A: ${'a'.repeat(20_000)}`),
    [200, 431],
  ),
  closed('a request, then CONNECT', VALID + CONNECT, [200, 400]),
  vector('a request without credentials, then a valid one', without(AUTH) + VALID, [401, 200], false, 1),
  vector('a PUT with a body, then a valid request', changed('POST', 'PUT') + VALID, [405, 200], false, 1),
  vector('a request without a Content-Type, then a valid one', without(TYPE) + VALID, [415, 200], false, 1),
  closed('a request, then one with an invalid chunk size', VALID + chunked('zz'), [200, 400]),
  refused(
    'a chunked body that is too large, then a valid request',
    chunked(asChunks('x'.repeat(5_000))) + VALID,
    413,
  ),
  closed('Connection: close, then a valid request', plus('Connection: close') + VALID, [200]),
  closed(
    'Upgrade: websocket, then a valid request',
    plus('Connection: Upgrade', 'Upgrade: websocket') + VALID,
    [200],
  ),
  refused('unknown Expect, then a valid request', plus('Expect: x') + VALID, 417),
  refused('two Hosts, then an unknown Expect', plus('Host: b.example') + plus('Expect: x')),
  refused('two Hosts, then CONNECT', plus('Host: b.example') + CONNECT),
  refused('two Hosts, then random bytes', `${plus('Host: b.example')}\xde\xad\r\n\r\n`),
  refused('two Hosts, then a valid request', plus('Host: b.example') + VALID),
  refused(
    'a body that is too large, then a valid request',
    changed(LENGTH, 'Content-Length: 5000') + VALID,
    413,
  ),
  refused(
    'an absolute-form target, then a valid request',
    changed(VERIFY_PATH, `http://a.example${VERIFY_PATH}`) + VALID,
  ),
];

export const RAW_VECTORS: readonly RawVector[] = [
  ...hosts,
  ...duplicates,
  ...lengths,
  ...codings,
  ...chunks,
  ...targets,
  ...versions,
  ...methods,
  ...syntax,
  ...expectations,
  ...connections,
];
