/** The SQL of the Outbox: mail that was not sent since no SMTP server is set up. */
import type { Selectable } from 'kysely';
import type { Queryable, Transaction } from '../store/database.ts';
import type { MailsTable } from '../store/schema.ts';

/** A mail in the Outbox. Its body may hold a code: for the operator alone. */
export type OutboxMail = Selectable<MailsTable>;

/** At most this many are shown. */
export const OUTBOX_SHOWN = 100;

/** The newest first. */
export const listOutbox = (db: Queryable): Promise<OutboxMail[]> =>
  db.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(OUTBOX_SHOWN).execute();

export const insertMail = (tx: Transaction, mail: OutboxMail): Promise<unknown> =>
  tx.insertInto('mails').values(mail).execute();

/** `at`: ISO 8601 UTC. */
export const deleteMailsBefore = (tx: Transaction, at: string): Promise<unknown> =>
  tx.deleteFrom('mails').where('created_at', '<', at).execute();
