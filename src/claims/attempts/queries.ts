import type { Mode } from '../../people/keys/key.ts';
import { type Engine, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { insertionOf, type RowColumns } from '../../platform/store/insert-rows.ts';
import type { AttemptsTable } from '../../platform/store/tables/attempts.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { outcomeOf } from './cause.ts';

export type AttemptRow = Omit<AttemptsTable, 'id' | 'token_hash'> & {
  /** In hexadecimal. */
  readonly token_hash: string | null;
};

const COLUMNS: RowColumns<AttemptRow> = {
  account_id: 'uuid',
  mode: 'text',
  at: 'time',
  request_id: 'text',
  api_key_id: 'uuid',
  cause: 'text',
  detail: 'text',
  redeem: 'integer',
  token_last4: 'text',
  token_hash: 'bytes',
  offer_id: 'uuid',
  via: 'text',
  idempotency_last4: 'text',
  latency_us: 'integer',
  ip: 'text',
  user_agent: 'text',
  origin: 'text',
  request_line: 'text',
};

export async function insertAttempts(
  tx: Transaction,
  engine: Engine,
  rows: readonly AttemptRow[],
): Promise<void> {
  if (rows.length > 0) await insertionOf(engine, 'attempts', COLUMNS, rows).execute(tx);
}

export interface UnrecordedCalls {
  readonly accountId: string;
  readonly calls: number;
  readonly lastMs: EpochMs;
}

export async function addUnrecordedCalls(tx: Transaction, counts: readonly UnrecordedCalls[]): Promise<void> {
  // All processes update these rows in the same order, which prevents deadlocks.
  const inOrder = counts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  for (const { accountId, calls, lastMs } of inOrder) {
    await tx
      .insertInto('unrecorded_calls')
      .values({ account_id: accountId, calls, last_at: toIso(lastMs) })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet((eb) => ({
          calls: eb('unrecorded_calls.calls', '+', eb.ref('excluded.calls')),
          last_at: eb
            .case()
            .when('unrecorded_calls.last_at', '>', eb.ref('excluded.last_at'))
            .then(eb.ref('unrecorded_calls.last_at'))
            .else(eb.ref('excluded.last_at'))
            .end(),
        })),
      )
      .execute();
  }
}

export const findUnrecordedCalls = (db: Queryable, accountId: string) =>
  db
    .selectFrom('unrecorded_calls')
    .select(['calls', 'last_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();

export async function deleteUnrecordedCalls(tx: Transaction, until: string): Promise<void> {
  await tx.deleteFrom('unrecorded_calls').where('last_at', '<=', until).execute();
}

/** Keeps the earlier verification on conflict: another process may have written one already. */
export async function addFirstVerifications(tx: Transaction, rows: readonly AttemptRow[]): Promise<void> {
  for (const row of rows) {
    const { account_id, cause, at, request_id, api_key_id, token_last4, latency_us } = row;
    const outcome = outcomeOf(cause);
    const values = { at, request_id, api_key_id, token_last4, latency_us };
    await tx
      .insertInto('first_verifications')
      .values({ account_id, outcome, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'outcome'])
          .doUpdateSet(values)
          .whereRef('first_verifications.at', '>', 'excluded.at'),
      )
      .execute();
  }
}

export const listFirstVerifications = (db: Queryable, accountId: string) =>
  db
    .selectFrom('first_verifications')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('at')
    .orderBy('outcome')
    .execute();

export interface KeyUse {
  readonly accountId: string;
  readonly keyId: string;
  readonly usedMs: EpochMs;
}

/** Never moves a time backwards: another process may have written a later time. */
export async function writeKeyUses(tx: Transaction, uses: readonly KeyUse[]): Promise<void> {
  for (const { accountId, keyId, usedMs } of uses) {
    await tx
      .insertInto('api_key_uses')
      .values({ account_id: accountId, api_key_id: keyId, last_used_at: toIso(usedMs) })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'api_key_id'])
          .doUpdateSet({ last_used_at: (eb) => eb.ref('excluded.last_used_at') })
          .whereRef('excluded.last_used_at', '>', 'api_key_uses.last_used_at'),
      )
      .execute();
  }
}

interface CallersSent {
  readonly keyHashes: readonly Uint8Array[];
  readonly origins: readonly string[];
}

/** The live and test keys among the hashes, and the owners of approved listings at the origins. */
export async function findCallers(db: Queryable, { keyHashes, origins }: CallersSent) {
  const [keys, sites] = await Promise.all([
    keyHashes.length === 0
      ? []
      : db
          .selectFrom('api_keys')
          .select(['id', 'account_id', 'mode', 'secret_hash'])
          .where('secret_hash', 'in', keyHashes)
          .execute(),
    origins.length === 0
      ? []
      : db
          .selectFrom('listings')
          .select(['account_id', 'origin'])
          .distinct()
          .where('origin', 'in', origins)
          .where('state', '=', 'approved')
          .execute(),
  ]);
  return { keys, sites };
}

/** Returns false if the key was already marked. */
export const markSeenInBrowser = (tx: Transaction, keyId: string, at: string): Promise<boolean> =>
  isFound(
    tx
      .updateTable('api_keys')
      .set({ seen_in_browser_at: at })
      .where('id', '=', keyId)
      .where('seen_in_browser_at', 'is', null)
      .returning('id'),
  );

export interface CallScope {
  readonly accountId: string;
  readonly mode: Mode;
}

export const hasAttempts = (db: Queryable, is: '>' | '<=', at: string): Promise<boolean> =>
  isFound(db.selectFrom('attempts').select('at').where('at', is, at).limit(1));

export const listActive = (db: Queryable, after: string): Promise<CallScope[]> =>
  db
    .selectFrom('attempts')
    .select(['account_id as accountId', 'mode'])
    .distinct()
    .where('at', '>', after)
    .execute();

/** If there are more than `limit` attempts, returns the time of the newest one to delete. Otherwise, returns `null`. */
export async function findOverflow(db: Queryable, scope: CallScope, limit: number): Promise<string | null> {
  const row = await db
    .selectFrom('attempts')
    .select('at')
    .where('account_id', '=', scope.accountId)
    .where('mode', '=', scope.mode)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(limit)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * Deletes attempts up to and including the time `until`, oldest first. Deletes at most `limit` attempts, or a few more
 * if several have the same timestamp. `scope`: `null` for all accounts. Returns whether more attempts may remain.
 */
export async function deleteAttempts(
  tx: Transaction,
  until: string,
  scope: CallScope | null,
  limit: number,
): Promise<boolean> {
  const of = scope === null ? {} : { account_id: scope.accountId, mode: scope.mode };
  const last = await tx
    .selectFrom('attempts')
    .select('at')
    .where((eb) => eb.and(of))
    .where('at', '<=', until)
    .orderBy('at')
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  await tx
    .deleteFrom('attempts')
    .where((eb) => eb.and(of))
    .where('at', '<=', last?.at ?? until)
    .execute();
  return last !== undefined;
}

const allCallsWithKeys = (db: Queryable) =>
  db
    .selectFrom('attempts')
    .leftJoin('api_keys', 'api_keys.id', 'attempts.api_key_id')
    .selectAll('attempts')
    .select(['api_keys.name as key_name', 'api_keys.start as key_start', 'api_keys.mode as key_mode'])
    .select(['api_keys.secret_hash as key_hash', 'api_keys.networks as key_networks'])
    .select(['revoked_at', 'expires_at']);

/** Joins each call with the current state of its key. */
export const callsWithKeys = (db: Queryable, accountId: string) =>
  allCallsWithKeys(db).where('attempts.account_id', '=', accountId);

export type CallWithKey = Awaited<ReturnType<ReturnType<typeof callsWithKeys>['executeTakeFirstOrThrow']>>;

/** A call of the account, or of any account if `accountId` is `null`. */
export const findCall = (
  db: Queryable,
  accountId: string | null,
  requestId: string,
): Promise<CallWithKey | undefined> =>
  (accountId === null ? allCallsWithKeys(db) : callsWithKeys(db, accountId))
    .where('attempts.request_id', '=', requestId)
    .orderBy('attempts.at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const OUTSIDE_CALLS = 10;

/** The newest calls from outside the networks of a key, newest first. */
export const listOutsideCalls = (
  db: Queryable,
  accountId: string,
  { id, mode }: { readonly id: string; readonly mode: Mode },
) =>
  db
    .selectFrom('attempts')
    .select(['at', 'ip', 'request_id'])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('api_key_id', '=', id)
    .where('cause', '=', 'network_not_allowed')
    .orderBy('at', 'desc')
    .limit(OUTSIDE_CALLS)
    .execute();
