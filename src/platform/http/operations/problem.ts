/** Error responses as problem documents (RFC 9457). */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_PAGES_PATH, ERRORS, type ErrorCode } from '../../errors.ts';
import { pairsOf, policyHeaders } from '../server/response-headers.ts';
import type { OperationErrors } from './operation.ts';

/** How long `sendProblem` keeps reading a request that it has rejected, and how many bytes it reads at most. */
export const LINGER_MS = 1_000;
const LINGER_BYTES = 256 * 1024;

/** `headers`: alternating names and values, including Content-Length. */
export interface Problem {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

/** `extra`: additional headers, as alternating names and values. */
export type Problems = (
  code: ErrorCode,
  detail: string,
  requestId: string,
  extra?: readonly string[],
) => Problem;

/** `baseUrl`: without a trailing slash. */
export function createProblems(baseUrl: string): Problems {
  const policy = policyHeaders(baseUrl);
  const heads = new Map<ErrorCode, string>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { status, title } = ERRORS[code];
    const start = JSON.stringify({ type: `${baseUrl}${ERROR_PAGES_PATH}/${code}`, title, status });
    heads.set(code, `${start.slice(0, -1)},"detail":`);
  }
  return (code, detail, requestId, extra) => {
    const body = `${heads.get(code)}${JSON.stringify(detail)},"code":"${code}","request_id":"${requestId}"}`;
    const headers = [...bodyHeaders('application/problem+json', body, requestId), ...policy];
    if (extra !== undefined) headers.push(...extra);
    return { code, status: ERRORS[code].status, headers, body };
  };
}

export const bodyHeaders = (type: string, body: string, requestId: string): readonly string[] => [
  'Content-Type',
  type,
  'Content-Length',
  String(Buffer.byteLength(body)),
  'X-Request-Id',
  requestId,
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
];

/** Adds to each problem the headers for which `errors` has a fixed value. */
export function withHeaders(problems: Problems, errors: OperationErrors): Problems {
  const fixed = new Map<string, readonly string[]>(
    Object.entries(errors).map(([code, { headers = {} }]) => [
      code,
      Object.entries(headers).flatMap(([name, { value }]) => (value === undefined ? [] : [name, value])),
    ]),
  );
  return (code, detail, requestId, extra = []) =>
    problems(code, detail, requestId, [...(fixed.get(code) ?? []), ...extra]);
}

/**
 * Sends an error response, unless headers were already sent. Closing the socket while the client is still sending would
 * reset the connection, and the response could be lost; so the server first discards a little more of the request (RFC
 * 9112 section 9.6) unless `linger` is false.
 */
export function sendProblem(response: ServerResponse, problem: Problem, linger = true): void {
  if (response.headersSent || response.destroyed) return;
  const { req: request } = response;
  response.writeHead(problem.status, problem.headers);
  if (response.shouldKeepAlive || request.complete || !linger) {
    response.end(problem.body);
    return;
  }
  response.write(problem.body);
  const finish = (): void => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) finish();
  });
  request.on('end', finish);
  response.on('close', finish);
  request.resume();
}

export const problemResponse = ({ status, headers, body }: Problem): Response =>
  new Response(body, { status, headers: pairsOf(headers) });

/** Sends an error response on a socket that has no response object, and half-closes the socket. */
export function sendRawProblem(socket: Duplex, problem: Problem): void {
  const head = [
    `HTTP/1.1 ${problem.status} ${ERRORS[problem.code].title}`,
    ...pairsOf(problem.headers).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${problem.body}`);
}
