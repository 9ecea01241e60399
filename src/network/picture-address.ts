/** Addresses of pictures. Each is derived from the content, so the picture at an address never changes. */

export const PICTURES_PATH = '/pictures';

/** Formats of stored pictures, by file extension. */
export const PICTURE_TYPES = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
} as const;

export type PictureFormat = keyof typeof PICTURE_TYPES;

/** Hexadecimal digits of a hash: 128 bits, so that nobody can guess the address of a picture that isn't public yet. */
export const PICTURE_HASH_DIGITS = 32;

const NAME = new RegExp(`^([0-9a-f]{${PICTURE_HASH_DIGITS}})\\.(${Object.keys(PICTURE_TYPES).join('|')})$`);

/** Hash and format of a name such as `<hash>.webp`; `null` for any other text. */
export function parsePictureName(
  name: string,
): { readonly hash: string; readonly format: PictureFormat } | null {
  const [, hash, format] = NAME.exec(name) ?? [];
  return hash === undefined ? null : { hash, format: format as PictureFormat };
}

export interface PictureFile {
  /** Hash and file extension. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export interface ThemedPicture {
  readonly light: readonly PictureFile[];
  /** `null`: the light one is shown in dark themes too. */
  readonly dark: readonly PictureFile[] | null;
}

export const filesOf = (
  files: readonly PictureFile[],
  ...formats: readonly PictureFormat[]
): readonly PictureFile[] =>
  files.filter(({ name }) => formats.some((format) => parsePictureName(name)?.format === format));

export const picturePath = (name: string): string => `${PICTURES_PATH}/${name}`;
