/** SQL to find out which secret keys the links of claims still need. */
import type { DatabaseReader } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { numberOfAccount } from '../store/numbers.ts';
import type { Claim } from './claim.ts';

export type OpenClaim = Pick<Claim, 'seq' | 'id' | 'mode' | 'token_hash'>;

/** Claims whose links may still be asked for, in the order of their creation; `accountId` `null`: of all owners. */
export function readOpenClaims(
  { engine, read }: DatabaseReader,
  { accountId, afterSeq, limit }: PageOfOpenClaims,
): Promise<OpenClaim[]> {
  return DIALECTS[engine].inIndexOrder(read, (db) =>
    db
      .selectFrom('claims')
      .select(['seq', 'id', 'mode', 'token_hash'])
      .where('token_origin', '=', 'derived')
      .where('redeemed_at', 'is', null)
      .where('replaced_at', 'is', null)
      .where('seq', '>', afterSeq)
      .$if(accountId !== null, (query) => query.where('account_number', '=', numberOfAccount(accountId!)))
      .orderBy('seq')
      .limit(limit)
      .execute(),
  );
}

interface PageOfOpenClaims {
  readonly accountId: string | null;
  readonly afterSeq: number;
  readonly limit: number;
}
