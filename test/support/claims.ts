/** Updates claims directly in the database, for tests in which calls to the service would take too long. */
import type { Database, Engine, Transaction } from '../../src/platform/store/database.ts';
import { DIALECTS } from '../../src/platform/store/dialects.ts';
import { readAccountNumber } from '../../src/platform/store/numbers.ts';

interface ClaimChange {
  /** ISO 8601, UTC. */
  readonly redeemed_at?: string;
  readonly replaced_at?: string;
  /** ID of the API key. */
  readonly redeemed_by_key_id?: string;
}

/** Selects claims by column values. A list matches any of its values. */
type Which = Readonly<
  Partial<Record<'account_id' | 'id' | 'offer_id' | 'seq' | 'token_hash', ClaimValue | readonly ClaimValue[]>>
>;
type ClaimValue = string | number | Uint8Array;

export const changeClaims = (db: Database, which: Which, change: ClaimChange): Promise<unknown> =>
  db.transaction((tx) => changeClaimsIn(tx, db.engine, which, change));

export async function changeClaimsIn(
  tx: Transaction,
  engine: Engine,
  which: Which,
  change: ClaimChange,
): Promise<unknown> {
  // With a filter on the account number, Citus runs the update on one node and locks only that node's rows.
  const { account_id: account } = which;
  const number = typeof account === 'string' ? await readAccountNumber(tx, account) : null;
  const time = DIALECTS[engine].compactTime;
  const { redeemed_at, replaced_at, redeemed_by_key_id: keyId } = change;
  return await tx
    .updateTable('claim_rows')
    .set(({ selectFrom }) => ({
      ...(redeemed_at === undefined ? {} : { redeemed_at: time(redeemed_at) }),
      ...(replaced_at === undefined ? {} : { replaced_at: time(replaced_at) }),
      ...(keyId === undefined
        ? {}
        : { key_number: selectFrom('api_keys').select('number').where('id', '=', keyId) }),
    }))
    .$if(number !== null, (query) => query.where('account_number', '=', number!))
    .where('seq', 'in', ({ selectFrom }) =>
      Object.entries(which).reduce(
        (claims, [column, value]) =>
          claims.where(
            `claims.${column as 'seq'}`,
            'in',
            (Array.isArray(value) ? value : [value]) as number[],
          ),
        selectFrom('claims').select('claims.seq'),
      ),
    )
    .execute();
}
