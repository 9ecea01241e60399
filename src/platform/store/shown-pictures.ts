/** Pictures that are currently shown: neither replaced nor proposed. */
import type { PictureFile } from '../network/picture-address.ts';
import type { Queryable } from './database.ts';
import type { PicturesTable } from './tables/pictures.ts';

export const shownPictures = (db: Queryable) =>
  db.selectFrom('pictures').where('replaced_at', 'is', null).where('proposed_at', 'is', null);

export interface ShownPicture {
  readonly subjectId: string;
  readonly kind: PicturesTable['kind'];
  readonly files: readonly PictureFile[];
}

export async function readShownPictures(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<readonly ShownPicture[]> {
  if (subjectIds.length === 0) return [];
  const rows = await shownPictures(db)
    .select(['subject_id', 'kind', 'files'])
    .where('subject_id', 'in', subjectIds)
    .execute();
  return rows.map(({ subject_id, kind, files }) => ({
    subjectId: subject_id,
    kind,
    files: JSON.parse(files),
  }));
}
