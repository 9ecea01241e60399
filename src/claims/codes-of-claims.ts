/** The codes that claims have of their own. */
import type { Context } from '../context.ts';
import { readCodeKeys } from '../offers/code-queries.ts';
import { openCodeKey } from '../offers/codes.ts';
import type { Queryable } from '../store/database.ts';
import type { Claim } from './claim.ts';
import { readGivenCodes } from './code-queries.ts';

type WithCode = Pick<Claim, 'id' | 'offer_id' | 'account_id'>;

/** The code of each claim that has one, by the id of the claim. One that no configured secret key decrypts is left out. */
export async function codesOfClaims(
  context: Pick<Context, 'secretBox' | 'random'>,
  db: Queryable,
  claims: readonly WithCode[],
): Promise<ReadonlyMap<string, string>> {
  const offerIds = [...new Set(claims.map(({ offer_id }) => offer_id))];
  const stored = offerIds.length === 0 ? [] : await readCodeKeys(db, offerIds);
  if (stored.length === 0) return new Map();
  const keys = new Map(stored.map(({ id, code_key }) => [id, openCodeKey(context, id, code_key)]));
  const withCodes = claims.filter(({ offer_id }) => keys.has(offer_id));
  const given = await readGivenCodes(db, withCodes);
  return new Map(
    given.flatMap(({ claim_id, offer_id, code }) => {
      const opened = keys.get(offer_id)?.decrypt(code) ?? null;
      return opened === null ? [] : [[claim_id, opened]];
    }),
  );
}
