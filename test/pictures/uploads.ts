/** Uploads by strangers: real pictures, and a few hundred files that are broken, huge, disguised or not pictures. */
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { UploadFormat } from '../../src/pictures/picture.ts';

/** Marks everything that is hidden in an upload; no picture made from the upload may contain it. */
export const MARKER = 'PAYLOAD-5f0c';

export interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** `either`: whether a decoder gets through depends on what is broken. */
  readonly result: 'refused' | 'harmless' | 'either';
  /** Of the refusal. */
  readonly sentence?: RegExp;
}

const FORMATS: readonly UploadFormat[] = ['png', 'jpeg', 'webp', 'gif', 'avif'];
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Noise, which no format compresses well. */
export const noise = (width: number, height: number): Sharp => {
  let seed = width * 31 + height;
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[at] = seed >> 16;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};

export const picture = (format: UploadFormat, width = 96, height = 96): Promise<Buffer> =>
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

/** Pixels of eight bits each, grey unless another type is named. */
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

/** Inserts bytes into a file. */
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
  PHP: latin(`<?php system('${MARKER}'); ?>`),
  JavaScript: latin(`*/=1;alert('${MARKER}')//`),
  'a Java archive': Buffer.concat([latin(`PK\x03\x04META-INF/MANIFEST.MF${MARKER}`), Buffer.alloc(64)]),
  'a PDF': latin(`%PDF-1.7\n1 0 obj << /OpenAction << /S /JavaScript /JS (${MARKER}) >> >>`),
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
    ...vectors(),
    ...noPictures(pictures),
    ...(await odd()),
  ];
}

/** Cut off in the header, in the pixels and at the end. */
const truncated = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format) =>
    [1, 3, 8, 12, 16, 24, 33, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97].map((part) => {
      const bytes = pictures[format];
      const length = part < 1 ? Math.floor(bytes.length * part) : part;
      const name = `${format} cut off after ${length} of ${bytes.length} bytes`;
      return { name, bytes: bytes.subarray(0, length), result: 'refused' as const };
    }),
  );

/** Data after the picture, or before it. */
const withTrailers = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format) =>
    Object.entries(TRAILERS).flatMap(([what, trailer]) => [
      {
        name: `${format} with ${what} after it`,
        bytes: Buffer.concat([pictures[format], trailer]),
        result: 'either' as const,
      },
      {
        name: `${format} with ${what} in front of it`,
        bytes: Buffer.concat([trailer, pictures[format]]),
        result: 'refused' as const,
      },
    ]),
  );

const flipped = (pictures: Pictures): readonly Upload[] =>
  FORMATS.flatMap((format, seed) =>
    Array.from({ length: 8 }, (_, at) => {
      const bytes = Buffer.from(pictures[format]);
      for (let flip = 0; flip < 4; flip += 1) {
        const place = (Math.imul(at * 7 + seed * 131 + flip * 17 + 1, 2_654_435_761) >>> 0) % bytes.length;
        bytes[place] = bytes[place]! ^ (1 << (at % 8));
      }
      return { name: `${format} with wrong bits, ${at}`, bytes, result: 'either' as const };
    }),
  );

async function withMetadata(pictures: Pictures): Promise<readonly Upload[]> {
  const exif = {
    IFD0: { Artist: MARKER, Copyright: MARKER, ImageDescription: MARKER },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitude: '13/1 24/1 18/1' },
  };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${MARKER}</rdf></x:xmpmeta>`;
  const described = await Promise.all(
    (['png', 'jpeg', 'webp', 'avif'] as const).map(async (format) => ({
      name: `${format} with EXIF, GPS, XMP and a colour profile`,
      bytes: await noise(96, 96).withExif(exif).withXmp(xmp).withIccProfile('p3').toFormat(format).toBuffer(),
      result: 'harmless' as const,
    })),
  );
  const turned = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(async (orientation) => ({
      name: `jpeg with EXIF orientation ${orientation}`,
      bytes: await noise(200, 100).withMetadata({ orientation }).jpeg().toBuffer(),
      result: 'harmless' as const,
    })),
  );
  const script = latin(`<script>alert('${MARKER}')</script><?php system('${MARKER}'); ?>`);
  const { png, jpeg, gif } = pictures;
  const gifPixels = gif.lastIndexOf(latin('!\xf9\x04'));
  const hidden: readonly Upload[] = [
    ...['tEXt', 'iTXt', 'eXIf', 'prVt'].map((type) => ({
      name: `png with a script in ${type}`,
      bytes: inserted(png, PNG_HEADER_END, pngChunk(type, Buffer.concat([latin('Comment\0'), script]))),
      result: 'either' as const,
    })),
    ...[0xfe, 0xe0, 0xe1, 0xe2, 0xed, 0xee].map((marker) => ({
      name: `jpeg with a script in segment ${marker.toString(16)}`,
      bytes: inserted(
        jpeg,
        2,
        Buffer.concat([Buffer.from([0xff, marker, ...bigEndian(script.length + 2)]), script]),
      ),
      result: 'either' as const,
    })),
    ...[0xfe, 0xff, 0x01].map((label) => ({
      name: `gif with a script in extension ${label.toString(16)}`,
      bytes: inserted(
        gif,
        gifPixels,
        Buffer.concat([Buffer.from([0x21, label, script.length]), script, Buffer.from([0])]),
      ),
      result: 'either' as const,
    })),
    {
      name: 'gif that is JavaScript too',
      bytes: Buffer.concat([latin('GIF89a/*'), gif.subarray(8), TRAILERS['JavaScript']!]),
      result: 'either',
    },
    {
      name: 'gif that is HTML too',
      bytes: latin(`GIF89a<html><script>${MARKER}</script>`),
      result: 'refused',
    },
    { name: 'gif that is PHP too', bytes: latin(`GIF89a;<?php system('${MARKER}'); ?>`), result: 'refused' },
  ];
  return [...described, ...turned, ...hidden];
}

/** Small files that are huge when decoded, or claim to be. */
function bombs({ png, jpeg, webp, gif, avif }: Pictures): readonly Upload[] {
  const tooLarge = /^The picture has .* pixels\. At most 40 megapixels|^The picture is damaged/;
  const huge = (name: string, bytes: Uint8Array): Upload => ({
    name,
    bytes,
    result: 'refused',
    sentence: tooLarge,
  });
  const frame = jpeg.indexOf(latin('\xff\xc0'));
  const extent = avif.indexOf('ispe') + 8;
  const extended = Buffer.concat([
    latin('VP8X'),
    Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, ...littleEndian(16_382, 3), ...littleEndian(16_382, 3)]),
  ]);
  const zeros = Buffer.alloc(7_001 * 6_000);
  return [
    ...[
      [100_000, 100_000],
      [0x7fffffff, 0x7fffffff],
      [16_385, 64],
      [64, 16_385],
      [16_384, 16_384],
      [0xffffffff, 1],
      [0, 100],
      [100, 0],
    ].map(([width = 0, height = 0]) =>
      huge(`png that says ${width} × ${height}`, pngOf(width, height, Buffer.alloc(64))),
    ),
    huge('png of 42 megapixels in 40 KB', pngOf(7_000, 6_000, zeros)),
    huge(
      'jpeg that says 65500 × 65500',
      written(jpeg, frame + 5, [...bigEndian(65_500), ...bigEndian(65_500)]),
    ),
    huge('jpeg that says 0 × 0', written(jpeg, frame + 5, [0, 0, 0, 0])),
    {
      name: 'gif whose screen is 65535 × 65535, larger than its picture',
      bytes: written(gif, 6, [255, 255, 255, 255]),
      result: 'either',
    },
    huge(
      'gif that says 65535 × 65535',
      written(
        written(gif, 6, [255, 255, 255, 255]),
        gif.lastIndexOf(latin('!\xf9\x04')) + 13,
        [255, 255, 255, 255],
      ),
    ),
    huge('webp that says 16383 × 16383', inserted(webp, 12, extended)),
    huge(
      'avif that says 65535 × 65535',
      written(avif, extent + 4, [...bigEndian(65_535, 4), ...bigEndian(65_535, 4)]),
    ),
    {
      name: 'png whose pixels unpack to 200 MB',
      bytes: pngOf(96, 96, Buffer.alloc(200_000_000)),
      result: 'either',
    },
    ...['zTXt', 'iCCP'].map((type) => ({
      name: `png whose ${type} unpacks to 200 MB`,
      bytes: inserted(
        png,
        PNG_HEADER_END,
        pngChunk(type, Buffer.concat([latin('a\0\0'), deflateSync(Buffer.alloc(200_000_000))])),
      ),
      result: 'either' as const,
    })),
  ];
}

function corruptedPngs({ png }: Pictures): readonly Upload[] {
  const header = png.subarray(8, PNG_HEADER_END);
  const [pixels, end] = [png.subarray(PNG_HEADER_END, -12), png.subarray(-12)];
  const made = (name: string, ...parts: readonly Uint8Array[]): Upload => ({
    name: `png ${name}`,
    bytes: Buffer.concat([PNG_START, ...parts]),
    result: 'either',
  });
  return [
    { ...made('without pixels', header, end), result: 'refused' },
    { ...made('without a header', pixels, end), result: 'refused' },
    {
      ...made('with pixels that are not compressed', header, pngChunk('IDAT', Buffer.alloc(500)), end),
      result: 'refused',
    },
    {
      ...made('with a wrong header checksum', written(header, 22, [1, 2, 3]), pixels, end),
      result: 'refused',
    },
    made('without an end', header, pixels),
    made('with two headers', header, header, pixels, end),
    made('with a chunk that is longer than the file', header, Buffer.from([255, 255, 255, 255]), pixels, end),
    made('with an unknown chunk that must be known', header, pngChunk('EVIL', latin(MARKER)), pixels, end),
    made('with a colour type that does not exist', written(header, 17, [9]), pixels, end),
    {
      ...made(
        'with ten thousand chunks',
        header,
        ...Array(10_000).fill(pngChunk('tEXt', latin(`a\0${MARKER}`))),
        pixels,
        end,
      ),
    },
  ];
}

/** SVG, however it is dressed up. What an upload is called does not matter: only its bytes are looked at. */
function vectors(): readonly Upload[] {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" onload="alert('${MARKER}')"><script>alert(1)</script></svg>`;
  const sentence = /^SVG files can contain scripts/;
  const texts: Readonly<Record<string, string | Uint8Array>> = {
    'SVG with scripts': svg,
    'SVG with a prolog': `<?xml version="1.0"?>${svg}`,
    'SVG with a document type that expands': `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]>${svg}`,
    'SVG with a byte order mark': `\ufeff${svg}`,
    'SVG in UTF-16': Buffer.from(`\ufeff${svg}`, 'utf16le'),
    'SVG in capitals': svg.toUpperCase(),
    'SVG with a prefix': svg.replaceAll(/<(\/?)svg/g, '<$1s:svg'),
    'SVG after white space': `${'\n\t '.repeat(300)}${svg}`,
    'SVG that loads another file': `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="http://127.0.0.1/${MARKER}"/></svg>`,
    'HTML with an SVG': `<!doctype html><body>${svg}`,
  };
  return [
    ...Object.entries(texts).map(([name, text]) => ({
      name,
      bytes: typeof text === 'string' ? Buffer.from(text) : text,
      result: 'refused' as const,
      sentence,
    })),
    { name: 'SVG that is packed', bytes: gzipSync(svg), result: 'refused', sentence: NO_PICTURE },
    {
      name: 'SVG after 5,000 characters',
      bytes: latin(`<!--${' '.repeat(5_000)}-->${svg}`),
      result: 'refused',
    },
  ];
}

const NO_PICTURE = /^The file is not a picture in PNG, JPEG, WebP, GIF or AVIF format/;

/** Other files, among them everything else that the decoders' library reads. */
function noPictures({ png, jpeg, gif, webp, avif }: Pictures): readonly Upload[] {
  const texts: Readonly<Record<string, string>> = {
    'a text': 'This is not a picture.',
    'a space': ' ',
    JSON: '{"width":96,"height":96}',
    HTML: `<!doctype html><script>alert('${MARKER}')</script>`,
    PHP: `<?php system('${MARKER}'); ?>`,
    'a shell script': '#!/bin/sh\nrm -rf /\n',
    'a program for Linux': '\x7fELF\x02\x01\x01',
    'a program for Windows': 'MZ\x90\0\x03',
    'a ZIP file': 'PK\x03\x04',
    'a PDF': '%PDF-1.7\n',
    PostScript: '%!PS-Adobe-3.0 EPSF-3.0\n',
    'an ImageMagick script':
      'push graphic-context\nfill \'url(https://example.com/"|id")\'\npop graphic-context',
    BMP: 'BM\x36\0\0\0',
    'TIFF, little endian': 'II*\0\x08\0\0\0',
    'TIFF, big endian': 'MM\0*\0\0\0\x08',
    'an icon file': '\0\0\x01\0\x01\0',
    Photoshop: '8BPS\0\x01',
    PPM: 'P6\n96 96\n255\n',
    XPM: '/* XPM */',
    'JPEG XL': '\xff\x0a',
    'JPEG 2000': '\0\0\0\x0cjP  \r\n\x87\n',
    FITS: 'SIMPLE  =                    T',
    Radiance: '#?RADIANCE\n',
    OpenEXR: '\x76\x2f\x31\x01',
    'a file of libvips': '\xb6\xa6\xf2\x08',
    'a table of numbers': '1,2,3\n4,5,6\n',
    'a video': '\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41',
    HEIC: '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
    'a WAV file': 'RIFF\x24\0\0\0WAVEfmt ',
  };
  const mixed: readonly (readonly [string, Buffer])[] = [
    ['png that goes on as jpeg', Buffer.concat([PNG_START, jpeg])],
    ['jpeg that goes on as png', Buffer.concat([latin('\xff\xd8\xff'), png])],
    ['gif that goes on as png', Buffer.concat([latin('GIF89a'), png])],
    ['webp that goes on as jpeg', Buffer.concat([webp.subarray(0, 12), jpeg])],
    ['avif that goes on as gif', Buffer.concat([avif.subarray(0, 32), gif])],
    ['jpeg that starts with zeros', Buffer.concat([Buffer.alloc(4), jpeg])],
    [
      'png with the line ends of Windows changed',
      Buffer.from(png.toString('latin1').replace('\r\n', '\n'), 'latin1'),
    ],
    ['avif that says it is HEVC', Buffer.from(avif.toString('latin1').replaceAll('av01', 'hvc1'), 'latin1')],
    ...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\x10\0\0\0WEBP', '\0\0\0\x18ftypavif'].map(
      (start) =>
        [
          `${start.replaceAll(/\W/g, '')} and then nothing`,
          Buffer.concat([latin(start), Buffer.alloc(200)]),
        ] as const,
    ),
  ];
  return [
    {
      name: 'nothing',
      bytes: new Uint8Array(),
      result: 'refused',
      sentence: /^The picture is an empty file/,
    },
    {
      name: 'more than 8 MiB',
      bytes: Buffer.concat([png, Buffer.alloc(8_388_608)]),
      result: 'refused',
      sentence: /larger than 8 MiB/,
    },
    ...Object.entries(texts).map(([name, text]) => ({
      name,
      bytes: latin(text),
      result: 'refused' as const,
    })),
    ...mixed.map(([name, bytes]) => ({ name, bytes, result: 'refused' as const })),
  ];
}

/** Correct pictures of rare kinds. */
async function odd(): Promise<readonly Upload[]> {
  const frames = Buffer.concat(
    await Promise.all(
      [1, 2, 3, 4].map((at) =>
        noise(96, 96 + at)
          .resize(96, 96)
          .raw()
          .toBuffer(),
      ),
    ),
  );
  const animated = (count: number) => {
    const data = Buffer.concat(Array(count / 4).fill(frames));
    return sharp(data, { raw: { width: 96, height: 96 * count, channels: 3, pageHeight: 96 } });
  };
  const alpha = () => noise(96, 96).ensureAlpha(0.5);
  const made: Readonly<Record<string, Sharp>> = {
    'png with 16 bits': noise(96, 96).toColourspace('rgb16').png(),
    'png with 16 bits and alpha, interlaced': alpha().toColourspace('rgb16').png({ progressive: true }),
    'png in grey': noise(96, 96).greyscale().png(),
    'png with two colours': noise(96, 96).threshold().png({ palette: true, colours: 2 }),
    'png with a palette and alpha': alpha().png({ palette: true }),
    'jpeg for printing, in CMYK': noise(96, 96).toColourspace('cmyk').jpeg(),
    'jpeg in grey': noise(96, 96).greyscale().jpeg(),
    'jpeg, progressive': noise(96, 96).jpeg({ progressive: true }),
    'webp, lossless with alpha': alpha().webp({ lossless: true }),
    'avif with 12 bits': noise(96, 96).avif({ bitdepth: 12, effort: 0 }),
    'gif with 200 frames': animated(200).gif({ effort: 1 }),
    'webp with 200 frames': animated(200).webp({ effort: 0 }),
    'png of 96 × 8,000': noise(96, 8_000).png(),
  };
  const harmless = await Promise.all(
    Object.entries(made).map(async ([name, one]) => ({
      name,
      bytes: await one.toBuffer(),
      result: 'harmless' as const,
    })),
  );
  const tiny = await Promise.all(
    FORMATS.map(async (format) => ({
      name: `${format} of one pixel`,
      bytes: await picture(format, 1, 1),
      result: 'refused' as const,
      sentence: /^An icon needs at least 64 × 64 pixels, and this one has 1 × 1\./,
    })),
  );
  return [...harmless, ...tiny];
}
