/** A claim: its row, its state, and what the log says of it. */
import type { Selectable } from 'kysely';
import type { ClaimsTable } from '../store/schema.ts';

/** A row of `claims`; what a query reads of it is picked from this. */
export type Claim = Selectable<ClaimsTable>;

export type ClaimState = 'not_redeemed' | 'redeemed' | 'replaced';

/** A replaced claim was redeemed before. */
export function claimState(claim: Pick<Claim, 'redeemed_at' | 'replaced_at'>): ClaimState {
  if (claim.replaced_at !== null) return 'replaced';
  return claim.redeemed_at === null ? 'not_redeemed' : 'redeemed';
}

/** The columns of a claim that its event `claim.redeemed` repeats. Their values hold nothing that JSON escapes. */
export const REDEEMED_EVENT_COLUMNS = ['offer_id', 'via'] as const;

/** The data of `claim.redeemed`, as JSON. */
export const redeemedEventData = (claim: Pick<Claim, (typeof REDEEMED_EVENT_COLUMNS)[number]>): string =>
  `{${REDEEMED_EVENT_COLUMNS.map((column) => `"${column}":${quotedOrNull(claim[column])}`).join(',')}}`;

const quotedOrNull = (plain: string | null): string => (plain === null ? 'null' : `"${plain}"`);
