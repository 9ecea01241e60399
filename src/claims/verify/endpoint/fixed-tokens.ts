/**
 * Fixed tokens: test tokens that no claim has, with the same answer on every installation. Test keys and the sandbox
 * key know them; with a live key they are unknown. `docs/guide/test-mode.md` lists them.
 */
import type { ErrorCode } from '../../../errors.ts';
import { errorsOf } from '../../../http/operations/operation.ts';
import { createRateLimit } from '../../../http/server/rate-limit.ts';
import { hashToken, namedToken } from '../../token.ts';
import { VERIFY_CLAIM } from './operation.ts';

export type FixedAnswer =
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
      /** The headers that a real refusal computes: names and values in turn. */
      readonly headers: readonly string[];
    };

export interface FixedToken {
  readonly name: string;
  /** The name, with zeros and a checksum behind it. */
  readonly token: string;
  /** The answer to `redeem: false`. */
  readonly toVerify: FixedAnswer;
  /** The answer to `redeem: true`. */
  readonly toRedeem: FixedAnswer;
  /** How the answer to the first redemption of a caller arrives. */
  readonly arrival: 'immediate' | 'late' | 'never';
}

const EXAMPLES = VERIFY_CLAIM.outputs[200].examples;

/** The claim of the examples in the API description. */
const found = (status: keyof typeof EXAMPLES, via: string | null = null): FixedAnswer => ({
  kind: 'found',
  status,
  via,
  body: JSON.stringify({ ...EXAMPLES[status], via }),
});

const VALID = found('valid');
const REDEEMED = found('redeemed');
const NOT_FOUND: FixedAnswer = { kind: 'not_found' };

/** The answer to a second redemption without an Idempotency-Key, where the first answer was late or lost. */
export const ALREADY_REDEEMED = found('already_redeemed');

const fixed = (
  name: string,
  toVerify: FixedAnswer,
  toRedeem: FixedAnswer = toVerify,
  arrival: FixedToken['arrival'] = 'immediate',
): FixedToken => ({ name, token: namedToken(name), toVerify, toRedeem, arrival });

/** Requests a second in the headers of `rate_limited`. */
const EXAMPLE_RATE = 200;

function errorOf(code: ErrorCode): FixedAnswer {
  const limit = createRateLimit('verify', EXAMPLE_RATE);
  const headers = code === 'rate_limited' ? limit.headers({ tokens: 0, at: 0 }) : [];
  return { kind: 'error', code, headers };
}

/** `idempotency_key_reused` → `IdempotencyKeyReused`. */
const nameOf = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());

const errorTokens = (Object.keys(errorsOf(VERIFY_CLAIM)) as ErrorCode[]).map((code) =>
  // The header has no effect on a call that only verifies.
  fixed(nameOf(code), code === 'idempotency_key_reused' ? VALID : errorOf(code), errorOf(code)),
);

/** The token whose redemption succeeds, which examples use. */
export const REDEEMED_TOKEN = fixed('Redeemed', VALID, REDEEMED);
/** The token of a claim that was redeemed before. */
export const ALREADY_REDEEMED_TOKEN = fixed('AlreadyRedeemed', ALREADY_REDEEMED);

const TOKENS: readonly FixedToken[] = [
  REDEEMED_TOKEN,
  fixed('WithLabel', found('valid', EXAMPLES.valid.via), found('redeemed', EXAMPLES.redeemed.via)),
  ALREADY_REDEEMED_TOKEN,
  fixed('NotFound', NOT_FOUND),
  fixed('LateAnswer', VALID, REDEEMED, 'late'),
  fixed('LostAnswer', VALID, REDEEMED, 'never'),
  ...errorTokens,
];

/** The token that stands for an error of the operation. */
export const fixedTokenOfError = (code: ErrorCode): FixedToken =>
  errorTokens.find(({ toRedeem }) => toRedeem.kind === 'error' && toRedeem.code === code)!;

/** By the token. */
export const FIXED_TOKENS: ReadonlyMap<string, FixedToken> = new Map(
  TOKENS.map((each) => [each.token, each]),
);

const outcomeOf = (answer: FixedAnswer): string =>
  answer.kind === 'found' ? answer.status : answer.kind === 'error' ? answer.code : answer.kind;

/** What a call with the token can be answered: the outcome's `status` or the problem's `code`. */
export const outcomesOf = ({ toVerify, toRedeem, arrival }: FixedToken): readonly string[] =>
  [toVerify, toRedeem, ...(arrival === 'immediate' ? [] : [ALREADY_REDEEMED])].map(outcomeOf);

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64url');
const BY_HASH = new Map(TOKENS.map((each) => [textOf(hashToken(each.token)), each]));

/** The fixed token with this hash, as the request log has it. */
export const fixedTokenOfHash = (hash: Uint8Array): FixedToken | undefined => BY_HASH.get(textOf(hash));
