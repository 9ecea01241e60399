/** SQL of pictures and their files. */
import type { Selectable } from 'kysely';
import type { PictureFile } from '../network/picture-address.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { PictureFilesTable, PicturesTable } from '../store/tables/pictures.ts';
import type { Picture, PictureKind, PictureSubject } from './picture.ts';

/** The pictures that a subject shows, by kind. */
export type ShownPictures = Readonly<Partial<Record<PictureKind, Picture>>>;

/** What is shown of each of these subjects; one without a picture is missing. */
export async function findPictures(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, ShownPictures>> {
  const found = new Map<string, Partial<Record<PictureKind, Picture>>>();
  if (subjectIds.length === 0) return found;
  const rows = await db
    .selectFrom('pictures')
    .select(['subject_id', 'kind', 'files'])
    .where('subject_id', 'in', subjectIds)
    .where('replaced_at', 'is', null)
    .execute();
  for (const { subject_id, kind, files } of rows) {
    const picture = { kind, files: JSON.parse(files) as readonly PictureFile[] };
    found.set(subject_id, { ...found.get(subject_id), [kind]: picture });
  }
  return found;
}

/** The bytes of a file; `null`: there is none with this name. */
export async function findPictureFile(db: Queryable, name: string): Promise<Uint8Array | null> {
  const file = await db
    .selectFrom('picture_files')
    .select('data')
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  return file?.data ?? null;
}

export type PictureRow = Selectable<PicturesTable>;

export const findShown = (
  db: Queryable,
  { id }: PictureSubject,
  kind: PictureKind,
): Promise<PictureRow | undefined> =>
  db
    .selectFrom('pictures')
    .selectAll()
    .where('subject_id', '=', id)
    .where('kind', '=', kind)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();

export async function insertPicture(
  tx: Transaction,
  picture: PictureRow,
  files: readonly Omit<Selectable<PictureFilesTable>, 'picture_id'>[],
): Promise<void> {
  await tx.insertInto('pictures').values(picture).execute();
  const rows = files.map((file) => ({ ...file, picture_id: picture.id }));
  await tx.insertInto('picture_files').values(rows).execute();
}

export const markReplaced = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx.updateTable('pictures').set({ replaced_at: at }).where('id', '=', id).execute();

/** Pictures of an account and the bytes of their files. */
export async function measurePictures(
  db: Queryable,
  accountId: string,
): Promise<{ readonly pictures: number; readonly bytes: number }> {
  const { pictures, bytes } = await db
    .selectFrom('pictures')
    .select(({ fn }) => [fn.countAll().as('pictures'), fn.sum('bytes').as('bytes')])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { pictures: Number(pictures), bytes: Number(bytes ?? 0) };
}

export const deleteReplacedOf = (tx: Transaction, accountId: string): Promise<unknown> =>
  tx
    .deleteFrom('pictures')
    .where('account_id', '=', accountId)
    .where('replaced_at', 'is not', null)
    .execute();

/** Deletes pictures of a subject with all files, also replaced ones. Returns whether one was shown. */
export async function deletePicturesOf(
  tx: Transaction,
  subjectIds: readonly string[],
  kind?: PictureKind,
): Promise<boolean> {
  if (subjectIds.length === 0) return false;
  const deleted = await tx
    .deleteFrom('pictures')
    .where('subject_id', 'in', subjectIds)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .returning('replaced_at')
    .execute();
  return deleted.some(({ replaced_at }) => replaced_at === null);
}

/** Pictures that were replaced before this time. */
export async function findReplaced(db: Queryable, before: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('id')
    .where('replaced_at', '<', before)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export const deletePictures = (tx: Transaction, ids: readonly string[]): Promise<unknown> =>
  tx.deleteFrom('pictures').where('id', 'in', ids).execute();
