/**
 * `POST /api/v1/marketplace/claims/verify`, on `node:http` itself. The checks run in the order that the
 * design fixes: framing (done by the server), method, browser, credentials, plan and account, media type,
 * length, rate, body and Idempotency-Key, outcome. Plan and account come from the database together with
 * the claim, so a request that fails a later check still asks there whether its key is good, and gets its
 * own refusal only then.
 */
import type { ServerResponse } from 'node:http';
import type {
  Attempt as RecordedAttempt,
  BrowserCall as RecordedBrowserCall,
  WrongMethodCall,
} from '../attempts/recorder.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { DirectRequest } from '../http/direct-request.ts';
import type { Drain } from '../http/drain.ts';
import type { RequestHeaders } from '../http/headers.ts';
import type { Logger } from '../http/log.ts';
import { type Problems, sendProblem } from '../http/problem.ts';
import { type Bucket, createRateLimit } from '../http/rate-limit.ts';
import { bearerCredentials, isJson, mediaTypeDetail } from '../http/request-checks.ts';
import { closeIfLast, type OperationHandler } from '../http/server.ts';
import { hashKey, isWellFormedKey } from '../keys/key.ts';
import { sha256 } from '../secrets.ts';
import { DatabaseUnavailable } from '../store/database.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { classifyToken, hashToken } from './token.ts';
import {
  type Caller,
  NOT_FOUND_BODY,
  type VerificationAnswer,
  type VerificationRefusal,
  type Verifier,
} from './verification.ts';
import { parseVerificationBody } from './verification-body.ts';
import type { VerifyMetrics } from './verify-metrics.ts';

export const MAX_BODY_BYTES = 4 * 1024;

/** Keys whose hash and bucket are remembered; the oldest goes first. */
const MAX_REMEMBERED_KEYS = 10_000;

/** At most one line of 503s in this time; each line says how many were left out before it. */
const UNAVAILABLE_LOG_INTERVAL_MS = 100;

/** Characters of a token that may be shown. */
const TOKEN_TAIL = 4;

/** One answered call of a known key; the recorder's clock gives its time. */
export type Attempt = Omit<RecordedAttempt, 'atMs'>;

/** Where attempts go. Called after the answer was sent; must not throw. */
export interface AttemptSink {
  /** A good or refused call of a known key was answered. */
  used(accountId: string, keyId: string): void;
  /** False when one more attempt of this account would be dropped; it is counted as dropped then. */
  wants(accountId: string): boolean;
  add(attempt: Attempt): void;
}

/** A refused call from a browser. A preflight carries no key. */
export interface BrowserCall extends RecordedBrowserCall {
  readonly preflight: boolean;
}

export interface VerifyEndpointOptions {
  readonly verifier: Verifier;
  readonly problems: Problems;
  readonly drain: Drain;
  /** Requests a second for each API key and process; 0 turns the limit off. */
  readonly rateLimit: number;
  readonly attempts: AttemptSink;
  /** Called after the answer was sent; must not throw. */
  readonly onBrowserCall: (call: BrowserCall) => void;
  /** Called after the answer to a well-formed key that came with another method was sent; must not throw. */
  readonly onWrongMethod: (call: WrongMethodCall) => void;
  readonly clientAddress: ClientAddress;
  readonly metrics: VerifyMetrics;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** What is remembered of a well-formed key: no word on whether it is good, the database alone knows that. */
interface RememberedKey {
  readonly hash: Uint8Array;
  readonly bucket: Bucket;
}

/** A refusal of its own that a call gets if its key is good. */
interface OwnRefusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly extra: readonly string[] | undefined;
}

const REFUSALS: Readonly<Record<VerificationRefusal, string>> = {
  invalid_api_key: 'This API key is not valid.',
  plan_without_api_keys: 'The plan of this account has no API keys.',
  account_suspended: 'This account is suspended.',
  idempotency_key_reused:
    'This Idempotency-Key has already redeemed another token; nothing was redeemed now.',
};

const NOT_FOUND_LENGTH = String(NOT_FOUND_BODY.length);

/** One call, from its headers to its answer. */
interface Call {
  readonly request: DirectRequest;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly startedAt: number;
  readonly key: RememberedKey;
  body: Buffer | null;
  redeem: boolean;
  tokenLast4: string | null;
  tokenHash: Uint8Array | null;
  own: OwnRefusal | null;
}

export function createVerifyEndpoint(options: VerifyEndpointOptions): OperationHandler {
  const { verifier, problems, drain, attempts, metrics, log, clientAddress } = options;
  const clock = options.clock ?? (() => performance.now());
  const limit = createRateLimit(options.rateLimit);
  const remembered = new Map<string, RememberedKey>();

  const remember = (key: string, now: number): RememberedKey | null => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    if (!isWellFormedKey(key)) return null;
    if (remembered.size >= MAX_REMEMBERED_KEYS) remembered.delete(remembered.keys().next().value!);
    const fresh = { hash: hashKey(key), bucket: limit.bucket(now) };
    remembered.set(key, fresh);
    return fresh;
  };

  const handle: OperationHandler = (request, response, headers, requestId, expectsContinue) => {
    const startedAt = clock();

    /** A refusal that needs no database. */
    const refuse = (code: ErrorCode, detail: string): void => {
      metrics.count(code, (clock() - startedAt) * 1000);
      if (log.isLevelEnabled('debug')) log.debug({ requestId, code }, 'verification refused');
      if (leavesBody(headers)) response.shouldKeepAlive = false;
      sendProblem(response, problems(code, detail, requestId));
    };

    const bearer = bearerCredentials(headers.authorization);
    const key = bearer === null ? null : remember(bearer, startedAt);
    const preflight = request.method === 'OPTIONS' && headers.origin !== undefined;
    if (request.method !== 'POST' && !preflight) {
      refuse('method_not_allowed', `This operation takes POST; found ${request.method}.`);
      if (key !== null) {
        const ip = clientAddress(request.socket.remoteAddress, headers.forwardedFor);
        options.onWrongMethod({ keyHash: key.hash, requestId, ip });
      }
      return;
    }
    if (headers.origin !== undefined || headers.secFetchSite !== undefined) {
      const found = headers.origin === undefined ? 'a Sec-Fetch-Site header' : 'an Origin header';
      refuse('browser_call', `The request has ${found}: it comes from a browser. Nothing was redeemed.`);
      options.onBrowserCall({
        keyHash: key === null ? null : key.hash,
        origin: headers.origin ?? null,
        requestId,
        ip: clientAddress(request.socket.remoteAddress, headers.forwardedFor),
        preflight,
      });
      return;
    }
    if (bearer === null) {
      refuse('missing_credentials', 'There is no Authorization header with a Bearer API key.');
      return;
    }
    if (key === null) {
      refuse('invalid_api_key', REFUSALS.invalid_api_key);
      return;
    }
    if (drain.expired) {
      refuse('unavailable', 'This process is shutting down.');
      return;
    }

    const call: Call = {
      request,
      response,
      headers,
      requestId,
      startedAt,
      key,
      body: null,
      redeem: false,
      tokenLast4: null,
      tokenHash: null,
      own: null,
    };
    const allowed = limit.take(key.bucket, startedAt);
    if (!isJson(headers)) {
      call.own = { code: 'unsupported_media_type', detail: mediaTypeDetail(headers), extra: undefined };
    } else if (Number(headers.contentLength) > MAX_BODY_BYTES) {
      const detail = `The body has ${headers.contentLength} bytes; at most ${MAX_BODY_BYTES} are read.`;
      call.own = { code: 'body_too_large', detail, extra: undefined };
    } else if (!allowed) {
      const detail = `This API key may send ${options.rateLimit} requests a second.`;
      call.own = { code: 'rate_limited', detail, extra: limit.headers(key.bucket) };
    }
    if (call.own !== null) {
      if (leavesBody(headers)) response.shouldKeepAlive = false;
      submit(call, null);
      return;
    }
    if (expectsContinue) response.writeContinue();
    readBody(call);
  };

  const readBody = (call: Call): void => {
    const { request } = call;
    request.readBody({
      onBodyChunk(chunk) {
        const body = call.body === null ? chunk : Buffer.concat([call.body, chunk]);
        if (body.length <= MAX_BODY_BYTES) {
          call.body = body;
          return;
        }
        const detail = `The body has more than ${MAX_BODY_BYTES} bytes.`;
        call.own = { code: 'body_too_large', detail, extra: undefined };
        call.body = null;
        call.response.shouldKeepAlive = false;
        request.releaseBody();
        submit(call, null);
      },
      onBodyEnd() {
        decideBody(call);
      },
    });
  };

  const decideBody = (call: Call): void => {
    let idempotencyHash: Uint8Array | null = null;
    try {
      const { token, redeem } = parseVerificationBody(call.body ?? EMPTY);
      call.body = null;
      call.redeem = redeem;
      call.tokenLast4 = tailOf(token);
      const { idempotencyKey } = call.headers;
      if (idempotencyKey !== undefined) {
        const text = parseIdempotencyKey(idempotencyKey);
        if (redeem) idempotencyHash = sha256(text);
      }
      if (classifyToken(token) !== 'impossible') call.tokenHash = hashToken(token);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        fail(call, error as Error);
        return;
      }
      call.own = { code: error.code, detail: error.message, extra: undefined };
    }
    submit(call, idempotencyHash);
  };

  const submit = (call: Call, idempotencyHash: Uint8Array | null): void => {
    verifier.submit(
      { keyHash: call.key.hash, tokenHash: call.tokenHash, redeem: call.redeem, idempotencyHash },
      (error, answer) => {
        if (error !== null || answer === null) fail(call, error ?? new Error('no answer'));
        else settle(call, answer);
      },
    );
  };

  const settle = (call: Call, answer: VerificationAnswer): void => {
    switch (answer.kind) {
      case 'found':
        sendOutcome(call, 200, answer.body, String(Buffer.byteLength(answer.body)), answer.replayed);
        record(call, answer.caller, 200, answer.status, answer.via);
        return;
      case 'not_found':
        sendNotFound(call, answer.caller);
        return;
      case 'admitted':
        if (call.own === null) sendNotFound(call, answer.caller);
        else refuseAfter(call, call.own.code, call.own.detail, answer.caller, call.own.extra);
        return;
      case 'refused':
        refuseAfter(call, answer.code, REFUSALS[answer.code], answer.caller, undefined);
    }
  };

  const sendNotFound = (call: Call, caller: Caller): void => {
    sendOutcome(call, 404, NOT_FOUND_BODY, NOT_FOUND_LENGTH, false);
    record(call, caller, 404, 'not_found', null);
  };

  const sendOutcome = (call: Call, status: number, body: string, length: string, replayed: boolean): void => {
    const { response } = call;
    if (response.headersSent || response.destroyed) return;
    const headers = [
      'Content-Type',
      'application/json',
      'Content-Length',
      length,
      'X-Request-Id',
      call.requestId,
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
    ];
    if (replayed) headers.push('Idempotency-Replayed', 'true');
    if (drain.draining) closeIfLast(response);
    response.writeHead(status, headers);
    response.end(body);
  };

  const refuseAfter = (
    call: Call,
    code: ErrorCode,
    detail: string,
    caller: Caller | null,
    extra: readonly string[] | undefined,
  ): void => {
    const problem = problems(code, detail, call.requestId, extra);
    if (drain.draining) closeIfLast(call.response);
    sendProblem(call.response, problem);
    record(call, caller, problem.status, code, null);
  };

  const fail = (call: Call, error: Error): void => {
    const latencyUs = Math.round((clock() - call.startedAt) * 1000);
    if (!(error instanceof DatabaseUnavailable)) {
      const code = 'internal_error';
      log.error({ requestId: call.requestId, code, latencyUs, err: error }, 'verification failed');
      refuseAfter(call, code, 'Something went wrong here.', null, undefined);
      return;
    }
    logUnavailable(call.requestId, latencyUs, error);
    refuseAfter(call, 'unavailable', 'The service cannot answer right now.', null, undefined);
  };

  let unavailableLoggedAt = Number.NEGATIVE_INFINITY;
  let unavailableUnlogged = 0;
  /** Under overload these come by the thousand, and writing each down would take what is left of the time. */
  const logUnavailable = (requestId: string, latencyUs: number, error: Error): void => {
    const now = clock();
    if (now - unavailableLoggedAt < UNAVAILABLE_LOG_INTERVAL_MS) {
      unavailableUnlogged += 1;
      return;
    }
    const line = {
      requestId,
      code: 'unavailable',
      latencyUs,
      cause: error.message,
      unlogged: unavailableUnlogged,
    };
    log.error(line, 'verification failed');
    unavailableLoggedAt = now;
    unavailableUnlogged = 0;
  };

  const record = (
    call: Call,
    caller: Caller | null,
    status: number,
    outcome: string,
    via: string | null,
  ): void => {
    const latencyUs = (clock() - call.startedAt) * 1000;
    metrics.count(outcome, latencyUs);
    if (log.isLevelEnabled('debug')) {
      log.debug(
        { requestId: call.requestId, status, outcome, latencyUs: Math.round(latencyUs) },
        'verification',
      );
    }
    if (caller === null) return;
    attempts.used(caller.accountId, caller.keyId);
    if (!attempts.wants(caller.accountId)) return;
    attempts.add({
      accountId: caller.accountId,
      keyId: caller.keyId,
      requestId: call.requestId,
      status,
      outcome,
      redeem: call.redeem,
      tokenLast4: call.tokenLast4,
      tokenHash: call.tokenHash,
      via,
      latencyUs: Math.round(latencyUs),
      ip: clientAddress(call.request.socket.remoteAddress, call.headers.forwardedFor),
    });
  };

  return handle;
}

const EMPTY = Buffer.alloc(0);

const SHOWABLE_TAIL = /^[!-~]{4}$/;

/** What the request log may show of a token. Anyone can send one of any characters; those no log can hold are left out. */
function tailOf(token: string): string | null {
  const tail = token.slice(-TOKEN_TAIL);
  return token.length > TOKEN_TAIL && SHOWABLE_TAIL.test(tail) ? tail : null;
}

/**
 * Whether a body that is not read here may be too long to wait for, so that the connection ends with the
 * answer. A small one is discarded by Node.
 */
function leavesBody(headers: RequestHeaders): boolean {
  return headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > MAX_BODY_BYTES;
}
