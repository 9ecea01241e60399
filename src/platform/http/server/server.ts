/**
 * The HTTP server: one operation and a fallback for everything else. It replaces Node's responses to errors, so that a
 * client gets a problem document or a closed connection, but never the response to another request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { networkOf, widestNetworkOf } from '../../network/network.ts';
import { inTrace, parseTraceparent, traceBindings } from '../../process/trace.ts';
import { MINUTE_MS } from '../../text/durations.ts';
import { SERVER_ERRORS } from '../operations/operation.ts';
import { LINGER_MS, type Problems, sendProblem, sendRawProblem, withHeaders } from '../operations/problem.ts';
import { createBodyReader, DirectRequest } from './bodies.ts';
import { rememberClient } from './client-address.ts';
import { closeBeforeFull, limitUnfinished, limitUnsent } from './connection-limits.ts';
import type { Drain } from './drain.ts';
import { type RequestHeaders, readHeaders } from './headers.ts';
import { type Fault, framingFault, parserFault } from './request-checks.ts';
import { setRequestId } from './response-headers.ts';
import { SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import { createSlots, type Slots } from './slots.ts';
import type { ProxyWatch } from './watch-proxies.ts';

/** `expectsContinue`: the client waits for 100 Continue before it sends the body. */
export type OperationHandler = (
  request: DirectRequest,
  response: ServerResponse,
  headers: RequestHeaders,
  requestId: string,
  expectsContinue: boolean,
) => void;

export interface HttpServerOptions {
  readonly operationPath: string;
  /** The verify operation: `claims/verify/endpoint/endpoint.ts`. */
  readonly operation: OperationHandler;
  /**
   * Serves all other requests. The response has an ID (`requestIdOf`), but no headers yet: a cached response passes all
   * of its headers in one call, because that is much faster. Calls `release` when the response is ready to be sent.
   */
  readonly fallback: (request: IncomingMessage, response: ServerResponse, release: () => void) => void;
  /** Not called for probes, because their Host is usually an internal name. */
  readonly watchProxies: ProxyWatch;
  readonly isTrustedProxy: (address: string) => boolean;
  readonly problems: Problems;
  readonly requestIds: () => string;
  readonly drain: Drain;
  readonly log: Logger;
  readonly limits?: ServerLimits;
}

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const FULL_LOG_INTERVAL_MS = MINUTE_MS;

/** The error for a request that is too slow. Has the code of Node's own request timeout. */
const TOO_SLOW = Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const SHUTTING_DOWN: Fault = { code: 'unavailable', detail: 'This process is shutting down.' };
const BUSY: Fault = { code: 'unavailable', detail: 'This process has too many requests.' };

const lastResponse = Symbol('lastResponse');
/** Set after an error that belongs to no request has been sent. Further data on the socket is ignored. */
const rejected = Symbol('rejected');

const slowBody = Symbol('slowBody');

type TrackedSocket = Duplex & {
  readonly remoteAddress?: string;
  [lastResponse]?: ServerResponse;
  [rejected]?: boolean;
};

/** Extends `requestTimeoutMs` for this request's body. The caller must limit the number of such requests. */
export const allowSlowBody = (
  response: ServerResponse & { [slowBody]?: number },
  timeoutMs: number,
): void => {
  response[slowBody] = timeoutMs;
};

interface Serving extends HttpServerOptions {
  /** Adds the fixed headers of `SERVER_ERRORS`. */
  readonly problems: Problems;
  readonly readBody: ReturnType<typeof createBodyReader>;
  readonly pages: Slots;
  readonly calls: Slots;
  readonly probes: Slots;
}

export function createHttpServer(options: HttpServerOptions): Server {
  const limits = options.limits ?? SERVER_LIMITS;
  const serving: Serving = {
    ...options,
    problems: withHeaders(options.problems, SERVER_ERRORS),
    readBody: createBodyReader(),
    pages: createSlots(limits.pages),
    calls: createSlots(limits.calls),
    probes: createSlots(limits.probes),
  };
  const server = createServer(
    {
      IncomingMessage: DirectRequest,
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      noDelay: true,
    },
    (request, response) => onRequest(serving, request, response, false),
  );
  // By default, Node silently drops headers after the first 2,000, even a second Host. `maxHeaderSize` still applies.
  server.maxHeadersCount = 0;
  server.on('checkContinue', (request: DirectRequest, response: ServerResponse) => {
    // Node emits this event if the Expect header contains `100-continue` anywhere.
    if (request.headers.expect?.toLowerCase() === '100-continue') onRequest(serving, request, response, true);
    else refuseExpectation(serving, response);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    refuseExpectation(serving, response),
  );
  server.on('connect', (_request: IncomingMessage, socket: TrackedSocket) => {
    socket.on('error', () => {});
    const detail = 'CONNECT is not served; the request target must be a path.';
    rejectAfterPending(serving, socket, { code: 'invalid_request', detail });
  });
  server.on('clientError', (error: ParserError, socket: TrackedSocket) =>
    onClientError(serving, error, socket),
  );
  limitSockets(server, serving, limits);
  return server;
}

function onRequest(
  serving: Serving,
  request: DirectRequest,
  response: ServerResponse,
  expectsContinue: boolean,
): void {
  const { drain, operationPath } = serving;
  const socket = request.socket as TrackedSocket;
  const previous = socket[lastResponse];
  // After a response that closes the connection, ignore further requests, because their responses would be lost (RFC
  // 9112 section 9.6).
  if (previous !== undefined && !previous.shouldKeepAlive) return;
  socket[lastResponse] = response;
  if (previous !== undefined) closeAfter(previous, response);
  const requestId = serving.requestIds();
  const headers = readHeaders(request.rawHeaders);
  // Close the connection after an Upgrade header, because Node drops the rest of the packet, which may contain another
  // request.
  if (headers.upgrade || drain.draining) response.shouldKeepAlive = false;
  const fault = framingFault(request, headers);
  if (fault !== null) {
    refuse(serving, response, fault, requestId, headers);
    return;
  }
  // Load balancers without a configured path send `OPTIONS *`, which addresses the server itself.
  if (request.url === '*') request.url = '/';
  const url = request.url!;
  if (hasPath(url, operationPath)) {
    serving.operation(request, response, headers, requestId, expectsContinue);
  } else if (drain.expired) {
    refuse(serving, response, SHUTTING_DOWN, requestId, headers);
  } else {
    if (expectsContinue) response.writeContinue();
    toFallback(serving, request, response, headers, requestId);
  }
}

/**
 * Closes a pipelined request's response if the connection ends before its turn. Node emits `close` only for the response
 * whose turn it is, so that the others would never release what they hold.
 */
function closeAfter(previous: ServerResponse, response: ServerResponse): void {
  if (response.socket !== null) return;
  previous.once('close', () => {
    if (response.socket !== null) return;
    response.destroyed = true;
    response.emit('close');
  });
}

const hasPath = (url: string, path: string): boolean =>
  url === path || (url.startsWith(path) && url[path.length] === '?');

/** Calls the fallback once the body has been read and the request has a slot (`slots.ts`). */
function toFallback(
  serving: Serving,
  request: DirectRequest,
  response: ServerResponse,
  headers: RequestHeaders,
  requestId: string,
): void {
  const { pages, calls, probes } = serving;
  const url = request.url!;
  setRequestId(response, requestId);
  const trace = parseTraceparent(headers.traceparent);
  const isProbe = PROBES.has(url) || (url === '/' && request.method === 'OPTIONS');
  const client = rememberClient(request, headers, serving.isTrustedProxy);
  if (!isProbe && client !== null) serving.watchProxies(client, headers, url);
  const slots = isProbe ? probes : url.startsWith('/api/') ? calls : pages;
  const refuseBusy = (): void => refuse(serving, response, BUSY, requestId, headers);
  const enter = (): void =>
    slots.enter({
      network: widestNetworkOf(networkOf(client?.address ?? null)),
      response,
      begin: (release) => inTrace(trace, () => serving.fallback(request, response, release)),
      refuse: refuseBusy,
    });
  serving.readBody(request, response, enter, refuseBusy);
}

function refuse(
  { log, problems }: Serving,
  response: ServerResponse,
  { code, detail }: Fault,
  requestId: string,
  headers: Pick<RequestHeaders, 'traceparent'>,
): void {
  if (log.isLevelEnabled('debug')) {
    const trace = parseTraceparent(headers.traceparent);
    log.debug({ requestId, ...traceBindings(trace), code }, 'refused');
  }
  // Close the connection, because client and server may disagree on where the next request begins.
  response.shouldKeepAlive = false;
  sendProblem(response, problems(code, detail, requestId));
}

function refuseExpectation(serving: Serving, response: ServerResponse): void {
  const socket = response.req.socket as TrackedSocket;
  if (socket[lastResponse]?.shouldKeepAlive === false) return;
  socket[lastResponse] = response;
  const fault: Fault = { code: 'expectation_failed', detail: 'Expect may only be 100-continue.' };
  refuse(serving, response, fault, serving.requestIds(), readHeaders(response.req.rawHeaders));
}

type ParserError = NodeJS.ErrnoException & { reason?: string };

function onClientError(serving: Serving, error: ParserError, socket: TrackedSocket): void {
  // Data after a rejection is ignored, so parse errors in it are ignored too.
  if (socket[rejected]) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = parserFault(error);
  const last: (ServerResponse & { [slowBody]?: number }) | undefined = socket[lastResponse];
  if (
    error.code === TOO_SLOW.code &&
    error !== TOO_SLOW &&
    last?.[slowBody] !== undefined &&
    isPending(last)
  ) {
    // The body may take longer (`allowSlowBody`). Node reports a slow request only once, so a timer enforces the limit.
    const cut = setTimeout(() => {
      if (!last.req.complete) onClientError(serving, TOO_SLOW, socket);
    }, last[slowBody]).unref();
    delete last[slowBody];
    last.once('close', () => clearTimeout(cut));
    return;
  }
  if (last === undefined || last.req.complete) {
    rejectAfterPending(serving, socket, fault);
    return;
  }
  if (!isPending(last)) {
    // The error is in the body of a request that already has its response.
    socket.destroy();
    return;
  }
  // The error is in the body of the current request. Send the error as the response unless a response has begun.
  last.once('close', () => {
    socket.destroy();
    // Node no longer destroys it after the response, and a handler that reads the body would wait for the rest forever.
    last.req.destroy(error);
  });
  last.shouldKeepAlive = false;
  if (last.headersSent) last.end();
  else sendProblem(last, serving.problems(fault.code, fault.detail, serving.requestIds()), false);
}

/** Sends an error that belongs to no request. If a response is pending, sends the error after that response. */
function rejectAfterPending(serving: Serving, socket: TrackedSocket, fault: Fault): void {
  const last = socket[lastResponse];
  if (last === undefined || !isPending(last)) {
    if (last?.shouldKeepAlive === false) socket.destroy();
    else rejectConnection(serving, socket, fault);
    return;
  }
  socket.pause();
  last.once('close', () => {
    if (last.shouldKeepAlive) rejectConnection(serving, socket, fault);
  });
}

function rejectConnection(
  { log, problems, requestIds }: Serving,
  socket: TrackedSocket,
  { code, detail }: Fault,
): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = requestIds();
  if (log.isLevelEnabled('debug')) log.debug({ requestId, code }, 'connection refused');
  socket[rejected] = true;
  sendRawProblem(socket, problems(code, detail, requestId));
  // Closing immediately could lose the response if the client is still sending, even one byte at a time.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function limitSockets(server: Server, { isTrustedProxy, log }: Serving, limits: ServerLimits): void {
  server.setTimeout(limits.responseStallMs, (socket) => {
    const last = (socket as TrackedSocket)[lastResponse];
    // The client is not stalling if no request has arrived (another timeout applies) or the response is not ready.
    const isOurTurn = last === undefined || (isPending(last) && last.writableLength === 0);
    if (isOurTurn) socket.setTimeout(limits.responseStallMs);
    else socket.destroy();
  });
  const sockets = trackSockets(server);
  keepUnsentResponses(server, sockets);
  limitUnsent(server, sockets, limits.maxUnsentBytes);
  const isUnfinished = ({ [lastResponse]: last, [rejected]: isRejected }: TrackedSocket) =>
    last === undefined ? isRejected !== true : !last.req.complete && !last.writableEnded;
  limitUnfinished<TrackedSocket>(server, {
    max: limits.maxUnfinishedOfNetwork,
    isTrustedProxy,
    isUnfinished,
    close: (socket) => server.emit('clientError', TOO_SLOW, socket),
  });
  closeBeforeFull<TrackedSocket>(server, {
    max: limits.maxConnections,
    isTrustedProxy,
    isUnfinished,
    isIdle: ({ [lastResponse]: last }) => last === undefined || !isPending(last),
    isUnread: ({ [lastResponse]: last }) => last !== undefined && isPending(last) && last.writableLength > 0,
  });

  server.maxConnections = limits.maxConnections;
  // Without this option, workers at their limit would pass a new connection to each other forever.
  Object.assign(server, { dropMaxConnection: true });
  let fullLoggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    // Close idle connections, so that the next client can connect.
    server.closeIdleConnections();
    const now = performance.now();
    if (now - fullLoggedAt < FULL_LOG_INTERVAL_MS) return;
    fullLoggedAt = now;
    log.warn({ maxConnections: limits.maxConnections }, 'connections are refused: too many are open');
  });
}

/** Closes the connection after this response, unless a later request on the connection is already being served. */
export function closeIfLast(response: ServerResponse): void {
  if ((response.req.socket as TrackedSocket)[lastResponse] === response) response.shouldKeepAlive = false;
}

function trackSockets(server: Server): ReadonlySet<TrackedSocket> {
  const sockets = new Set<TrackedSocket>();
  server.on('connection', (socket: TrackedSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Node considers a connection idle while a slow client still receives the response. */
function keepUnsentResponses(server: Server, sockets: ReadonlySet<TrackedSocket>): void {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const sending = [...sockets].filter(({ [lastResponse]: last }) => last !== undefined && isPending(last));
    // Only Node knows which connections are idle, so Node must close them. Until then, `destroy` is a no-op on
    // sockets that are still sending.
    for (const socket of sending) socket.destroy = () => socket;
    closeIdleConnections();
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  };
}

/** Whether a response has not begun or is still being sent. */
const isPending = (response: ServerResponse): boolean => !response.writableFinished && !response.destroyed;
