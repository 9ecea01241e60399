/** Sends verifications to an in-process verifier, or to a service over HTTP. */
import type { Context } from '../../src/base/context.ts';
import { hashToken } from '../../src/claims/token.ts';
import {
  VERIFY_PATH,
  type Verification,
  type VerificationResponse,
} from '../../src/claims/verify/decision/verification.ts';
import {
  ALREADY_REDEEMED,
  type FixedResponse,
  type FixedToken,
} from '../../src/claims/verify/endpoint/fixed-tokens.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { hashKey } from '../../src/people/keys/key.ts';
import { shortHash } from '../../src/platform/secrets/secrets.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';

export interface Wanted {
  readonly key: string;
  /** If `null`, only the API key is checked. */
  readonly token: string | null;
  /** True by default. */
  readonly redeem?: boolean;
  readonly idempotencyKey?: string | null;
  readonly reference?: string | null;
  readonly networks?: string | null;
  readonly trace?: string | null;
}

export const verificationOf = ({
  key,
  token,
  redeem = true,
  idempotencyKey,
  reference,
  networks,
  trace,
}: Wanted): Verification => ({
  keyHash: hashKey(key),
  tokenHash: token === null ? null : hashToken(token),
  redeem,
  idempotencyHash: idempotencyKey == null ? null : shortHash(idempotencyKey),
  reference: reference ?? null,
  networks: networks ?? null,
  trace: trace ?? null,
});

/** Returns the outcome of an answer, such as `redeemed`, `not_found` or the error code of a refusal. */
export const outcomeIn = (answer: VerificationResponse): string => {
  if (answer.kind === 'found') return answer.status;
  return answer.kind === 'refused' ? answer.code : answer.kind;
};

/** Redeems tokens concurrently and returns their outcomes in the same order. */
export function redeemAll(
  { db, now }: Pick<Context, 'db' | 'now'>,
  key: string,
  tokens: readonly string[],
): Promise<string[]> {
  const verifier = createVerifier(db, now, { batch: () => {} });
  return Promise.all(
    tokens.map(async (token) => outcomeIn(await ask(verifier, verificationOf({ key, token })))),
  );
}

/** A string `body` is sent unchanged; an object is sent as JSON. */
export const callVerify = (
  baseUrl: string,
  key: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(baseUrl + VERIFY_PATH, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const outcomeOf = (answer: FixedResponse): string =>
  answer.kind === 'found' ? answer.status : answer.kind === 'error' ? answer.code : answer.kind;

/** Returns all possible outcomes of a fixed token: `status` values, `not_found` and error codes. */
export const outcomesOf = ({ toVerify, toRedeem, arrival }: FixedToken): readonly string[] =>
  [toVerify, toRedeem, ...(arrival === 'immediate' ? [] : [ALREADY_REDEEMED])].map(outcomeOf);
