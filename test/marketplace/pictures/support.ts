import { randomBytes } from 'node:crypto';
import type { Context } from '../../../src/base/context.ts';
import type { EncodedFile } from '../../../src/marketplace/pictures/encode.ts';
import type { PictureKind, PictureSubject } from '../../../src/marketplace/pictures/picture.ts';
import { putPicture } from '../../../src/marketplace/pictures/store.ts';

/** Returns fake results of `encode`, because encoding a real picture takes a second. */
export const fakeFiles = (
  data: Uint8Array = randomBytes(100),
  formats: readonly string[] = ['avif', 'webp', 'png'],
): readonly EncodedFile[] =>
  formats.map((format) => ({
    name: `${randomBytes(16).toString('hex')}.${format}`,
    width: 128,
    height: 128,
    data,
  }));

export const put = (
  context: Context,
  subject: PictureSubject,
  files: readonly EncodedFile[] = fakeFiles(),
  kind: PictureKind = 'icon',
): Promise<boolean> => context.db.transaction((tx) => putPicture(context, tx, { subject, kind, files }));
