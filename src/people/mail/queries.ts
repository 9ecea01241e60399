import { type Insertable, type Selectable, sql, type UpdateResult } from 'kysely';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import { compileOnce } from '../../platform/store/compile-once.ts';
import { countOf, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { MailsTable } from '../../platform/store/tables/service.ts';
import { type LetterContent, unsignedText } from './letter.ts';

/** `body` is encrypted. */
export type StoredMail = Selectable<MailsTable>;

/** A mail in the Outbox. Its text may contain a code, so only the operator may see it. */
export type OutboxMail = Omit<StoredMail, 'body' | 'code_hash'> & {
  /** Whether the text has a code that works. */
  readonly hasCode: boolean;
  /** Empty if the mail's code no longer works, or if the key that encrypted the text is gone. */
  readonly text: string;
};

export const OUTBOX_SHOWN = 100;

/** Binds the ciphertext of a letter to the mail's row. */
const purposeOf = (id: string): string => `mail:${id}`;

export const sealLetter = (
  box: SecretBox,
  id: string,
  { letter, stopUrl, language }: LetterContent,
): string => box.encrypt(JSON.stringify({ letter, stopUrl, language }), purposeOf(id));

export function openLetter(
  box: SecretBox,
  { id, body }: Pick<StoredMail, 'id' | 'body'>,
): LetterContent | null {
  const json = body === '' ? null : box.decrypt(body, purposeOf(id));
  return json === null ? null : (JSON.parse(json) as LetterContent);
}

/** Newest first. `at`: now. */
export async function listOutbox(db: Queryable, box: SecretBox, at: string): Promise<OutboxMail[]> {
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
  return rows.map(({ working_code, code_hash, body, ...mail }) => {
    const isSpent = code_hash !== null && working_code === null;
    const content = isSpent ? null : openLetter(box, { id: mail.id, body });
    return { ...mail, hasCode: working_code !== null, text: content === null ? '' : unsignedText(content) };
  });
}

/**
 * Deletes the text of mails whose codes no longer work. Keeps recipient, subject and time, except of mails that are yet
 * to be sent: taking each of them only to delete it would cost two transactions.
 */
export async function emptyMails(tx: Transaction, codeHashes: readonly string[]): Promise<void> {
  if (codeHashes.length === 0) return;
  await Promise.all([deleteUnsent(tx, { codeHashes }), emptyByHash(tx, { codeHashes })]);
}

const deleteUnsent = compileOnce((db, { codeHashes }: { codeHashes: readonly string[] }, { isOneOf }) =>
  db
    .deleteFrom('mails')
    .where(isOneOf(sql.ref('code_hash'), 'text', codeHashes))
    .where('next_at', 'is not', null)
    .where('held_at', 'is', null)
    .where('failure', 'is', null),
);

const emptyByHash = compileOnce((db, { codeHashes }: { codeHashes: readonly string[] }, { isOneOf }) =>
  db
    .updateTable('mails')
    .set({ body: '' })
    .where(isOneOf(sql.ref('code_hash'), 'text', codeHashes))
    .where('body', '<>', ''),
);

/** Code hashes of mails whose text is still stored although the code has expired or no longer exists. `at`: now. */
export async function findSpentMails(db: Queryable, at: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mails')
    .leftJoin('one_time_codes', (join) =>
      join.onRef('one_time_codes.code_hash', '=', 'mails.code_hash').on('one_time_codes.expires_at', '>', at),
    )
    .select('mails.code_hash')
    .where('mails.code_hash', 'is not', null)
    .where('mails.body', '<>', '')
    .where('one_time_codes.code_hash', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ code_hash }) => code_hash!);
}

export const insertMails = (
  tx: Transaction,
  mails: readonly Omit<Insertable<MailsTable>, 'attempts'>[],
): Promise<unknown> =>
  tx
    .insertInto('mails')
    .values(mails.map((mail) => ({ ...mail, attempts: 0 })))
    .execute();

/** The state of a mail with a code, after a failed attempt; `null` if no attempt has failed or the mail was sent. */
export async function findFailedMail(
  db: Queryable,
  recipient: string,
  codeHash: string,
): Promise<'delayed' | 'failed' | null> {
  const mail = await db
    .selectFrom('mails')
    .select('failed_at')
    .where('recipient', '=', recipient)
    .where('code_hash', '=', codeHash)
    .where('failure', 'is not', null)
    .executeTakeFirst();
  if (mail === undefined) return null;
  return mail.failed_at === null ? 'delayed' : 'failed';
}

export async function findOldMails(db: Queryable, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('created_at', '<', before)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export const deleteMails = (tx: Transaction, ids: readonly string[]): Promise<unknown> =>
  tx.deleteFrom('mails').where('id', 'in', ids).execute();

type DueMail = Pick<StoredMail, 'id' | 'next_at'>;

/**
 * Mails with a code first, because a person is waiting for the code; then those that have been due longest. Excludes
 * mails held back after a restore.
 */
export const listDueMails = (db: Queryable, at: string, limit: number): Promise<DueMail[]> =>
  db
    .selectFrom('mails')
    .select(['id', 'next_at'])
    .where('next_at', '<=', at)
    .where('held_at', 'is', null)
    .orderBy(sql`(code_hash is null)`)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Reserves a due mail until `until`. Returns `undefined` if another process has already reserved the mail. */
export const takeDueMail = (tx: Transaction, { id, next_at }: DueMail, until: string) =>
  tx
    .updateTable('mails')
    .set((eb) => ({ next_at: until, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .where('held_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** `nextAt`: the time of the next attempt; `null` after the last one. */
export const recordMailFailure = (
  tx: Transaction,
  id: string,
  { at, sentence, nextAt }: { at: string; sentence: string; nextAt: string | null },
): Promise<unknown> =>
  tx
    .updateTable('mails')
    .set({ failure: sentence, next_at: nextAt, failed_at: nextAt === null ? at : null })
    .where('id', '=', id)
    .execute();

export const isCodeValid = (db: Queryable, codeHash: string, at: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('one_time_codes')
      .select('code_hash')
      .where('code_hash', '=', codeHash)
      .where('expires_at', '>', at),
  );

/** Mails with a failed attempt: `deferred` will be retried, `failed` will not. `lastFailure`: of the newest. */
export async function readMailBacklog(db: Queryable) {
  const tried = db.selectFrom('mails').where('failure', 'is not', null);
  const { deferred, failed } = await tried
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('failed_at', 'is', null).as('deferred'),
      fn.countAll<number>().filterWhere('failed_at', 'is not', null).as('failed'),
    ])
    .executeTakeFirstOrThrow();
  const newest = await tried.select('failure').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return { deferred: Number(deferred), failed: Number(failed), lastFailure: newest?.failure ?? null };
}

/** Includes mail that is waiting for a retry. Excludes mail that is held back after a restore. */
export const countMailToSend = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('mails').where('next_at', 'is not', null).where('held_at', 'is', null));

export const holdWaitingMails = async (tx: Transaction, at: string): Promise<number> =>
  updated(
    tx
      .updateTable('mails')
      .set({ held_at: at })
      .where('next_at', 'is not', null)
      .where('held_at', 'is', null),
  );

export const releaseHeldMails = (tx: Transaction): Promise<number> =>
  updated(tx.updateTable('mails').set({ held_at: null }).where('held_at', 'is not', null));

const updated = async (update: { executeTakeFirst(): Promise<UpdateResult> }): Promise<number> =>
  Number((await update.executeTakeFirst()).numUpdatedRows);

export const deleteMailsTo = (tx: Transaction, recipient: string): Promise<unknown> =>
  tx.deleteFrom('mails').where('recipient', '=', recipient).execute();

/** In order of creation, with encrypted text. */
export const listMailsTo = (
  db: Queryable,
  recipient: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<StoredMail[]> =>
  db
    .selectFrom('mails')
    .selectAll()
    .where('recipient', '=', recipient)
    .$if(after !== null, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .execute();

export const listNewestMailsTo = (db: Queryable, recipient: string, limit: number) =>
  db
    .selectFrom('mails')
    .select(['id', 'subject', 'created_at', 'next_at', 'failure', 'failed_at', 'held_at'])
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
