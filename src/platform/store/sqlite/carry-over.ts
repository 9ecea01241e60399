/** Carries over changes made since the backup, from the replaced database to the restored one (`two-databases.ts`). */
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../process/failure.ts';
import { ACCOUNT_POLICY, MAILBOX_MARK_KEY, WAITING_LISTS_RESTORED_AT } from '../settings.ts';
import { REPLACED_TYPES } from '../tables/claims.ts';
import { MARKETPLACE_ID } from '../tables/webhooks.ts';
import { carryRedemptions } from './carry-redemptions.ts';
import { changesOn, type Databases } from './two-databases.ts';

type CarriedOver = Partial<Record<keyof typeof PARTS, number>>;

/** The transfer of a listing to another account. */
interface Transfer {
  readonly listing: string;
  readonly slug: string;
  readonly to: string;
}

export interface CarryOver {
  readonly carriedOver: CarriedOver;
  /** Transfers since the backup, between accounts that are in the backup. The restored database doesn't have them yet. */
  readonly transfers: readonly Transfer[];
  /** Whether nobody is on a waiting list who was mailed or has left since the backup. */
  readonly hasCurrentWaitingLists: boolean;
  readonly lost: readonly string[];
}

export function carryOver(connection: DatabaseSync, at: string): CarryOver {
  const lost: string[] = [];
  const carriedOver: CarriedOver = {};
  const attempt = <T>(what: string, work: () => T): T | null => {
    connection.exec('savepoint part');
    try {
      return work();
    } catch (error) {
      // A disk read error ends the transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('rollback to part');
      lost.push(`${what} could not be carried over from the replaced database: ${messageOf(error)}.`);
      return null;
    } finally {
      if (connection.isTransaction) connection.exec('release part');
    }
  };
  const isContinuation = attempt('Changes', () => isContinued(connection));
  if (isContinuation === null) return { carriedOver, transfers: [], hasCurrentWaitingLists: false, lost };
  if (!isContinuation) {
    lost.push(
      'The history of the replaced database does not include this backup, so only redemptions, revocations, suspensions and deletions were carried over from it. Passwords, second factors and passkeys are as in the backup.',
    );
  }
  const databases: Databases = {
    connection,
    at,
    isContinuation,
    change: changesOn(connection),
    count: (query) => Number(Object.values(connection.prepare(query).get()!)[0]),
    lose: (sentence) => lost.push(sentence),
  };
  let hasCurrentWaitingLists = false;
  for (const [part, { title, carry, onlyOfContinuation }] of Object.entries<CarriedPart>(PARTS)) {
    if (onlyOfContinuation && !isContinuation) continue;
    const rows = attempt(title, () => carry(databases));
    if (rows !== null && rows > 0) carriedOver[part as keyof CarriedOver] = rows;
    if (rows !== null && part === 'waiting_lists') hasCurrentWaitingLists = true;
  }
  const transfers = isContinuation ? attempt('Transfers of listings', () => findTransfers(databases)) : null;
  return { carriedOver, transfers: transfers ?? [], hasCurrentWaitingLists, lost };
}

interface CarriedPart {
  /** Subject of a sentence for the operator. */
  readonly title: string;
  readonly onlyOfContinuation?: true;
  readonly carry: (databases: Databases) => number;
}

/** The order matters: redemptions refer to API keys, which must be carried over first. */
const PARTS = {
  deletions: { title: 'Deletions of accounts', carry: carryDeletions },
  accounts: { title: 'Accounts', carry: carryAccounts },
  sign_in_methods: {
    title: 'Passwords, second factors and passkeys',
    onlyOfContinuation: true,
    carry: carrySignInMethods,
  },
  memberships: { title: 'Members of accounts', carry: carryMemberships },
  api_keys: { title: 'API keys', carry: (databases) => carryKeys(databases, 'api_keys') },
  operator_keys: { title: 'Operator keys', carry: (databases) => carryKeys(databases, 'operator_keys') },
  listings: { title: 'Suspensions and withdrawals of listings, and limits to members', carry: carryListings },
  offers: { title: 'Pauses of offers', onlyOfContinuation: true, carry: carryPauses },
  codes: { title: 'Codes', onlyOfContinuation: true, carry: carryCodes },
  waiting_lists: { title: 'Waiting lists', onlyOfContinuation: true, carry: carryWaitingLists },
  webhook_endpoints: { title: 'Webhook endpoints', carry: carryEndpoints },
  receipt_keys: { title: 'Receipt keys', onlyOfContinuation: true, carry: carryReceiptKeys },
  redemptions: { title: 'Redemptions', carry: carryRedemptions },
} as const satisfies Readonly<Record<string, CarriedPart>>;

/**
 * Whether the replaced log has the backup's last event under the same number, or starts after it because old events are
 * deleted. Events that an edit may replace are not compared.
 */
function isContinued(connection: DatabaseSync): boolean {
  const last = connection
    .prepare(
      `select seq, type, at, subject_id from restored.events
       where type not in (${REPLACED_TYPES.map((type) => `'${type}'`).join(', ')}) order by seq desc limit 1`,
    )
    .get();
  if (last === undefined) return true;
  const first = connection.prepare('select min(seq) as seq from main.event_rows').get()?.['seq'];
  if (typeof first === 'number' && first > Number(last['seq'])) return true;
  const same = connection.prepare(
    'select 1 from main.events where seq = ? and type = ? and at = ? and subject_id = ?',
  );
  return same.get(...Object.values(last)) !== undefined;
}

const columnsOf = ({ connection }: Databases, table: string, without: readonly string[] = []): string[] =>
  connection
    .prepare('select name from pragma_table_info(?, ?)')
    .all(table, 'restored')
    .map(({ name }) => String(name))
    .filter((name) => !without.includes(name));

/** The values of the replaced database win. Returns how many rows differed. */
function updateShared(
  databases: Databases,
  table: string,
  exceptions: readonly string[],
  condition = 'true',
): number {
  const columns = columnsOf(databases, table, ['id', ...exceptions]);
  return databases.change(`update restored.${table} as r
    set ${columns.map((column) => `${column} = o.${column}`).join(', ')} from main.${table} as o
    where o.id = r.id and ${condition} and (${columns.map((column) => `o.${column} is not r.${column}`).join(' or ')})`);
}

function replaceRows(databases: Databases, table: string): void {
  const columns = columnsOf(databases, table).join(', ');
  databases.change(`delete from restored.${table} where account_id in (select id from main.accounts)`);
  databases.change(`insert into restored.${table} (${columns}) select ${columns} from main.${table}
    where account_id in (select id from restored.accounts)`);
}

const DELETED_SINCE = `from main.accounts as o
  where o.id = r.id and o.deleted_at is not null and r.deleted_at is null`;

/**
 * Removes the email addresses of accounts deleted since the backup, and mail to these addresses. `src/background/personal-data/erase.ts`
 * deletes the remaining data when the service runs on the restored database.
 */
function carryDeletions(databases: Databases): number {
  carryMarks(databases);
  databases.change(`delete from restored.mails where recipient in
    (select r.email from restored.accounts as r where exists (select 1 ${DELETED_SINCE}))`);
  return databases.change(
    `update restored.accounts as r set email = r.id, name = o.name, operator_since = null, deleted_at = o.deleted_at,
       delete_at = ?, delete_reason = 'asked' ${DELETED_SINCE}`,
    databases.at,
  );
}

/**
 * Carries over mailbox marks if both databases have the same key, because marks of different keys cannot be compared.
 * In a continuation, the key is the same, but it may have been encrypted again with a new secret key.
 */
function carryMarks({ change, count, isContinuation }: Databases): void {
  const key = (schema: string) => `(select value from ${schema}.settings where name = '${MAILBOX_MARK_KEY}')`;
  change(`insert into restored.settings (name, value) select name, value from main.settings
    where name = '${MAILBOX_MARK_KEY}'
    on conflict do ${isContinuation ? 'update set value = excluded.value' : 'nothing'}`);
  if (count(`select ${key('main')} is ${key('restored')}`) === 0) return;
  change(`insert or ignore into restored.mailbox_marks (account_number, offer_id, mark)
    select f.account_number, o.offer_id, o.mark
    from main.mailbox_marks as o join restored.offers as f on f.id = o.offer_id`);
}

function carryAccounts(databases: Databases): number {
  const { change, count, isContinuation, lose } = databases;
  if (!isContinuation) {
    return change(`update restored.accounts as r set suspended_at = o.suspended_at from main.accounts as o
      where o.id = r.id and o.suspended_at is not null and r.suspended_at is null`);
  }
  const newAccounts = count(
    'select count(*) from main.accounts where id not in (select id from restored.accounts)',
  );
  if (newAccounts > 0) lose(`Accounts created since the backup are gone: ${newAccounts}.`);
  // Avoids a unique violation if two accounts have swapped their email addresses.
  change(`update restored.accounts as r set email = r.id
    from main.accounts as o where o.id = r.id and o.email <> r.email`);
  return updateShared(databases, 'accounts', ['number'], 'o.deleted_at is null');
}

/** Tables of sign-in methods, each with an expression that identifies a method. */
const SIGN_IN_TABLES = [
  ['passwords', 'hash'],
  ['two_factors', 'secret'],
  ['backup_codes', 'code_hash'],
  ['passkeys', 'credential_id'],
  ['oidc_identities', "issuer || ' ' || subject"],
] as const;

const signInMethodsOf = (schema: string): string =>
  SIGN_IN_TABLES.map(
    ([table, what]) =>
      `select account_id, '${table}' as method, ${what} as what from ${schema}.${table}
       where account_id in (select id from main.accounts intersect select id from restored.accounts)`,
  ).join(' union all ');

function carrySignInMethods(databases: Databases): number {
  const [before, now] = [signInMethodsOf('restored'), signInMethodsOf('main')];
  const changed = databases.count(`select count(distinct account_id) from (
    select * from (select * from (${before}) except select * from (${now}))
    union all select * from (select * from (${now}) except select * from (${before})))`);
  for (const [table] of SIGN_IN_TABLES) replaceRows(databases, table);
  // Also carry over mail preferences, the record of sent notices and the times when accounts were last used.
  for (const table of ['mail_settings', 'notices', 'account_uses']) replaceRows(databases, table);
  databases.change(`insert or ignore into restored.invitation_refusals (mailbox_hash, created_at)
    select mailbox_hash, created_at from main.invitation_refusals`);
  return changed;
}

/** Removes people who were mailed or have left since the backup, so that nobody is mailed twice or after leaving. */
function carryWaitingLists({ change }: Databases): number {
  change(`insert into restored.settings (name, value) select name, value from main.settings
    where name = '${WAITING_LISTS_RESTORED_AT}' on conflict (name) do update set value = excluded.value`);
  return change('delete from restored.waiting_people where id not in (select id from main.waiting_people)');
}

/**
 * Removes members who have left and applies changed roles. With `isContinuation`, adds those who joined if the backup
 * has both accounts; otherwise only lowers roles.
 */
function carryMemberships({ change, isContinuation }: Databases): number {
  const same = 'o.account_id = r.account_id and o.member_id = r.member_id';
  const ended = change(`delete from restored.memberships as r
    where account_id in (select id from main.accounts)
      and not exists (select 1 from main.memberships as o where ${same})`);
  const changed = change(`update restored.memberships as r set role = o.role from main.memberships as o
    where ${same} and o.role <> r.role ${isContinuation ? '' : "and o.role = 'member'"}`);
  if (!isContinuation) return ended + changed;
  const columns = 'account_id, member_id, role, created_at, invited_by_id';
  const joined = change(`insert or ignore into restored.memberships (${columns}) select ${columns}
    from main.memberships where account_id in (select id from restored.accounts)
      and member_id in (select id from restored.accounts)`);
  return ended + changed + joined;
}

/**
 * Carries over revocations, expiry times and networks. Adds keys created since the backup, because servers use them; without
 * `isContinuation`, the added keys are revoked.
 */
function carryKeys(databases: Databases, table: 'api_keys' | 'operator_keys'): number {
  const { at, change, isContinuation } = databases;
  const isOfApi = table === 'api_keys';
  const columns = columnsOf(databases, table, ['number', 'account_number', 'revoked_at']);
  const added = change(
    `insert into restored.${table} (${columns.join(', ')}, ${isOfApi ? 'account_number, ' : ''}revoked_at)
     select ${columns.map((column) => `o.${column}`).join(', ')}, ${isOfApi ? 'a.number, ' : ''}
       coalesce(o.revoked_at, ${isContinuation ? 'null' : '?'})
     from main.${table} as o join restored.accounts as a on a.id = o.account_id
     where o.id not in (select id from restored.${table})`,
    ...(isContinuation ? [] : [at]),
  );
  // A database that doesn't continue the backup may be older, so it must not widen the networks of a key.
  const networks = isContinuation ? 'o.networks' : 'coalesce(r.networks, o.networks)';
  const ended = change(`update restored.${table} as r
    set revoked_at = coalesce(r.revoked_at, o.revoked_at),
      expires_at = coalesce(min(r.expires_at, o.expires_at), r.expires_at, o.expires_at),
      networks = ${networks}
    from main.${table} as o
    where o.id = r.id and ((r.revoked_at is null and o.revoked_at is not null)
      or r.networks is not ${networks} or o.expires_at < coalesce(r.expires_at, '9'))`);
  if (isOfApi && isContinuation) updateShared(databases, table, ['number', 'account_number']);
  return added + ended;
}

/** Transfers since the backup. The caller repeats them, because the verb moves claims, codes and counts. */
function findTransfers({ connection, lose }: Databases): readonly Transfer[] {
  const rows = connection
    .prepare(
      `select r.id, r.slug, o.account_id, exists (select 1 from restored.accounts where id = o.account_id) as has_account
       from main.listings as o join restored.listings as r on r.id = o.id
       where o.account_id <> r.account_id order by r.slug`,
    )
    .all();
  const lost = rows.filter(({ has_account }) => has_account === 0).map(({ slug }) => String(slug));
  if (lost.length > 0) {
    lose(
      `Listings that were transferred to accounts created since the backup belong to their former accounts again: ${lost.join(', ')}.`,
    );
  }
  return rows
    .filter(({ has_account }) => has_account !== 0)
    .map(({ id, slug, account_id }) => ({ listing: String(id), slug: String(slug), to: String(account_id) }));
}

function carryListings({ change, isContinuation }: Databases): number {
  const takenDown = isContinuation ? "or (r.state = 'approved' and o.state <> 'approved')" : '';
  const limited = change(`update restored.listings as r set visibility = o.visibility from main.listings as o
    where o.id = r.id and o.visibility is not null and r.visibility is null`);
  change(`update restored.cards set for_members = 1
    where listing_id in (select id from restored.listings where visibility is not null)`);
  return (
    limited +
    carryVisibility(change) +
    change(`update restored.listings as r
    set state = o.state, reason = o.reason, decided_at = o.decided_at, last_live = o.last_live, undo = null,
      version = max(r.version, o.version) + 1
    from main.listings as o
    where o.id = r.id and ((o.state = 'suspended' and r.state <> 'suspended') ${takenDown})`)
  );
}

/** Whether the marketplace is for members only. Who is a member is as in the backup. */
const carryVisibility = (change: Databases['change']): number =>
  change(`insert into restored.settings (name, value)
    select name, json_object('visibility', 'members') from main.settings
    where name = '${ACCOUNT_POLICY}' and value ->> 'visibility' = 'members'
    on conflict (name) do update set value = json_set(value, '$.visibility', 'members')
    where value ->> 'visibility' is not 'members'`);

function carryPauses({ change }: Databases): number {
  return change(`update restored.offers as r set paused_at = o.paused_at from main.offers as o
    where o.id = r.id and o.paused_at is not null and r.paused_at is null`);
}

/** Condition: both databases have the same code. Hashes are comparable, because both databases use the same key. */
const SAME_CODE = 'r.offer_id = o.offer_id and r.code_hash = o.code_hash';

/** Codes given out since can't be given out again, withdrawn ones are deleted, new ones added. */
function carryCodes({ change }: Databases): number {
  change(`update restored.offers as r set code_key = o.code_key from main.offers as o
    where o.id = r.id and r.code_key is null and o.code_key is not null`);
  change(`delete from restored.offer_codes as r
    where claim_id is null and offer_id in (select id from main.offers)
      and not exists (select 1 from main.offer_codes as o where ${SAME_CODE})`);
  const added =
    change(`insert or ignore into restored.offer_codes (account_number, offer_id, code_hash, code, added_at, claim_id)
    select f.account_number, o.offer_id, o.code_hash, o.code, o.added_at, o.claim_id
    from main.offer_codes as o join restored.offers as f on f.id = o.offer_id
    where not exists (select 1 from restored.offer_codes as r where ${SAME_CODE})
    order by o.seq`);
  const assigned = change(`update or ignore restored.offer_codes as r set claim_id = o.claim_id
    from main.offer_codes as o where ${SAME_CODE} and o.claim_id is not null and r.claim_id is null`);
  change(`insert into restored.offer_claims (account_number, offer_id, claims, codes_left, codes_given)
    select account_number, offer_id, 0, sum(claim_id is null), sum(claim_id is not null)
    from restored.offer_codes where true group by account_number, offer_id
    on conflict (account_number, offer_id) do update
      set codes_left = excluded.codes_left, codes_given = excluded.codes_given`);
  return added + assigned;
}

/**
 * Carries over all changes: the old URL may belong to somebody else by now, and the old secret may have leaked. Without
 * `isContinuation`, only pauses endpoints whose URL or secret was set by people who have lost their role.
 */
function carryEndpoints(databases: Databases): number {
  if (!databases.isContinuation) {
    return databases.change(`update restored.webhook_endpoints as r
      set disabled_at = coalesce(r.disabled_at, o.disabled_at), disabled_reason = o.disabled_reason
      from main.webhook_endpoints as o
      where o.id = r.id and o.disabled_reason = 'member_gone' and r.disabled_reason is not o.disabled_reason`);
  }
  const deleted = databases.change(
    `update restored.webhook_endpoints set deleted_at = ?
     where deleted_at is null and id not in (select id from main.webhook_endpoints)
       and (account_id = '${MARKETPLACE_ID}' or account_id in (select id from main.accounts))`,
    databases.at,
  );
  return deleted + updateShared(databases, 'webhook_endpoints', ['failing_since', 'cursor']);
}

/** Keeps receipts signed since the backup verifiable, and prevents keys rotated since the backup from signing again. */
function carryReceiptKeys(databases: Databases): number {
  const { change, count } = databases;
  if (count('select count(*) from main.receipt_keys') === 0) return 0;
  const added = count(`select count(*) from main.receipt_keys
    where kid not in (select kid from restored.receipt_keys)`);
  change('update restored.receipt_keys set private_key = null');
  const columns = columnsOf(databases, 'receipt_keys').join(', ');
  change(
    `insert or replace into restored.receipt_keys (${columns}) select ${columns} from main.receipt_keys`,
  );
  return added;
}
