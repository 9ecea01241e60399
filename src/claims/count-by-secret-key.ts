/** Which secret keys the links of claims still need. */
import type { Context } from '../context.ts';
import { accountsInTurn, readOpenClaims } from './queries.ts';

const PAGE_SIZE = 2_000;

/**
 * How many claims that are not redeemed have a token of each secret key, by the key's place among the configured
 * ones; `null`: of none of them. Reads all these claims and derives their tokens: a minute for ten million.
 */
export async function countClaimsBySecretKey({
  db,
  tokens,
}: Pick<Context, 'db' | 'tokens'>): Promise<ReadonlyMap<number | null, number>> {
  const counts = new Map<number | null, number>();
  for (const accountId of await accountsInTurn(db)) {
    for (let afterSeq = 0, more = true; more; ) {
      const claims = await readOpenClaims(db, { accountId, afterSeq, limit: PAGE_SIZE });
      for (const { id, mode, token_hash } of claims) {
        const place = tokens.recover(id, mode, token_hash)?.keyPlace ?? null;
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
      afterSeq = claims.at(-1)?.seq ?? afterSeq;
      more = claims.length === PAGE_SIZE;
    }
  }
  return counts;
}
