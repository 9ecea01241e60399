/** Which secret keys the links of claims still need. */
import type { Context } from '../context.ts';
import { listOwners } from './queries.ts';
import { readOpenClaims } from './secret-key-queries.ts';

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
  // No index of PostgreSQL has the claims of all owners in one order.
  const owners = db.engine === 'postgres' ? await listOwners(db.read) : [null];
  for (const accountId of owners) {
    for (let afterSeq = 0, more = true; more; ) {
      const claims = await readOpenClaims(db.read, { accountId, afterSeq, limit: PAGE_SIZE });
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
