/** Queries for identities at the identity provider and for OIDC sign-ins in progress. */
import type { Selectable } from 'kysely';
import { hashOfSecret } from '../secrets/secrets.ts';
import { isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { OidcIdentitiesTable, OidcSignInsTable } from '../store/tables/accounts.ts';
import type { Account } from './queries.ts';

export const findAccountOfIdentity = (
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<Account | undefined> =>
  db
    .selectFrom('oidc_identities')
    .innerJoin('accounts', 'accounts.id', 'oidc_identities.account_id')
    .selectAll('accounts')
    .where('oidc_identities.issuer', '=', issuer)
    .where('oidc_identities.subject', '=', subject)
    .executeTakeFirst();

export const insertIdentity = (
  tx: Transaction,
  identity: Selectable<OidcIdentitiesTable>,
): Promise<unknown> => tx.insertInto('oidc_identities').values(identity).execute();

export const hasIdentity = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(db.selectFrom('oidc_identities').select('account_id').where('account_id', '=', accountId).limit(1));

export const hasSubmittedListing = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('listings')
      .select('id')
      .where('account_id', '=', accountId)
      .where('submitted_at', 'is not', null)
      .limit(1),
  );

/** Whether an API key of the account was ever used, revoked ones included. */
export const hasUsedKey = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(db.selectFrom('api_key_uses').select('api_key_id').where('account_id', '=', accountId).limit(1));

export const listIdentities = (
  db: Queryable,
  accountId: string,
): Promise<Pick<Selectable<OidcIdentitiesTable>, 'issuer' | 'created_at'>[]> =>
  db
    .selectFrom('oidc_identities')
    .select(['issuer', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();

export const insertOidcSignIn = (tx: Transaction, signIn: Selectable<OidcSignInsTable>): Promise<unknown> =>
  tx.insertInto('oidc_sign_ins').values(signIn).execute();

/** Consumes a sign-in: only one concurrent callback gets it. Undefined in another browser and after it has expired. */
export async function takeOidcSignIn(
  tx: Transaction,
  { state, browser, at }: { readonly state: string; readonly browser: string; readonly at: string },
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('oidc_sign_ins')
    .where('state_hash', '=', hashOfSecret(state))
    .where('browser_hash', '=', hashOfSecret(browser))
    .where('expires_at', '>', at)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed;
}
