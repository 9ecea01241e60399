/** SQL of an owner's calls. */
import type { Mode } from '../../keys/key.ts';
import type { Queryable } from '../../store/database.ts';
import { numberOfAccount } from '../../store/numbers.ts';

export type AttemptRow = Awaited<ReturnType<typeof readAttemptRows>>[number];

/** The newest attempts of an account with the keys that they used. */
export async function readAttemptRows(db: Queryable, accountId: string, limit: number) {
  const [live, test] = await Promise.all([
    readOfMode(db, accountId, 'live', limit),
    readOfMode(db, accountId, 'test', limit),
  ]);
  return [...live, ...test].sort((a, b) => (a.at > b.at ? -1 : 1)).slice(0, limit);
}

const readOfMode = (db: Queryable, accountId: string, mode: Mode, limit: number) =>
  db
    .selectFrom('attempts')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .select([
      'attempts.at',
      'attempts.request_id',
      'attempts.cause',
      'attempts.token_last4',
      'attempts.token_hash',
      'attempts.latency_us',
      'attempts.api_key_id',
      'api_keys.name as key_name',
      'api_keys.start as key_start',
      'api_keys.mode as key_mode',
      'api_keys.revoked_at',
      'api_keys.expires_at',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.mode', '=', mode)
    .orderBy('attempts.at', 'desc')
    .orderBy('attempts.id', 'desc')
    .limit(limit)
    .execute();

/** The modes of the tokens that belong to claims of the account. */
export async function findModesOfTokens(
  db: Queryable,
  accountId: string,
  hashes: readonly Uint8Array[],
): Promise<{ readonly token_hash: Uint8Array; readonly mode: Mode }[]> {
  if (hashes.length === 0) return [];
  return await db
    .selectFrom('claims')
    .select(['token_hash', 'mode'])
    .where('token_hash', 'in', hashes)
    .where('account_number', '=', numberOfAccount(accountId))
    .execute();
}
