/** Posters: the images of link previews. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_BRAND, PICTURE_SUBJECTS } from '../../../../src/base/brand/brand.ts';
import { changeBrand } from '../../../../src/base/settings/change-brand.ts';
import { findListing } from '../../../../src/marketplace/listings/queries.ts';
import { createPictureEncoder } from '../../../../src/marketplace/pictures/encoder.ts';
import { putPicture } from '../../../../src/marketplace/pictures/store.ts';
import { DRAWABLE, drawable } from '../../../../src/pages/market/discovery/drawn-text.ts';
import { createPosters, discoveryPages } from '../../../../src/pages/market/discovery/pages.ts';
import { NO_FILES, posterSvg } from '../../../../src/pages/market/discovery/poster.ts';
import { DARK, LIGHT } from '../../../../src/platform/colour/palette.ts';
import { Refusal } from '../../../../src/platform/errors.ts';
import { startPages } from '../../support.ts';
import { addApp, CACHED, cachingOf, HOSTILE_NAMES, shareMarket } from './support.ts';

const market = shareMarket();
const { site, ask } = market;

const pictureOf = async (path: string): Promise<string> =>
  new URL(/property="og:image" content="([^"]+)"/.exec(await (await ask(path)).text())![1]!).pathname;

test('posters are small 1200×630 PNGs, and outdated URLs return the current poster for a short time', async () => {
  const [, hostile] = HOSTILE_NAMES;
  await addApp(site.context, market.owner, 'hostile', { name: hostile, summary: hostile });
  const path = await pictureOf('/l/hostile');
  expect(await cachingOf(ask, path)).toEqual({ ...CACHED, control: 'public, max-age=31536000, immutable' });
  const answer = await ask(path);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  // The smallest limit of a network is 300 KB (`docs/guide/being-found.md`).
  expect(bytes.length).toBeLessThan(150_000);
  await changeBrand(site.context, {
    brand: { ...DEFAULT_BRAND, accent: '#1b2a6b' },
    operatorId: market.owner,
    actor: `account:${market.owner}`,
  });
  const [outdated, current] = await Promise.all([ask(path), ask(await pictureOf('/l/hostile'))]);
  expect([outdated.status, outdated.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  expect(Buffer.from(await outdated.arrayBuffer())).toEqual(Buffer.from(await current.arrayBuffer()));
  for (const missing of ['/l/nowhere/posters/x.png', '/l/hostile/offers/x/posters/x.png']) {
    expect((await ask(missing)).status).toBe(404);
  }
});

test('a poster shows the icon of the app and gets a new URL when the icon changes', async () => {
  const { context } = site;
  await addApp(context, market.owner, 'iconic');
  const before = await pictureOf('/l/iconic');
  const { id } = await findListing(context.db.read, 'iconic');
  const data = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const files = [{ name: `${'0'.repeat(32)}.png`, width: 64, height: 64, data }];
  const subject = { id, listingId: id, accountId: market.owner };
  await context.db.transaction((tx) => putPicture(context, tx, { subject, kind: 'icon', files }));
  await expect.poll(() => pictureOf('/l/iconic'), { timeout: 10_000 }).not.toBe(before);
  const png = Buffer.from(await (await ask(await pictureOf('/l/iconic'))).arrayBuffer());
  const { data: pixels, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const middle = (353 * info.width + 1006) * 3;
  expect([...pixels.subarray(middle, middle + 3)]).toEqual([255, 0, 0]);
});

test('a poster draws a plate behind a picture that is faint on its light background', async () => {
  const white = { create: { width: 64, height: 64, channels: 4, background: '#ffffff00' } } as const;
  const png = await sharp(white).png().toBuffer();
  // The service draws in another process, because each process that encodes uploads disables its SVG decoder. In this
  // process, the tests of `encode.ts` do.
  const encoder = createPictureEncoder({ onFailure: (reason) => expect.fail(reason) });
  onTestFinished(() => encoder.close());
  const pixels = async (faintIn: 'light' | 'dark', of: { readonly logo: boolean }) => {
    const picture = { name: 'x.png', width: 64, height: 64, faintIn };
    const brand = { name: 'M', accent: null, logo: of.logo ? picture : null, icon: picture };
    const poster = { brand, face: { name: 'A', icon: picture }, title: 'A', details: [] };
    const svg = posterSvg(poster, { logo: of.logo ? png : null, icon: png, face: png });
    const { data, info } = await sharp(await encoder.draw(svg))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // In the icon or logo at the top, and in the app's icon on the stub.
    return [
      [84, 70],
      [1006, 353],
    ].map(([x, y]) => {
      const at = (y! * info.width + x!) * 3;
      return Buffer.from(data.subarray(at, at + 3)).toString('hex');
    });
  };
  const dark = Array(2).fill(DARK.surface.slice(1));
  expect(await pixels('light', { logo: false })).toEqual(dark);
  expect(await pixels('light', { logo: true })).toEqual(dark);
  const [behindIcon, tile] = await pixels('dark', { logo: false });
  expect([behindIcon === dark[0], tile]).toEqual([false, LIGHT.surface.slice(1)]);
});

test("the marketplace's poster shows its logo and icon", async () => {
  const { context } = site;
  const put = async (kind: 'logo' | 'icon', background: string) => {
    const before = await pictureOf('/');
    const data = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer();
    const files = [{ name: `${(kind === 'logo' ? 'a' : 'b').repeat(32)}.png`, width: 64, height: 64, data }];
    const subject = { id: PICTURE_SUBJECTS.light, listingId: null, accountId: null };
    await context.db.transaction((tx) => putPicture(context, tx, { subject, kind, files }));
    await context.marketplace.reload();
    await expect.poll(() => pictureOf('/'), { timeout: 10_000 }).not.toBe(before);
  };
  await put('logo', '#aa0000');
  await put('icon', '#00aa00');
  const png = Buffer.from(await (await ask(await pictureOf('/'))).arrayBuffer());
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ];
  expect([at(80, 70), at(1006, 353)]).toEqual([
    [170, 0, 0],
    [0, 170, 0],
  ]);
});

test('concurrent requests for a poster share one drawing, and excess drawings are rejected with 503', async () => {
  const apps = Array.from({ length: 6 }, (_, at) => `app-${at}`);
  for (const slug of apps) await addApp(site.context, market.owner, slug);
  const gate = Promise.withResolvers<Uint8Array>();
  let drawn = 0;
  const draw = (): Promise<Uint8Array> => {
    drawn += 1;
    return drawn > 2
      ? Promise.reject(new Refusal('unavailable', 'Many pictures are being drawn.'))
      : gate.promise;
  };
  const services = { context: site.context, baseUrl: site.baseUrl, pictureEncoder: { draw } };
  const pages = await startPages([(app) => discoveryPages(app, services)]);
  const paths = await Promise.all(apps.map((slug) => pictureOf(`/l/${slug}`)));
  const get = (path: string) => fetch(pages.url + path);
  const first = [paths[0]!, paths[0]!, paths[0]!, paths[1]!].map(get);
  while (drawn < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  const refused = await Promise.all(paths.slice(2).map(get));
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    paths.slice(2).map(() => [503, '30']),
  );
  gate.resolve(new Uint8Array([1, 2, 3]));
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await get(paths[0]!)).status).toBe(200);
  // Two drawings succeeded and four were rejected.
  expect(drawn).toBe(6);
  await pages.close();
});

test('posters are cached up to a total size', async () => {
  let drawn = 0;
  const posters = createPosters();
  const draw = async () => {
    drawn += 1;
    return new Uint8Array(6 * 1024 * 1024);
  };
  for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) await posters.forceFetch(hash, { context: draw });
  expect(drawn).toBe(4);
});

/** Four letters of each script. */
const SCRIPTS = {
  Latin: ['W', 'i', 'o', 'Q'],
  Greek: ['Ω', 'ι', 'ο', 'Ψ'],
  Cyrillic: ['Ж', 'г', 'о', 'Щ'],
  Hebrew: ['ש', 'י', 'ם', 'ל'],
  Arabic: ['ا', 'ب', 'م', 'ط'],
  Thai: ['ก', 'เ', 'โ', 'ฬ'],
  Devanagari: ['अ', 'र', 'औ', 'ड'],
  Chinese: ['一', '口', '龍', '小'],
} as const;
const CELL = 150;

/** For each script, the sizes of its letters' ink. Missing glyphs are boxes of one size. */
async function inkSizes(rows: readonly (readonly string[])[]): Promise<readonly ReadonlySet<string>[]> {
  const texts = rows.flatMap((row, y) =>
    row.map(
      (letter, x) =>
        `<text x="${x * CELL + 25}" y="${y * CELL + 105}" font-family="Inter, 'DejaVu Sans'" font-size="80">${letter}</text>`,
    ),
  );
  const encoder = createPictureEncoder({ onFailure: () => {} });
  const png = await encoder.draw(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${4 * CELL}" height="${rows.length * CELL}"><rect width="100%" height="100%" fill="#fff"/>${texts.join('')}</svg>`,
  );
  encoder.close();
  const sizeAt = async (x: number, y: number) => {
    const area = { left: x * CELL, top: y * CELL, width: CELL, height: CELL };
    const cell = await sharp(await sharp(png).extract(area).toBuffer())
      .trim()
      .toBuffer({ resolveWithObject: true });
    return `${cell.info.width} × ${cell.info.height}`;
  };
  return await Promise.all(
    rows.map(async (row, y) => new Set(await Promise.all(row.map((_, x) => sizeAt(x, y))))),
  );
}

test('posters show letters or nothing in each of eight scripts, never boxes for missing glyphs', async () => {
  const scripts = Object.entries(SCRIPTS);
  const drawn = scripts.filter(([, letters]) => letters.some((letter) => drawable(letter) !== null));
  expect(scripts.filter((script) => !drawn.includes(script)).map(([name]) => name)).toEqual(['Chinese']);
  const sizes = await inkSizes(drawn.map(([, letters]) => letters));
  expect(sizes.filter((ofScript) => ofScript.size < 3)).toEqual([]);
  // Without a font, all letters of a script are boxes.
  const [boxes] = await inkSizes([SCRIPTS.Chinese]);
  expect(boxes!.size).toBe(1);

  const brand = { name: 'Market', accent: null, logo: null, icon: null };
  for (const [name, letters] of scripts) {
    const poster = { brand, face: null, title: letters.join(''), details: ['App'] };
    const isShown = posterSvg(poster, NO_FILES).includes(letters.join(''));
    expect([name, isShown]).toEqual([name, drawn.some(([each]) => each === name)]);
    expect(posterSvg(poster, NO_FILES, () => true)).toContain(letters.join(''));
  }
});

test('a poster leaves out what cannot be drawn, and shows the app instead of such an offer', () => {
  const brand = { name: 'Market', accent: null, logo: null, icon: null };
  const textsOf = (title: string, details: readonly string[]) =>
    [...posterSvg({ brand, face: null, title, details }, NO_FILES).matchAll(/<text[^>]*>([^<]*)</g)].map(
      ([, text]) => text,
    );
  expect(textsOf('20% off', ['Lumen', '+1 more offer'])).toEqual([
    'Market',
    '20% off',
    'Lumen · +1 more offer',
  ]);
  expect(textsOf('20% off', ['流明', '+1 more offer'])).toEqual(['Market', '20% off', '+1 more offer']);
  expect(textsOf('八折', ['Lumen', '+1 more offer'])).toEqual(['Market', 'Lumen']);
  expect(textsOf('八折 for everyone', ['Lumen', '+1 more offer'])).toEqual(['Market', 'Lumen']);
  expect(textsOf('八折', ['流明', '+1 more offer'])).toEqual(['Market', 'Market']);
});

test('a poster aligns a right-to-left text to the right, but not details that only begin with such a name', () => {
  const brand = { name: 'Market', accent: null, logo: null, icon: null };
  const svgOf = (details: readonly string[]) =>
    posterSvg({ brand, face: null, title: '20% off', details }, NO_FILES);
  expect(svgOf(['لومن'])).toContain('direction="rtl"');
  expect(svgOf(['لومن', '+1 more offer'])).not.toContain('direction="rtl"');
});

const FONTS = [
  [
    '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
    '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
    '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  ],
  [
    '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
    '@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf',
    '@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  ],
] as const;

/** The characters of a font, read from its cmap table (formats 4 and 12). */
function charactersIn(file: string): ReadonlySet<number> {
  const font = readFileSync(`${import.meta.dirname}/../../../../node_modules/${file}`);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, at) => font.subarray(12 + 16 * at));
  const cmap = font.subarray(
    tables.find((table) => table.toString('latin1', 0, 4) === 'cmap')!.readUInt32BE(8),
  );
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, at) =>
    cmap.subarray(cmap.readUInt32BE(8 + 8 * at)),
  );
  const found = new Set<number>();
  for (const table of subtables) {
    if (table.readUInt16BE(0) === 12) {
      for (let at = 16; at < 16 + 12 * table.readUInt32BE(12); at += 12) {
        for (let code = table.readUInt32BE(at); code <= table.readUInt32BE(at + 4); code += 1)
          found.add(code);
      }
    }
    if (table.readUInt16BE(0) !== 4) continue;
    const twice = table.readUInt16BE(6);
    for (let at = 0; at < twice; at += 2) {
      const start = table.readUInt16BE(16 + twice + at);
      for (let code = start; code <= table.readUInt16BE(14 + at) && code !== 0xffff; code += 1)
        found.add(code);
    }
  }
  return found;
}

test('drawable text contains only characters that the fonts have', () => {
  for (const files of FONTS) {
    const fonts = files.map(charactersIn);
    const missing: string[] = [];
    for (let code = 0x20; code < 0x30000; code += 1) {
      const character = String.fromCodePoint(code);
      if (!DRAWABLE.test(character) || /\p{Cn}/u.test(character)) continue;
      if (!fonts.some((font) => font.has(code))) missing.push(code.toString(16));
    }
    expect(missing).toEqual([]);
  }
  expect(drawable('🎉 Fête ① Ｗｉｄｅ')).toBe('Fête 1 Wide');
  expect(drawable('日本語 app')).toBeNull();
  expect(drawable('🎉')).toBeNull();
  // Invisible characters that join letters or isolate a direction need no glyph.
  expect(drawable('می\u200cخواهم \u2068app\u2069')).toBe('می\u200cخواهم \u2068app\u2069');
});
