/** Claims: their row and their state. */
import type { Selectable } from 'kysely';
import type { ClaimsView } from '../store/tables/claims.ts';

/** A claim as queries read it; their row types are picked from it. */
export type Claim = Selectable<ClaimsView>;

export type ClaimState = 'not_redeemed' | 'redeemed' | 'replaced';

/** A replaced claim was redeemed before. */
export function claimState(claim: Pick<Claim, 'redeemed_at' | 'replaced_at'>): ClaimState {
  if (claim.replaced_at !== null) return 'replaced';
  return claim.redeemed_at === null ? 'not_redeemed' : 'redeemed';
}
