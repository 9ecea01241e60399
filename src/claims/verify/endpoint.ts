/**
 * `POST /api/v1/marketplace/claims/verify`, on `node:http` itself. The checks run in the order that the
 * design fixes: framing (done by the server), method, browser, credentials, plan and account, media type,
 * length, rate, body and Idempotency-Key, outcome. Plan and account come from the database together with
 * the claim, so a request that fails a later check still asks there whether its key is good, and gets its
 * own refusal only then.
 */
import type { BrowserCall as RecordedBrowserCall, WrongMethodCall } from '../../attempts/recorder.ts';
import { type ErrorCode, Refusal } from '../../errors.ts';
import type { RequestHeaders } from '../../http/headers.ts';
import { sendProblem } from '../../http/problem.ts';
import { type Bucket, createRateLimit } from '../../http/rate-limit.ts';
import { bearerCredentials, isJson, mediaTypeDetail } from '../../http/request-checks.ts';
import type { OperationHandler } from '../../http/server.ts';
import { hashKey, isWellFormedKey } from '../../keys/key.ts';
import { sha256 } from '../../secrets.ts';
import { classifyToken, hashToken } from '../token.ts';
import { createVerifyAnswers, REFUSALS, type VerifyAnswersOptions, type VerifyCall } from './answers.ts';
import { parseVerificationBody } from './body.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import type { Verifier } from './verification.ts';

export const MAX_BODY_BYTES = 4 * 1024;

/** Keys whose hash and bucket are remembered; the oldest goes first. */
const MAX_REMEMBERED_KEYS = 10_000;

/** Characters of a token that may be shown. */
const TOKEN_TAIL = 4;

/** A refused call from a browser. A preflight carries no key. */
export interface BrowserCall extends RecordedBrowserCall {
  readonly preflight: boolean;
}

export interface VerifyEndpointOptions extends Omit<VerifyAnswersOptions, 'clock'> {
  readonly verifier: Verifier;
  /** Requests a second for each API key and process; 0 turns the limit off. */
  readonly rateLimit: number;
  /** Called after the answer was sent; must not throw. */
  readonly onBrowserCall: (call: BrowserCall) => void;
  /** Called after the answer to a well-formed key that came with another method was sent; must not throw. */
  readonly onWrongMethod: (call: WrongMethodCall) => void;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** What is remembered of a well-formed key: no word on whether it is good, the database alone knows that. */
interface RememberedKey {
  readonly hash: Uint8Array;
  readonly bucket: Bucket;
}

/** One call, from its headers to its answer. */
interface Call extends VerifyCall {
  readonly key: RememberedKey;
  body: Buffer | null;
}

export function createVerifyEndpoint(options: VerifyEndpointOptions): OperationHandler {
  const { verifier, problems, drain, metrics, log, clientAddress } = options;
  const clock = options.clock ?? (() => performance.now());
  const answers = createVerifyAnswers({ ...options, clock });
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
        answers.fail(call, error as Error);
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
        if (error !== null || answer === null) answers.fail(call, error ?? new Error('no answer'));
        else answers.settle(call, answer);
      },
    );
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
