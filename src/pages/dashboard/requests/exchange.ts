import { STATUS_CODES } from 'node:http';
import { CAUSES, isCause, isFound, outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import { type CallWithKey, findCall } from '../../../claims/attempts/queries.ts';
import { type DetailedClaim, findClaim } from '../../../claims/queries.ts';
import {
  type ClaimMembers,
  NOT_FOUND_BODY,
  renderClaim,
  VERIFY_PATH,
} from '../../../claims/verify/decision/verification.ts';
import { ALREADY_REDEEMED, fixedTokenOfHash } from '../../../claims/verify/endpoint/fixed-tokens.ts';
import { isErrorCode } from '../../../platform/errors.ts';
import { createProblems } from '../../../platform/http/operations/problem.ts';
import { t } from '../../../platform/languages/translate.ts';
import type { DatabaseReader } from '../../../platform/store/database.ts';

/** `claim`: the account's claim with the call's token; `null` if the account has no such claim. */
export type Call = CallWithKey & { readonly claim: DetailedClaim | null };

export async function readCall(
  db: DatabaseReader,
  accountId: string,
  requestId: string,
): Promise<Call | undefined> {
  const call = await findCall(db.read, accountId, requestId);
  if (call === undefined) return undefined;
  const { token_hash: tokenHash } = call;
  const claim = tokenHash === null ? undefined : await findClaim(db, accountId, { tokenHash });
  return { ...call, claim: claim ?? null };
}

/** Shows only the ends of token and Idempotency-Key, and the start of the API key. `response`: `null` if unknown. */
export const exchangeOf = (call: Call, baseUrl: string) => ({
  request: requestOf(call),
  response: responseOf(call, baseUrl),
});

function requestOf(call: Call): string {
  const lines = [call.request_line ?? `POST ${VERIFY_PATH}`];
  if (call.key_mode !== null) lines.push(`Authorization: Bearer ${shownKey(call.key_mode, call.key_start)}`);
  if (isBodyTaken(call)) lines.push('Content-Type: application/json');
  if (call.idempotency_last4 !== null) lines.push(`Idempotency-Key: …${call.idempotency_last4}`);
  if (call.origin !== null) lines.push(`Origin: ${call.origin}`);
  if (call.user_agent !== null) lines.push(`User-Agent: ${call.user_agent}`);
  return [...lines, '', bodyOf(call)].join('\n');
}

export const shownKey = (mode: string, start: string | null): string => `cck_${mode}_${start ?? ''}…`;

const isBodyTaken = ({ redeem, cause }: Call): boolean =>
  redeem !== null || outcomeOf(cause) === 'invalid_request';

function bodyOf(call: Call): string {
  const { redeem, token_last4 } = call;
  if (redeem !== null) return JSON.stringify({ token: `…${token_last4 ?? ''}`, redeem: redeem === 1 });
  return isBodyTaken(call)
    ? t('(The body was invalid and was not recorded.)')
    : t('(The body was not read.)');
}

function responseOf(call: Call, baseUrl: string): string | null {
  if (call.cause === 'fixed_lost') return t('(The connection was closed without a response.)');
  const body = responseBody(call, baseUrl);
  if (body === null) return null;
  const headers = REPLAYED.includes(call.cause) ? ['Idempotency-Replayed: true'] : [];
  return responseText(statusOf(call.cause), body, headers);
}

export const responseText = (status: number, body: string, headers: readonly string[] = []): string =>
  [`${status} ${STATUS_CODES[status]}`, ...headers, '', JSON.stringify(JSON.parse(body), null, 2)].join('\n');

const REPLAYED = ['repeated', 'fixed_repeated'];

function responseBody(call: Call, baseUrl: string): string | null {
  const { cause, claim } = call;
  const outcome = outcomeOf(cause);
  if (outcome === 'not_found') return NOT_FOUND_BODY;
  if (isCause(cause) && isFound(cause)) {
    if (claim === null) return null;
    const isRedemption = outcome === 'redeemed';
    return renderClaim({
      status: CAUSES[cause].outcome as ClaimMembers['status'],
      offerId: claim.offer_id,
      offer: (isRedemption ? claim.redeemed_offer : null) ?? claim.offer,
      kind: (isRedemption ? claim.redeemed_kind : null) ?? claim.kind,
      listing: claim.listing,
      via: claim.via,
      claimedAt: claim.claimed_at,
      // At the time of a `valid` call, the claim had not been redeemed yet.
      redeemedAt: cause === 'valid' ? null : claim.redeemed_at,
    });
  }
  if (statusOf(cause) === 200) return fixedBody(call);
  if (!isErrorCode(outcome) || call.detail === null) return null;
  return createProblems(baseUrl)(outcome, call.detail, call.request_id).body;
}

function fixedBody({ token_hash, redeem, cause }: Call): string | null {
  const token = token_hash === null ? undefined : fixedTokenOfHash(token_hash);
  if (token === undefined) return null;
  const usual = redeem === 1 ? token.toRedeem : token.toVerify;
  const responses = [usual, ALREADY_REDEEMED].filter((response) => response.kind === 'found');
  return responses.find(({ status }) => status === outcomeOf(cause))?.body ?? null;
}

/** Assigns the key and the token to variables first, so that the curl command itself contains no secret. */
export const curlOf = (baseUrl: string, { key, token, headers = [], redeem }: CurlCall): string =>
  [
    `CLAIMCHECK_API_KEY=${key}`,
    `TOKEN=${token}`,
    `curl -sS ${baseUrl}${VERIFY_PATH} \\`,
    ...['"Authorization: Bearer $CLAIMCHECK_API_KEY"', '"Content-Type: application/json"', ...headers].map(
      (header) => `  -H ${header} \\`,
    ),
    `  -d "{\\"token\\": \\"$TOKEN\\", \\"redeem\\": ${redeem}}"`,
  ].join('\n');

interface CurlCall {
  readonly key: string;
  readonly token: string;
  /** Additional headers, quoted for the shell. */
  readonly headers?: readonly string[];
  readonly redeem: boolean;
}
