import { PICTURE_SUBJECTS, type Theme } from '../../base/brand/brand.ts';
import { invalid, type Refusal } from '../../platform/errors.ts';
import { message, type Words } from '../../platform/languages/translate.ts';
import { filesOf, type PictureFile } from '../../platform/network/picture-address.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { leftToRight } from '../../platform/text/text.ts';

export type PictureKind = 'icon' | 'cover' | 'offer' | 'logo';

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface KindRule {
  /** The name at the start of a sentence. */
  readonly name: Words;
  readonly label: Words;
  /** The name within a sentence or label. */
  readonly noun: Words;
  readonly largest: Size;
  /** Smaller uploads are rejected, because they would look blurred. */
  readonly least: Size;
  /** `pad` adds transparent edges, `crop` cuts edges off, `keep` preserves the aspect ratio. */
  readonly fit: 'pad' | 'crop' | 'keep';
  /** The format for mail programs and link previews, which often don't support AVIF and WebP. */
  readonly plain: 'png' | 'jpg';
}

export const PICTURE_KINDS: Readonly<Record<PictureKind, KindRule>> = {
  icon: {
    name: message('An icon'),
    label: message('Icon'),
    noun: message('icon'),
    largest: { width: 512, height: 512 },
    least: { width: 64, height: 64 },
    fit: 'pad',
    plain: 'png',
  },
  cover: {
    name: message('A cover picture'),
    label: message('Cover picture'),
    noun: message('cover picture'),
    largest: { width: 1600, height: 900 },
    least: { width: 640, height: 360 },
    fit: 'crop',
    plain: 'jpg',
  },
  offer: {
    name: message('A picture of an offer'),
    label: message('Picture'),
    noun: message('picture'),
    largest: { width: 1280, height: 720 },
    least: { width: 320, height: 180 },
    fit: 'crop',
    plain: 'jpg',
  },
  logo: {
    name: 'A logo',
    label: 'Logo',
    noun: 'logo',
    largest: { width: 960, height: 240 },
    least: { width: 32, height: 32 },
    fit: 'keep',
    plain: 'png',
  },
};

/** Stored sizes relative to the largest size, for screens of different pixel densities. */
const SCALES = [1 / 4, 1 / 2, 1] as const;

const MIB = 1024 * 1024;
export const MAX_UPLOAD_BYTES = 8 * MIB;
export const TOO_LARGE = message(
  'The picture is larger than {size} MiB. Reduce its size and upload it again.',
  { size: MAX_UPLOAD_BYTES / MIB },
);
/** A decoded picture of this size takes 160 MB. */
export const MAX_MEGAPIXELS = 40;
export const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;
/** The decoder of AVIF takes 25 bytes for each pixel, more than five times as many as the others. */
export const MAX_MEGAPIXELS_OF_AVIF = 12;
/** Maximum width and height of an upload in pixels. Lossless WebP has the same limit. */
export const MAX_SIDE = 16_384;
export const MAX_PICTURES_OF_ACCOUNT = 500;
/** Total size of the files of an account's pictures. */
export const MAX_BYTES_OF_ACCOUNT = 100 * MIB;
/** For an account without an approved listing. */
export const MAX_BYTES_OF_NEWCOMER = 20 * MIB;
/** How long a replaced picture is still served. Pages that are already open load pictures lazily on scroll. */
export const REPLACED_KEPT_MS = DAY_MS;

export interface Picture {
  readonly kind: PictureKind;
  /** Smallest first within each format. */
  readonly files: readonly PictureFile[];
}

/** A picture that awaits review or was declined. */
export interface ProposedPicture extends Picture {
  readonly listingId: string;
  /** The listing or offer. */
  readonly subjectId: string;
  readonly declinedReason: string | null;
}

/** What a picture belongs to: a listing, an offer or the marketplace. */
export interface PictureSubject {
  readonly id: string;
  /** The listing itself, or the offer's listing; `null` for the marketplace. */
  readonly listingId: string | null;
  /** The account whose limits apply; `null`: no limits. */
  readonly accountId: string | null;
}

export const marketplaceIn = (theme: Theme): PictureSubject => ({
  id: PICTURE_SUBJECTS[theme],
  listingId: null,
  accountId: null,
});

/** The smallest PNG or JPEG at least `width` pixels wide, or else the widest. For link previews and other sites. */
export function plainFileOf({ files }: Pick<Picture, 'files'>, width: number): PictureFile {
  const plain = filesOf(files, 'png', 'jpg');
  return plain.find((file) => file.width >= width) ?? plain.at(-1)!;
}

export type UploadFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1');

/** How much of a file is searched for an `<svg>` tag. */
const SVG_LOOKED_AT_BYTES = 4_096;
/** Enough for the list of formats ("brands") at the start of an ISO media file. */
const BRANDS_LOOKED_AT_BYTES = 256;

/** Detects the format from the first bytes. Throws a refusal if the file can't be accepted. */
export function parseUpload(bytes: Uint8Array): UploadFormat {
  if (bytes.length === 0) throw invalid(message('The picture is an empty file.'));
  if (bytes.length > MAX_UPLOAD_BYTES) throw invalid(TOO_LARGE);
  const start = latin(bytes, 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  if (start.slice(4, 8) === 'ftyp') return parseBrands(bytes);
  const text = latin(bytes, 0, SVG_LOOKED_AT_BYTES).replaceAll('\0', '');
  if (/<(?:\w+:)?svg\b/i.test(text)) {
    throw invalid(
      message('SVG files can contain scripts, so they are not accepted. Export the picture as PNG.'),
    );
  }
  throw invalid(message('The file is not a picture in PNG, JPEG, WebP, GIF or AVIF format.'));
}

/** AVIF and HEIC use the same container format. Its list of brands distinguishes them. */
function parseBrands(bytes: Uint8Array): 'avif' {
  const length = Math.min(Buffer.from(bytes.subarray(0, 4)).readUInt32BE(), BRANDS_LOOKED_AT_BYTES);
  const brands = latin(bytes, 8, length);
  if (/avi[fs]/.test(brands)) return 'avif';
  throw invalid(
    /hei[cxms]|hev[cx]|mif1/.test(brands)
      ? message(
          'HEIC pictures cannot be read. Export the picture as JPEG or PNG; phones can also be set to take JPEG pictures.',
        )
      : message(
          'The file is a video or has an unsupported format. Upload a picture in PNG, JPEG, WebP, GIF or AVIF format.',
        ),
  );
}

/** Throws a refusal if the picture is too large to decode or too small for its kind. `size`: from the file's header. */
export function requireSize(kind: PictureKind, size: Size, format: UploadFormat): void {
  const { width, height } = size;
  const most = format === 'avif' ? MAX_MEGAPIXELS_OF_AVIF : MAX_MEGAPIXELS;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > most * 1_000_000) {
    throw invalid(
      message(
        'The picture has {size} pixels. The maximum is {most} megapixels and {side, number} pixels per side. Reduce its size and upload it again.',
        { size: () => dimensionsText(size), most, side: MAX_SIDE },
      ),
    );
  }
  const { name, least } = PICTURE_KINDS[kind];
  if (width < least.width || height < least.height) {
    throw invalid(
      message('{name} needs at least {least} pixels, and this one has {size}.', {
        name,
        least: () => dimensionsText(least),
        size: () => dimensionsText(size),
      }),
    );
  }
}

const HOW_FITTED = {
  pad: message('Other shapes get transparent edges.'),
  crop: message('Other shapes are cropped.'),
  keep: message('The picture isn’t cropped or padded.'),
} as const;

export function uploadField(kind: PictureKind) {
  const { label, noun, least, largest, fit } = PICTURE_KINDS[kind];
  return {
    label,
    noun,
    hint: message(
      'PNG, JPEG, WebP, GIF or AVIF, up to {size}\u00a0MiB. At least {least} pixels, ideally {largest}. {fit}',
      {
        size: MAX_UPLOAD_BYTES / MIB,
        least: () => dimensionsText(least),
        largest: () => dimensionsText(largest),
        fit: HOW_FITTED[fit],
      },
    ),
    accept: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
    maxBytes: MAX_UPLOAD_BYTES,
    tooLarge: TOO_LARGE,
  };
}

/** Uses no-break spaces to prevent line breaks. */
const dimensionsText = ({ width, height }: Size): string => leftToRight(`${width}\u00a0×\u00a0${height}`);

/** Sizes to encode, smallest first. Never enlarges the picture. */
export function sizesOf(kind: PictureKind, { width, height }: Size): readonly Size[] {
  const { largest, fit } = PICTURE_KINDS[kind];
  const ratio = largest.width / largest.height;
  const own = {
    pad: Math.max(width, height * ratio),
    crop: Math.min(width, height * ratio),
    keep: width,
  }[fit];
  const shape = fit === 'keep' ? width / height : ratio;
  const most = Math.min(largest.width, largest.height * shape, own);
  return SCALES.map((scale) => ({
    width: Math.max(1, Math.round(most * scale)),
    height: Math.max(1, Math.round((most * scale) / shape)),
  }));
}

export const damaged = (): Refusal =>
  invalid(
    message(
      'The picture is damaged or incomplete. Open it in an image editor, save it again and upload that file.',
    ),
  );

export const tooMuchMemory = (): Refusal =>
  invalid(message('The picture takes too much memory to process. Reduce its size and upload it again.'));

export const tooSlow = (): Refusal =>
  invalid(message('The picture took too long to process. Reduce its size and upload it again.'));
