/** Hostile uploads are refused with a readable message or reduced to their pixels. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EncodedFile, encode } from '../../../src/marketplace/pictures/encode.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import { MARKER, noise, type Upload, uploads } from './uploads.ts';

let all: readonly Upload[] = [];
beforeAll(async () => {
  all = await uploads();
});

/** Returns the encoded files, or the message of the refusal. */
async function outcomeOf(upload: Uint8Array): Promise<readonly EncodedFile[] | string> {
  try {
    return await encode('icon', upload);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_request') return error.message;
    throw error;
  }
}

const FORMATS = { avif: 'heif', webp: 'webp', png: 'png' } as const;

/** Returns each difference between a stored file and a plain one-frame picture of the declared size and format. */
async function faultsOf({ name, width, height, data }: EncodedFile): Promise<readonly string[]> {
  const { info } = await sharp(data, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
  const found = await sharp(data, { animated: true }).metadata();
  const format = FORMATS[name.split('.')[1] as keyof typeof FORMATS];
  const faults = {
    'another format': found.format !== format,
    'another size': info.width !== width || info.height !== height || found.width !== width,
    metadata: [found.exif, found.xmp, found.icc, found.iptc, found.comments].some(
      (part) => part !== undefined,
    ),
    'several frames': (found.pages ?? 1) !== 1,
    'another orientation': (found.orientation ?? 1) !== 1,
    'the payload': Buffer.from(data).includes(MARKER),
  };
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [`${name}: ${fault}`] : []));
}

test('hostile uploads are refused with a readable message or reduced to their pixels', async () => {
  expect(all.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  const counts = { refused: 0, harmless: 0 };
  for (const { name, bytes, result, sentence } of all) {
    const outcome = await outcomeOf(bytes);
    const isRefused = typeof outcome === 'string';
    counts[isRefused ? 'refused' : 'harmless'] += 1;
    if (result !== 'either' && isRefused !== (result === 'refused')) {
      wrong.push(`${name} should be ${result}: ${isRefused ? outcome : 'it was accepted'}`);
    }
    if (isRefused) {
      if (!/^[A-Z].*\.$/.test(outcome) || /vips|libpng|sharp|undefined/i.test(outcome))
        wrong.push(`${name}: ${outcome}`);
      if (sentence !== undefined && !sentence.test(outcome)) wrong.push(`${name}: ${outcome}`);
      continue;
    }
    expect(outcome).toHaveLength(9);
    for (const file of outcome) wrong.push(...(await faultsOf(file)).map((fault) => `${name}: ${fault}`));
  }
  expect(wrong).toEqual([]);
  expect(counts.refused).toBeGreaterThan(100);
  expect(counts.harmless).toBeGreaterThan(40);
});

test('control: faultsOf() detects metadata, several frames and a wrong format', async () => {
  const named = (start: string) => all.find(({ name }) => name.startsWith(start))!.bytes;
  const faults = async (name: string, data: Uint8Array) =>
    (await faultsOf({ name, width: 64, height: 64, data })).join();
  expect(await faults('a.png', named('png with EXIF'))).toMatch(/metadata.*the payload/);
  expect(await faults('a.webp', named('webp with 200'))).toContain('several frames');
  expect(await faults('a.png', named('webp with 200'))).toContain('another format');
});

test('decoders of unsupported formats are disabled', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"/>');
  const tiff = await noise(96, 96).tiff().toBuffer();
  for (const bytes of [svg, tiff, Buffer.from('P5 2 2 255 0000')]) {
    await expect(sharp(bytes).metadata()).rejects.toThrow();
  }
});

describe('stored pictures', () => {
  const meanOf = async ({ data }: EncodedFile) =>
    (await sharp(data).stats()).channels.map(({ mean }) => Math.round(mean));

  test('are rotated according to the EXIF orientation', async () => {
    // The left half is red, the right half blue. Orientation 6 requires a clockwise rotation, which puts red on top.
    const half = (background: string) =>
      sharp({ create: { width: 400, height: 400, channels: 3, background } })
        .raw()
        .toBuffer();
    const [red, blue] = await Promise.all([half('#f00'), half('#00f')]);
    const top = sharp(Buffer.concat([red, blue]), { raw: { width: 400, height: 800, channels: 3 } });
    const flat = await top.rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await sharp(flat).metadata();
    expect([width, height]).toEqual([800, 400]);
    const file = (await encode('logo', flat)).find(({ name }) => name.endsWith('.png'))!;
    expect(file.width * 2).toBe(file.height);
    const first = await sharp(file.data)
      .removeAlpha()
      .extract({ left: 0, top: 0, width: file.width, height: 2 })
      .raw()
      .toBuffer();
    // The first and the last pixel of the top row are red.
    for (const at of [0, (file.width - 1) * 3]) {
      expect(first[at]).toBeGreaterThan(200);
      expect(first[at + 2]).toBeLessThan(60);
    }
  });

  test('keep the colours of CMYK, 16-bit and greyscale uploads', async () => {
    const red = sharp({ create: { width: 64, height: 64, channels: 3, background: '#e00000' } });
    const made = [red.clone().toColourspace('cmyk').jpeg(), red.clone().toColourspace('rgb16').png()];
    for (const one of made) {
      const [r = 0, g = 0, b = 0] = await meanOf((await encode('icon', await one.toBuffer())).at(-1)!);
      expect(r).toBeGreaterThan(180);
      expect(Math.max(g, b)).toBeLessThan(50);
    }
    const grey = await encode('icon', await red.clone().greyscale().png().toBuffer());
    const [r = 0, g = 0] = await meanOf(grey[3]!);
    expect(Math.abs(r - g)).toBeLessThan(4);
  });

  test('have transparent padding if the uploaded icon is wide, and a white background if they are JPEG files', async () => {
    const wide = await noise(256, 64).png().toBuffer();
    const icon = (await encode('icon', wide)).find(({ name }) => name.endsWith('.png'))!;
    const [alpha] = await sharp(icon.data).ensureAlpha().extractChannel(3).raw().toBuffer();
    expect(alpha).toBe(0);
    const clear = await sharp({ create: { width: 640, height: 360, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    expect(await meanOf((await encode('cover', clear)).at(-1)!)).toEqual([255, 255, 255]);
  });

  test('have file names that depend only on their content', async () => {
    const names = async (width: number) =>
      (await encode('icon', await noise(width, 64).png().toBuffer())).map(({ name }) => name);
    const first = await names(64);
    expect(new Set(first).size).toBe(9);
    expect(await names(64)).toEqual(first);
    expect((await names(65)).filter((name) => first.includes(name))).toEqual([]);
  });
});
