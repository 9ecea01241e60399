/** Runs only in the child process `encoder-process.ts`, because native decoders read possibly malicious uploads. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { Refusal } from '../../platform/errors.ts';
import {
  PICTURE_HASH_DIGITS,
  type PictureFile,
  type PictureFormat,
} from '../../platform/network/picture-address.ts';
import { faintIn } from './faint.ts';
import {
  damaged,
  MAX_PIXELS,
  PICTURE_KINDS,
  type PictureKind,
  parseUpload,
  requireSize,
  type Size,
  sizesOf,
  type UploadFormat,
} from './picture.ts';

export interface EncodedFile extends PictureFile {
  readonly data: Uint8Array;
}

/** The enabled decoders of libvips, by the format that `parseUpload` detects. All other decoders are blocked. */
const DECODERS: Readonly<Record<UploadFormat, { readonly operation: string; readonly format: string }>> = {
  png: { operation: 'VipsForeignLoadPngBuffer', format: 'png' },
  jpeg: { operation: 'VipsForeignLoadJpegBuffer', format: 'jpeg' },
  webp: { operation: 'VipsForeignLoadWebpBuffer', format: 'webp' },
  gif: { operation: 'VipsForeignLoadNsgifBuffer', format: 'gif' },
  avif: { operation: 'VipsForeignLoadHeifBuffer', format: 'heif' },
};

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: Object.values(DECODERS).map(({ operation }) => operation) });

const ENCODERS: Readonly<Record<PictureFormat, (picture: Sharp) => Sharp>> = {
  // A higher effort takes several times as long but reduces the size by only a few percent.
  avif: (picture) => picture.avif({ quality: 55, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  png: (picture) => picture.png({ palette: true }),
  jpg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
};

interface Pixels extends Size {
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Buffer;
}

/** Encodes from raw pixels, so that metadata, additional frames and appended data of the upload are dropped. */
export async function encode(kind: PictureKind, upload: Uint8Array): Promise<readonly EncodedFile[]> {
  const format = parseUpload(upload);
  const sizes = await orDamaged(async () => {
    const { format: decodedFormat, compression, autoOrient } = await open(upload, false).metadata();
    if (decodedFormat !== DECODERS[format].format || (compression ?? 'av1') !== 'av1') throw damaged();
    requireSize(kind, autoOrient, format);
    return sizesOf(kind, autoOrient);
  });
  const pixels = await orDamaged(() => decode(upload, kind, sizes.at(-1)!));
  const theme = PICTURE_KINDS[kind].fit === 'crop' || pixels.channels !== 4 ? null : faintIn(pixels.data);
  const faint = theme === null ? {} : { faintIn: theme };
  const files: EncodedFile[] = [];
  for (const ending of ['avif', 'webp', PICTURE_KINDS[kind].plain] as const) {
    for (const size of sizes) files.push({ ...(await encodeAs(ending, pixels, size)), ...faint });
  }
  return files;
}

/** `false` disables the limit, so that the caller can read the size of an oversized picture and report it. */
const open = (upload: Uint8Array, limitInputPixels: number | false = MAX_PIXELS): Sharp =>
  sharp(upload, { limitInputPixels, failOn: 'error', pages: 1 });

async function decode(upload: Uint8Array, kind: PictureKind, { width, height }: Size): Promise<Pixels> {
  const fit = ({ pad: 'contain', crop: 'cover', keep: 'fill' } as const)[PICTURE_KINDS[kind].fit];
  const { data, info } = await open(upload)
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width, height, fit, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels['channels'] };
}

async function encodeAs(
  format: PictureFormat,
  { data: pixels, ...raw }: Pixels,
  { width, height }: Size,
): Promise<EncodedFile> {
  const picture = sharp(pixels, { raw }).resize({ width, height });
  const data = await ENCODERS[format](picture).toBuffer();
  const hash = createHash('sha256').update(data).digest('hex').slice(0, PICTURE_HASH_DIGITS);
  return { name: `${hash}.${format}`, width, height, data };
}

/** Replaces libvips errors with the refusal `damaged`. */
async function orDamaged<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damaged();
  }
}
