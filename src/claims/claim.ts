/** Claims: their row, their state, and the data of their redemption event. */
import type { Selectable } from 'kysely';
import type { ClaimsTable } from '../store/tables/claims.ts';

/** A row of `claims`; the row types of queries are picked from it. */
export type Claim = Selectable<ClaimsTable>;

export type ClaimState = 'not_redeemed' | 'redeemed' | 'replaced';

/** A replaced claim was redeemed before. */
export function claimState(claim: Pick<Claim, 'redeemed_at' | 'replaced_at'>): ClaimState {
  if (claim.replaced_at !== null) return 'replaced';
  return claim.redeemed_at === null ? 'not_redeemed' : 'redeemed';
}

/** The columns of a claim in its event `claim.redeemed`. Their values need no escaping in JSON. */
export const REDEEMED_EVENT_COLUMNS = ['offer_id', 'via'] as const;

/** The data of `claim.redeemed`, as JSON. */
export const redeemedEventData = (claim: Pick<Claim, (typeof REDEEMED_EVENT_COLUMNS)[number]>): string =>
  `{${REDEEMED_EVENT_COLUMNS.map((column) => `"${column}":${quotedOrNull(claim[column])}`).join(',')}}`;

const quotedOrNull = (plain: string | null): string => (plain === null ? 'null' : `"${plain}"`);
