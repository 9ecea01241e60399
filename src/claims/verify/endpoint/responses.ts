import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Mode } from '../../../people/keys/key.ts';
import { ERRORS, type ErrorCode } from '../../../platform/errors.ts';
import { bodyHeaders, type Problems, sendProblem } from '../../../platform/http/operations/problem.ts';
import type { DirectRequest } from '../../../platform/http/server/bodies.ts';
import type { CachedKey, PendingLookup } from '../../../platform/http/server/cached-keys.ts';
import type { ClientAddress } from '../../../platform/http/server/client-address.ts';
import type { Drain } from '../../../platform/http/server/drain.ts';
import { type RequestHeaders, userAgentOf } from '../../../platform/http/server/headers.ts';
import { INVALID_API_KEY } from '../../../platform/http/server/request-checks.ts';
import { closeIfLast } from '../../../platform/http/server/server.ts';
import { type Trace, traceBindings } from '../../../platform/process/trace.ts';
import { DatabaseUnavailable } from '../../../platform/store/database.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import {
  CAUSES,
  type Cause,
  causeOfNotFound,
  fixedCauseOf,
  isFixed,
  type SentToken,
} from '../../attempts/cause.ts';
import type { AttemptRecorder } from '../../attempts/recorder.ts';
import {
  type ApiCaller,
  type FoundResponse,
  NOT_FOUND_BODY,
  type Verification,
  type VerificationRefusal,
  type VerificationResponse,
} from '../decision/verification.ts';
import type { FixedReplies, FixedResponse, FixedToken, LateResponses } from './fixed-tokens.ts';
import type { VerifyMetrics } from './metrics.ts';
import { VERIFY_CLAIM } from './operation.ts';

/** Minimum time between log lines about 503s. `unlogged` counts the 503s skipped since the previous line. */
const UNAVAILABLE_LOG_INTERVAL_MS = 100;

/** A refusal that is held back until the key is checked. If the key is refused, the response says so instead. */
export interface PendingRefusal {
  readonly code: ErrorCode;
  readonly cause: Cause;
  readonly detail: string;
  readonly extra?: readonly string[];
}

export const REFUSALS: Readonly<Record<VerificationRefusal, string>> = {
  invalid_api_key: INVALID_API_KEY,
  plan_without_api_keys: ERRORS.plan_without_api_keys.meaning,
  account_suspended: ERRORS.account_suspended.meaning,
  idempotency_key_reused: ERRORS.idempotency_key_reused.meaning,
};

export const FIXED_DETAIL = 'This is the response of a fixed test token.';

/** What the body and the Idempotency-Key of a call say. */
export interface Sent extends SentToken, Pick<Verification, 'idempotencyHash' | 'reference'> {
  /** `null` if the body was not read or not understood. */
  readonly redeem: boolean | null;
  /** `null` if the token is not a fixed token, and for live keys. */
  readonly fixed: FixedToken | null;
}

export const NOTHING_SENT: Sent = {
  redeem: null,
  tokenLast4: null,
  tokenHash: null,
  tokenMode: null,
  wrapping: null,
  fixed: null,
  idempotencyHash: null,
  reference: null,
};

export interface Call {
  readonly request: DirectRequest;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly trace: Trace | null;
  /** Arrival time by `Responding.clock`. */
  readonly startedAt: number;
  readonly key: CachedKey<Mode | 'sandbox'>;
  /** The networks with which the client's address was checked, and the result. */
  networks: string | null;
  isOutside: boolean;
  /** The client's network; `null` unless the key is the sandbox key. */
  readonly sandboxNetwork: string | null;
  /** The lookup of an unknown key; `null` for a cached valid key and after `submit`. */
  pendingLookup: PendingLookup | null;
  body: Buffer | null;
  pendingRefusal: PendingRefusal | null;
  /** `NOTHING_SENT` until the body is parsed. */
  sent: Sent;
}

type CallRecorder = Pick<
  AttemptRecorder,
  'touch' | 'wants' | 'record' | 'recordBrowserCall' | 'recordWrongMethod' | 'recordOutsideCall'
>;

export interface Responding {
  /** Creates problem responses with the verify operation's headers. */
  readonly problems: Problems;
  /** The result of `policyHeaders`: alternating names and values. */
  readonly policy: readonly string[];
  readonly drain: Drain;
  /**
   * Its functions are called after the response is sent, or before the connection is closed without a response. They
   * must not throw.
   */
  readonly recorder: CallRecorder;
  readonly clientAddress: ClientAddress;
  readonly metrics: VerifyMetrics;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  readonly now: () => EpochMs;
  readonly replyTo: FixedReplies;
  readonly lateResponses: LateResponses;
  readonly unavailable: { at: number; unlogged: number };
}

export function respond(to: Responding, call: Call, result: VerificationResponse): void {
  const { caller } = result;
  switch (result.kind) {
    case 'found': {
      const { body, status, replayed } = result;
      sendOutcome(to, call, 200, body, replayed);
      record(to, call, caller, replayed ? 'repeated' : status, result);
      return;
    }
    case 'not_found':
      sendNotFound(to, call, caller);
      return;
    case 'authorized':
      respondAuthorized(to, call, caller, result.caller.accountId);
      return;
    case 'networks_changed':
      // The endpoint submits the call again, so this is not reached.
      fail(to, call, new Error('the networks of the key were not checked'));
      return;
    case 'refused': {
      const { code } = result;
      refuse(to, call, { code, cause: code, detail: REFUSALS[code] }, caller);
    }
  }
}

/** For calls whose key is valid and whose token was not looked up. `scope`: passed to `replyTo` as `caller`. */
export function respondAuthorized(to: Responding, call: Call, caller: ApiCaller | null, scope: string): void {
  if (call.pendingRefusal !== null) refuse(to, call, call.pendingRefusal, caller);
  else if (call.sent.fixed === null) sendNotFound(to, call, caller);
  else respondFixed(to, call, call.sent.fixed, caller, scope);
}

/** Responds with 503 or 500. The redemption may have been committed. */
export function fail(to: Responding, call: Call, error: Error): void {
  if (error instanceof DatabaseUnavailable) {
    logUnavailable(to, call, error);
    sendRefusal(to, call, 'unavailable', VERIFY_CLAIM.errors.unavailable.meaning);
    countCall(to, call, 'unavailable');
    return;
  }
  const code = 'internal_error';
  to.log.error(
    { ...lineOf(call), code, latencyUs: latencyUsOf(to, call), err: error },
    'verification failed',
  );
  sendRefusal(to, call, code, VERIFY_CLAIM.errors.internal_error.meaning);
  countCall(to, call, code);
}

function respondFixed(
  to: Responding,
  call: Call,
  fixed: FixedToken,
  caller: ApiCaller | null,
  scope: string,
): void {
  const { response: fixedResponse, replayed, arrival } = to.replyTo(fixed, call.sent, scope);
  const send = () => sendFixed(to, call, fixedResponse, replayed, caller);
  if (arrival === 'immediate') {
    send();
  } else if (arrival === 'never') {
    record(to, call, caller, 'fixed_lost');
    call.response.destroy();
  } else if (!to.lateResponses.add(send)) {
    const detail = 'Too many delayed responses to fixed tokens are pending.';
    refuse(to, call, { code: 'unavailable', cause: 'fixed_unavailable', detail }, caller);
  }
}

function sendFixed(
  to: Responding,
  call: Call,
  fixedResponse: FixedResponse,
  replayed: boolean,
  caller: ApiCaller | null,
): void {
  switch (fixedResponse.kind) {
    case 'found': {
      const { status, body } = fixedResponse;
      sendOutcome(to, call, 200, body, replayed);
      record(to, call, caller, replayed ? 'fixed_repeated' : fixedCauseOf(status));
      return;
    }
    case 'not_found':
      sendOutcome(to, call, 404, NOT_FOUND_BODY);
      record(to, call, caller, 'fixed_not_found');
      return;
    case 'error': {
      const { code, headers: extra } = fixedResponse;
      refuse(to, call, { code, cause: fixedCauseOf(code), detail: FIXED_DETAIL, extra }, caller);
    }
  }
}

function sendNotFound(to: Responding, call: Call, caller: ApiCaller | null): void {
  sendOutcome(to, call, 404, NOT_FOUND_BODY);
  record(to, call, caller, causeOfNotFound(call.sent, caller?.mode ?? 'test'));
}

function sendOutcome(
  to: Responding,
  { response, requestId }: Call,
  status: number,
  body: string,
  replayed = false,
): void {
  if (response.headersSent || response.destroyed) return;
  const headers = [...bodyHeaders('application/json', body, requestId), ...to.policy];
  if (replayed) headers.push('Idempotency-Replayed', 'true');
  if (to.drain.draining) closeIfLast(response);
  response.writeHead(status, headers);
  response.end(body);
}

function sendRefusal(
  { problems, drain }: Responding,
  { response, requestId }: Call,
  code: ErrorCode,
  detail: string,
  extra?: readonly string[],
): void {
  if (drain.draining) closeIfLast(response);
  sendProblem(response, problems(code, detail, requestId, extra));
}

function refuse(to: Responding, call: Call, refusal: PendingRefusal, caller: ApiCaller | null): void {
  const { code, cause, detail, extra } = refusal;
  sendRefusal(to, call, code, detail, extra);
  record(to, call, caller, cause, null, detail);
}

/** Throttled, because logging thousands of 503s under overload would use up the remaining processor time. */
function logUnavailable(to: Responding, call: Call, error: Error): void {
  const { unavailable, log } = to;
  const now = to.clock();
  if (now - unavailable.at < UNAVAILABLE_LOG_INTERVAL_MS) {
    unavailable.unlogged += 1;
    return;
  }
  const line = {
    ...lineOf(call),
    code: 'unavailable',
    latencyUs: latencyUsOf(to, call),
    cause: error.message,
    unlogged: unavailable.unlogged,
  };
  log.error(line, 'verification failed');
  unavailable.at = now;
  unavailable.unlogged = 0;
}

export const lineOf = ({ requestId, trace }: Pick<Call, 'requestId' | 'trace'>) => ({
  requestId,
  ...traceBindings(trace),
});

const latencyUsOf = ({ clock }: Responding, { startedAt }: Call): number =>
  Math.round((clock() - startedAt) * 1000);

function countCall(to: Responding, call: Call, outcome: string, isOfFixed = false): number {
  const latencyUs = latencyUsOf(to, call);
  if (isOfFixed) to.metrics.countFixed();
  else to.metrics.count(outcome, latencyUs);
  if (to.log.isLevelEnabled('debug')) {
    to.log.debug({ ...lineOf(call), status: call.response.statusCode, outcome, latencyUs }, 'verification');
  }
  return latencyUs;
}

function record(
  to: Responding,
  call: Call,
  caller: ApiCaller | null,
  cause: Cause,
  foundResponse: FoundResponse | null = null,
  detail: string | null = null,
): void {
  const latencyUs = countCall(to, call, CAUSES[cause].outcome, isFixed(cause));
  if (caller === null) return;
  const { accountId, keyId, mode } = caller;
  const atMs = to.now();
  to.recorder.touch(accountId, keyId, atMs);
  if (!to.recorder.wants(accountId)) return;
  const { request, headers, sent } = call;
  to.recorder.record({
    accountId,
    keyId,
    mode,
    atMs,
    requestId: call.requestId,
    cause,
    detail,
    redeem: sent.redeem,
    tokenLast4: sent.tokenLast4,
    tokenHash: sent.tokenHash,
    offerId: foundResponse === null ? null : foundResponse.offerId,
    via: foundResponse === null ? null : foundResponse.via,
    idempotencyKey: headers.idempotencyKey ?? null,
    latencyUs,
    ip: to.clientAddress(request.socket.remoteAddress, headers),
    userAgent: userAgentOf(request.rawHeaders),
  });
}
