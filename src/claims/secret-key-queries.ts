/** SQL to find out which secret keys the links of claims still need. */
import type { Mode } from '../keys/key.ts';
import type { Queryable } from '../store/database.ts';

export interface OpenClaim {
  readonly seq: number;
  readonly id: string;
  readonly mode: Mode;
  readonly token_hash: Uint8Array;
}

/** Claims whose links may still be asked for, in the order of their creation; `accountId` `null`: of all owners. */
export function readOpenClaims(
  db: Queryable,
  { accountId, afterSeq, limit }: PageOfOpenClaims,
): Promise<OpenClaim[]> {
  let query = db
    .selectFrom('claims')
    .select(['seq', 'id', 'mode', 'token_hash'])
    .where('token_origin', '=', 'derived')
    .where('redeemed_at', 'is', null)
    .where('replaced_at', 'is', null)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit);
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  return query.execute();
}

interface PageOfOpenClaims {
  readonly accountId: string | null;
  readonly afterSeq: number;
  readonly limit: number;
}
