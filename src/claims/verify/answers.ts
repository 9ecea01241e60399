/**
 * Answers a call once it is decided or has failed, and records it: as a metric, a line of the log and an attempt.
 */
import type { ServerResponse } from 'node:http';
import type { Attempt } from '../../attempts/attempt-buffer.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { DirectRequest } from '../../http/direct-request.ts';
import type { Drain } from '../../http/drain.ts';
import type { RequestHeaders } from '../../http/headers.ts';
import type { Logger } from '../../http/log.ts';
import { type Problems, sendProblem } from '../../http/problem.ts';
import { INVALID_API_KEY } from '../../http/request-checks.ts';
import { closeIfLast } from '../../http/server.ts';
import { DatabaseUnavailable } from '../../store/database.ts';
import { createFixedReplies, createLateAnswers, type FixedCall } from './fixed-answers.ts';
import type { FixedAnswer } from './fixed-tokens.ts';
import type { VerifyMetrics } from './metrics.ts';
import {
  type ApiCaller,
  NOT_FOUND_BODY,
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
  /** False when one more attempt of this account would be dropped, and then counted as dropped. */
  wants(accountId: string): boolean;
  add(call: AnsweredCall): void;
}

/** A refusal that is sent once the key proves valid; a bad key gets the refusal of the key instead. */
export interface PendingRefusal {
  readonly code: ErrorCode;
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
const FIXED_DETAIL = 'This is the answer of a fixed test token.';

const NOT_FOUND_LENGTH = String(NOT_FOUND_BODY.length);

/** The part of a call that its answer needs. */
export interface VerifyCall {
  readonly request: DirectRequest;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  readonly startedAt: number;
  redeem: boolean;
  tokenLast4: string | null;
  tokenHash: Uint8Array | null;
  /** `null`: the token is no fixed one, or the key does not know those. */
  fixed: FixedCall | null;
  /** The answer is that of the fixed token, and not a refusal of the call. */
  isFixed: boolean;
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
      case 'found':
        sendOutcome(call, 200, answer.body, String(Buffer.byteLength(answer.body)), answer.replayed);
        record(call, answer.caller, 200, answer.status, answer.via);
        return;
      case 'not_found':
        sendNotFound(call, answer.caller);
        return;
      case 'admitted':
        admit(call, answer.caller, answer.caller.accountId);
        return;
      case 'refused':
        refuseAfter(call, answer.code, REFUSALS[answer.code], answer.caller, undefined);
    }
  };

  /** The key is good, and there was no token to look up. `scope`: in which the fixed tokens remember the caller. */
  const admit = (call: VerifyCall, caller: ApiCaller | null, scope: string): void => {
    if (call.pendingRefusal !== null) {
      const { code, detail, extra } = call.pendingRefusal;
      refuseAfter(call, code, detail, caller, extra);
    } else if (call.fixed === null) {
      sendNotFound(call, caller);
    } else {
      answerFixed(call, call.fixed, caller, scope);
    }
  };

  const answerFixed = (call: VerifyCall, fixed: FixedCall, caller: ApiCaller | null, scope: string): void => {
    const { answer, replayed, arrival } = replyTo(fixed, scope);
    call.isFixed = true;
    if (arrival === 'at once') {
      sendFixed(call, answer, replayed, caller);
    } else if (arrival === 'never') {
      record(call, caller, 200, 'redeemed', null);
      call.response.destroy();
    } else if (!lateAnswers.add(() => sendFixed(call, answer, replayed, caller))) {
      refuseAfter(call, 'unavailable', 'Too many late answers of fixed tokens wait.', caller, undefined);
    }
  };

  const sendFixed = (
    call: VerifyCall,
    answer: FixedAnswer,
    replayed: boolean,
    caller: ApiCaller | null,
  ): void => {
    switch (answer.kind) {
      case 'found':
        sendOutcome(call, 200, answer.body, String(Buffer.byteLength(answer.body)), replayed);
        record(call, caller, 200, answer.status, answer.via);
        return;
      case 'not_found':
        sendNotFound(call, caller);
        return;
      case 'error':
        refuseAfter(call, answer.code, FIXED_DETAIL, caller, answer.headers);
    }
  };

  const sendNotFound = (call: VerifyCall, caller: ApiCaller | null): void => {
    sendOutcome(call, 404, NOT_FOUND_BODY, NOT_FOUND_LENGTH, false);
    record(call, caller, 404, 'not_found', null);
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

  const refuseAfter = (
    call: VerifyCall,
    code: ErrorCode,
    detail: string,
    caller: ApiCaller | null,
    extra: readonly string[] | undefined,
  ): void => {
    const problem = problems(code, detail, call.requestId, extra);
    if (drain.draining) closeIfLast(call.response);
    sendProblem(call.response, problem);
    record(call, caller, problem.status, code, null);
  };

  const fail = (call: VerifyCall, error: Error): void => {
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

  const record = (
    call: VerifyCall,
    caller: ApiCaller | null,
    status: number,
    outcome: string,
    via: string | null,
  ): void => {
    const latencyUs = (clock() - call.startedAt) * 1000;
    if (call.isFixed) metrics.countFixed();
    else metrics.count(outcome, latencyUs);
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
      foundClaim: status === 200 && !call.isFixed,
      latencyUs: Math.round(latencyUs),
      ip: clientAddress(call.request.socket.remoteAddress, call.headers.forwardedFor),
    });
  };

  return { settle, settleSandbox: (call, network) => admit(call, null, network), fail };
}
