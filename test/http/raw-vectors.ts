/** Byte sequences that a hostile or broken client may send, and the required answers. */
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { KEY, TOKEN } from './harness.ts';

export interface RawVector {
  readonly name: string;
  /** Written one after the other. */
  readonly parts: readonly string[];
  /** Statuses of the answers, in order; empty: closed without an answer. */
  readonly statuses: readonly number[];
  /** Whether the connection ends after the answers; otherwise the next request is answered as usual. */
  readonly closes: boolean;
  /** Tokens that are looked up. */
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
/** Of the body, in hexadecimal. */
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

/** Refused and closed. */
const refused = (name: string, parts: Parts, status = 400): RawVector => vector(name, parts, [status], true);
/** Refused, and the connection lives on. */
const answered = (name: string, parts: Parts, status: number): RawVector =>
  vector(name, parts, [status], false);
/** Looked up and answered. */
const served = (name: string, parts: Parts, closes = false): RawVector =>
  vector(name, parts, [200], closes, 1);

/** Answered with these statuses, with a look-up for each 200; then the connection is closed. */
const closed = (name: string, parts: Parts, statuses: readonly number[]): RawVector =>
  vector(name, parts, statuses, true, statuses.filter((status) => status === 200).length);

/** The valid request with another text in one place. */
const changed = (from: string, to: string): string => VALID.replace(from, () => to);
const without = (line: string): string => changed(`${line}\r\n`, '');
/** The same request in HTTP/1.0. */
const older = (text: string): string => text.replace('HTTP/1.1', 'HTTP/1.0');
/** The valid request with more header lines. */
const plus = (...lines: string[]): string => changed(LENGTH, [LENGTH, ...lines].join('\r\n'));
const chunked = (body: string, ...lines: string[]): string =>
  request([LINE, HOST, AUTH, TYPE, CHUNKED, ...lines], body);

/** A chunked request with another line in the place of its coding. */
const coded = (line: string): string => chunked(asChunks(BODY)).replace(CHUNKED, line);

const hosts: RawVector[] = [
  refused('no Host', without(HOST)),
  refused('two Hosts in HTTP/1.0', older(plus(HOST))),
  refused('Host with a space in HTTP/1.0', older(changed(HOST, 'Host: a b'))),
  served('no Host in HTTP/1.0', older(without(HOST)), true),
  served('empty Host in HTTP/1.0', older(changed(HOST, 'Host:')), true),
  refused('two Hosts, different', plus('Host: b.example')),
  refused('two Hosts, the same', plus(HOST)),
  refused('two Hosts, one in lower case', plus('host: b.example')),
  refused('empty Host', changed(HOST, 'Host:')),
  refused('Host with a space', changed(HOST, 'Host: a b')),
  refused('Host with user info', changed(HOST, 'Host: x@a.example')),
  refused('Host with a path', changed(HOST, 'Host: a.example/x')),
  refused('Host with a scheme', changed(HOST, 'Host: http://a.example')),
  refused('Host list', changed(HOST, 'Host: a.example, b.example')),
  refused('Host with a port that is not a number', changed(HOST, 'Host: a.example:x')),
  refused('Host with an open bracket', changed(HOST, 'Host: [::1')),
  refused('Host with a raw byte', changed(HOST, 'Host: a\xffb')),
  refused('second Host behind two thousand headers', plus(...Array(2_100).fill('a:b'), 'Host: b.example')),
  served('Host with a port', changed(HOST, 'Host: a.example:8080')),
  served('Host that is IPv6', changed(HOST, 'Host: [::1]:8080')),
  served('Host in odd case', changed(HOST, 'hOsT: a.example')),
];

const duplicates: RawVector[] = [
  refused('two Authorizations, different', plus('Authorization: Bearer other')),
  refused('two Authorizations, the same', plus(AUTH)),
  refused('two Authorizations, one in lower case', plus(`authorization: Bearer ${KEY}`)),
  refused(
    'two Authorizations, Basic first',
    request([LINE, HOST, 'Authorization: Basic eDp5', AUTH, TYPE, LENGTH], BODY),
  ),
  refused('second Authorization behind two thousand headers', plus(...Array(2_100).fill('a:b'), AUTH)),
  refused('two Authorizations on another path', changed(VERIFY_PATH, '/healthz').replace(TYPE, AUTH)),
  refused('two Content-Types', plus('Content-Type: text/plain')),
  refused('two Idempotency-Keys', plus('Idempotency-Key: a', 'Idempotency-Key: b')),
  answered('Authorization list', changed(AUTH, `Authorization: Bearer ${KEY}, Bearer ${KEY}`), 401),
];

const lengths: RawVector[] = [
  refused('two lengths, different', plus('Content-Length: 5')),
  refused('two lengths, the same', plus(LENGTH)),
  refused('length list', changed(LENGTH, `Content-Length: ${BODY.length}, ${BODY.length}`)),
  refused('negative length', changed(LENGTH, 'Content-Length: -1')),
  refused('length in words', changed(LENGTH, 'Content-Length: many')),
  refused('empty length', changed(LENGTH, 'Content-Length:')),
  refused('length beyond 64 bits', changed(LENGTH, 'Content-Length: 99999999999999999999999')),
  refused('length and chunked', chunked(asChunks(BODY), LENGTH)),
  refused('chunked and length', request([LINE, HOST, AUTH, TYPE, LENGTH, CHUNKED], asChunks(BODY))),
  refused('chunked, length 0 and a smuggled request', chunked(`0\r\n\r\n${VALID}`, 'Content-Length: 0')),
  refused('length 4, chunked and a smuggled request', chunked(`5c\r\n${VALID}`, 'Content-Length: 4')),
  refused('length above 4 KiB, declared', changed(LENGTH, 'Content-Length: 4097'), 413),
  refused('length of 9 GB, declared', changed(LENGTH, 'Content-Length: 9999999999'), 413),
  refused(
    'length above 4 KiB, sent',
    changed(LENGTH, 'Content-Length: 9000').replace(BODY, 'x'.repeat(9_000)),
    413,
  ),
  answered('length 0', request([LINE, HOST, AUTH, TYPE, 'Content-Length: 0']), 400),
  answered('no length', request([LINE, HOST, AUTH, TYPE]), 400),
  served('length with zeros in front', changed(LENGTH, `Content-Length: 000${BODY.length}`)),
  served('length with blanks around', changed(LENGTH, `Content-Length:  ${BODY.length}  `)),
  closed('body longer than its length', `${VALID}xx\r\n`, [200, 400]),
  closed('length shorter than the body', changed(LENGTH, 'Content-Length: 2'), [400, 400]),
];

const codings: RawVector[] = [
  refused('coding identity', chunked(BODY).replace(CHUNKED, 'Transfer-Encoding: identity')),
  refused('coding gzip', chunked(BODY).replace(CHUNKED, 'Transfer-Encoding: gzip')),
  refused('coding gzip, chunked', coded('Transfer-Encoding: gzip, chunked')),
  refused('coding chunked, identity', coded('Transfer-Encoding: chunked, identity')),
  refused('coding chunked twice in a list', coded('Transfer-Encoding: chunked, chunked')),
  refused('two codings', chunked(asChunks(BODY), CHUNKED)),
  refused('coding with a parameter', coded('Transfer-Encoding: chunked;q=1')),
  refused('coding that only looks like chunked', coded('Transfer-Encoding: xchunked')),
  refused('coding behind a vertical tab', coded('Transfer-Encoding: \x0bchunked')),
  refused('coding with a trailing comma', coded('Transfer-Encoding: chunked,')),
  refused('empty coding', coded('Transfer-Encoding:')),
  refused('coding name with a space', coded('Transfer-Encoding : chunked')),
  refused('folded coding', coded('Transfer-Encoding:\r\n chunked')),
  refused('chunked in HTTP/1.0', older(chunked(asChunks(BODY)))),
  served('chunked', chunked(asChunks(BODY))),
  served('chunked in odd case', coded('transfer-encoding: CHUNKED')),
];

const chunks: RawVector[] = [
  refused('chunk size that is not a number', chunked(`zz\r\n${BODY}\r\n0\r\n\r\n`)),
  refused('chunk size beyond 64 bits', chunked(`fffffffffffffffff\r\nhello\r\n0\r\n\r\n`)),
  refused('chunk size with a trailing space', chunked(`5 \r\nhello\r\n0\r\n\r\n`)),
  refused('chunk line that ends in LF', chunked(`5\nhello\r\n0\r\n\r\n`)),
  refused('chunk data that ends in LF', chunked(`5\r\nhello\n0\r\n\r\n`)),
  refused('chunk longer than its size', chunked(`3\r\nhello\r\n0\r\n\r\n`)),
  refused('last chunk with a wrong end', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nX\r\n\r\n`)),
  refused('last chunk that ends in LF', chunked(`${SIZE}\r\n${BODY}\r\n0\n\n`)),
  refused('chunk extension with a lone LF', chunked(`5;a\nb\r\nhello\r\n0\r\n\r\n`)),
  refused('chunk extensions without end', chunked(`5;${'a'.repeat(20_000)}`), 413),
  refused('chunks above 4 KiB', chunked(asChunks('x'.repeat(5_000))), 413),
  refused('small chunks above 4 KiB', chunked(`${'10\r\n0123456789abcdef\r\n'.repeat(400)}0\r\n\r\n`), 413),
  served('chunk extension', chunked(`${SIZE};a=b\r\n${BODY}\r\n0\r\n\r\n`)),
  served('chunk size in capitals with zeros', chunked(`00${SIZE.toUpperCase()}\r\n${BODY}\r\n000\r\n\r\n`)),
  served('a chunk for each byte', chunked(`${[...BODY].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`)),
  served('trailers', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nX-Sum: 1\r\n\r\n`)),
  vector(
    'credentials in the trailers',
    request([LINE, HOST, TYPE, CHUNKED], `${SIZE}\r\n${BODY}\r\n0\r\n${AUTH}\r\n\r\n`),
    [401],
    true,
  ),
  served('a second Host in the trailers', chunked(`${SIZE}\r\n${BODY}\r\n0\r\nHost: b.example\r\n\r\n`)),
];

const targets: RawVector[] = [
  refused('absolute target', changed(VERIFY_PATH, `http://a.example${VERIFY_PATH}`)),
  refused('absolute target without a path', changed(VERIFY_PATH, 'http://a.example')),
  refused('absolute target of another page', changed(VERIFY_PATH, 'http://a.example/healthz')),
  refused('authority target', changed(VERIFY_PATH, 'a.example:80')),
  refused('asterisk target', changed(VERIFY_PATH, '*')),
  vector('asterisk target of OPTIONS', request(['OPTIONS * HTTP/1.1', HOST]), [200], false, 0),
  refused('relative target', changed(VERIFY_PATH, 'api/v1/marketplace/claims/verify')),
  refused('empty target', `POST  HTTP/1.1\r\n${HOST}\r\n\r\n`),
  refused('target with a space', changed(VERIFY_PATH, `${VERIFY_PATH} x`)),
  refused('target with a raw byte', changed(VERIFY_PATH, `${VERIFY_PATH}\xff`)),
  refused('target with a backslash', changed(VERIFY_PATH, '\\api\\v1')),
  answered('target with two slashes', changed(VERIFY_PATH, `/api/${VERIFY_PATH}`), 404),
  answered('target with dots', changed(VERIFY_PATH, '/api/v1/x/../marketplace/claims/verify'), 404),
  answered(
    'target with encoded dots',
    changed(VERIFY_PATH, '/api/v1/x/%2e%2e/marketplace/claims/verify'),
    404,
  ),
  answered('target with an encoded letter', changed(VERIFY_PATH, '/api/v1/marketplace/claims/%76erify'), 404),
  answered('target with a broken escape', changed(VERIFY_PATH, '/api/%zz'), 404),
  answered('target with a trailing slash', changed(VERIFY_PATH, `${VERIFY_PATH}/`), 404),
  served('target with a query', changed(VERIFY_PATH, `${VERIFY_PATH}?a=b`)),
];

const versions: RawVector[] = [
  refused('HTTP/2.0', changed('HTTP/1.1', 'HTTP/2.0'), 505),
  refused('HTTP/1.2', changed('HTTP/1.1', 'HTTP/1.2'), 505),
  refused('HTTP/1.10', changed('HTTP/1.1', 'HTTP/1.10')),
  refused('http/1.1', changed('HTTP/1.1', 'http/1.1')),
  refused('no version', changed('HTTP/1.1', '')),
  closed('the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [505]),
  refused('HTTP/2.0 on another path', request(['GET /healthz HTTP/2.0', HOST]), 505),
  served('HTTP/1.0', older(VALID), true),
  served('HTTP/1.0 that keeps alive', older(VALID).replace(TYPE, `${TYPE}\r\nConnection: keep-alive`)),
];

const methods: RawVector[] = [
  refused('method in lower case', changed('POST', 'post')),
  refused('unknown method', changed('POST', 'FOO')),
  refused('method with a tab', changed('POST', 'POST\t')),
  refused('CONNECT', CONNECT),
  refused('CONNECT with a smuggled request', CONNECT + VALID),
  refused('CONNECT to the path', request([`CONNECT ${VERIFY_PATH} HTTP/1.1`, HOST])),
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'].map((name) =>
    answered(`method ${name} with a body`, changed('POST', name), 405),
  ),
  answered('GET without a body', request([`GET ${VERIFY_PATH} HTTP/1.1`, HOST]), 405),
];

const syntax: RawVector[] = [
  refused('name with a trailing space', plus('X-A : b')),
  refused('line without a colon', plus('X-A')),
  refused('name with a NUL', plus('X\0A: b')),
  refused('value with a NUL', plus('X-A: b\0c')),
  refused('value with a lone CR', plus('X-A: b\rc')),
  refused('folded line', plus('X-A: b\r\n c')),
  refused('headers that end in LF', VALID.replaceAll('\r\n', '\n')),
  refused('headers that end in CR', VALID.replaceAll('\r\n', '\r')),
  refused('one header that ends in LF', VALID.replace(`${HOST}\r\n`, `${HOST}\n`)),
  refused('header of 20 KB', plus(`X-A: ${'a'.repeat(20_000)}`), 431),
  refused('target of 20 KB', changed(VERIFY_PATH, `/${'a'.repeat(20_000)}`), 431),
  refused('a thousand headers of 20 bytes', plus(...Array(1_000).fill('X-AAAAAAAAAA: bbbbbb')), 431),
  refused('TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  refused('noise', '\xde\xad\xbe\xef\r\n\r\n'),
  served('empty lines in front', `\r\n\r\n${VALID}`),
  served('value with raw bytes', plus('X-A: \xff\xfe')),
  served('headers in pieces', [VALID.slice(0, 20), VALID.slice(20, 90), VALID.slice(90)]),
  served('body in pieces', [VALID.slice(0, -30), VALID.slice(-30, -4), VALID.slice(-4)]),
];

const expectations: RawVector[] = [
  vector('Expect: 100-continue', plus('Expect: 100-continue'), [100, 200], false, 1),
  vector('Expect: 100-Continue', plus('Expect: 100-Continue'), [100, 200], false, 1),
  refused('another expectation', plus('Expect: 200-ok'), 417),
  refused('empty expectation', plus('Expect:'), 417),
  refused('expectation list', plus('Expect: 100-continue, x'), 417),
  refused('expectation on another path', changed(VERIFY_PATH, '/healthz').replace(TYPE, 'Expect: x'), 417),
  refused(
    'expectation and a body too large',
    changed(LENGTH, ['Content-Length: 5000', 'Expect: 100-continue'].join('\r\n')),
    413,
  ),
  refused('expectation without credentials', changed(AUTH, 'Expect: 100-continue'), 401),
  served('expectation in HTTP/1.0', older(VALID).replace(TYPE, `${TYPE}\r\nExpect: 100-continue`), true),
];

const connections: RawVector[] = [
  served('Upgrade: websocket', plus('Connection: Upgrade', 'Upgrade: websocket'), true),
  served(
    'Upgrade: h2c',
    plus('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    true,
  ),
  vector(
    'Upgrade of a page',
    request(['GET /healthz HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket']),
    [200],
    true,
  ),
  served('Connection: close', plus('Connection: close'), true),
  vector('two requests together', VALID + VALID, [200, 200], false, 2),
  vector('ten requests together', VALID.repeat(10), Array(10).fill(200), false, 10),
  closed('a request and noise', `${VALID}\xde\xad\r\n\r\n`, [200, 400]),
  closed('a request, and noise later', [VALID, '\xde\xad\r\n\r\n'], [200, 400]),
  closed('two requests and noise', `${VALID}${VALID}\xde\xad\r\n\r\n`, [200, 200, 400]),
  closed('a request and one with two lengths', VALID + plus('Content-Length: 5'), [200, 400]),
  closed('a request and one without Host', VALID + without(HOST), [200, 400]),
  closed('a request and HTTP/2.0', VALID + changed('HTTP/1.1', 'HTTP/2.0'), [200, 505]),
  closed('a request and headers too large', VALID + plus(`X-A: ${'a'.repeat(20_000)}`), [200, 431]),
  closed('a request and CONNECT', VALID + CONNECT, [200, 400]),
  vector('a refusal and a request', without(AUTH) + VALID, [401, 200], false, 1),
  vector('a refused method with a body and a request', changed('POST', 'PUT') + VALID, [405, 200], false, 1),
  vector('a wrong type and a request', without(TYPE) + VALID, [415, 200], false, 1),
  closed('a request and a chunked body without end', VALID + chunked('zz'), [200, 400]),
  refused('a request behind chunks too large', chunked(asChunks('x'.repeat(5_000))) + VALID, 413),
  closed('a request behind Connection: close', plus('Connection: close') + VALID, [200]),
  closed('a request behind Upgrade', plus('Connection: Upgrade', 'Upgrade: websocket') + VALID, [200]),
  refused('a request behind an unmet expectation', plus('Expect: x') + VALID, 417),
  refused('an unmet expectation behind two Hosts', plus('Host: b.example') + plus('Expect: x')),
  refused('CONNECT behind two Hosts', plus('Host: b.example') + CONNECT),
  refused('noise behind two Hosts', `${plus('Host: b.example')}\xde\xad\r\n\r\n`),
  refused('a request behind two Hosts', plus('Host: b.example') + VALID),
  refused('a request behind a body too large', changed(LENGTH, 'Content-Length: 5000') + VALID, 413),
  refused(
    'a request behind an absolute target',
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
