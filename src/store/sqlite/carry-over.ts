/**
 * Carries revocations, suspensions, redemptions and other changes since the backup over to the restored database. The
 * schema `main` is the replaced database, which is only read, and `restored` the copy that replaces it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { REPLACED_TYPES } from '../tables/claims.ts';
import { carryCodes } from './carry-codes.ts';
import { carryDeletions } from './carry-deletions.ts';
import { carryRedemptions } from './carry-redemptions.ts';
import { change, countOf, type Databases, one } from './two-databases.ts';

/** Number of rows carried over, by kind. */
export type CarriedOver = Partial<Record<Part | 'redemptions', number>>;

type Part =
  | 'deletions'
  | 'accounts'
  | 'sign_in_methods'
  | 'api_keys'
  | 'operator_keys'
  | 'listings'
  | 'offers'
  | 'codes'
  | 'webhook_endpoints'
  | 'receipt_keys';

export interface CarryOver {
  readonly carriedOver: CarriedOver;
  /** What could not be carried over and why, in sentences. */
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
      // After a read error of the disk, SQLite has ended the transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('rollback to part');
      const reason = error instanceof Error ? error.message : String(error);
      lost.push(`${what} could not be carried over from the replaced database: ${reason}.`);
      return null;
    } finally {
      if (connection.isTransaction) connection.exec('release part');
    }
  };
  const isContinuation = attempt('Changes', () => isContinued(connection));
  if (isContinuation === null) return { carriedOver, lost };
  if (!isContinuation) {
    lost.push(
      'The replaced database does not continue this backup, so only revocations, suspensions and redemptions were carried over from it. Passwords, second factors and passkeys are as in the backup.',
    );
  }
  const databases: Databases = { connection, at, isContinuation, lose: (sentence) => lost.push(sentence) };
  for (const [part, { title, carry }] of Object.entries(PARTS)) {
    const rows = attempt(title, () => carry(databases));
    if (rows !== null && rows > 0) carriedOver[part as Part] = rows;
  }
  const redemptions = attempt('Redemptions', () => carryRedemptions(databases));
  if (redemptions !== null && redemptions > 0) carriedOver.redemptions = redemptions;
  return { carriedOver, lost };
}

/**
 * Whether the replaced log has the backup's last permanent event under the same number, or starts later because older
 * events were deleted.
 */
function isContinued(connection: DatabaseSync): boolean {
  const last = one(
    connection,
    `select seq, account_id, type, at, subject_id from restored.events
     where type not in (${REPLACED_TYPES.map((type) => `'${type}'`).join(', ')}) order by seq desc limit 1`,
  );
  if (last === undefined) return true;
  const first = one(connection, 'select min(seq) as seq from main.event_rows')?.['seq'];
  if (typeof first === 'number' && first > Number(last['seq'])) return true;
  const same = one(
    connection,
    'select 1 from main.events where seq = ? and account_id = ? and type = ? and at = ? and subject_id = ?',
    ...Object.values(last),
  );
  return same !== undefined;
}

const columnsOf = ({ connection }: Databases, table: string, without: readonly string[]): string[] =>
  connection
    .prepare('select name from pragma_table_info(?, ?)')
    .all(table, 'restored')
    .map(({ name }) => String(name))
    .filter((name) => !without.includes(name));

/** Updates rows that both databases have to the values of the replaced one. Returns how many differed. */
function updateShared(
  databases: Databases,
  table: string,
  kept: readonly string[],
  condition = 'true',
): number {
  const columns = columnsOf(databases, table, ['id', ...kept]);
  return change(
    databases,
    `update restored.${table} as r set ${columns.map((column) => `${column} = o.${column}`).join(', ')}
     from main.${table} as o
     where o.id = r.id and ${condition} and (${columns.map((column) => `o.${column} is not r.${column}`).join(' or ')})`,
  );
}

/** For accounts in both databases, replaces the rows by those of the replaced database. */
function replaceRows(databases: Databases, table: string): void {
  const columns = columnsOf(databases, table, []).join(', ');
  change(databases, `delete from restored.${table} where account_id in (select id from main.accounts)`);
  change(
    databases,
    `insert into restored.${table} (${columns}) select ${columns} from main.${table}
     where account_id in (select id from restored.accounts)`,
  );
}

/** Tables of sign-in methods, with the columns that identify one. */
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

interface CarriedPart {
  /** Starts a sentence. */
  readonly title: string;
  /** Returns the number of rows carried over. */
  readonly carry: (databases: Databases) => number;
}

const PARTS: Readonly<Record<Part, CarriedPart>> = {
  deletions: { title: 'Deletions of accounts', carry: carryDeletions },
  accounts: { title: 'Accounts', carry: carryAccounts },
  sign_in_methods: { title: 'Passwords, second factors and passkeys', carry: carrySignInMethods },
  api_keys: { title: 'API keys', carry: (databases) => carryKeys(databases, 'api_keys') },
  operator_keys: { title: 'Operator keys', carry: (databases) => carryKeys(databases, 'operator_keys') },
  listings: { title: 'Suspensions and withdrawals of listings', carry: carryListings },
  offers: { title: 'Pauses of offers', carry: carryPauses },
  codes: { title: 'Codes', carry: carryCodes },
  webhook_endpoints: { title: 'Webhook endpoints', carry: carryEndpoints },
  receipt_keys: { title: 'Keys of receipts', carry: carryReceiptKeys },
};

function carryAccounts(databases: Databases): number {
  if (!databases.isContinuation) {
    return change(
      databases,
      `update restored.accounts as r set suspended_at = o.suspended_at from main.accounts as o
       where o.id = r.id and o.suspended_at is not null and r.suspended_at is null`,
    );
  }
  const made = countOf(
    databases,
    'select count(*) as count from main.accounts where id not in (select id from restored.accounts)',
  );
  if (made > 0) databases.lose(`Accounts created since the backup are gone: ${made}.`);
  // Avoids a conflict if two people have swapped their email addresses.
  change(
    databases,
    `update restored.accounts as r set email = r.id from main.accounts as o where o.id = r.id and o.email <> r.email`,
  );
  return updateShared(databases, 'accounts', ['number'], 'o.deleted_at is null');
}

function carrySignInMethods(databases: Databases): number {
  if (!databases.isContinuation) return 0;
  const [before, now] = [signInMethodsOf('restored'), signInMethodsOf('main')];
  const changed = countOf(
    databases,
    `select count(distinct account_id) as count from (
       select * from (select * from (${before}) except select * from (${now}))
       union all select * from (select * from (${now}) except select * from (${before})))`,
  );
  for (const [table] of SIGN_IN_TABLES) replaceRows(databases, table);
  // Whoever stopped a kind of mail gets none, nobody gets a notice twice, and whoever signed in has used the account.
  for (const table of ['mail_settings', 'notices', 'account_uses']) replaceRows(databases, table);
  return changed;
}

/** Keys created since the backup are carried over too, because servers use them. */
function carryKeys(databases: Databases, table: 'api_keys' | 'operator_keys'): number {
  const { at, isContinuation } = databases;
  const isOfApi = table === 'api_keys';
  const columns = columnsOf(databases, table, ['number', 'account_number', 'revoked_at']);
  const made = change(
    databases,
    `insert into restored.${table} (${columns.join(', ')}, ${isOfApi ? 'account_number, ' : ''}revoked_at)
     select ${columns.map((column) => `o.${column}`).join(', ')}, ${isOfApi ? 'a.number, ' : ''}
       coalesce(o.revoked_at, ${isContinuation ? 'null' : '?'})
     from main.${table} as o join restored.accounts as a on a.id = o.account_id
     where o.id not in (select id from restored.${table})`,
    ...(isContinuation ? [] : [at]),
  );
  const ended = change(
    databases,
    `update restored.${table} as r
     set revoked_at = coalesce(r.revoked_at, o.revoked_at),
       expires_at = coalesce(min(r.expires_at, o.expires_at), r.expires_at, o.expires_at)
     from main.${table} as o
     where o.id = r.id and ((r.revoked_at is null and o.revoked_at is not null)
       or o.expires_at < coalesce(r.expires_at, '9'))`,
  );
  if (isOfApi && isContinuation) updateShared(databases, table, ['number', 'account_number']);
  return made + ended;
}

function carryListings(databases: Databases): number {
  const takenDown = databases.isContinuation ? "or (r.state = 'approved' and o.state <> 'approved')" : '';
  return change(
    databases,
    `update restored.listings as r
     set state = o.state, reason = o.reason, decided_at = o.decided_at, last_live = o.last_live, undo = null,
       version = max(r.version, o.version) + 1
     from main.listings as o
     where o.id = r.id and ((o.state = 'suspended' and r.state <> 'suspended') ${takenDown})`,
  );
}

function carryPauses(databases: Databases): number {
  if (!databases.isContinuation) return 0;
  return change(
    databases,
    `update restored.offers as r set paused_at = o.paused_at from main.offers as o
     where o.id = r.id and o.paused_at is not null and r.paused_at is null`,
  );
}

/** An endpoint's old URL may belong to somebody else by now, and its old secret may have leaked. */
function carryEndpoints(databases: Databases): number {
  if (!databases.isContinuation) return 0;
  const deleted = change(
    databases,
    `update restored.webhook_endpoints set deleted_at = ?
     where deleted_at is null and id not in (select id from main.webhook_endpoints)
       and account_id in (select id from main.accounts)`,
    databases.at,
  );
  const changed = updateShared(databases, 'webhook_endpoints', ['failing_since', 'cursor']);
  return deleted + changed;
}

/** Receipts signed since the backup can still be verified, and a rotated key no longer signs. */
function carryReceiptKeys(databases: Databases): number {
  if (!databases.isContinuation) return 0;
  const made = countOf(
    databases,
    'select count(*) as count from main.receipt_keys where kid not in (select kid from restored.receipt_keys)',
  );
  if (countOf(databases, 'select count(*) as count from main.receipt_keys') === 0) return 0;
  change(databases, 'update restored.receipt_keys set private_key = null');
  const columns = columnsOf(databases, 'receipt_keys', []).join(', ');
  change(
    databases,
    `insert or replace into restored.receipt_keys (${columns}) select ${columns} from main.receipt_keys`,
  );
  return made;
}
