import { sql } from 'kysely';
import { MAX_EMAIL_LENGTH, type Plan } from '../../accounts/account.ts';
import type { Account } from '../../accounts/queries.ts';
import type { Queryable } from '../../store/database.ts';
import { isUuid } from '../../store/uuid.ts';

const ACCOUNTS_PAGE = 50;
/** Most accounts read for a page of a search: no index finds the middle of a name. */
export const SEARCHED_ACCOUNTS = 20_000;

export const ACCOUNT_ROLES = ['owners', 'operators', 'suspended'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export interface AccountFilter {
  readonly search: string;
  readonly role?: AccountRole | undefined;
  readonly plan?: Plan | undefined;
}

export interface ListedAccount extends Account {
  readonly listings: number;
}

export interface AccountsPage {
  readonly accounts: readonly ListedAccount[];
  readonly next: string | null;
  /** The page is not full, but unread accounts remain. */
  readonly partial: boolean;
}

/** Accounts, newest first. Without other filters, a whole email address or id is found however old the account is. */
export async function searchAccounts(
  db: Queryable,
  input: AccountFilter & { readonly after?: string | undefined; readonly limit?: number },
): Promise<AccountsPage> {
  const { accounts, ...rest } = await findAccounts(db, input);
  const listings = await countListings(
    db,
    accounts.map(({ id }) => id),
  );
  return { ...rest, accounts: accounts.map((each) => ({ ...each, listings: listings.get(each.id) ?? 0 })) };
}

async function countListings(db: Queryable, accountIds: readonly string[]): Promise<Map<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('listings')
    .select(({ fn }) => ['account_id', fn.countAll().as('listings')])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, listings }) => [account_id, Number(listings)]));
}

interface FoundAccounts extends Omit<AccountsPage, 'accounts'> {
  readonly accounts: readonly Account[];
}

async function findAccounts(
  db: Queryable,
  input: Parameters<typeof searchAccounts>[1],
): Promise<FoundAccounts> {
  const limit = input.limit ?? ACCOUNTS_PAGE;
  const search = input.search
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_EMAIL_LENGTH);
  const after = input.after !== undefined && isUuid(input.after) ? input.after.toLowerCase() : null;
  const { role, plan } = input;
  const isFiltered = role !== undefined || plan !== undefined;
  const exact =
    search === '' || after !== null || isFiltered ? undefined : await findAccountNamed(db, search);
  if (exact !== undefined) return { accounts: [exact], next: null, partial: false };
  let all = db.selectFrom('accounts').orderBy('id', 'desc');
  // Few accounts are owners, and the index of listings has them.
  if (role === 'owners') all = all.where('id', 'in', db.selectFrom('listings').select('account_id'));
  const range = after === null ? all : all.where('id', '<', after);
  if (search === '' && plan === undefined && (role === undefined || role === 'owners')) {
    const rows = await range
      .selectAll()
      .limit(limit + 1)
      .execute();
    const accounts = rows.slice(0, limit);
    return { accounts, next: rows.length > limit ? accounts.at(-1)!.id : null, partial: false };
  }
  const floor = await range
    .select('id')
    .offset(SEARCHED_ACCOUNTS - 1)
    .limit(1)
    .executeTakeFirst();
  let window = floor === undefined ? range : range.where('id', '>=', floor.id);
  if (role === 'operators') window = window.where('operator_since', 'is not', null);
  if (role === 'suspended') window = window.where('suspended_at', 'is not', null);
  if (plan !== undefined) window = window.where('plan', '=', plan);
  if (search !== '') {
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    window = window.where(
      sql<boolean>`(email like ${pattern} escape '\\' or lower(name) like ${pattern} escape '\\')`,
    );
  }
  const rows = await window
    .selectAll()
    .limit(limit + 1)
    .execute();
  const accounts = rows.slice(0, limit);
  if (rows.length > limit) return { accounts, next: accounts.at(-1)!.id, partial: false };
  return { accounts, next: floor?.id ?? null, partial: floor !== undefined };
}

/** The account with this id or email address. */
export const findAccountNamed = (db: Queryable, text: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where(isUuid(text) ? 'id' : 'email', '=', text.toLowerCase())
    .executeTakeFirst();
