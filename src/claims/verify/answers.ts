/**
 * Answers a call once it is decided or has failed, and records it: as a metric, a line of the log and an attempt.
 */
import type { ServerResponse } from 'node:http';
import type { Attempt } from '../../attempts/attempt.ts';
import {
  CAUSES,
  type Cause,
  causeOfNotFound,
  fixedCauseOf,
  isFixed,
  type Wrapping,
} from '../../attempts/cause.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { DirectRequest } from '../../http/direct-request.ts';
import type { Drain } from '../../http/drain.ts';
import { type RequestHeaders, userAgentOf } from '../../http/headers.ts';
import type { Logger } from '../../http/log.ts';
import { type Problems, sendProblem } from '../../http/problem.ts';
import { INVALID_API_KEY } from '../../http/request-checks.ts';
import { closeIfLast } from '../../http/server.ts';
import type { Mode } from '../../keys/key.ts';
import { DatabaseUnavailable } from '../../store/database.ts';
import { createFixedReplies, createLateAnswers, type FixedCall } from './fixed-answers.ts';
import type { FixedAnswer } from './fixed-tokens.ts';
import type { VerifyMetrics } from './metrics.ts';
import {
  type ApiCaller,
  type FoundAnswer,
  NOT_FOUND_BODY,
  offerIdOf,
  type VerificationAnswer,
  type VerificationRefusal,
} from './verification.ts';

/** Least time between two log lines about 503s; each line has the number of those left out before it. */
const UNAVAILABLE_LOG_INTERVAL_MS = 100;

/** One answered call of a known key; the recorder's clock gives its time. */
export type AnsweredCall = Omit<Attempt, 'atMs'>;

/** Receives attempts. Called after the answer was sent; must not throw. */
export interface AttemptSink {
  /** A good or refused call of a known key was answered. */
  used(accountId: string, keyId: string): void;
  /** False where there is no room for an attempt; the call was then counted as not recorded. */
  wants(accountId: string): boolean;
  add(call: AnsweredCall): void;
}

/** A refusal that is sent once the key proves valid; a bad key gets the refusal of the key instead. */
export interface PendingRefusal {
  readonly code: ErrorCode;
  readonly cause: Cause;
  readonly detail: string;
  readonly extra: readonly string[] | undefined;
}

export const REFUSALS: Readonly<Record<VerificationRefusal, string>> = {
  invalid_api_key: INVALID_API_KEY,
  plan_without_api_keys: 'The plan of this account has no API keys.',
  account_suspended: 'This account is suspended.',
  idempotency_key_reused:
    'This Idempotency-Key has already redeemed another token; nothing was redeemed now.',
};

/** The detail of an error that a fixed token stands for. */
export const FIXED_DETAIL = 'This is the answer of a fixed test token.';
const refusalOf = (code: VerificationRefusal): PendingRefusal => ({
  code,
  cause: code,
  detail: REFUSALS[code],
  extra: undefined,
});

const REFUSED: Readonly<Record<VerificationRefusal, PendingRefusal>> = {
  invalid_api_key: refusalOf('invalid_api_key'),
  plan_without_api_keys: refusalOf('plan_without_api_keys'),
  account_suspended: refusalOf('account_suspended'),
  idempotency_key_reused: refusalOf('idempotency_key_reused'),
};

const NOT_FOUND_LENGTH = String(NOT_FOUND_BODY.length);

/** The part of a call that its answer needs. */
export interface VerifyCall {
  readonly request: DirectRequest;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly startedAt: number;
  /** `null` until the body is read. */
  redeem: boolean | null;
  tokenLast4: string | null;
  tokenHash: Uint8Array | null;
  /** `null`: the token is no fixed one, or the key does not know those. */
  fixed: FixedCall | null;
  /** The mode that the token shows. */
  tokenMode: Mode | null;
  /** What was sent around the token. */
  wrapping: Wrapping | null;
  pendingRefusal: PendingRefusal | null;
}

export interface VerifyAnswersOptions {
  readonly problems: Problems;
  /** Of `policyHeaders`. */
  readonly policy: readonly string[];
  readonly drain: Drain;
  readonly attempts: AttemptSink;
  readonly clientAddress: ClientAddress;
  readonly metrics: VerifyMetrics;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

export interface VerifyAnswers {
  /** The database has decided. */
  settle(call: VerifyCall, answer: VerificationAnswer): void;
  /** The sandbox key, which the database does not know, was sent from this network. */
  settleSandbox(call: VerifyCall, network: string): void;
  /** Nothing was decided, or the decision is unknown. */
  fail(call: VerifyCall, error: Error): void;
}

export function createVerifyAnswers(options: VerifyAnswersOptions): VerifyAnswers {
  const { problems, policy, drain, attempts, metrics, log, clientAddress, clock } = options;
  const replyTo = createFixedReplies(clock);
  const lateAnswers = createLateAnswers(drain, clock);

  const settle = (call: VerifyCall, answer: VerificationAnswer): void => {
    switch (answer.kind) {
      case 'found': {
        const { body, status, replayed, caller } = answer;
        sendOutcome(call, 200, body, String(Buffer.byteLength(body)), replayed);
        record(call, caller, replayed ? 'repeated' : status, answer);
        return;
      }
      case 'not_found':
        sendNotFound(call, answer.caller);
        return;
      case 'admitted':
        admit(call, answer.caller, answer.caller.accountId);
        return;
      case 'refused':
        refuseAfter(call, REFUSED[answer.code], answer.caller);
    }
  };

  /** The key is good, and there was no token to look up. `scope`: the account or network, for the fixed tokens. */
  const admit = (call: VerifyCall, caller: ApiCaller | null, scope: string): void => {
    if (call.pendingRefusal !== null) refuseAfter(call, call.pendingRefusal, caller);
    else if (call.fixed === null) sendNotFound(call, caller);
    else answerFixed(call, call.fixed, caller, scope);
  };

  const answerFixed = (call: VerifyCall, fixed: FixedCall, caller: ApiCaller | null, scope: string): void => {
    const { answer, replayed, arrival } = replyTo(fixed, scope);
    if (arrival === 'at once') {
      sendFixed(call, answer, replayed, caller);
    } else if (arrival === 'never') {
      record(call, caller, 'fixed_lost');
      call.response.destroy();
    } else if (!lateAnswers.add(() => sendFixed(call, answer, replayed, caller))) {
      const detail = 'Too many late answers of fixed tokens wait.';
      refuseAfter(
        call,
        { code: 'unavailable', cause: 'fixed_unavailable', detail, extra: undefined },
        caller,
      );
    }
  };

  const sendFixed = (
    call: VerifyCall,
    answer: FixedAnswer,
    replayed: boolean,
    caller: ApiCaller | null,
  ): void => {
    switch (answer.kind) {
      case 'found': {
        const { status, body } = answer;
        sendOutcome(call, 200, body, String(Buffer.byteLength(body)), replayed);
        record(call, caller, replayed ? 'fixed_repeated' : fixedCauseOf(status));
        return;
      }
      case 'not_found':
        sendOutcome(call, 404, NOT_FOUND_BODY, NOT_FOUND_LENGTH, false);
        record(call, caller, 'fixed_not_found');
        return;
      case 'error': {
        const { code, headers: extra } = answer;
        refuseAfter(call, { code, cause: fixedCauseOf(code), detail: FIXED_DETAIL, extra }, caller);
      }
    }
  };

  const sendNotFound = (call: VerifyCall, caller: ApiCaller | null): void => {
    sendOutcome(call, 404, NOT_FOUND_BODY, NOT_FOUND_LENGTH, false);
    record(call, caller, causeOfNotFound(call, caller?.mode ?? 'test'));
  };

  const sendOutcome = (
    call: VerifyCall,
    status: number,
    body: string,
    length: string,
    replayed: boolean,
  ): void => {
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
      ...policy,
    ];
    if (replayed) headers.push('Idempotency-Replayed', 'true');
    if (drain.draining) closeIfLast(response);
    response.writeHead(status, headers);
    response.end(body);
  };

  const sendRefusal = (
    call: VerifyCall,
    code: ErrorCode,
    detail: string,
    extra?: readonly string[],
  ): void => {
    const problem = problems(code, detail, call.requestId, extra);
    if (drain.draining) closeIfLast(call.response);
    sendProblem(call.response, problem);
  };

  const refuseAfter = (call: VerifyCall, refusal: PendingRefusal, caller: ApiCaller | null): void => {
    const { code, cause, detail, extra } = refusal;
    sendRefusal(call, code, detail, extra);
    record(call, caller, cause, null, detail);
  };

  const fail = (call: VerifyCall, error: Error): void => {
    const latencyUs = Math.round((clock() - call.startedAt) * 1000);
    if (!(error instanceof DatabaseUnavailable)) {
      const code = 'internal_error';
      log.error({ requestId: call.requestId, code, latencyUs, err: error }, 'verification failed');
      sendRefusal(call, code, 'Something went wrong here.');
      note(call, code);
      return;
    }
    logUnavailable(call.requestId, latencyUs, error);
    sendRefusal(call, 'unavailable', 'The service cannot answer right now.');
    note(call, 'unavailable');
  };

  let unavailableLoggedAt = Number.NEGATIVE_INFINITY;
  let unavailableUnlogged = 0;
  /** Under overload there are thousands of these; logging each would use the remaining processor time. */
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

  /** Counts an answer that was sent, and returns its latency in microseconds. */
  const note = (call: VerifyCall, outcome: string, isOfFixed = false): number => {
    const latencyUs = (clock() - call.startedAt) * 1000;
    if (isOfFixed) metrics.countFixed();
    else metrics.count(outcome, latencyUs);
    if (log.isLevelEnabled('debug')) {
      const { requestId, response } = call;
      log.debug(
        { requestId, status: response.statusCode, outcome, latencyUs: Math.round(latencyUs) },
        'verification',
      );
    }
    return latencyUs;
  };

  const record = (
    call: VerifyCall,
    caller: ApiCaller | null,
    cause: Cause,
    found: FoundAnswer | null = null,
    detail: string | null = null,
  ): void => {
    const latencyUs = note(call, CAUSES[cause].outcome, isFixed(cause));
    if (caller === null) return;
    attempts.used(caller.accountId, caller.keyId);
    if (!attempts.wants(caller.accountId)) return;
    const { request, headers } = call;
    attempts.add({
      ...caller,
      requestId: call.requestId,
      cause,
      detail,
      redeem: call.redeem,
      tokenLast4: call.tokenLast4,
      tokenHash: call.tokenHash,
      offerId: found === null ? null : offerIdOf(found.body),
      via: found === null ? null : found.via,
      idempotencyKey: headers.idempotencyKey ?? null,
      latencyUs: Math.round(latencyUs),
      ip: clientAddress(request.socket.remoteAddress, headers),
      userAgent: userAgentOf(request.rawHeaders),
    });
  };

  return { settle, settleSandbox: (call, network) => admit(call, null, network), fail };
}
