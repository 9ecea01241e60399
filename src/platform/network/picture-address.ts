/** URLs of pictures contain a hash of the content, so the picture at a URL never changes. */

export const PICTURES_PATH = '/pictures';

/** Media types by file extension. */
export const PICTURE_TYPES = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
} as const;

export type PictureFormat = keyof typeof PICTURE_TYPES;

/** Number of hexadecimal digits: 128 bits, so that nobody can guess the URL of a picture that isn't public yet. */
export const PICTURE_HASH_DIGITS = 32;

const NAME = new RegExp(`^([0-9a-f]{${PICTURE_HASH_DIGITS}})\\.(${Object.keys(PICTURE_TYPES).join('|')})$`);

/** `name`: a file name such as `<hash>.webp`. Returns `null` if the name is invalid. */
export function parsePictureName(
  name: string,
): { readonly hash: string; readonly format: PictureFormat } | null {
  const [, hash, format] = NAME.exec(name) ?? [];
  return hash === undefined ? null : { hash, format: format as PictureFormat };
}

export interface PictureFile {
  /** Such as `<hash>.webp`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The theme in which the picture is shown on a plate, because it would hardly be visible. */
  readonly faintIn?: keyof ThemedPicture;
}

export interface ThemedPicture {
  readonly light: readonly PictureFile[];
  /** `null`: dark themes use `light` too. */
  readonly dark: readonly PictureFile[] | null;
}

export const filesOf = (
  files: readonly PictureFile[],
  ...formats: readonly PictureFormat[]
): readonly PictureFile[] =>
  files.filter(({ name }) => formats.some((format) => parsePictureName(name)?.format === format));

export const picturePath = (name: string): string => `${PICTURES_PATH}/${name}`;
