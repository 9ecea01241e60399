import { describe, expect, test } from 'vitest';
import { Refusal } from '../../platform/errors.ts';
import { parsePictureName } from '../../platform/network/picture-address.ts';
import {
  MAX_UPLOAD_BYTES,
  PICTURE_KINDS,
  type PictureKind,
  parseUpload,
  plainFileOf,
  requireSize,
  type Size,
  sizesOf,
} from './picture.ts';

const KINDS = Object.keys(PICTURE_KINDS) as PictureKind[];

/** Each character of `start` becomes a byte; short files are padded with zeros. */
const file = (start: string): Uint8Array => Buffer.from(start.padEnd(64, '\0'), 'latin1');

const sentenceOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_request') return error.message;
    throw error;
  }
  return 'accepted';
};

describe('picture uploads', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['GIF87a', 'gif'],
    ['GIF89a', 'gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
    ['\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'avif'],
    ['\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'avif'],
  ])('starting with %j have the format %s', (start, format) => {
    expect(parseUpload(file(start))).toBe(format);
  });

  test.each([
    [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      /^SVG files can contain scripts/,
    ],
    ['\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a logo -->\n<s:svg>', /^SVG files can contain scripts/],
    ['\xff\xfe<\0s\0v\0g\0 \0', /^SVG files can contain scripts/],
    ['<SVG ONLOAD=X>', /^SVG files can contain scripts/],
    [`${'\n\t '.repeat(300)}<svg>`, /^SVG files can contain scripts/],
    ['<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]><svg>', /^SVG files can/],
    ['<!doctype html><body><svg>', /^SVG files can contain scripts/],
    ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', /^HEIC pictures cannot be read/],
    ['\0\0\0\x18ftypisom\0\0\0\0isommp41', /^The file is a video or has an unsupported format/],
    // The box is 16 bytes long, so the brand after it is ignored.
    ['\0\0\0\x10ftypisom\0\0\0\0avif', /^The file is a video or has an unsupported format/],
    ['%PDF-1.7', /^The file is not a picture in PNG, JPEG, WebP, GIF or AVIF format/],
    ['RIFF\x10\0\0\0WAVE', /^The file is not a picture/],
    ['II*\0', /^The file is not a picture/],
    ['BM\x36\0\0\0', /^The file is not a picture/],
    ['%!PS-Adobe-3.0 EPSF-3.0\n', /^The file is not a picture/],
    ["push graphic-context\nfill 'url(https://example.com/)'", /^The file is not a picture/],
    ['<?php system("id"); ?>', /^The file is not a picture/],
    ['\0\0\0\x0cjP  \r\n\x87\n', /^The file is not a picture/],
    ['\x89PNG\n\x1a\n', /^The file is not a picture/],
    ['\0', /^The file is not a picture/],
  ])('starting with %j are rejected', (start, sentence) => {
    expect(sentenceOf(() => parseUpload(file(start)))).toMatch(sentence);
  });

  test('are rejected if empty or larger than 8 MiB', () => {
    expect(sentenceOf(() => parseUpload(new Uint8Array()))).toBe('The picture is an empty file.');
    const png = new Uint8Array(MAX_UPLOAD_BYTES + 1);
    png.set(file('\x89PNG\r\n\x1a\n'));
    expect(sentenceOf(() => parseUpload(png))).toMatch(/^The picture is larger than 8 MiB\./);
    expect(parseUpload(png.subarray(0, MAX_UPLOAD_BYTES))).toBe('png');
  });
});

describe('picture dimensions', () => {
  test.each([
    [
      { width: 16_385, height: 64 },
      'The picture has 16385 × 64 pixels. The maximum is 40 megapixels and 16,384 pixels per side.',
    ],
    [{ width: 8_000, height: 5_001 }, 'The picture has 8000 × 5001 pixels. The maximum is 40 megapixels'],
    [{ width: 63, height: 500 }, 'An icon needs at least 64 × 64 pixels, and this one has 63 × 500.'],
  ])('%j are rejected for an icon', (size, sentence) => {
    expect(sentenceOf(() => requireSize('icon', size, 'png'))).toContain(sentence);
  });

  test.each([
    { width: 64, height: 64 },
    { width: 16_384, height: 64 },
    { width: 8_000, height: 5_000 },
  ])('%j are accepted for an icon', (size) => {
    expect(sentenceOf(() => requireSize('icon', size, 'png'))).toBe('accepted');
  });
});

describe('stored picture sizes', () => {
  test.each<[PictureKind, Size, string]>([
    ['icon', { width: 1024, height: 1024 }, '128×128 256×256 512×512'],
    ['icon', { width: 100, height: 100 }, '25×25 50×50 100×100'],
    // An icon that is not square is padded.
    ['icon', { width: 400, height: 100 }, '100×100 200×200 400×400'],
    ['icon', { width: 100, height: 400 }, '100×100 200×200 400×400'],
    ['cover', { width: 4032, height: 3024 }, '400×225 800×450 1600×900'],
    ['cover', { width: 1000, height: 4000 }, '250×141 500×281 1000×563'],
    ['cover', { width: 4000, height: 450 }, '200×113 400×225 800×450'],
    ['offer', { width: 1920, height: 1080 }, '320×180 640×360 1280×720'],
    ['logo', { width: 2000, height: 500 }, '240×60 480×120 960×240'],
    ['logo', { width: 1000, height: 1000 }, '60×60 120×120 240×240'],
    ['logo', { width: 16_384, height: 32 }, '240×1 480×1 960×2'],
  ])('a picture of kind %s uploaded as %j is stored as %s', (kind, size, expected) => {
    expect(
      sizesOf(kind, size)
        .map(({ width, height }) => `${width}×${height}`)
        .join(' '),
    ).toBe(expected);
  });

  test.each(KINDS)('a picture of kind %s is never enlarged and has at least one pixel per side', (kind) => {
    const { largest, least, fit } = PICTURE_KINDS[kind];
    for (let width = least.width; width < 16_384; width = Math.ceil(width * 1.7)) {
      for (let height = least.height; height < 16_384; height = Math.ceil(height * 1.7)) {
        const side = Math.max(width, height);
        const most = fit === 'pad' ? { width: side, height: side } : { width, height };
        for (const size of sizesOf(kind, { width, height })) {
          expect(size.width).toBeGreaterThan(0);
          expect(size.height).toBeGreaterThan(0);
          expect(size.width).toBeLessThanOrEqual(Math.min(most.width, largest.width));
          expect(size.height).toBeLessThanOrEqual(Math.min(most.height, largest.height));
        }
      }
    }
  });
});

test('plainFileOf returns the smallest PNG or JPEG that is wide enough, or else the widest', () => {
  const hash = (digit: number) => String(digit).repeat(32);
  const files = [
    { name: `${hash(1)}.webp`, width: 128, height: 128 },
    { name: `${hash(2)}.png`, width: 128, height: 128 },
    { name: `${hash(3)}.png`, width: 256, height: 256 },
  ];
  const widthFor = (width: number) => plainFileOf({ files }, width).name[0];
  expect([1, 128, 129, 1_000].map(widthFor).join('')).toBe('2233');
});

test.each([
  ['0123456789abcdef0123456789abcdef.webp', 'webp'],
  ['0123456789abcdef0123456789abcdef.svg', undefined],
  ['0123456789ABCDEF0123456789abcdef.webp', undefined],
  ['0123456789abcdef.webp', undefined],
  ['0123456789abcdef0123456789abcdef.webp\n', undefined],
  ['../0123456789abcdef0123456789abcdef.webp', undefined],
])('the picture name %j has the format %s', (name, format) => {
  expect(parsePictureName(name)?.format).toBe(format);
});
