import type { Context } from '../../base/context.ts';
import { parseListCode } from '../../marketplace/offers/code.ts';
import {
  readCodeKeys,
  readNewestCodeKeys,
  type StoredCodeKey,
} from '../../marketplace/offers/code-queries.ts';
import { openCodeKey } from '../../marketplace/offers/codes.ts';
import { ALL_CODES_GIVEN } from '../../marketplace/offers/offer.ts';
import { invalid, Refusal, tried } from '../../platform/errors.ts';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import type { OffersTable } from '../../platform/store/tables/listings.ts';
import type { Claim } from '../claim.ts';
import {
  assignCodes,
  countGivenCodes,
  findGivenCode,
  type HashedCode,
  type OfferWithCodes,
  readGivenCodes,
  takeCodes,
} from './queries.ts';

/**
 * Assigns codes from the offer's list to live claims. The caller must hold the lock on the offer. If too few codes are
 * left, either throws `invalid_request` or leaves the remaining claims with the shared code, depending on `code_list`.
 */
export async function giveCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferWithCodes & Pick<OffersTable, 'code_list'>,
  claims: readonly Pick<Claim, 'id' | 'mode'>[],
): Promise<void> {
  if (offer.code_list === null) return;
  const live = claims.filter(({ mode }) => mode === 'live');
  if (live.length === 0) return;
  const codes = await takeCodes(tx, engine, offer, live.length);
  if (codes.length < live.length && offer.code_list === 'close') throw invalid(ALL_CODES_GIVEN);
  if (codes.length === 0) return;
  const assignments = codes.map((seq, index) => ({ seq, claim_id: live[index]!.id }));
  if ((await assignCodes(tx, engine, offer, assignments)) !== codes.length)
    throw new Error('a code was assigned twice');
  await countGivenCodes(tx, offer, codes.length);
}

/** Keyed by claim id. Omits codes that no configured secret key can decrypt. */
export async function codesOfClaims(
  context: Pick<Context, 'secretBox' | 'random'>,
  db: Queryable,
  claims: readonly Pick<Claim, 'id' | 'offer_id' | 'account_id'>[],
): Promise<ReadonlyMap<string, string>> {
  const offerIds = [...new Set(claims.map(({ offer_id }) => offer_id))];
  const stored = offerIds.length === 0 ? [] : await readCodeKeys(db, { offerIds });
  if (stored.length === 0) return new Map();
  const keys = new Map(stored.map(({ id, code_key }) => [id, openCodeKey(context, id, code_key)]));
  const withCodes = claims.filter(({ offer_id }) => keys.has(offer_id));
  const codesByClaim = await readGivenCodes(db, withCodes);
  return new Map(
    codesByClaim.flatMap(({ claim_id, offer_id, code }) => {
      const opened = keys.get(offer_id)?.decrypt(code) ?? null;
      return opened === null ? [] : [[claim_id, opened]];
    }),
  );
}

type Search = Pick<Context, 'db' | 'secretBox' | 'random'>;

export const findClaimByCode = (context: Search, accountId: string, text: string): Promise<string | null> =>
  findInLists(context, text, (db) => readCodeKeys(db, { accountId }));

/** How many lists an operator's search covers. Each list has its own key, so the code is hashed once per list. */
const MAX_LISTS_SEARCHED = 500;

/** For operators. Searches the newest lists of all accounts. */
export const findClaimByListCode = (context: Search, text: string): Promise<string | null> =>
  findInLists(context, text, (db) => readNewestCodeKeys(db, MAX_LISTS_SEARCHED));

async function findInLists(
  context: Search,
  text: string,
  readKeys: (db: Queryable) => Promise<readonly StoredCodeKey[]>,
): Promise<string | null> {
  const code = tried(() => parseListCode(text));
  if (code instanceof Refusal) return null;
  const { db } = context;
  const codes = (await readKeys(db.read)).flatMap(({ id, account_number, code_key }): HashedCode[] => {
    const key = openCodeKey(context, id, code_key);
    return key === null ? [] : [{ account: account_number, offer: id, hash: key.hash(code) }];
  });
  return await findGivenCode(db, codes);
}
