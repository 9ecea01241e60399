import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encode } from './encode.ts';
import { faintIn } from './faint.ts';

/** A square of 100 pixels: `shape` in the middle, with transparent edges. */
const picture = (...shape: readonly (readonly [number, number, number])[]): Uint8Array =>
  Uint8Array.from({ length: 100 }, (_, n) => n).reduce<Uint8Array>((data, n) => {
    const inside = n >= 20 && n < 80;
    const [red, green, blue] = shape[n % shape.length]!;
    data.set(inside ? [red, green, blue, 255] : [0, 0, 0, 0], n * 4);
    return data;
  }, new Uint8Array(400));

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;
const RED = [200, 40, 40] as const;

test.each([
  ['black', 'dark', [BLACK]],
  ['white', 'light', [WHITE]],
  ['nearly white', 'light', [[250, 250, 240]]],
  ['black with a red mark', 'dark', [BLACK, BLACK, RED]],
  ['red', null, [RED]],
  ['red with a few black parts', null, [RED, RED, RED, BLACK]],
  ['grey', null, [[128, 128, 128]]],
] as const)('a transparent picture in %s: the theme in which it is faint is %s', (_what, theme, shape) => {
  expect(faintIn(picture(...shape))).toBe(theme);
});

test('a picture with a background is not faint', () => {
  const opaque = picture(BLACK).map((value, at) => (at % 4 === 3 ? 255 : value));
  expect(faintIn(opaque)).toBeNull();
});

test('an empty picture is not faint', () => {
  expect(faintIn(new Uint8Array(400))).toBeNull();
});

test.each([
  ['icon', 'dark'],
  ['logo', 'dark'],
  ['offer', undefined],
] as const)(
  'every file of an encoded %s has the theme in which the upload is faint: %s',
  async (kind, theme) => {
    const create = {
      width: 640,
      height: 360,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    } as const;
    const shape = await sharp({ create: { width: 400, height: 200, channels: 4, background: '#000' } })
      .png()
      .toBuffer();
    const upload = await sharp({ create })
      .composite([{ input: shape }])
      .png()
      .toBuffer();
    const themes = (await encode(kind, upload)).map(({ faintIn }) => faintIn);
    expect(new Set(themes)).toEqual(new Set([theme]));
  },
);
