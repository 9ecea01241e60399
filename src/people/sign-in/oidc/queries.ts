/** Identities of the identity provider, and sign-ins in progress there. */
import type { Selectable } from 'kysely';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import type { OidcIdentitiesTable, OidcSignInsTable } from '../../../platform/store/tables/accounts.ts';

export const findAccountOfIdentity = (db: Queryable, issuer: string, subject: string) =>
  db
    .selectFrom('oidc_identities')
    .innerJoin('accounts', 'accounts.id', 'oidc_identities.account_id')
    .selectAll('accounts')
    .where('oidc_identities.issuer', '=', issuer)
    .where('oidc_identities.subject', '=', subject)
    .executeTakeFirst();

export const insertIdentity = (tx: Transaction, identity: Selectable<OidcIdentitiesTable>) =>
  tx.insertInto('oidc_identities').values(identity).execute();

/** Those whose claim made the account an operator's. */
export const listOperatorIdentities = (db: Queryable, accountId: string) =>
  db
    .selectFrom('oidc_identities')
    .select(['issuer', 'subject'])
    .where('account_id', '=', accountId)
    .where('operator_since', 'is not', null)
    .execute();

export const setIdentityOperator = (
  tx: Transaction,
  { issuer, subject }: Pick<Selectable<OidcIdentitiesTable>, 'issuer' | 'subject'>,
  at: string,
) =>
  tx
    .updateTable('oidc_identities')
    .set({ operator_since: at })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();

export const clearOperatorIdentities = (tx: Transaction, accountId: string) =>
  tx
    .updateTable('oidc_identities')
    .set({ operator_since: null })
    .where('account_id', '=', accountId)
    .execute();

export const listIdentities = (db: Queryable, accountId: string) =>
  db
    .selectFrom('oidc_identities')
    .select(['issuer', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();

export const insertOidcSignIn = (tx: Transaction, signIn: Selectable<OidcSignInsTable>): Promise<unknown> =>
  tx.insertInto('oidc_sign_ins').values(signIn).execute();

/** Gives it to one of several callbacks. `undefined`: it was consumed, has expired or is another browser's. */
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
