/** Erases accounts in short, idempotent transactions, so that the next run can complete an interrupted deletion. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { appendEvent } from '../../base/events/queries.ts';
import { closeListing } from '../../marketplace/listings/edit.ts';
import { DELETED_TEXT, KEYS_KEPT_MS } from '../../people/accounts/account.ts';
import { insertMarks, makeMarkKey } from '../../people/accounts/mailbox-mark.ts';
import { findDueDeletions, lockAccount, unplanDeletionOf } from '../../people/accounts/queries.ts';
import { deleteMailsTo } from '../../people/mail/queries.ts';
import { leaveEveryAccount } from '../../people/members/change-membership.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  deleteRowsOfPerson,
  type Erased,
  endEndpoints,
  endKeys,
  eraseProfile,
  findClaimsOfPerson,
  findErased,
  findEventsOfAccount,
  findListingsOf,
  finishErasure,
  forgetClaimant,
  hasEventOf,
  MANY_ROWS_OF_PERSON,
  markDeleted,
  replaceEventsOf,
} from './erase-queries.ts';
import { withoutPerson } from './event-words.ts';

const ACCOUNTS_A_PAGE = 50;
/** Claims or events per transaction: few enough to delay a redemption by only milliseconds. */
const ROWS_A_PORTION = 200;
/** Pause between transactions, so that other writers can proceed. */
const PAUSE_MS = 10;

export const deletionsAreDue = async (context: Context): Promise<boolean> =>
  (await findDueDeletions(context.db.read, context.at(), 1)).length > 0;

interface ErasureOptions {
  readonly signal?: AbortSignal;
  readonly rowsAPortion?: number;
  /** Gets the ID of each erased account. After a PostgreSQL restore, operators need the IDs to repeat deletions. */
  readonly onErased?: (accountId: string) => void;
}

/** Returns the number of erased accounts. Safe to run concurrently in several processes. */
export async function eraseDueAccounts(context: Context, options: ErasureOptions = {}): Promise<number> {
  const { signal } = options;
  let erased = 0;
  while (signal?.aborted !== true) {
    const due = await findDueDeletions(context.db.read, context.at(), ACCOUNTS_A_PAGE);
    for (const id of due) {
      if (await eraseAccount(context, id, options)) {
        erased += 1;
        options.onErased?.(id);
      }
      if (signal?.aborted) return erased;
    }
    if (due.length < ACCOUNTS_A_PAGE) return erased;
  }
  return erased;
}

/** Repeats deletions after a backup was restored. Ignores unknown IDs. Returns the number of accounts deleted. */
export async function eraseAgain(context: Context, ids: readonly string[]): Promise<number> {
  let again = 0;
  for (const id of new Set(ids)) {
    const isFound = await context.db.transaction((tx) => markDeleted(tx, id, context.at()));
    if (isFound) again += 1;
  }
  await eraseDueAccounts(context);
  return again;
}

async function eraseAccount(
  context: Context,
  id: string,
  { signal, rowsAPortion = ROWS_A_PORTION }: ErasureOptions,
): Promise<boolean> {
  const isUnderWay = await begin(context, id);
  if (!isUnderWay) return false;
  await leaveEveryAccount(context, id);
  for (const listingId of await findListingsOf(context.db.read, id)) {
    if (signal?.aborted) return false;
    await closeListing(context, { listingId, accountId: id });
  }
  const portions = [
    deleteManyRows(context, id, rowsAPortion),
    forgetClaims(context, id, rowsAPortion),
    forgetInEvents(context, id, rowsAPortion),
  ];
  for (const portion of portions) {
    for await (const _ of portion) {
      if (signal?.aborted) return false;
      await sleep(PAUSE_MS);
    }
  }
  return await locked(context, id, async (tx, account) => {
    // Requests that were in progress when the deletion began may have added rows.
    await deleteRowsOfPerson(tx, account, context.at());
    for (const { remove } of MANY_ROWS_OF_PERSON) while (await remove(tx, id, ROWS_A_PORTION));
    return await finishErasure(tx, id);
  });
}

/** Locks the account and runs `work` if the deletion is due or in progress. Otherwise returns false. */
const locked = <T>(
  context: Context,
  id: string,
  work: (tx: Transaction, account: Erased) => Promise<T>,
): Promise<T | false> =>
  context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, id);
    const account = await findErased(tx, id, context.at());
    return account === undefined ? false : await work(tx, account);
  });

/** Ends the person's access and frees the email address. Afterwards, the deletion can't be undone. */
const begin = (context: Context, id: string): Promise<boolean> =>
  locked(context, id, async (tx, account) => {
    if (account.operator_since !== null) {
      await unplanDeletionOf(tx, id);
      return false;
    }
    const at = context.at();
    await makeMarkKey(context, tx);
    await deleteMailsTo(tx, account.email);
    await deleteRowsOfPerson(tx, account, at);
    const until = toIso(Date.parse(account.deleted_at ?? at) + KEYS_KEPT_MS);
    await endKeys(tx, id, { at, until, name: DELETED_TEXT });
    await endEndpoints(tx, id, at);
    await eraseProfile(tx, id, at);
    // An interrupted run may already have written the event.
    if (!(await hasEventOf(tx, id, 'account.deleted'))) {
      const data = { keys_until: until };
      const event = { accountId: id, subjectId: id, type: 'account.deleted', actor: 'service' } as const;
      await appendEvent(tx, { ...event, at, data });
    }
    return true;
  });

async function* deleteManyRows(context: Context, id: string, limit: number): AsyncGenerator<void> {
  for (const { remove, rowsAPortion } of MANY_ROWS_OF_PERSON) {
    while (await locked(context, id, (tx) => remove(tx, id, Math.min(limit, rowsAPortion)))) yield;
  }
}

/** Removes the person from claims. The same transaction stores a mailbox mark for each live claim. */
async function* forgetClaims(context: Context, id: string, limit: number): AsyncGenerator<void> {
  for (;;) {
    const claims = await locked(context, id, async (tx, { mailbox }) => {
      const claimsOfPerson = await findClaimsOfPerson(tx, id, limit);
      const last = claimsOfPerson.at(-1);
      if (last === undefined) return claimsOfPerson;
      const live = claimsOfPerson.filter(({ mode }) => mode === 'live');
      await insertMarks(context, tx, mailbox, live);
      await forgetClaimant(tx, id, last.seq);
      return claimsOfPerson;
    });
    if (claims === false || claims.length < limit) return;
    yield;
  }
}

/** Redacts email addresses, names and reasons in the account's events, and removes network addresses. */
async function* forgetInEvents(context: Context, id: string, limit: number): AsyncGenerator<void> {
  for (let after = 0; ; ) {
    const events = await findEventsOfAccount(context.db.read, id, after, limit);
    const changed = events.flatMap(({ seq, type, data }) => {
      const rest = withoutPerson(type, JSON.parse(data ?? '{}') as Record<string, unknown>);
      return rest === null ? [] : [{ seq, data: JSON.stringify(rest) }];
    });
    if (changed.length > 0) {
      await locked(context, id, async (tx) =>
        replaceEventsOf(tx, context.db.engine, await readAccountNumber(tx, id), changed),
      );
    }
    if (events.length < limit) return;
    after = events.at(-1)!.seq;
    yield;
  }
}
