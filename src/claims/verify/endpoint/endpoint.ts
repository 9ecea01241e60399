/**
 * Errors have a fixed precedence: framing (checked by the server), method, browser, credentials, plan and account,
 * media type, length, rate, body and Idempotency-Key, outcome. Key, plan and account are read together with the claim.
 * Until the database has confirmed these three, a refusal by a later check is held back.
 */
import { type Mode, readKey } from '../../../people/keys/key.ts';
import { Refusal } from '../../../platform/errors.ts';
import { errorsOf, methodsOf } from '../../../platform/http/operations/operation.ts';
import type { KeyCheck } from '../../../platform/http/operations/operation-routes.ts';
import { sendProblem, withHeaders } from '../../../platform/http/operations/problem.ts';
import {
  createKeyCache,
  type FindCachedKey,
  TOO_MANY_UNKNOWN_KEYS,
  type UnknownKeyLimit,
} from '../../../platform/http/server/cached-keys.ts';
import type { RequestHeaders } from '../../../platform/http/server/headers.ts';
import { isOutside, stateFor } from '../../../platform/http/server/key-networks.ts';
import {
  createNetworkLimit,
  createRateLimit,
  type RateLimit,
  type TakeNetworkToken,
} from '../../../platform/http/server/rate-limit.ts';
import {
  bodyFault,
  credentialsFault,
  type Fault,
  headFault,
  INVALID_API_KEY,
  lengthDetail,
  rateDetail,
  refusedCallOf,
} from '../../../platform/http/server/request-checks.ts';
import type { OperationHandler } from '../../../platform/http/server/server.ts';
import { networkOf } from '../../../platform/network/network.ts';
import { inTrace, parseTraceparent } from '../../../platform/process/trace.ts';
import { beginVerification, endVerification } from '../../../platform/process/yielding.ts';
import { shortHash } from '../../../platform/secrets/secrets.ts';
import { ask, type Done } from '../../../platform/store/batch-queue.ts';
import { monotonicMs } from '../../../platform/store/database.ts';
import { classifyToken, hashToken, modeOfDerived, wrappingOf } from '../../token.ts';
import type { ApiCaller, VerificationResponse } from '../decision/verification.ts';
import { TIMEOUT_MS, type Verifier } from '../verifier.ts';
import { parseVerificationBody, RefusedInput } from './body.ts';
import { createFixedReplies, createLateResponses, FIXED_TOKENS } from './fixed-tokens.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { MAX_BODY_BYTES, VERIFY_CLAIM } from './operation.ts';
import {
  type Call,
  fail,
  lineOf,
  NOTHING_SENT,
  type PendingRefusal,
  REFUSALS,
  type Responding,
  respond,
  respondAuthorized,
} from './responses.ts';

/** Rate limit of the sandbox key, per network and process. */
export const SANDBOX_CALLS_PER_SECOND = 10;

const TOKEN_TAIL = 4;

interface VerifyEndpointOptions
  extends Omit<Responding, 'clock' | 'replyTo' | 'lateResponses' | 'unavailable'> {
  readonly verifier: Verifier;
  /** Requests per second per API key and process; 0 disables the limit. */
  readonly rateLimit: number;
  readonly unknownKeys: UnknownKeyLimit;
  /** Called after a request was refused because its network sent too many unknown keys. Must not throw. */
  readonly onUnknownKeys: (network: string, requestId: string) => void;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

interface Endpoint extends Omit<VerifyEndpointOptions, 'clock'>, Responding {
  readonly findKey: FindCachedKey<Mode | 'sandbox'>;
  readonly limit: RateLimit;
  readonly takeSandboxToken: TakeNetworkToken;
}

export function createVerifyEndpoint(options: VerifyEndpointOptions): OperationHandler {
  const { rateLimit, drain } = options;
  const clock = options.clock ?? (() => performance.now());
  const limit = createRateLimit('verify', rateLimit);
  const endpoint: Endpoint = {
    ...options,
    clock,
    problems: withHeaders(options.problems, errorsOf(VERIFY_CLAIM)),
    findKey: createKeyCache(limit, readKey),
    limit,
    takeSandboxToken: createNetworkLimit('sandbox', rateLimit === 0 ? 0 : SANDBOX_CALLS_PER_SECOND),
    replyTo: createFixedReplies(clock),
    lateResponses: createLateResponses(drain, clock),
    unavailable: { at: Number.NEGATIVE_INFINITY, unlogged: 0 },
  };
  return (request, response, headers, requestId, expectsContinue) => {
    const trace = parseTraceparent(headers.traceparent);
    const call = begin(endpoint, { request, response, headers, requestId, trace, startedAt: clock() });
    if (call === null) return;
    call.pendingRefusal = refusalOfHead(endpoint, call);
    if (call.pendingRefusal !== null) {
      if (leavesBody(headers)) response.shouldKeepAlive = false;
      submit(endpoint, call);
      return;
    }
    if (expectsContinue) response.writeContinue();
    refundIfClosed(endpoint, call);
    readBody(endpoint, call);
  };
}

type NewCall = Pick<Call, 'request' | 'response' | 'headers' | 'requestId' | 'trace' | 'startedAt'>;

/**
 * Refuses wrong methods, browser calls, missing or malformed credentials, calls after the end of the drain, and too
 * many unknown keys from one network. Returns `null` if the call was refused.
 */
function begin(endpoint: Endpoint, call: NewCall): Call | null {
  const { request, response, headers, requestId, trace, startedAt } = call;
  const cached = endpoint.findKey(headers.authorization, startedAt);
  const fault = headFault(request, headers, VERIFY_CLAIM.path, METHODS);
  if (fault !== null) {
    refuseHead(endpoint, call, fault, cached?.hash ?? null);
    return null;
  }
  if (cached === null) {
    refuse(endpoint, call, credentialsFault(headers.authorization));
    return null;
  }
  if (endpoint.drain.expired) {
    refuse(endpoint, call, { code: 'unavailable', detail: 'This process is shutting down.' });
    return null;
  }
  const address = () => endpoint.clientAddress(request.socket.remoteAddress, headers);
  const network = () => networkOf(address());
  const key = stateFor(cached, address, endpoint.limit, startedAt);
  const sandboxNetwork = key.kind === 'sandbox' ? network() : null;
  const tooMany = sandboxNetwork === null ? endpoint.unknownKeys.charge(key, network, startedAt) : null;
  if (tooMany !== null) {
    refuse(endpoint, call, { code: 'rate_limited', detail: TOO_MANY_UNKNOWN_KEYS }, tooMany);
    inTrace(trace, () => endpoint.onUnknownKeys(network(), requestId));
    return null;
  }
  return {
    request,
    response,
    headers,
    requestId,
    trace,
    startedAt,
    key,
    networks: key.networks.text,
    isOutside: key !== cached,
    sandboxNetwork,
    pendingLookup: key.pendingLookup,
    body: null,
    pendingRefusal: null,
    sent: NOTHING_SENT,
  };
}

function refuse(
  { clock, metrics, log, problems }: Endpoint,
  call: NewCall,
  { code, detail }: Fault,
  extra?: readonly string[],
): void {
  const { response, headers, requestId, startedAt } = call;
  metrics.count(code, (clock() - startedAt) * 1000);
  if (log.isLevelEnabled('debug')) log.debug({ ...lineOf(call), code }, 'verification refused');
  if (leavesBody(headers)) response.shouldKeepAlive = false;
  sendProblem(response, problems(code, detail, requestId, extra));
}

/** Refuses the call. Records browser calls, and calls that have a key but the wrong method. */
function refuseHead(
  endpoint: Endpoint,
  call: NewCall,
  fault: NonNullable<ReturnType<typeof headFault>>,
  keyHash: Uint8Array | null,
): void {
  const { request, headers, requestId } = call;
  const isBrowser = fault.code === 'browser_call';
  const detail = isBrowser ? `${fault.detail} Nothing was redeemed.` : fault.detail;
  refuse(endpoint, call, { code: fault.code, detail });
  const ip = endpoint.clientAddress(request.socket.remoteAddress, headers);
  const refused = refusedCallOf(request, headers, { keyHash, detail, ip, requestId });
  if (isBrowser) endpoint.recorder.recordBrowserCall(refused);
  else if (keyHash !== null) endpoint.recorder.recordWrongMethod(refused);
}

/** Counts every call against its rate limit, but reports a wrong media type or length first. */
function refusalOfHead(endpoint: Endpoint, call: Call): PendingRefusal | null {
  const { headers, key, sandboxNetwork, startedAt } = call;
  let extra: readonly string[] | null = null;
  if (sandboxNetwork !== null) extra = endpoint.takeSandboxToken(sandboxNetwork, startedAt).refusal;
  else if (!endpoint.limit.take(key.bucket, startedAt)) extra = endpoint.limit.headers(key.bucket);
  const fault = bodyFault(headers, MAX_BODY_BYTES);
  if (fault !== null) return { ...fault, cause: fault.code };
  if (extra === null) return null;
  const detail = sandboxNetwork === null ? rateDetail(endpoint.rateLimit) : SANDBOX_RATE_DETAIL;
  return { code: 'rate_limited', cause: 'rate_limited', detail, extra };
}

function refundIfClosed({ unknownKeys }: Endpoint, call: Call): void {
  if (call.pendingLookup === null) return;
  call.response.once('close', () => {
    if (call.pendingLookup !== null) unknownKeys.refund(call.key, call.pendingLookup);
  });
}

function readBody(endpoint: Endpoint, call: Call): void {
  const { request } = call;
  request.readBody({
    onBodyChunk(chunk) {
      const body = call.body === null ? chunk : Buffer.concat([call.body, chunk]);
      if (body.length <= MAX_BODY_BYTES) {
        call.body = body;
        return;
      }
      const code = 'body_too_large';
      call.pendingRefusal = { code, cause: code, detail: lengthDetail(MAX_BODY_BYTES) };
      call.body = null;
      call.response.shouldKeepAlive = false;
      request.releaseBody();
      submit(endpoint, call);
    },
    onBodyEnd() {
      try {
        parseBody(call);
      } catch (error) {
        fail(endpoint, call, error as Error);
        return;
      }
      submit(endpoint, call);
    },
  });
}

function parseBody(call: Call): void {
  try {
    const { token, redeem, reference } = parseVerificationBody(call.body ?? EMPTY);
    call.body = null;
    // The request log shows this part even if the Idempotency-Key is refused.
    const sent = { ...NOTHING_SENT, redeem, tokenLast4: tailOf(token) };
    call.sent = sent;
    const { idempotencyKey } = call.headers;
    const keyText = idempotencyKey === undefined ? null : parseIdempotencyKey(idempotencyKey);
    const kind = classifyToken(token);
    call.sent = {
      ...sent,
      tokenHash: kind === 'impossible' ? null : hashToken(token),
      tokenMode: kind === 'derived' ? modeOfDerived(token) : null,
      wrapping: kind === 'derived' ? null : wrappingOf(token),
      fixed: call.key.kind === 'live' ? null : (FIXED_TOKENS.get(token) ?? null),
      idempotencyHash: redeem && keyText !== null ? shortHash(keyText) : null,
      reference: redeem ? reference : null,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const cause = error instanceof RefusedInput ? error.why : 'body_unreadable';
    call.pendingRefusal = { code: error.code, cause, detail: error.message };
  }
}

/** `deadlineMs`: of the first submission, if the call is submitted again. */
function submit(endpoint: Endpoint, call: Call, deadlineMs?: number): void {
  const { verifier, unknownKeys } = endpoint;
  const { key, sandboxNetwork, sent } = call;
  call.pendingLookup = null;
  if (sandboxNetwork !== null) {
    // The sandbox key is not in the database.
    respondAuthorized(endpoint, call, null, sandboxNetwork);
    return;
  }
  const verification = {
    keyHash: key.hash,
    tokenHash: sent.fixed === null && !call.isOutside ? sent.tokenHash : null,
    redeem: sent.redeem === true,
    idempotencyHash: sent.idempotencyHash,
    reference: sent.reference,
    networks: call.networks,
    trace: call.trace,
  };
  const latestMs = deadlineMs ?? monotonicMs() + TIMEOUT_MS;
  beginVerification();
  const done: Done<VerificationResponse> = (error, result) => {
    endVerification();
    if (result !== null && haveNetworksChanged(endpoint, call, result)) {
      submit(endpoint, call, latestMs);
      return;
    }
    if (call.isOutside && result !== null && !isKeyRefused(result)) {
      refuseOutside(endpoint, call);
      return;
    }
    unknownKeys.settle(key, result === null ? null : result.caller !== null);
    if (error !== null || result === null) fail(endpoint, call, error ?? new Error('no response'));
    else respond(endpoint, call, result);
  };
  verifier.submit(verification, done, deadlineMs);
}

/** A key that is unknown, expired or revoked is refused in the same way everywhere. */
const isKeyRefused = (result: VerificationResponse): boolean =>
  result.kind === 'refused' && result.code === 'invalid_api_key';

/** Whether the client has to be checked again with the key's current networks, and is in one of them. */
function haveNetworksChanged(endpoint: Endpoint, call: Call, result: VerificationResponse): boolean {
  if (result.caller === null || result.caller.networks === call.networks || isKeyRefused(result))
    return false;
  const { request, headers, key } = call;
  call.networks = result.caller.networks;
  call.isOutside = isOutside(key, call.networks, () =>
    endpoint.clientAddress(request.socket.remoteAddress, headers),
  );
  return !call.isOutside;
}

/** Responds as to an unknown key, and records the call for the owner. */
function refuseOutside(endpoint: Endpoint, call: Call): void {
  const { request, headers, requestId, key } = call;
  endpoint.unknownKeys.settle(key, false);
  respond(endpoint, call, { kind: 'refused', code: 'invalid_api_key', caller: null });
  const ip = endpoint.clientAddress(request.socket.remoteAddress, headers);
  const refused = { keyHash: key.hash, detail: INVALID_API_KEY, ip, requestId };
  endpoint.recorder.recordOutsideCall(refusedCallOf(request, headers, refused));
}

const METHODS = methodsOf([VERIFY_CLAIM]);

const SANDBOX_RATE_DETAIL = `The sandbox key allows ${SANDBOX_CALLS_PER_SECOND} requests a second from one network.`;

const EMPTY = Buffer.alloc(0);

const SHOWABLE_TAIL = /^[!-~]{4}$/;

/**
 * Returns the last four characters, for the request log. Returns `null` if one of them is not visible ASCII, or if they
 * are the complete token.
 */
function tailOf(token: string): string | null {
  const tail = token.slice(-TOKEN_TAIL);
  return token.length > TOKEN_TAIL && SHOWABLE_TAIL.test(tail) ? tail : null;
}

/** Whether to close the connection because a long body would remain unread. Node discards a short body. */
function leavesBody(headers: RequestHeaders): boolean {
  return headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > MAX_BODY_BYTES;
}

/**
 * Checks API keys for other operations, in the same batches as verifications. Rejects with `DatabaseUnavailable` if the
 * database does not respond or too many verifications are waiting.
 */
export const createAuthenticator =
  (verifier: Verifier) =>
  async (keyHash: Uint8Array): Promise<KeyCheck<ApiCaller>> => {
    const check = {
      keyHash,
      tokenHash: null,
      redeem: false,
      idempotencyHash: null,
      reference: null,
      networks: null,
      trace: null,
    };
    const result = await ask(verifier, check);
    if (result.kind === 'authorized') return result;
    if (result.kind === 'refused') return { ...result, detail: REFUSALS[result.code] };
    throw new Error('expected only a key check, but the answer has a claim');
  };
