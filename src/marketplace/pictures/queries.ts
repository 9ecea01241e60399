import type { Selectable } from 'kysely';
import type { PictureFile } from '../../platform/network/picture-address.ts';
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { readShownPictures, shownPictures } from '../../platform/store/shown-pictures.ts';
import type { PictureFilesTable, PicturesTable } from '../../platform/store/tables/pictures.ts';
import type { Picture, PictureKind, PictureSubject, ProposedPicture } from './picture.ts';

export type PictureRow = Selectable<PicturesTable>;

export type ShownPictures = Readonly<Partial<Record<PictureKind, Picture>>>;

const read = ({ kind, files }: Pick<PictureRow, 'kind' | 'files'>): Picture => ({
  kind,
  files: JSON.parse(files) as readonly PictureFile[],
});

export async function findPictures(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, ShownPictures>> {
  const pictures = new Map<string, Partial<Record<PictureKind, Picture>>>();
  for (const { subjectId, kind, files } of await readShownPictures(db, subjectIds)) {
    pictures.set(subjectId, { ...pictures.get(subjectId), [kind]: { kind, files } });
  }
  return pictures;
}

/** Includes declined pictures. Oldest first. */
export async function findProposedPictures(
  db: Queryable,
  listingIds: readonly string[],
): Promise<readonly ProposedPicture[]> {
  if (listingIds.length === 0) return [];
  const rows = await db
    .selectFrom('pictures')
    .select(['listing_id', 'subject_id', 'kind', 'files', 'declined_reason'])
    .where('listing_id', 'in', listingIds)
    .where('proposed_at', 'is not', null)
    .orderBy('proposed_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...read(row),
    listingId: row.listing_id!,
    subjectId: row.subject_id,
    declinedReason: row.declined_reason,
  }));
}

export async function findPictureFile(db: Queryable, name: string): Promise<Uint8Array | null> {
  const file = await db
    .selectFrom('picture_files')
    .select('data')
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  return file?.data ?? null;
}

type Subject = Pick<PictureSubject, 'id'>;

const shownOfKind = (db: Queryable, subjectId: string, kind: PictureKind) =>
  shownPictures(db).where('subject_id', '=', subjectId).where('kind', '=', kind);

export const findShown = (db: Queryable, { id }: Subject, kind: PictureKind) =>
  shownOfKind(db, id, kind).selectAll().executeTakeFirst();

export const findProposed = (db: Queryable, { id }: Subject, kind: PictureKind) =>
  db
    .selectFrom('pictures')
    .selectAll()
    .where('subject_id', '=', id)
    .where('kind', '=', kind)
    .where('proposed_at', 'is not', null)
    .executeTakeFirst();

export const deleteProposed = (tx: Transaction, { id }: Subject, kind: PictureKind): Promise<boolean> =>
  isFound(
    tx
      .deleteFrom('pictures')
      .where('subject_id', '=', id)
      .where('kind', '=', kind)
      .where('proposed_at', 'is not', null)
      .returning('id'),
  );

/** The columns that a decision changes, saved so that the decision can be undone. */
const STATE_COLUMNS = ['id', 'proposed_at', 'declined_reason', 'replaced_at'] as const;

export type PictureState = Pick<PictureRow, (typeof STATE_COLUMNS)[number]>;

const waiting = (db: Queryable, listingId: string) =>
  db
    .selectFrom('pictures')
    .where('listing_id', '=', listingId)
    .where('proposed_at', 'is not', null)
    .where('declined_reason', 'is', null);

/** Returns the previous state of each published picture, followed by the state of the picture that it replaced. */
export async function publishWaiting(
  tx: Transaction,
  listingId: string,
  at: string,
): Promise<readonly PictureState[]> {
  const proposed = await waiting(tx, listingId)
    .select([...STATE_COLUMNS, 'subject_id', 'kind'])
    .execute();
  const before: PictureState[] = [];
  for (const { subject_id, kind, ...state } of proposed) {
    const replaced = await shownOfKind(tx, subject_id, kind).select(STATE_COLUMNS).executeTakeFirst();
    if (replaced !== undefined) await markReplaced(tx, replaced.id, at);
    await setState(tx, { ...state, proposed_at: null });
    before.push(state, ...(replaced === undefined ? [] : [replaced]));
  }
  return before;
}

export async function declineWaiting(
  tx: Transaction,
  listingId: string,
  reason: string,
): Promise<readonly PictureState[]> {
  const proposed = await waiting(tx, listingId).select(STATE_COLUMNS).execute();
  for (const state of proposed) await setState(tx, { ...state, declined_reason: reason });
  return proposed;
}

/**
 * `states` must be in the order returned by `publishWaiting`. The unique index `pictures_shown` allows one shown
 * picture per subject and kind, so a published picture must be reset before the picture that it replaced.
 */
export async function restoreStates(tx: Transaction, states: readonly PictureState[]): Promise<void> {
  for (const state of states) await setState(tx, state);
}

const setState = (tx: Transaction, { id, ...state }: PictureState): Promise<unknown> =>
  tx.updateTable('pictures').set(state).where('id', '=', id).execute();

export async function insertPicture(
  tx: Transaction,
  picture: PictureRow,
  files: readonly Omit<Selectable<PictureFilesTable>, 'picture_id'>[],
): Promise<void> {
  await tx.insertInto('pictures').values(picture).execute();
  const rows = files.map((file) => ({ ...file, picture_id: picture.id }));
  await tx.insertInto('picture_files').values(rows).execute();
}

/** The newest picture of each kind of each subject: the proposed one, unless it was declined, or the shown one. */
export async function findNewest(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<readonly PictureRow[]> {
  if (subjectIds.length === 0) return [];
  const rows = await db
    .selectFrom('pictures')
    .selectAll()
    .where('subject_id', 'in', subjectIds)
    .where('replaced_at', 'is', null)
    .where('declined_reason', 'is', null)
    .execute();
  const shownFirst = rows.toSorted((a, b) => Number(a.proposed_at !== null) - Number(b.proposed_at !== null));
  return [...new Map(shownFirst.map((row) => [`${row.subject_id} ${row.kind}`, row])).values()];
}

/** The stored files of a picture, in the order of `files`. */
export async function readFiles(
  db: Queryable,
  { id, files }: Pick<PictureRow, 'id' | 'files'>,
): Promise<readonly (PictureFile & Pick<Selectable<PictureFilesTable>, 'data'>)[]> {
  const rows = await db
    .selectFrom('picture_files')
    .select(['name', 'data'])
    .where('picture_id', '=', id)
    .execute();
  const data = new Map(rows.map((row) => [row.name, row.data]));
  return (JSON.parse(files) as readonly PictureFile[]).flatMap((file) => {
    const stored = data.get(file.name);
    return stored === undefined ? [] : [{ ...file, data: stored }];
  });
}

export const markReplaced = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx.updateTable('pictures').set({ replaced_at: at }).where('id', '=', id).execute();

export async function measurePictures(
  db: Queryable,
  accountId: string,
  { withReplaced }: { readonly withReplaced: boolean },
): Promise<{ readonly pictures: number; readonly bytes: number }> {
  return await db
    .selectFrom('pictures')
    .select(({ fn, lit }) => [
      fn.countAll<number>().as('pictures'),
      fn.coalesce(fn.sum<number>('bytes'), lit(0)).as('bytes'),
    ])
    .where('account_id', '=', accountId)
    .$if(!withReplaced, (query) => query.where('replaced_at', 'is', null))
    .executeTakeFirstOrThrow();
}

/** The pictures that were replaced first. */
export async function findReplacedOf(db: Queryable, accountId: string, limit: number) {
  const rows = await db
    .selectFrom('pictures')
    .select('id')
    .where('account_id', '=', accountId)
    .where('replaced_at', 'is not', null)
    .orderBy('replaced_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes shown, proposed and replaced pictures. Returns whether a shown picture was deleted. */
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
    .returning(['replaced_at', 'proposed_at'])
    .execute();
  return deleted.some(({ replaced_at, proposed_at }) => replaced_at === null && proposed_at === null);
}

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
