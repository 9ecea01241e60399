/** Queries for data that depends on a secret key: encrypted columns, and claims whose tokens are derived from a key. */

import { sql } from 'kysely';
import type { Claim } from '../../claims/claim.ts';
import { purposeOfKey } from '../../claims/receipts/queries.ts';
import { purposeOfCodeKey } from '../../marketplace/offers/code.ts';
import { MARK_PURPOSE } from '../../people/accounts/account.ts';
import { purposeOfSecret } from '../../people/sign-in/credentials/authenticator.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { FINGERPRINT_LENGTH } from '../../platform/secrets/secret-keys.ts';
import type { DatabaseReader, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { numberOfAccount } from '../../platform/store/numbers.ts';
import { MAILBOX_MARK_KEY } from '../../platform/store/settings.ts';
import { purposeOfWebhookSecret } from '../webhooks/signing.ts';

export interface EncryptedColumn {
  /** Name of the content, shown to operators. */
  readonly what: Message;
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly purposeOf: (id: string) => string;
  /** ID of the only encrypted row; by default, all rows are encrypted. */
  readonly only?: string;
}

export const RECEIPT_KEY = message('the receipt signing key');
const WEBHOOK_SECRETS = { what: message('webhook secrets'), table: 'webhook_endpoints', id: 'id' };

/** Mail isn't listed, because it is deleted when it is sent, or after `mailDays` (`Retention`) at the latest. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  {
    what: message('second factors'),
    table: 'two_factors',
    id: 'account_id',
    column: 'secret',
    purposeOf: purposeOfSecret,
  },
  { ...WEBHOOK_SECRETS, column: 'secret', purposeOf: purposeOfWebhookSecret },
  { ...WEBHOOK_SECRETS, column: 'old_secret', purposeOf: purposeOfWebhookSecret },
  { what: RECEIPT_KEY, table: 'receipt_keys', id: 'kid', column: 'private_key', purposeOf: purposeOfKey },
  { what: message('code lists'), table: 'offers', id: 'id', column: 'code_key', purposeOf: purposeOfCodeKey },
  {
    what: message('the mailbox mark key'),
    table: 'settings',
    id: 'name',
    column: 'value',
    purposeOf: () => MARK_PURPOSE,
    only: MAILBOX_MARK_KEY,
  },
];

const rowsOf = ({ id, only }: EncryptedColumn) =>
  only === undefined ? sql`true` : sql`${sql.ref(id)} = ${only}`;

export async function fingerprintsIn(db: Queryable, of: EncryptedColumn): Promise<readonly string[]> {
  const { table, column } = of;
  const { rows } = await sql<{ fingerprint: string }>`
    select distinct substr(${sql.ref(column)}, 1, ${sql.lit(FINGERPRINT_LENGTH)}) as fingerprint
    from ${sql.table(table)} where ${sql.ref(column)} <> '' and ${rowsOf(of)}`.execute(db);
  return rows.map(({ fingerprint }) => fingerprint);
}

export async function readEncrypted(
  db: Queryable,
  of: EncryptedColumn,
  { fingerprint, limit }: { readonly fingerprint: string; readonly limit: number },
): Promise<readonly { readonly id: string; readonly encrypted: string }[]> {
  const { table, id, column } = of;
  const { rows } = await sql<{ id: string; encrypted: string }>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as encrypted from ${sql.table(table)}
    where ${sql.ref(column)} like ${`${fingerprint}.%`} and ${rowsOf(of)} limit ${sql.lit(limit)}`.execute(
    db,
  );
  return rows;
}

/** Does nothing if the stored value is no longer `from`. */
export const replaceEncrypted = (
  tx: Transaction,
  { table, id, column }: EncryptedColumn,
  of: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<unknown> =>
  sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${to}
    where ${sql.ref(id)} = ${of} and ${sql.ref(column)} = ${from}`.execute(tx);

/** Claims whose links may still be shown, in order of creation. `accountId`: the owner; `null`: all owners. */
export const readOpenClaims = (
  { engine, read }: DatabaseReader,
  { accountId, afterSeq, limit }: { accountId: string | null; afterSeq: number; limit: number },
): Promise<Pick<Claim, 'seq' | 'id' | 'mode' | 'token_hash'>[]> =>
  DIALECTS[engine].inIndexOrder(read, (db) =>
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
