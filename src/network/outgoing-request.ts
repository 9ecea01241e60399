/**
 * Requests to addresses that owners chose. The name is resolved here and the connection goes to the addresses that were
 * checked, so that the name cannot resolve to other addresses after the check. Redirects are not followed, cookies and
 * proxies from the environment are not used, and the time and size of a response are limited.
 */

import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { BlockList, LookupFunction, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { message, type Words } from '../languages/translate.ts';
import { addressesOfHost, callableOf, notCallable, parseOutgoingAddress } from './outgoing-address.ts';

/** Longest time until the connection is open, TLS included. */
const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;
/** Maximum bytes of a response body that are read, unless the request sets a different maximum. */
const MAX_BODY_BYTES = 16 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Refusals that depend on a name server take at least this long, so that their time reveals nothing about a name. */
const REFUSAL_MS = 1_000;
/** How long an idle connection is kept for another request. */
const IDLE_MS = 4_000;
const MAX_IDLE_CONNECTIONS = 32;
/** Timeout of one query to a name server, and the number of tries. */
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

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The beginning of the body. */
  readonly body: Buffer;
  /** `null`: the connection was not encrypted. */
  readonly tls: TlsFacts | null;
}

export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate expires; `null`: not known, since the session was resumed. */
  readonly validTo: string | null;
}

/** There was no response. The message is for the owner of the address: stored in English, translated on pages. */
export class OutgoingFailure extends Error {
  override name = 'OutgoingFailure';

  constructor(sentence: Words, options?: ErrorOptions) {
    super(String(sentence), options);
  }
}

/** Resolves a name to all of its addresses; rejects with a code of `node:dns`. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface OutgoingOptions {
  /** Networks beyond the public internet. */
  readonly allowed: BlockList;
  readonly resolve?: Resolve;
  readonly connectMs?: number;
  readonly answerMs?: number;
  /** Called with the reason for each failure to connect. The owner of the address is not told the reason. */
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
  const { allowed, resolve = createResolve(), connectMs = CONNECT_MS, answerMs = ANSWER_MS } = options;
  const { onNoConnection } = options;
  // Agents of our own, since the global ones may use a proxy from the environment.
  const pooling = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, timeout: IDLE_MS };
  const agents = { http: new http.Agent(pooling), https: new https.Agent(pooling) };

  const callableAddresses = async (host: string): Promise<readonly string[]> => {
    const found = addressesOfHost(host) ?? (await resolve(host));
    const callable = callableOf(found, allowed);
    if (callable.length === 0)
      throw new Error(`resolves to ${found[0] ?? 'no address'}, which must not be called`);
    return callable;
  };
  const lookup: LookupFunction = (host, { all }, done) => {
    callableAddresses(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (all) done(null, found);
        else done(null, found[0]!.address, found[0]!.family);
      },
      (error) => done(error, ''),
    );
  };
  const send = (request: OutgoingRequest): Promise<OutgoingAnswer> =>
    attempt(request, { lookup, agents, connectMs, answerMs, allowed });

  return {
    reach: reachOf(allowed),
    /** Refuses what `check` refuses, as far as possible without a name server. `what` begins a refusal's sentence. */
    parse: (text: string, what: Words): string => {
      parseOutgoingAddress(text, what, allowed);
      return text;
    },
    /**
     * Refuses an address that must not be called, or whose name is unknown or resolves only to such addresses at the
     * moment. If no name server responds, allows it: each request checks again.
     */
    check: async (text: string, what: Words): Promise<void> => {
      const { hostname } = parseOutgoingAddress(text, what, allowed);
      if (addressesOfHost(hostname) !== null) return;
      const startedMs = performance.now();
      const isRefused = await resolve(hostname).then(
        (found) => callableOf(found, allowed).length === 0,
        isUnknownName,
      );
      if (!isRefused) return;
      await waitUntil(startedMs + Math.min(connectMs, REFUSAL_MS));
      throw notCallable(what);
    },
    /** Returns the response, with any status. Throws `OutgoingFailure` if there is none, or the reason of `signal`. */
    request: async (request: OutgoingRequest): Promise<OutgoingAnswer> => {
      const startedMs = performance.now();
      try {
        return await send(request).catch((error) => {
          // The other side closed an idle connection at the same moment.
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

/** A connection that was kept from an earlier request broke before a response arrived. */
class StaleConnection extends OutgoingFailure {}

/**
 * The same sentence for every failure to connect, except an invalid certificate. Only the operator sees `reason`: it
 * would tell owners which names and ports exist in networks that only this service reaches. The duration of a failure
 * would reveal that too, so all these failures take equally long.
 */
class NoConnection extends OutgoingFailure {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(
      message('No connection. Check that the host name is known, the port is open and TLS works.'),
      options,
    );
    this.reason = reason;
  }
}

/** Throws the reason of `signal` if it is aborted. */
async function waitUntil(ms: number, signal?: AbortSignal): Promise<void> {
  const leftMs = Math.max(0, ms - performance.now());
  await sleep(leftMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}

interface Means extends Required<Pick<OutgoingOptions, 'allowed' | 'connectMs' | 'answerMs'>> {
  readonly lookup: LookupFunction;
  readonly agents: { readonly http: http.Agent; readonly https: https.Agent };
}

async function attempt(
  { method, url: text, headers, body, maxBodyBytes = MAX_BODY_BYTES, signal }: OutgoingRequest,
  { lookup, agents, connectMs, answerMs, allowed }: Means,
): Promise<OutgoingAnswer> {
  signal?.throwIfAborted();
  const url = addressOf(text, allowed);
  const isTls = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>();
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
  const seconds = (ms: number) => `${ms / 1_000} seconds`;
  const connecting = setTimeout(
    () => fail(new NoConnection(`no connection within ${seconds(connectMs)}`)),
    connectMs,
  );
  const answering = setTimeout(
    () => fail(new OutgoingFailure(`No complete response within ${seconds(answerMs)}.`)),
    answerMs,
  );
  let isConnected = false;
  const onConnected = () => {
    isConnected = true;
    clearTimeout(connecting);
  };
  sent.on('socket', (socket) => {
    if (sent.reusedSocket) onConnected();
    else socket.once(isTls ? 'secureConnect' : 'connect', onConnected);
  });
  sent.on('error', (error) =>
    reject(isConnected ? failureOf(error, sent.reusedSocket) : connectFailureOf(error)),
  );
  // Without this listener, Node closes the connection without an error.
  sent.on('upgrade', () => fail(new OutgoingFailure(message('The response switches to another protocol.'))));
  sent.on('response', (response) => {
    const parts: Buffer[] = [];
    let size = 0;
    const tls = tlsOf(response.socket);
    const finish = () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(parts).subarray(0, maxBodyBytes),
        tls,
      });
    response.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size < maxBodyBytes) return;
      finish();
      sent.destroy();
    });
    response.on('end', finish);
    response.on('error', (error) => reject(failureOf(error, false)));
  });
  sent.end(body);
  try {
    return await promise;
  } finally {
    clearTimeout(connecting);
    clearTimeout(answering);
    signal?.removeEventListener('abort', onAbort);
  }
}

function tlsOf(socket: Socket): TlsFacts | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_to: validTo } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    validTo: validTo === undefined ? null : new Date(validTo).toISOString(),
  };
}

function addressOf(text: string, allowed: BlockList): URL {
  try {
    return parseOutgoingAddress(text, 'The address', allowed);
  } catch (error) {
    throw new OutgoingFailure((error as Error).message, { cause: error });
  }
}

/** Does not use `getaddrinfo`: a slow name server would block threads that other work needs. */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES });
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    // "No answer" explains the failure better than "no address of this kind".
    throw reasons.find((reason) => !isUnknownName(reason)) ?? reasons[0] ?? new Error('no address');
  };
}

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

const isUnknownName = (error: unknown): boolean => /^(?:ENOTFOUND|ENODATA|EBADNAME)$/.test(codeOf(error));

/** An invalid certificate is reported: only the host's owner can fix it, and this reveals only ports that speak TLS. */
function connectFailureOf(error: Error): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  // With several addresses, Node gathers an error for each.
  const first = error instanceof AggregateError ? ((error.errors as Error[])[0] ?? error) : error;
  const code = codeOf(first);
  return /CERT|SELF_SIGNED|ALTNAME/.test(code)
    ? new OutgoingFailure(`The certificate is not valid (${code}).`, { cause: error })
    : new NoConnection(code === '' ? first.message : code, { cause: error });
}

function failureOf(error: Error, isReused: boolean): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const Failure = isReused ? StaleConnection : OutgoingFailure;
    return new Failure(message('The connection was closed before the response was complete.'), options);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const sentence = `The headers of the response are larger than ${MAX_HEADER_BYTES / 1_024} KiB.`;
    return new OutgoingFailure(sentence, options);
  }
  if (code.startsWith('HPE_')) return new OutgoingFailure(`The response is not HTTP (${code}).`, options);
  return new OutgoingFailure(`The connection failed (${code === '' ? error.name : code}).`, options);
}
