/** Uploads for tests: valid pictures, and files that are corrupt, huge, disguised or not pictures. */
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { UploadFormat } from '../../../src/marketplace/pictures/picture.ts';

/** Text hidden in hostile uploads. No stored file may contain this text. */
export const MARKER = 'PAYLOAD-5f0c';

export interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** `either`: the decoder may accept or reject the file. */
  readonly result: 'refused' | 'harmless' | 'either';
  /** Matches the message of the refusal. */
  readonly sentence?: RegExp;
}

const kind =
  (result: Upload['result']) =>
  (name: string, bytes: Uint8Array, sentence?: RegExp): Upload => ({
    name,
    bytes,
    result,
    ...(sentence !== undefined && { sentence }),
  });
const [refused, harmless, either] = [kind('refused'), kind('harmless'), kind('either')];

/** Minimum width and height of an icon, in pixels. */
const SIDE = 64;
const FORMATS: readonly UploadFormat[] = ['png', 'jpeg', 'webp', 'gif', 'avif'];
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Returns a picture of noise, because no format compresses noise well. */
export const noise = (width: number, height: number): Sharp => {
  let seed = width * 31 + height;
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[at] = seed >> 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};

export const picture = (format: UploadFormat, width = SIDE, height = SIDE): Promise<Buffer> =>
  noise(width, height)
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer();

export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([latin(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const PNG_START = latin('\x89PNG\r\n\x1a\n');
const PNG_HEADER_END = 33;

/** Returns a PNG with a bit depth of 8. `type`: the PNG colour type; 0 means greyscale. */
export function pngOf(width: number, height: number, lines: Uint8Array, type = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, type], 8);
  const chunks = [
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', latin('')),
  ];
  return Buffer.concat([PNG_START, ...chunks]);
}

const inserted = (bytes: Uint8Array, at: number, added: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);

const written = (bytes: Uint8Array, at: number, values: readonly number[]): Buffer => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};

const bigEndian = (value: number, bytes = 2): readonly number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);
const littleEndian = (value: number, bytes = 2): readonly number[] => [...bigEndian(value, bytes)].reverse();

const TRAILERS: Readonly<Record<string, Buffer>> = {
  ZIP: Buffer.concat([latin(`PK\x03\x04${MARKER}`), latin('PK\x05\x06'), Buffer.alloc(18)]),
  HTML: latin(`<html><script>alert('${MARKER}')</script></html>`),
  JavaScript: latin(`*/=1;alert('${MARKER}')//`),
};

type Pictures = Readonly<Record<UploadFormat, Buffer>>;

export async function uploads(): Promise<readonly Upload[]> {
  const pictures = Object.fromEntries(
    await Promise.all(FORMATS.map(async (format) => [format, await picture(format)])),
  ) as Pictures;
  return [
    ...truncated(pictures),
    ...withTrailers(pictures),
    ...flipped(pictures),
    ...(await withMetadata(pictures)),
    ...bombs(pictures),
    ...corruptedPngs(pictures),
    ...noPictures(pictures),
    ...(await odd()),
  ];
}

/** Files truncated in the header, in the pixel data and near the end. */
const truncated = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format) =>
    [1, 3, 8, 12, 16, 24, 33, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97].map((part) => {
      const bytes = pictures[format];
      const length = part < 1 ? Math.floor(bytes.length * part) : part;
      return refused(`${format} truncated to ${length} of ${bytes.length} bytes`, bytes.subarray(0, length));
    }),
  );

/** Pictures with other data appended or prepended. */
const withTrailers = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format) =>
    Object.entries(TRAILERS).flatMap(([what, trailer]) => [
      either(`${format} with ${what} appended`, Buffer.concat([pictures[format], trailer])),
      refused(`${format} with ${what} prepended`, Buffer.concat([trailer, pictures[format]])),
    ]),
  );

const flipped = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format, seed) =>
    Array.from({ length: 4 }, (_, at) => {
      const bytes = Buffer.from(pictures[format]);
      for (let flip = 0; flip < 4; flip += 1) {
        const index = (Math.imul(at * 7 + seed * 131 + flip * 17 + 1, 2_654_435_761) >>> 0) % bytes.length;
        bytes[index] = bytes[index]! ^ (1 << (at % 8));
      }
      return either(`${format} with flipped bits, variant ${at}`, bytes);
    }),
  );

async function withMetadata({ png, jpeg, gif }: Pictures): Promise<readonly Upload[]> {
  const exif = {
    IFD0: { Artist: MARKER, Copyright: MARKER, ImageDescription: MARKER },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitude: '13/1 24/1 18/1' },
  };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${MARKER}</rdf></x:xmpmeta>`;
  const described = await Promise.all(
    (['png', 'jpeg', 'webp', 'avif'] as const).map(async (format) => {
      const made = noise(SIDE, SIDE).withExif(exif).withXmp(xmp).withIccProfile('p3').toFormat(format);
      return harmless(`${format} with EXIF, GPS, XMP and a colour profile`, await made.toBuffer());
    }),
  );
  const turned = await Promise.all(
    [2, 3, 6, 8].map(async (orientation) =>
      harmless(
        `jpeg with EXIF orientation ${orientation}`,
        await noise(2 * SIDE, SIDE)
          .withMetadata({ orientation })
          .jpeg()
          .toBuffer(),
      ),
    ),
  );
  const script = latin(`<script>alert('${MARKER}')</script><?php system('${MARKER}'); ?>`);
  const gifPixels = gif.lastIndexOf(latin('!\xf9\x04'));
  return [
    ...described,
    ...turned,
    ...['tEXt', 'iTXt', 'eXIf', 'prVt'].map((type) => {
      const chunk = pngChunk(type, Buffer.concat([latin('Comment\0'), script]));
      return either(`png with a script in ${type}`, inserted(png, PNG_HEADER_END, chunk));
    }),
    ...[0xfe, 0xe0, 0xe1, 0xe2, 0xed, 0xee].map((marker) => {
      const start = Buffer.from([0xff, marker, ...bigEndian(script.length + 2)]);
      const name = `jpeg with a script in segment ${marker.toString(16)}`;
      return either(name, inserted(jpeg, 2, Buffer.concat([start, script])));
    }),
    ...[0xfe, 0xff, 0x01].map((label) => {
      const extension = [Buffer.from([0x21, label, script.length]), script, Buffer.from([0])];
      const name = `gif with a script in extension ${label.toString(16)}`;
      return either(name, inserted(gif, gifPixels, Buffer.concat(extension)));
    }),
    either(
      'gif that is also JavaScript',
      Buffer.concat([latin('GIF89a/*'), gif.subarray(8), TRAILERS['JavaScript']!]),
    ),
    refused('gif signature followed by HTML', latin(`GIF89a<html><script>${MARKER}</script>`)),
    refused('gif signature followed by PHP', latin(`GIF89a;<?php system('${MARKER}'); ?>`)),
  ];
}

/** Small files that are huge when decoded (decompression bombs), or that declare a huge or invalid size. */
function bombs({ png, jpeg, webp, gif, avif }: Pictures): readonly Upload[] {
  const tooLarge = /^The picture has .* pixels\. The maximum is 40 megapixels/;
  const huge = (name: string, bytes: Uint8Array): Upload => refused(name, bytes, tooLarge);
  const frame = jpeg.indexOf(latin('\xff\xc0'));
  const extent = avif.indexOf('ispe') + 8;
  const extended = Buffer.concat([
    latin('VP8X'),
    Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, ...littleEndian(16_382, 3), ...littleEndian(16_382, 3)]),
  ]);
  const largest = [255, 255, 255, 255];
  const screen = written(gif, 6, largest);
  const zeros = Buffer.alloc(100_000_000);
  const packed = deflateSync(zeros);
  return [
    ...[
      [100_000, 100_000],
      [16_385, 64],
      [64, 16_385],
      [16_384, 16_384],
    ].map(([width = 0, height = 0]) =>
      huge(`png that declares ${width} × ${height}`, pngOf(width, height, Buffer.alloc(64))),
    ),
    ...[
      [0x7fffffff, 0x7fffffff],
      [0xffffffff, 1],
      [0, 100],
      [100, 0],
    ].map(([width = 0, height = 0]) =>
      refused(`png that declares ${width} × ${height}`, pngOf(width, height, Buffer.alloc(64))),
    ),
    huge('png of 42 megapixels in 40 KB', pngOf(7_000, 6_000, zeros.subarray(0, 7_001 * 6_000))),
    huge(
      'jpeg that declares 65500 × 65500',
      written(jpeg, frame + 5, [...bigEndian(65_500), ...bigEndian(65_500)]),
    ),
    refused('jpeg that declares 0 × 0', written(jpeg, frame + 5, [0, 0, 0, 0])),
    either('gif with a screen of 65535 × 65535 and a small frame', screen),
    huge(
      'gif that declares 65535 × 65535',
      written(screen, gif.lastIndexOf(latin('!\xf9\x04')) + 13, largest),
    ),
    refused('webp that declares 16383 × 16383', inserted(webp, 12, extended)),
    refused(
      'avif that declares 65535 × 65535',
      written(avif, extent + 4, [...bigEndian(65_535, 4), ...bigEndian(65_535, 4)]),
    ),
    either('png with pixel data that inflates to 100 MB', pngOf(SIDE, SIDE, zeros)),
    ...['zTXt', 'iCCP'].map((type) => {
      const chunk = pngChunk(type, Buffer.concat([latin('a\0\0'), packed]));
      return either(`png with a ${type} chunk that inflates to 100 MB`, inserted(png, PNG_HEADER_END, chunk));
    }),
  ];
}

function corruptedPngs({ png }: Pictures): readonly Upload[] {
  const header = png.subarray(8, PNG_HEADER_END);
  const [pixels, end] = [png.subarray(PNG_HEADER_END, -12), png.subarray(-12)];
  const made = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat([PNG_START, ...parts]);
  const text = pngChunk('tEXt', latin(`a\0${MARKER}`));
  return [
    refused('png without pixel data', made(header, end)),
    refused('png without a header', made(pixels, end)),
    refused('png with uncompressed pixel data', made(header, pngChunk('IDAT', Buffer.alloc(500)), end)),
    refused('png with a wrong header checksum', made(written(header, 22, [1, 2, 3]), pixels, end)),
    either('png without an end chunk', made(header, pixels)),
    either('png with two headers', made(header, header, pixels, end)),
    either(
      'png with a chunk that is longer than the file',
      made(header, Buffer.from([255, 255, 255, 255]), pixels, end),
    ),
    either('png with an unknown critical chunk', made(header, pngChunk('EVIL', latin(MARKER)), pixels, end)),
    either('png with a colour type that does not exist', made(written(header, 17, [9]), pixels, end)),
    either('png with ten thousand chunks', made(header, ...Array(10_000).fill(text), pixels, end)),
  ];
}

/** Files that are not pictures. `src/marketplace/pictures/picture.test.ts` has more of them. */
function noPictures({ png, jpeg, gif, webp, avif }: Pictures): readonly Upload[] {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert('${MARKER}')"/>`;
  const mixed: readonly (readonly [string, Buffer])[] = [
    ['png signature followed by a jpeg', Buffer.concat([PNG_START, jpeg])],
    ['jpeg signature followed by a png', Buffer.concat([latin('\xff\xd8\xff'), png])],
    ['gif signature followed by a png', Buffer.concat([latin('GIF89a'), png])],
    ['webp header followed by a jpeg', Buffer.concat([webp.subarray(0, 12), jpeg])],
    ['avif header followed by a gif', Buffer.concat([avif.subarray(0, 32), gif])],
    ['jpeg after four zero bytes', Buffer.concat([Buffer.alloc(4), jpeg])],
    ['png with CRLF converted to LF', Buffer.from(png.toString('latin1').replace('\r\n', '\n'), 'latin1')],
    ['avif that declares HEVC', Buffer.from(avif.toString('latin1').replaceAll('av01', 'hvc1'), 'latin1')],
    ...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\x10\0\0\0WEBP', '\0\0\0\x18ftypavif'].map(
      (start) =>
        [
          `${JSON.stringify(start)} followed by zeros`,
          Buffer.concat([latin(start), Buffer.alloc(200)]),
        ] as const,
    ),
  ];
  return [
    refused('empty file', new Uint8Array(), /^The picture is an empty file/),
    refused('png larger than 8 MiB', Buffer.concat([png, Buffer.alloc(8_388_608)]), /larger than 8 MiB/),
    refused('SVG', latin(svg), /^SVG files can contain scripts/),
    refused('gzipped SVG', gzipSync(svg), /^The file is not a picture/),
    refused('SVG after a comment of 5,000 characters', latin(`<!--${' '.repeat(5_000)}-->${svg}`)),
    ...mixed.map(([name, bytes]) => refused(name, bytes)),
  ];
}

/** Valid pictures in rare variants, and pictures of one pixel. */
async function odd(): Promise<readonly Upload[]> {
  const one = () => noise(SIDE, SIDE);
  const alpha = () => one().ensureAlpha(0.5);
  const frame = await one().raw().toBuffer();
  const animated = (count: number) =>
    sharp(Buffer.concat(Array.from({ length: count }, (_, at) => frame.map((value) => value ^ (at % 4)))), {
      raw: { width: SIDE, height: SIDE * count, channels: 3, pageHeight: SIDE },
    });
  const made: Readonly<Record<string, Sharp>> = {
    'png with 16 bits per channel': one().toColourspace('rgb16').png(),
    'interlaced png with 16 bits per channel and alpha': alpha()
      .toColourspace('rgb16')
      .png({ progressive: true }),
    'greyscale png': one().greyscale().png(),
    'png with two colours': one().threshold().png({ palette: true, colours: 2 }),
    'png with a palette and alpha': alpha().png({ palette: true }),
    'CMYK jpeg': one().toColourspace('cmyk').jpeg(),
    'greyscale jpeg': one().greyscale().jpeg(),
    'progressive jpeg': one().jpeg({ progressive: true }),
    'lossless webp with alpha': alpha().webp({ lossless: true }),
    'avif with 12 bits per channel': one().avif({ bitdepth: 12, effort: 0 }),
    'gif with 200 frames': animated(200).gif({ effort: 1 }),
    'webp with 200 frames': animated(200).webp({ effort: 0 }),
    'png that is 8,000 pixels high': noise(SIDE, 8_000).png(),
  };
  const tooSmall = /^An icon needs at least 64 × 64 pixels, and this one has 1 × 1\./;
  return await Promise.all([
    ...Object.entries(made).map(async ([name, drawn]) => harmless(name, await drawn.toBuffer())),
    ...FORMATS.map(async (format) =>
      refused(`${format} of one pixel`, await picture(format, 1, 1), tooSmall),
    ),
  ]);
}
