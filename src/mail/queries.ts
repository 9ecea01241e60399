/** SQL of the Outbox: mail that was not sent because no SMTP server is set up. */
import type { Selectable } from 'kysely';
import type { Queryable, Transaction } from '../store/database.ts';
import type { MailsTable } from '../store/tables/service.ts';

/** A mail in the Outbox. Its body may hold a code, so only the operator may see it. */
export type OutboxMail = Selectable<MailsTable>;

/** Most mails shown. */
export const OUTBOX_SHOWN = 100;

/** The newest first. The body is empty if its code no longer works. `at`: now, ISO 8601 UTC. */
export async function listOutbox(db: Queryable, at: string): Promise<OutboxMail[]> {
  const rows = await db
    .selectFrom('mails')
    .leftJoin('one_time_codes', (join) =>
      join.onRef('one_time_codes.code_hash', '=', 'mails.code_hash').on('one_time_codes.expires_at', '>', at),
    )
    .selectAll('mails')
    .select('one_time_codes.code_hash as working_code')
    .orderBy('mails.id', 'desc')
    .limit(OUTBOX_SHOWN)
    .execute();
  return rows.map(({ working_code, ...mail }) =>
    mail.code_hash === null || working_code !== null ? mail : { ...mail, body: '' },
  );
}

/** Deletes the text of mails with these codes, which have stopped working; address, subject and time stay. */
export async function emptyMails(tx: Transaction, codeHashes: readonly string[]): Promise<void> {
  if (codeHashes.length === 0) return;
  await tx
    .updateTable('mails')
    .set({ body: '' })
    .where('code_hash', 'in', codeHashes)
    .where('body', '<>', '')
    .execute();
}

/** Codes of at most `limit` mails that still have a text though their code is gone. */
export async function findSpentMails(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mails')
    .leftJoin('one_time_codes', 'one_time_codes.code_hash', 'mails.code_hash')
    .select('mails.code_hash')
    .where('mails.code_hash', 'is not', null)
    .where('mails.body', '<>', '')
    .where('one_time_codes.code_hash', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ code_hash }) => code_hash!);
}

export const insertMail = (tx: Transaction, mail: OutboxMail): Promise<unknown> =>
  tx.insertInto('mails').values(mail).execute();

/** `at`: ISO 8601 UTC. */
export const deleteMailsBefore = (tx: Transaction, at: string): Promise<unknown> =>
  tx.deleteFrom('mails').where('created_at', '<', at).execute();
