/** The request and answer of a verification, without secrets. */
import { type ClaimMembers, renderClaim, VERIFY_PATH } from '../../claims/verify/verification.ts';
import type { Context } from '../../context.ts';
import { findFoundAttempt } from './exchange-queries.ts';
import type { FirstVerification } from './set-up.ts';

export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** `null` once the request log has deleted it. Shows the token's last four characters and the key's first ones. */
export async function readExchange(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  first: FirstVerification,
): Promise<Exchange | null> {
  const found = await findFoundAttempt(db.read, accountId, first);
  const { outcome } = first;
  if (found === undefined || !isFound(outcome)) return null;
  const key = found.key_mode === null ? '…' : `cck_${found.key_mode}_${found.key_start}…`;
  const body = JSON.stringify({ token: `…${first.tokenLast4 ?? ''}`, redeem: found.redeem === 1 });
  const answer = renderClaim({
    status: outcome,
    offerId: found.offer_id,
    offer: found.offer,
    kind: found.kind,
    listing: found.slug,
    via: found.via,
    claimedAt: found.claimed_at,
    // It was not redeemed at that time.
    redeemedAt: outcome === 'valid' ? null : found.redeemed_at,
  });
  return {
    request: `POST ${VERIFY_PATH}\nAuthorization: Bearer ${key}\nContent-Type: application/json\n\n${body}`,
    answer: `200 OK\n\n${JSON.stringify(JSON.parse(answer), null, 2)}`,
  };
}

const isFound = (outcome: string): outcome is ClaimMembers['status'] =>
  outcome === 'redeemed' || outcome === 'valid' || outcome === 'already_redeemed';
