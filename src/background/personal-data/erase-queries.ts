import { type RawBuilder, sql } from 'kysely';
import type { EventType } from '../../base/events/catalogue.ts';
import { DELETED_NAME, mailboxOf } from '../../people/accounts/account.ts';
import { changing, deleteRowsOf, TABLES_OF_PERSON } from '../../people/accounts/queries.ts';
import { expireLinksBy } from '../../people/sign-in/access-queries.ts';
import { deleteLinksOfListings } from '../../people/visibility/link-queries.ts';
import {
  countOf,
  type Engine,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { numberOfAccount, readAccountNumber } from '../../platform/store/numbers.ts';
import { NOT_OF_CLAIMS } from '../../platform/store/partial-indexes.ts';

/** Finds an account whose deletion is due or in progress. */
export const findErased = (db: Queryable, id: string, at: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'email', 'mailbox', 'operator_since', 'deleted_at'])
    .where('id', '=', id)
    .where('delete_at', '<=', at)
    .executeTakeFirst();

export type Erased = NonNullable<Awaited<ReturnType<typeof findErased>>>;

/** Frees the email address for other accounts. Keeps `mailbox`, because `insertMarks` needs it later. */
export const eraseProfile = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx
    .updateTable('accounts')
    .set((eb) => ({
      email: id,
      name: DELETED_NAME,
      email_verified_at: null,
      two_factor_at: null,
      deleted_at: eb.fn.coalesce('deleted_at', eb.val(at)),
    }))
    .where('id', '=', id)
    .execute();

interface ManyRows {
  /** Few enough to delay a redemption by only milliseconds. A picture takes up to 2 MB. */
  readonly rowsAPortion: number;
  /** Deletes at most `limit` rows. Returns whether there may be more. */
  readonly remove: (tx: Transaction, accountId: string, limit: number) => Promise<boolean>;
}

/** What a person can have so much of that redemptions would wait if it was deleted in one transaction. */
export const MANY_ROWS_OF_PERSON: readonly ManyRows[] = [
  {
    rowsAPortion: 10,
    remove: async (tx, accountId, limit) => {
      const pictures = await tx
        .selectFrom('pictures')
        .select('id')
        .where('account_id', '=', accountId)
        .limit(limit)
        .execute();
      if (pictures.length > 0) {
        const ids = pictures.map(({ id }) => id);
        await tx.deleteFrom('pictures').where('id', 'in', ids).execute();
      }
      return pictures.length === limit;
    },
  },
  {
    rowsAPortion: 500,
    remove: async (tx, accountId, limit) => {
      const notices = await tx
        .selectFrom('notices')
        .select(['kind', 'about'])
        .where('account_id', '=', accountId)
        .orderBy('kind')
        .orderBy('about')
        .limit(limit)
        .execute();
      const last = notices.at(-1);
      if (last !== undefined) {
        await tx
          .deleteFrom('notices')
          .where('account_id', '=', accountId)
          .where(sql<boolean>`(kind, about) <= (${last.kind}, ${last.about})`)
          .execute();
      }
      return notices.length === limit;
    },
  },
];

/**
 * Deletes rows that are only about this person, except those of `MANY_ROWS_OF_PERSON`. Clears the person's ID in the
 * remaining requests and reports.
 */
export async function deleteRowsOfPerson(
  tx: Transaction,
  { id, email, mailbox }: Pick<Erased, 'id' | 'email' | 'mailbox'>,
  at: string,
): Promise<void> {
  await deleteRowsOf(tx, id, ...TABLES_OF_PERSON);
  await tx.deleteFrom('one_time_codes').where('email', '=', email).execute();
  await tx.deleteFrom('email_sign_ins').where('email', '=', email).execute();
  const invitationIds = await findInvitationsTo(tx, mailbox);
  if (invitationIds.length > 0) await tx.deleteFrom('invitations').where('id', 'in', invitationIds).execute();
  await tx.deleteFrom('waiting_people').where('mailbox', '=', mailbox).execute();
  await deleteLinksOfListings(tx, await findListingsOf(tx, id));
  await expireLinksBy(tx, id, at, 'everything');
  await tx.updateTable('access_links').set({ created_by_id: null }).where('created_by_id', '=', id).execute();
  await tx.updateTable('account_requests').set({ asked_by_id: null }).where('asked_by_id', '=', id).execute();
  await tx
    .updateTable('reports')
    .set({ reporter_id: null, reply_to: null })
    .where((eb) => eb.or([eb('reporter_id', '=', id), eb('reply_to', '=', email)]))
    .execute();
  await tx
    .deleteFrom('listing_questions')
    .where('listing_id', 'in', (eb) =>
      eb.selectFrom('listings').select('listings.id').where('listings.account_id', '=', id),
    )
    .execute();
}

/** The IDs of the invitations to any spelling of the mailbox. Reads all invitations, which are few. */
export async function findInvitationsTo(db: Queryable, mailbox: string): Promise<readonly string[]> {
  const invitations = await db
    .selectFrom('invitations')
    .select(['id', 'email'])
    .where('email', 'is not', null)
    .execute();
  return invitations.filter(({ email }) => mailboxOf(email!) === mailbox).map(({ id }) => id);
}

/** Makes API keys expire by `until`, revokes operator keys, and renames all keys to `name`. */
export async function endKeys(
  tx: Transaction,
  id: string,
  { at, until, name }: { readonly at: string; readonly until: string; readonly name: string },
): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set((eb) => ({
      name,
      expires_at: sql<string>`case when ${eb.ref('expires_at')} < ${until} then ${eb.ref('expires_at')} else ${sql.val(until)} end`,
    }))
    .where('account_id', '=', id)
    .execute();
  await tx
    .updateTable('operator_keys')
    .set((eb) => ({
      name,
      networks: null,
      refused_ip: null,
      revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)),
    }))
    .where('account_id', '=', id)
    .execute();
}

/** Marks endpoints as deleted and erases secrets and descriptions. The sweep of deliveries deletes the rows later. */
export const endEndpoints = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx
    .updateTable('webhook_endpoints')
    .set({ deleted_at: at, secret: '', old_secret: null, description: null })
    .where('account_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute();

export async function findListingsOf(db: Queryable, accountId: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('listings').select('id').where('account_id', '=', accountId).execute();
  return rows.map(({ id }) => id);
}

/** Claims that still refer to the person, oldest first. */
export const findClaimsOfPerson = (db: Queryable, accountId: string, limit: number) =>
  db
    .selectFrom('claim_rows')
    .innerJoin('offers', 'offers.number', 'claim_rows.offer_number')
    .select(['claim_rows.seq', 'claim_rows.account_number', 'offers.id as offer_id', 'claim_rows.mode'])
    .where('claim_rows.claimant_number', '=', numberOfAccount(accountId))
    .orderBy('claim_rows.seq')
    .limit(limit)
    .execute();

export async function forgetClaimant(tx: Transaction, accountId: string, lastSeq: number): Promise<void> {
  const number = await readAccountNumber(tx, accountId);
  await tx
    .updateTable('claim_rows')
    .set({ claimant_number: null })
    .where('claimant_number', '=', number)
    .where('seq', '<=', lastSeq)
    .execute();
}

/** An account's events, except claim events. Uses the index `events_audit_by_account`. */
export const auditEventsOf = (db: Queryable, accountId: string) =>
  auditEvents(db).where('account_number', '=', numberOfAccount(accountId));

/** All events, except claim events. Uses the index `events_audit`. */
export const auditEvents = (db: Queryable) =>
  db.selectFrom('event_rows').where(sql<boolean>`${sql.raw(NOT_OF_CLAIMS)}`);

export const findEventsOfAccount = (db: Queryable, accountId: string, after: number, limit: number) =>
  auditEventsOf(db, accountId)
    .select(['seq', 'type', 'data'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();

export const hasEventOf = (db: Queryable, accountId: string, type: EventType): Promise<boolean> =>
  isFound(auditEventsOf(db, accountId).select('seq').where('type', '=', type).limit(1));

const EVENT_COLUMNS = { seq: 'integer', data: 'json' } as const;

/** `events` must be sorted by `seq`. */
export async function replaceEventsOf(
  tx: Transaction,
  engine: Engine,
  number: number,
  events: readonly { readonly seq: number; readonly data: string }[],
): Promise<void> {
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(events), EVENT_COLUMNS);
  const last: RawBuilder<unknown> = sql`event_rows.seq between ${events[0]!.seq} and ${events.at(-1)!.seq}`;
  await sql`update event_rows set data = ${column('data')} from ${source}
    where event_rows.account_number = ${number} and event_rows.seq = ${column('seq')} and ${last}`.execute(
    tx,
  );
}

/** Lets `eraseDueAccounts` erase the account. Returns false if it doesn't exist or is already deleted. */
export const markDeleted = (tx: Transaction, id: string, at: string): Promise<boolean> =>
  isFound(
    changing(tx, id)
      .set({ deleted_at: at, delete_at: at, delete_reason: 'asked', operator_since: null })
      .where('deleted_at', 'is', null),
  );

/** Erases the mailbox and records that the deletion is complete. Returns false if it was already complete. */
export const finishErasure = (tx: Transaction, id: string): Promise<boolean> =>
  isFound(
    changing(tx, id)
      .set({ mailbox: id, delete_at: null, delete_reason: null })
      .where('delete_at', 'is not', null)
      .where('deleted_at', 'is not', null),
  );

/** `readHoldings` stops counting claims at this number. */
export const COUNTED_CLAIMS = 1_000;

export type Holdings = Awaited<ReturnType<typeof readHoldings>>;

/** `claims`: number of live claims, at most `COUNTED_CLAIMS`. */
export async function readHoldings(db: Queryable, accountId: string) {
  const claims = db
    .selectFrom('claim_rows')
    .select('seq')
    .where('claimant_number', '=', numberOfAccount(accountId))
    .where('mode', '=', 'live')
    .limit(COUNTED_CLAIMS);
  return {
    claims: await countOf(db.selectFrom(claims.as('counted'))),
    listings: await countOf(db.selectFrom('listings').where('account_id', '=', accountId)),
    hasKeys: await isFound(
      db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).limit(1),
    ),
  };
}
