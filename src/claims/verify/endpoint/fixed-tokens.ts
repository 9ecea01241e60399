/**
 * Fixed tokens have no claims and get the same responses on every installation. They work only with test keys and the
 * sandbox key. Documented in `docs/guide/test-mode.md`.
 */
import type { ErrorCode } from '../../../platform/errors.ts';
import { errorsOf } from '../../../platform/http/operations/operation.ts';
import type { Drain } from '../../../platform/http/server/drain.ts';
import { createRateLimit } from '../../../platform/http/server/rate-limit.ts';
import { createWatch } from '../../../platform/process/background.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import { hashToken, namedToken } from '../../token.ts';
import { hashText } from '../decision/batch.ts';
import type { Verification } from '../decision/verification.ts';
import { VERIFY_CLAIM } from './operation.ts';

export type FixedResponse =
  | {
      readonly kind: 'found';
      readonly status: 'redeemed' | 'valid' | 'already_redeemed';
      readonly via: string | null;
      readonly body: string;
    }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'error';
      readonly code: ErrorCode;
      /** Extra response headers, such as rate limits: alternating names and values. */
      readonly headers: readonly string[];
    };

export interface FixedToken {
  readonly name: string;
  /** Created by `namedToken`: contains the name, padded with zeros. */
  readonly token: string;
  readonly toVerify: FixedResponse;
  readonly toRedeem: FixedResponse;
  /** When the response to a caller's first redemption arrives; see `createFixedReplies`. */
  readonly arrival: 'immediate' | 'late' | 'never';
}

const EXAMPLES = VERIFY_CLAIM.outputs[200].examples;

/** Uses the example claim of the API description. */
const foundOutcome = (status: keyof typeof EXAMPLES, via: string | null = null): FixedResponse => ({
  kind: 'found',
  status,
  via,
  body: JSON.stringify({ ...EXAMPLES[status], via }),
});

const VALID = foundOutcome('valid');
const REDEEMED = foundOutcome('redeemed');
const NOT_FOUND: FixedResponse = { kind: 'not_found' };

/** For the token `AlreadyRedeemed`, and for a retry without an Idempotency-Key after a late or lost response. */
export const ALREADY_REDEEMED = foundOutcome('already_redeemed');

const fixed = (
  name: string,
  toVerify: FixedResponse,
  toRedeem: FixedResponse = toVerify,
  arrival: FixedToken['arrival'] = 'immediate',
): FixedToken => ({ name, token: namedToken(name), toVerify, toRedeem, arrival });

/** The rate limit in the headers of `rate_limited` responses. */
const EXAMPLE_RATE = 200;

function errorOf(code: ErrorCode): FixedResponse {
  const limit = createRateLimit('verify', EXAMPLE_RATE);
  const headers = code === 'rate_limited' ? limit.headers({ tokens: 0, at: 0 }) : [];
  return { kind: 'error', code, headers };
}

const nameOf = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());

const errorTokens = (Object.keys(errorsOf(VERIFY_CLAIM)) as ErrorCode[]).map((code) =>
  // An Idempotency-Key has no effect on a call that only verifies.
  fixed(nameOf(code), code === 'idempotency_key_reused' ? VALID : errorOf(code), errorOf(code)),
);

/** Used in examples; its redemption succeeds. */
export const REDEEMED_TOKEN = fixed('Redeemed', VALID, REDEEMED);
export const ALREADY_REDEEMED_TOKEN = fixed('AlreadyRedeemed', ALREADY_REDEEMED);

const TOKENS: readonly FixedToken[] = [
  REDEEMED_TOKEN,
  fixed(
    'WithLabel',
    foundOutcome('valid', EXAMPLES.valid.via),
    foundOutcome('redeemed', EXAMPLES.redeemed.via),
  ),
  ALREADY_REDEEMED_TOKEN,
  fixed('NotFound', NOT_FOUND),
  fixed('LateAnswer', VALID, REDEEMED, 'late'),
  fixed('LostAnswer', VALID, REDEEMED, 'never'),
  ...errorTokens,
];

export const fixedTokenOfError = (code: ErrorCode): FixedToken =>
  errorTokens.find(({ toRedeem }) => toRedeem.kind === 'error' && toRedeem.code === code)!;

export const FIXED_TOKENS: ReadonlyMap<string, FixedToken> = new Map(
  TOKENS.map((each) => [each.token, each]),
);

const BY_HASH = new Map(TOKENS.map((each) => [hashText(hashToken(each.token)), each]));

export const fixedTokenOfHash = (hash: Uint8Array): FixedToken | undefined => BY_HASH.get(hashText(hash));

/** Delay of a late response. Longer than the client timeout of five seconds that the documentation recommends. */
export const LATE_RESPONSE_MS = 6_000;
/** How long a first redemption is remembered. A later repetition of the call counts as a first redemption again. */
export const FIRST_REDEMPTION_KEPT_MS = 10 * MINUTE_MS;
export const MAX_FIRST_REDEMPTIONS = 10_000;
export const MAX_LATE_RESPONSES = 256;

export type FixedReplies = ReturnType<typeof createFixedReplies>;

/**
 * Returns a function that chooses the response to a call. Its parameter `caller` is the account, or the network for the
 * sandbox key.
 *
 * The first redemption per caller, token and Idempotency-Key gets a delayed response if the token's `arrival` is
 * `late`, and no response if `arrival` is `never`. A retry with the same Idempotency-Key gets the replayed response
 * immediately. A retry without an Idempotency-Key gets `already_redeemed`.
 */
export function createFixedReplies(clock: () => number) {
  const firstAt = new Map<string, number>();

  const isFirst = (redemption: string): boolean => {
    const now = clock();
    const firstMs = firstAt.get(redemption);
    if (firstMs !== undefined && now - firstMs < FIRST_REDEMPTION_KEPT_MS) return false;
    firstAt.delete(redemption);
    if (firstAt.size >= MAX_FIRST_REDEMPTIONS) firstAt.delete(firstAt.keys().next().value!);
    firstAt.set(redemption, now);
    return true;
  };

  return (
    { name, toVerify, toRedeem, arrival }: FixedToken,
    { redeem, idempotencyHash }: Pick<Verification, 'idempotencyHash'> & { readonly redeem: boolean | null },
    caller: string,
  ) => {
    const response = redeem ? toRedeem : toVerify;
    const immediate = { response, replayed: false, arrival: 'immediate' } as const;
    if (!redeem || arrival === 'immediate') return immediate;
    const key = idempotencyHash === null ? '' : hashText(idempotencyHash);
    if (isFirst(`${caller} ${name} ${key}`)) return { ...immediate, arrival };
    return idempotencyHash === null
      ? { ...immediate, response: ALREADY_REDEEMED }
      : { ...immediate, replayed: true };
  };
}

export function createLateResponses(drain: Pick<Drain, 'draining'>, clock: () => number) {
  const waiting: { readonly dueAt: number; readonly send: () => void }[] = [];
  const watch = createWatch(() => {
    while (waiting.length > 0 && (drain.draining || waiting[0]!.dueAt <= clock())) waiting.shift()!.send();
    return waiting.length > 0;
  });
  return {
    /**
     * Calls `send` after `LATE_RESPONSE_MS`, or earlier if the process starts to drain. Returns false if too many
     * responses are pending.
     */
    add: (send: () => void): boolean => {
      if (waiting.length >= MAX_LATE_RESPONSES) return false;
      waiting.push({ dueAt: clock() + LATE_RESPONSE_MS, send });
      watch();
      return true;
    },
  };
}

export type LateResponses = ReturnType<typeof createLateResponses>;
