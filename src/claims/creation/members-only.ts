/** Refuses claims of people who may not see the listing. */
import type { Policy } from '../../people/accounts/policy.ts';
import { readPersonFacts } from '../../people/visibility/queries.ts';
import { isForMembers, mayView, type PersonFacts, rightsOf } from '../../people/visibility/visibility.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import type { ClaimableOffer } from './offer-queries.ts';

interface ClaimedOffers {
  readonly offers: ReadonlyMap<string, ClaimableOffer>;
  /** `null`: the operator's limits for claimants don't apply. */
  readonly policy: Policy | null;
}

/** What decides whether the people are members. Reads nothing if none of the offers is for members only. */
export const readFacts = (
  tx: Transaction,
  { offers, policy }: ClaimedOffers,
  people: readonly string[],
): Promise<ReadonlyMap<string, PersonFacts>> => {
  const isNeeded = policy !== null && [...offers.values()].some((offer) => isForMembers(offer, policy));
  return readPersonFacts(tx, isNeeded ? people : []);
};

/** `person` is ignored if everyone may see the listing. */
export function requireVisible(
  { listing_id: id, account_id, visibility }: ClaimableOffer,
  person: PersonFacts | undefined,
  { policy, hasProvider = false }: { readonly policy: Policy; readonly hasProvider?: boolean | undefined },
): void {
  const listing = { id, account_id, visibility };
  if (!isForMembers(listing, policy)) return;
  if (mayView(rightsOf(person ?? null, policy, hasProvider), listing)) return;
  throw invalid(message('This offer is for members only, and your account is not a member.'));
}
