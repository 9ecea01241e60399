/** SQL of the request log, of the last use of API keys, and of keys seen in a browser. */
import type { Engine, Queryable, Transaction } from '../store/database.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';
import type { AttemptsTable } from '../store/schema.ts';

export type AttemptRow = Omit<AttemptsTable, 'id' | 'token_hash'> & {
  /** In hexadecimal. */
  readonly token_hash: string | null;
};

const COLUMNS: RowColumns<AttemptRow> = {
  account_id: 'uuid',
  at: 'time',
  request_id: 'text',
  api_key_id: 'uuid',
  status: 'integer',
  outcome: 'text',
  redeem: 'integer',
  token_last4: 'text',
  token_hash: 'bytes',
  via: 'text',
  latency_us: 'integer',
  ip: 'text',
  origin: 'text',
};

export async function insertAttempts(
  tx: Transaction,
  engine: Engine,
  rows: readonly AttemptRow[],
): Promise<void> {
  if (rows.length > 0) await insertionOf(engine, 'attempts', COLUMNS, rows).execute(tx);
}

export interface Drop {
  readonly accountId: string;
  /** ISO time of the start of the minute. */
  readonly minute: string;
  readonly dropped: number;
}

export async function addDrops(tx: Transaction, drops: readonly Drop[]): Promise<void> {
  for (const drop of drops) {
    await tx
      .insertInto('attempts_dropped')
      .values({ account_id: drop.accountId, minute: drop.minute, dropped: drop.dropped })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'minute']).doUpdateSet({
          dropped: (eb) => eb('attempts_dropped.dropped', '+', eb.ref('excluded.dropped')),
        }),
      )
      .execute();
  }
}

/** Keeps an existing first verification: another process may have written an earlier one. */
export async function addFirstVerifications(tx: Transaction, rows: readonly AttemptRow[]): Promise<void> {
  for (const row of rows) {
    await tx
      .insertInto('first_verifications')
      .values({
        account_id: row.account_id,
        at: row.at,
        request_id: row.request_id,
        api_key_id: row.api_key_id,
        outcome: row.outcome,
        token_last4: row.token_last4,
        latency_us: row.latency_us,
      })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .execute();
  }
}

export interface KeyUse {
  readonly accountId: string;
  readonly keyId: string;
  /** ISO time. */
  readonly usedAt: string;
}

/** Never moves a time back: another process may have written a later one. */
export async function writeKeyUses(tx: Transaction, uses: readonly KeyUse[]): Promise<void> {
  for (const use of uses) {
    await tx
      .insertInto('api_key_uses')
      .values({ account_id: use.accountId, api_key_id: use.keyId, last_used_at: use.usedAt })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'api_key_id'])
          .doUpdateSet({ last_used_at: (eb) => eb.ref('excluded.last_used_at') })
          .whereRef('excluded.last_used_at', '>', 'api_key_uses.last_used_at'),
      )
      .execute();
  }
}

export function findKeyBySecretHash(
  db: Queryable,
  secretHash: Uint8Array,
): Promise<{ id: string; account_id: string } | undefined> {
  return db
    .selectFrom('api_keys')
    .select(['id', 'account_id'])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

/** Returns whether this was the first time. */
export async function markSeenInBrowser(tx: Transaction, keyId: string, at: string): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set({ seen_in_browser_at: at })
    .where('id', '=', keyId)
    .where('seen_in_browser_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Accounts with an approved listing that has this origin pinned. */
export async function findAccountsByOrigin(db: Queryable, origin: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listings')
    .select('account_id')
    .distinct()
    .where('origin', '=', origin)
    .where('state', '=', 'approved')
    .execute();
  return rows.map((row) => row.account_id);
}

/** Whether there is an attempt after a time, or up to and including one. */
export async function hasAttempts(
  db: Queryable,
  range: { readonly after: string } | { readonly until: string },
): Promise<boolean> {
  const attempts = db.selectFrom('attempts').select('at').limit(1);
  const found =
    'after' in range ? attempts.where('at', '>', range.after) : attempts.where('at', '<=', range.until);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Accounts with an attempt after a time. */
export async function listActiveAccounts(db: Queryable, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('attempts')
    .select('account_id')
    .distinct()
    .where('at', '>', after)
    .execute();
  return rows.map((row) => row.account_id);
}

/** Time of the newest attempt beyond the newest `kept` of an account; `null` when it has no more. */
export async function findOverflow(db: Queryable, accountId: string, kept: number): Promise<string | null> {
  const row = await db
    .selectFrom('attempts')
    .select('at')
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(kept)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Deletes the oldest attempts up to and including the time `until`, of one account or (`null`) of all, about
 * `limit` of them (those of one millisecond go together). Returns whether more may be left.
 */
export async function deleteAttempts(
  tx: Transaction,
  until: string,
  accountId: string | null,
  limit: number,
): Promise<boolean> {
  let portion = tx.selectFrom('attempts').select('at').where('at', '<=', until).orderBy('at');
  if (accountId !== null) portion = portion.where('account_id', '=', accountId);
  const last = await portion
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  let deletion = tx.deleteFrom('attempts').where('at', '<=', last?.at ?? until);
  if (accountId !== null) deletion = deletion.where('account_id', '=', accountId);
  await deletion.execute();
  return last !== undefined;
}

export async function deleteDrops(tx: Transaction, before: string): Promise<void> {
  await tx.deleteFrom('attempts_dropped').where('minute', '<', before).execute();
}

/** An attempt with its API key, for a claim's timeline. */
export interface AttemptOnClaim {
  readonly at: string;
  readonly request_id: string;
  readonly outcome: string;
  readonly api_key_id: string | null;
  readonly key_name: string | null;
  readonly key_start: string | null;
}

/** Most attempts in a claim's timeline: the oldest. */
const ATTEMPTS_ON_CLAIM = 100;

/** The kept attempts of an account on a token, oldest first. */
export function readAttemptsOnToken(
  db: Queryable,
  accountId: string,
  tokenHash: Uint8Array,
): Promise<AttemptOnClaim[]> {
  return db
    .selectFrom('attempts')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .select([
      'attempts.at',
      'attempts.request_id',
      'attempts.outcome',
      'attempts.api_key_id',
      'api_keys.name as key_name',
      'api_keys.start as key_start',
    ])
    .where('attempts.account_id', '=', accountId)
    .where('attempts.token_hash', '=', tokenHash)
    .orderBy('attempts.at')
    .limit(ATTEMPTS_ON_CLAIM)
    .execute();
}
