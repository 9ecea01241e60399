/** Gives new claims their codes, in the transaction that creates them. */
import { invalid } from '../errors.ts';
import { ALL_CODES_GIVEN } from '../offers/offer.ts';
import type { Engine, Transaction } from '../store/database.ts';
import { assignCodes, countGivenCodes, type OfferWithCodes, takeCodes } from './code-queries.ts';
import type { NewClaim } from './insert-queries.ts';
import type { ClaimableOffer } from './offer-queries.ts';

/**
 * Gives each live claim the next code if the offer has a code list. If too few are left, throws `invalid_request`, or the
 * other claims have the shared code. The caller holds the lock on the offer.
 */
export async function giveCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes & Pick<ClaimableOffer, 'code_list'>,
  claims: readonly Pick<NewClaim, 'id' | 'mode'>[],
): Promise<void> {
  if (offer.code_list === null) return;
  const live = claims.filter(({ mode }) => mode === 'live');
  if (live.length === 0) return;
  const codes = await takeCodes(tx, engine, offer, live.length);
  if (codes.length < live.length && offer.code_list === 'close') throw invalid(ALL_CODES_GIVEN);
  if (codes.length === 0) return;
  const given = codes.map((seq, index) => ({ seq, claim_id: live[index]!.id }));
  if ((await assignCodes(tx, engine, offer, given)) !== codes.length)
    throw new Error('a code was taken twice');
  await countGivenCodes(tx, offer, codes.length);
}
