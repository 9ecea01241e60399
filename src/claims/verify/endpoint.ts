/**
 * `POST /api/v1/marketplace/claims/verify`, on `node:http` itself. The checks run in the order that the
 * design fixes: framing (done by the server), method, browser, credentials, plan and account, media type,
 * length, rate, body and Idempotency-Key, outcome. Plan and account come from the database together with
 * the claim, so a request that fails a later check still asks there whether its key is good, and gets the
 * pending refusal only then.
 */
import type { Cause } from '../../attempts/cause.ts';
import { type ErrorCode, Refusal } from '../../errors.ts';
import type { RequestHeaders } from '../../http/headers.ts';
import { createKnownKeys, type KnownKey, type Trial } from '../../http/known-keys.ts';
import { createNetworkLimit } from '../../http/network-limit.ts';
import { errorsOf, methodsOf } from '../../http/operation.ts';
import { sendProblem, withHeaders } from '../../http/problem.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import {
  bodyFault,
  credentialsFault,
  headFault,
  lengthDetail,
  type RefusedCall,
  rateDetail,
  refusedCallOf,
} from '../../http/request-checks.ts';
import type { OperationHandler } from '../../http/server.ts';
import { beginVerification, endVerification } from '../../http/turns.ts';
import { TOO_MANY_UNKNOWN_KEYS, type UnknownKeyLimit } from '../../http/unknown-keys.ts';
import { type Mode, readKey } from '../../keys/key.ts';
import { networkOf } from '../../network.ts';
import { shortHash } from '../../secrets.ts';
import { classifyToken, hashToken, modeOfDerived, wrappingOf } from '../token.ts';
import { createVerifyAnswers, type VerifyAnswersOptions, type VerifyCall } from './answers.ts';
import { parseVerificationBody, RefusedBody } from './body.ts';
import { FIXED_TOKENS } from './fixed-tokens.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { MAX_BODY_BYTES, VERIFY_CLAIM } from './operation.ts';
import type { Verifier } from './verification.ts';

/** Requests with the sandbox key from one network, for each process. */
export const SANDBOX_CALLS_PER_SECOND = 10;

/** Characters of a token that the request log may show. */
const TOKEN_TAIL = 4;

export interface VerifyEndpointOptions extends Omit<VerifyAnswersOptions, 'clock'> {
  readonly verifier: Verifier;
  /** Requests a second for each API key and process; 0: no limit. */
  readonly rateLimit: number;
  /** One for the process, shared by all operations. */
  readonly unknownKeys: UnknownKeyLimit;
  /** A network sends unknown keys faster than they are looked up. Called after the answer was sent; must not throw. */
  readonly onUnknownKeys: (network: string, requestId: string) => void;
  /** Called after the answer was sent; must not throw. */
  readonly onBrowserCall: (call: RefusedCall) => void;
  /** A well-formed key came with another method. Called after the answer was sent; must not throw. */
  readonly onWrongMethod: (call: RefusedCall) => void;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** One call, from its headers to its answer. */
interface Call extends VerifyCall {
  readonly key: KnownKey<Mode | 'sandbox'>;
  /** Where a call with the sandbox key comes from; `null` with any other key. */
  readonly sandboxNetwork: string | null;
  body: Buffer | null;
  /** The look-up of an unknown key; `null` for a known one, and once the call is submitted. */
  trial: Trial | null;
}

export function createVerifyEndpoint(options: VerifyEndpointOptions): OperationHandler {
  const { verifier, unknownKeys, drain, metrics, log, clientAddress } = options;
  const clock = options.clock ?? (() => performance.now());
  const problems = withHeaders(options.problems, errorsOf(VERIFY_CLAIM));
  const answers = createVerifyAnswers({ ...options, problems, clock });
  const limit = createRateLimit('verify', options.rateLimit);
  const takeSandboxToken = createNetworkLimit(
    'sandbox',
    options.rateLimit === 0 ? 0 : SANDBOX_CALLS_PER_SECOND,
  );
  const findKey = createKnownKeys(limit, readKey);

  const handle: OperationHandler = (request, response, headers, requestId, expectsContinue) => {
    const startedAt = clock();

    /** A refusal that needs no database. */
    const refuse = (code: ErrorCode, detail: string, extra?: readonly string[]): void => {
      metrics.count(code, (clock() - startedAt) * 1000);
      if (log.isLevelEnabled('debug')) log.debug({ requestId, code }, 'verification refused');
      if (leavesBody(headers)) response.shouldKeepAlive = false;
      sendProblem(response, problems(code, detail, requestId, extra));
    };

    const key = findKey(headers.authorization, startedAt);
    const fault = headFault(request, headers, METHODS);
    if (fault !== null) {
      const isBrowser = fault.code === 'browser_call';
      const detail = isBrowser ? `${fault.detail} Nothing was redeemed.` : fault.detail;
      refuse(fault.code, detail);
      const ip = clientAddress(request.socket.remoteAddress, headers);
      const refused = refusedCallOf(request, headers, { keyHash: key?.hash ?? null, detail, ip, requestId });
      if (isBrowser) options.onBrowserCall(refused);
      else if (key !== null) options.onWrongMethod(refused);
      return;
    }
    if (key === null) {
      const { code, detail } = credentialsFault(headers.authorization);
      refuse(code, detail);
      return;
    }
    if (drain.expired) {
      refuse('unavailable', 'This process is shutting down.');
      return;
    }

    const network = () => networkOf(clientAddress(request.socket.remoteAddress, headers));
    const sandboxNetwork = key.kind === 'sandbox' ? network() : null;
    const tooMany = sandboxNetwork === null ? unknownKeys.pay(key, network, startedAt) : null;
    if (tooMany !== null) {
      refuse('rate_limited', TOO_MANY_UNKNOWN_KEYS, tooMany);
      options.onUnknownKeys(network(), requestId);
      return;
    }

    const call: Call = {
      request,
      response,
      headers,
      requestId,
      startedAt,
      key,
      sandboxNetwork,
      body: null,
      trial: key.trial,
      redeem: null,
      tokenLast4: null,
      tokenHash: null,
      fixed: null,
      tokenMode: null,
      wrapping: null,
      pendingRefusal: null,
    };
    let rateRefusal = null;
    if (sandboxNetwork !== null) rateRefusal = takeSandboxToken(sandboxNetwork, startedAt).refusal;
    else if (!limit.take(key.bucket, startedAt)) rateRefusal = limit.headers(key.bucket);
    const body = bodyFault(headers, MAX_BODY_BYTES);
    if (body !== null) {
      call.pendingRefusal = { ...body, cause: body.code, extra: undefined };
    } else if (rateRefusal !== null) {
      const detail = sandboxNetwork === null ? rateDetail(options.rateLimit) : SANDBOX_RATE_DETAIL;
      call.pendingRefusal = { code: 'rate_limited', cause: 'rate_limited', detail, extra: rateRefusal };
    }
    if (call.pendingRefusal !== null) {
      if (leavesBody(headers)) response.shouldKeepAlive = false;
      submit(call, null);
      return;
    }
    if (expectsContinue) response.writeContinue();
    if (call.trial !== null) {
      response.once('close', () => {
        if (call.trial !== null) unknownKeys.giveUp(key, call.trial);
      });
    }
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
        call.pendingRefusal = {
          code: 'body_too_large',
          cause: 'body_too_large',
          detail: lengthDetail(MAX_BODY_BYTES),
          extra: undefined,
        };
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
    let cause: Cause = 'body_unreadable';
    try {
      const { token, redeem } = parseVerificationBody(call.body ?? EMPTY);
      call.body = null;
      call.redeem = redeem;
      call.tokenLast4 = tailOf(token);
      const { idempotencyKey } = call.headers;
      if (idempotencyKey !== undefined) {
        cause = 'idempotency_key_malformed';
        const text = parseIdempotencyKey(idempotencyKey);
        if (redeem) idempotencyHash = shortHash(text);
      }
      const kind = classifyToken(token);
      if (kind !== 'impossible') call.tokenHash = hashToken(token);
      if (kind === 'derived') call.tokenMode = modeOfDerived(token);
      else call.wrapping = wrappingOf(token);
      const fixed = call.key.kind === 'live' ? undefined : FIXED_TOKENS.get(token);
      if (fixed !== undefined) call.fixed = { token: fixed, redeem, idempotencyHash };
    } catch (error) {
      if (!(error instanceof Refusal)) {
        answers.fail(call, error as Error);
        return;
      }
      if (error instanceof RefusedBody) cause = error.why;
      call.pendingRefusal = { code: error.code, cause, detail: error.message, extra: undefined };
    }
    submit(call, idempotencyHash);
  };

  const submit = (call: Call, idempotencyHash: Uint8Array | null): void => {
    const { key, sandboxNetwork, fixed } = call;
    call.trial = null;
    if (sandboxNetwork !== null) {
      answers.settleSandbox(call, sandboxNetwork);
      return;
    }
    // The database only checks the key of a call with a fixed token.
    const tokenHash = fixed === null ? call.tokenHash : null;
    const redeem = call.redeem === true;
    beginVerification();
    verifier.submit({ keyHash: key.hash, tokenHash, redeem, idempotencyHash }, (error, answer) => {
      endVerification();
      unknownKeys.judge(key, answer === null ? null : answer.caller !== null);
      if (error !== null || answer === null) answers.fail(call, error ?? new Error('no answer'));
      else answers.settle(call, answer);
    });
  };

  return handle;
}

const METHODS = methodsOf([VERIFY_CLAIM]);

const SANDBOX_RATE_DETAIL = `The sandbox key may send ${SANDBOX_CALLS_PER_SECOND} requests a second from one network.`;

const EMPTY = Buffer.alloc(0);

const SHOWABLE_TAIL = /^[!-~]{4}$/;

/** The end of a token for the request log. A sent token may hold any characters; unprintable ones are left out. */
function tailOf(token: string): string | null {
  const tail = token.slice(-TOKEN_TAIL);
  return token.length > TOKEN_TAIL && SHOWABLE_TAIL.test(tail) ? tail : null;
}

/**
 * Whether an unread body may be long, so that the connection must end with the answer. Node discards a small one.
 */
function leavesBody(headers: RequestHeaders): boolean {
  return headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > MAX_BODY_BYTES;
}
