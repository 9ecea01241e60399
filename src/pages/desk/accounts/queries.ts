import { sql } from 'kysely';
import { MAX_EMAIL_LENGTH, type Plan } from '../../../people/accounts/account.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { message } from '../../../platform/languages/translate.ts';
import { networkOf } from '../../../platform/network/network.ts';
import { type Database, type Queryable, takePage } from '../../../platform/store/database.ts';
import { DIALECTS } from '../../../platform/store/dialects.ts';
import { containing, searchText } from '../../../platform/store/search-text.ts';
import { firstUuidOf, isUuid } from '../../../platform/store/uuid.ts';
import { HOUR_MS } from '../../../platform/text/durations.ts';
import { foldCase } from '../../../platform/text/fold-case.ts';
import { toIso } from '../../../platform/text/time-text.ts';

const ACCOUNTS_PAGE = 50;
const LOOK_ALIKES_SHOWN = 50;
/** Maximum number of other accounts' sessions that `findNearby` compares with the account's own sessions. */
const COMPARED_SESSIONS = 2_000;
/** Maximum number of accounts scanned per page of results. No index supports substring search. */
export const SEARCHED_ACCOUNTS = 20_000;

export const ACCOUNT_ROLES = ['owners', 'operators', 'suspended'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export interface AccountFilter {
  readonly search: string;
  readonly role?: AccountRole | undefined;
  readonly plan?: Plan | undefined;
}

export type AccountsPage = Awaited<ReturnType<typeof searchAccounts>>;

/**
 * Newest first. If `search` is a complete email address or id and no other filter is set, the account is looked up
 * directly, without a scan. `partial`: whether the scan stopped before the page was full.
 */
export async function searchAccounts(database: Searched, input: AccountSearch) {
  const { accounts, ...rest } = await findAccounts(database, input);
  const { read: db } = database;
  const ids = accounts.map(({ id }) => id);
  const [listings, signIns] = await Promise.all([countListings(db, ids), findLastSignIns(db, ids)]);
  return {
    ...rest,
    accounts: accounts.map((each) => ({
      ...each,
      listings: listings.get(each.id) ?? 0,
      lastSignInAt: signIns.get(each.id) ?? null,
    })),
  };
}

type Searched = Pick<Database, 'engine' | 'read'>;
type AccountSearch = AccountFilter & { readonly after?: string | undefined; readonly limit?: number };

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

async function findLastSignIns(db: Queryable, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('account_uses')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .execute();
  return new Map(rows.map(({ account_id, last_used_at }) => [account_id, last_used_at]));
}

async function findAccounts({ engine, read: db }: Searched, input: AccountSearch) {
  const limit = input.limit ?? ACCOUNTS_PAGE;
  const search = searchText(input.search, MAX_EMAIL_LENGTH);
  const after = input.after !== undefined && isUuid(input.after) ? input.after.toLowerCase() : null;
  const { role, plan } = input;
  const isFiltered = role !== undefined || plan !== undefined;
  const exact =
    search === '' || after !== null || isFiltered ? undefined : await findAccountNamed(db, search);
  if (exact !== undefined) return { accounts: [exact], next: null, partial: false };
  let all = db.selectFrom('accounts').orderBy('id', 'desc');
  // Few accounts have listings, and an index on `listings` finds them.
  if (role === 'owners') all = all.where('id', 'in', db.selectFrom('listings').select('account_id'));
  const range = after === null ? all : all.where('id', '<', after);
  const isIndexed = search === '' && plan === undefined && (role === undefined || role === 'owners');
  const last = range
    .select('id')
    .offset(SEARCHED_ACCOUNTS - 1)
    .limit(1);
  const floor = isIndexed ? undefined : await last.executeTakeFirst();
  let window = floor === undefined ? range : range.where('id', '>=', floor.id);
  if (role === 'operators') window = window.where('operator_since', 'is not', null);
  if (role === 'suspended') window = window.where('suspended_at', 'is not', null);
  if (plan !== undefined) window = window.where('plan', '=', plan);
  if (search !== '') {
    const pattern = containing(search.toLowerCase());
    const hasName = DIALECTS[engine].containsFolded(sql.ref('name'), foldCase(search));
    window = window.where(sql<boolean>`(email like ${pattern} escape '\\' or ${hasName})`);
  }
  const selection = window.selectAll();
  const { rows: accounts, nextAfter } = await takePage(limit, (most) => selection.limit(most).execute());
  if (nextAfter !== null) return { accounts, next: nextAfter.id, partial: false };
  return { accounts, next: floor?.id ?? null, partial: floor !== undefined };
}

/** `text`: an id or an email address. */
export const findAccountNamed = (db: Queryable, text: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where(isUuid(text) ? 'id' : 'email', '=', text.toLowerCase())
    .executeTakeFirst();

/** Finds accounts that may belong to the same person. */
export async function findLookAlikes(db: Queryable, account: Account) {
  const mailbox = db.selectFrom('accounts').select('mailbox').where('id', '=', account.id);
  const sameMailbox = await db
    .selectFrom('accounts')
    .selectAll()
    .where('mailbox', '=', mailbox)
    .where('id', '<>', account.id)
    .orderBy('id')
    .limit(LOOK_ALIKES_SHOWN)
    .execute();
  const ids = new Set(sameMailbox.map(({ id }) => id));
  const nearby = (await findNearby(db, account)).filter(({ id }) => !ids.has(id));
  return [
    ...sameMailbox.map((each) => ({ account: each, reason: message('Same mailbox, spelled differently') })),
    ...nearby.map((each) => ({
      account: each,
      reason: message('Created within an hour of this account, from the same network and browser'),
    })),
  ].slice(0, LOOK_ALIKES_SHOWN);
}

export type LookAlike = Awaited<ReturnType<typeof findLookAlikes>>[number];

export async function findSuspended(db: Queryable, ids: readonly string[]): Promise<readonly Account[]> {
  const accountIds = ids.filter((id) => isUuid(id)).slice(0, LOOK_ALIKES_SHOWN);
  if (accountIds.length === 0) return [];
  return await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', accountIds)
    .where('suspended_at', 'is not', null)
    .orderBy('id')
    .execute();
}

async function findNearby(db: Queryable, { id, created_at }: Account): Promise<readonly Account[]> {
  const own = await db
    .selectFrom('sessions')
    .select(['ip', 'user_agent'])
    .where('account_id', '=', id)
    .where('ip', 'is not', null)
    .execute();
  if (own.length === 0) return [];
  const madeMs = Date.parse(created_at);
  const near = await db
    .selectFrom('accounts')
    .innerJoin('sessions', 'sessions.account_id', 'accounts.id')
    .selectAll('accounts')
    .select(['sessions.ip', 'sessions.user_agent'])
    .where('accounts.id', '<>', id)
    .where('accounts.id', '>=', firstUuidOf(madeMs - HOUR_MS))
    .where('accounts.id', '<', firstUuidOf(madeMs + HOUR_MS))
    .where('accounts.created_at', '>=', toIso(madeMs - HOUR_MS))
    .where('sessions.ip', 'is not', null)
    .orderBy('accounts.id')
    .limit(COMPARED_SESSIONS)
    .execute();
  const sources = new Set(own.map(sourceOf));
  const alike = near.filter((session) => sources.has(sourceOf(session)));
  return [...new Map(alike.map((each) => [each.id, each])).values()];
}

const sourceOf = (session: { readonly ip: string | null; readonly user_agent: string | null }): string =>
  `${networkOf(session.ip)} ${session.user_agent}`;
