/**
 * Requests to URLs that owners chose. Connects only to the resolved addresses that passed the check, which prevents DNS
 * rebinding. No redirects, cookies or proxies; time and size of responses are limited.
 */

import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { BlockList, LookupFunction, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { message, type Words } from '../languages/translate.ts';
import { toIso } from '../text/time-text.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { addressesOfHost, callableOf, notCallable, parseOutgoingAddress } from './outgoing-address.ts';
import {
  codeOf,
  connectFailureOf,
  failureOf,
  isUnknownName,
  largeHeaders,
  MAX_HEADER_BYTES,
  NoAddress,
  NoConnection,
  OutgoingFailure,
  StaleConnection,
} from './outgoing-failure.ts';

/** Connect timeout, including DNS and the TLS handshake. */
const CONNECT_MS = 5_000;
const RESPONSE_MS = 15_000;
/** Default limit for response bodies. The rest of the body is not read. */
const MAX_BODY_BYTES = 16 * 1_024;
/** Refusals that depend on DNS take at least this long, so that their timing doesn't reveal whether a name exists. */
const REFUSAL_MS = 1_000;
/** Servers send a few tickets for later sessions on a connection. */
const MAX_SESSION_TICKETS = 32;
/** Idle connections are closed after this time. */
const IDLE_MS = 4_000;
const MAX_IDLE_CONNECTIONS = 32;
/** Timeout and number of attempts of a DNS query. */
const RESOLVE_MS = 1_500;
const RESOLVE_TRIES = 2;

interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBodyBytes?: number;
  readonly signal?: AbortSignal;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Truncated to `maxBodyBytes`. */
  readonly body: Buffer;
  /** `null`: the connection was not encrypted. */
  readonly tls: TlsFacts | null;
}

export interface TlsFacts {
  /** For example `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate expires; `null` for a resumed TLS session, in which the server sends no certificate. */
  readonly validTo: string | null;
}

/** Resolves a name to all of its addresses. Rejects with an error code of `node:dns`. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface OutgoingOptions {
  /** Networks outside the public internet that may be called. */
  readonly allowed: BlockList;
  readonly resolve?: Resolve;
  readonly connectMs?: number;
  readonly responseMs?: number;
  /** Called for each failed connection. Owners must not see the reason. */
  readonly onNoConnection?: (host: string, reason: string) => void;
}

/** Which addresses may be called. `networks`: also networks that the operator allows; `local`: also this machine. */
export type Reach = 'public' | 'networks' | 'local';

export type Outgoing = ReturnType<typeof createOutgoing>;

const reachOf = (allowed: BlockList): Reach => {
  if (allowed.check('127.0.0.1', 'ipv4')) return 'local';
  return allowed.rules.length === 0 ? 'public' : 'networks';
};

export function createOutgoing(options: OutgoingOptions) {
  const { allowed, resolve = createResolve(), connectMs = CONNECT_MS, responseMs = RESPONSE_MS } = options;
  const { onNoConnection } = options;
  // Separate agents, because the global agents may use a proxy from the environment.
  const pooling = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, timeout: IDLE_MS };
  const agents = { http: new http.Agent(pooling), https: new https.Agent(pooling) };

  const callableAddresses = async (host: string): Promise<readonly string[]> => {
    const addresses =
      addressesOfHost(host) ??
      (await resolve(host).catch((error: Error) => {
        throw new NoAddress(codeOf(error) || error.message, { cause: error });
      }));
    const callable = callableOf(addresses, allowed);
    if (callable.length === 0)
      throw new NoAddress(`resolves to ${addresses[0] ?? 'no address'}, which must not be called`);
    return callable;
  };
  const lookup: LookupFunction = (host, { all }, done) => {
    callableAddresses(host).then(
      (addresses) => {
        const candidates = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (all) done(null, candidates);
        else done(null, candidates[0]!.address, candidates[0]!.family);
      },
      (error) => done(error, ''),
    );
  };
  const send = (request: OutgoingRequest): Promise<OutgoingResponse> =>
    attempt(request, { lookup, agents, connectMs, responseMs, allowed });

  return {
    reach: reachOf(allowed),
    /** Like `check`, but without DNS. `what`: the subject of the refusal's sentence. */
    parse: (text: string, what: Words): string => {
      parseOutgoingAddress(text, what, allowed);
      return text;
    },
    /** Refuses an unknown or forbidden host. Accepts it if no DNS server responds, since each request checks again. */
    check: async (text: string, what: Words): Promise<void> => {
      const { hostname } = parseOutgoingAddress(text, what, allowed);
      if (addressesOfHost(hostname) !== null) return;
      const startedMs = performance.now();
      const isRefused = await resolve(hostname).then(
        (addresses) => callableOf(addresses, allowed).length === 0,
        isUnknownName,
      );
      if (!isRefused) return;
      await waitUntil(startedMs + Math.min(connectMs, REFUSAL_MS));
      throw notCallable(what);
    },
    /** Accepts any status. Throws `OutgoingFailure` without a complete response, or the reason of `signal`. */
    request: async (request: OutgoingRequest): Promise<OutgoingResponse> => {
      const startedMs = performance.now();
      try {
        return await send(request).catch((error) => {
          // The server closed the idle connection while the request was being sent.
          if (error instanceof StaleConnection) return send(request);
          throw error;
        });
      } catch (error) {
        if (!(error instanceof NoConnection)) throw error;
        onNoConnection?.(new URL(request.url).hostname, error.reason);
        await waitUntil(startedMs + connectMs, request.signal);
        throw error;
      }
    },
    /** Closes all connections, including those in use. */
    close: (): void => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** `ms`: a time on the clock of `performance.now()`. If `signal` is aborted, throws the signal's abort reason. */
async function waitUntil(ms: number, signal?: AbortSignal): Promise<void> {
  const leftMs = Math.max(0, ms - performance.now());
  await sleep(leftMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}

interface AttemptOptions extends Required<Pick<OutgoingOptions, 'allowed' | 'connectMs' | 'responseMs'>> {
  readonly lookup: LookupFunction;
  readonly agents: { readonly http: http.Agent; readonly https: https.Agent };
}

const seconds = (ms: number): string => `${ms / 1_000} seconds`;

async function attempt(
  { method, url: text, headers, body, maxBodyBytes = MAX_BODY_BYTES, signal }: OutgoingRequest,
  { lookup, agents, connectMs, responseMs, allowed }: AttemptOptions,
): Promise<OutgoingResponse> {
  signal?.throwIfAborted();
  const url = addressOf(text, allowed);
  const isTls = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingResponse>();
  const sent = (isTls ? https : http).request(url, {
    method,
    agent: isTls ? agents.https : agents.http,
    lookup,
    headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    rejectUnauthorized: true,
  });
  const fail = (error: Error) => {
    reject(error);
    sent.destroy();
  };
  const onAbort = () => fail(signal!.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  const connecting = setTimeout(
    () => fail(new NoConnection(`no connection within ${seconds(connectMs)}`)),
    connectMs,
  );
  const responseTimer = setTimeout(
    () => fail(new OutgoingFailure(`No complete response within ${seconds(responseMs)}.`)),
    responseMs,
  );
  let isConnected = false;
  const onConnected = () => {
    isConnected = true;
    clearTimeout(connecting);
  };
  sent.on('socket', (socket) => {
    if (sent.reusedSocket) onConnected();
    else {
      socket.once(isTls ? 'secureConnect' : 'connect', onConnected);
      limitTickets(socket);
    }
  });
  sent.on('error', (error) =>
    reject(isConnected ? failureOf(error, sent.reusedSocket) : connectFailureOf(error)),
  );
  // Without this listener, Node closes the connection and reports no error.
  sent.on('upgrade', () => fail(new OutgoingFailure(message('The response switches to another protocol.'))));
  readResponse(sent, maxBodyBytes, { resolve, reject, fail });
  sent.end(body);
  try {
    return await promise;
  } finally {
    clearTimeout(connecting);
    clearTimeout(responseTimer);
    signal?.removeEventListener('abort', onAbort);
  }
}

interface ResponseHandlers {
  readonly resolve: (response: OutgoingResponse) => void;
  readonly reject: (error: Error) => void;
  /** Also ends the request. */
  readonly fail: (error: Error) => void;
}

/**
 * Reads at most `maxBodyBytes` of the body. Also counts bytes that belong to no body, such as the framing of chunks: each
 * takes time on the thread that answers verifications.
 */
function readResponse(
  sent: http.ClientRequest,
  maxBodyBytes: number,
  { resolve, reject, fail }: ResponseHandlers,
): void {
  let stop: (() => void) | null = null;
  let bytes = 0;
  const onBytes = (part: Buffer) => {
    bytes += part.length;
    if (stop === null && bytes > MAX_HEADER_BYTES) fail(largeHeaders());
    // After the listeners of the response have read these bytes.
    else if (stop !== null && bytes > MAX_HEADER_BYTES + maxBodyBytes) process.nextTick(stop);
  };
  sent.on('socket', (socket) => {
    socket.on('data', onBytes);
    sent.once('close', () => socket.off('data', onBytes));
  });
  sent.on('response', (response) => {
    const received = new GrowingBuffer();
    const tls = tlsOf(response.socket);
    const finish = () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: received.bytes().subarray(0, maxBodyBytes),
        tls,
      });
    stop = () => {
      finish();
      sent.destroy();
    };
    response.on('data', (part: Buffer) => {
      received.add(part);
      if (received.length >= maxBodyBytes) stop?.();
    });
    response.on('end', finish);
    response.on('error', (error) => reject(failureOf(error, false)));
  });
}

/** A server may send tickets for later sessions without end, and their bytes don't count as bytes of the response. */
function limitTickets(socket: Socket): void {
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > MAX_SESSION_TICKETS)
      socket.destroy(new OutgoingFailure(message('The server sends too many TLS session tickets.')));
  });
}

function tlsOf(socket: Socket): TlsFacts | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_to: validTo } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const validToMs = Date.parse(validTo ?? '');
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    validTo: Number.isNaN(validToMs) ? null : toIso(validToMs),
  };
}

function addressOf(text: string, allowed: BlockList): URL {
  try {
    return parseOutgoingAddress(text, 'The address', allowed);
  } catch (error) {
    throw new OutgoingFailure((error as Error).message, { cause: error });
  }
}

/** Avoids `getaddrinfo`, which blocks a thread of libuv's pool while it waits for a slow DNS server. */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES });
  return async (name) => {
    const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = lookups.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = lookups.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    // A timeout explains the failure better than a missing A or AAAA record.
    throw reasons.find((reason) => !isUnknownName(reason)) ?? reasons[0] ?? new Error('no address');
  };
}
