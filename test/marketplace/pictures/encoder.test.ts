/** The child processes that encode and draw pictures: isolation, queues, time limit and crashes. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import {
  createPictureEncoder,
  MAX_SVG_BYTES,
  MAX_WAITING_DRAWINGS,
  MAX_WAITING_PICTURES,
  type PictureEncoder,
} from '../../../src/marketplace/pictures/encoder.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import { noise, picture } from './uploads.ts';

const failures: string[] = [];
let encoder: PictureEncoder;
const open = (
  limits: { readonly timeoutMs?: number; readonly maxMemoryBytes?: number } = {},
): PictureEncoder => {
  encoder = createPictureEncoder({ onFailure: (reason) => failures.push(reason), ...limits });
  return encoder;
};
afterEach(() => {
  encoder?.close();
  failures.length = 0;
});

const refusalOf = async (work: Promise<unknown>): Promise<Pick<Refusal, 'code' | 'message'>> => {
  const error = await work.then(
    () => new Error('The call was not refused.'),
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return { code: error.code, message: error.message };
  throw error;
};

/** Process ids of the running encoders. */
const children = (): readonly number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('encoder-process');
      } catch {
        return false;
      }
    });

/** Waits until an encoder has loaded libvips, and returns its process id. */
async function childAtWork(): Promise<number> {
  for (;;) {
    const [pid] = children();
    if (pid !== undefined && readFileSync(`/proc/${pid}/maps`, 'utf8').includes('libvips')) return pid;
    await sleep(5);
  }
}

const large = (width = 1_000, height = 750) => noise(width, height).jpeg().toBuffer();

test('the encoder process runs at low priority, inherits no environment and is OOM-killed first', async () => {
  const encoding = open().encode('cover', await large(640, 480));
  const pid = await childAtWork();
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  expect(read('stat').split(' ')[18]).toBe('10');
  expect(read('environ')).not.toMatch(/PATH|SECRET|DATABASE/);
  expect(read('oom_score_adj').trim()).toBe('1000');
  expect(await encoding).toHaveLength(9);
  expect(children()).toEqual([]);
});

test('pictures are encoded one at a time, and uploads are refused while the queue is full', async () => {
  open();
  const upload = await picture('png', 64, 64);
  const encode = () => encoder.encode('icon', upload);
  const encodings = Array.from({ length: MAX_WAITING_PICTURES }, encode);
  const all = Promise.allSettled(encodings);
  expect(await refusalOf(encode())).toMatchObject({ message: expect.stringMatching(/^Many pictures/) });
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, children().length);
  }, 5);
  const first = await encodings[0]!;
  const accepted = refusalOf(encode());
  expect(await encodings[1]!).toEqual(first);
  clearInterval(watching);
  expect(most).toBe(1);
  encoder.close();
  expect(await accepted).toMatchObject({ message: expect.stringMatching(/^This process is shutting down/) });
  await all;
});

test('a file that isn’t a picture is refused without starting a process', async () => {
  open();
  const refused = Array.from({ length: 20 }, () => refusalOf(encoder.encode('icon', Buffer.from('<svg>'))));
  expect(children()).toEqual([]);
  expect((await Promise.all(refused))[19]).toMatchObject({ message: expect.stringMatching(/^SVG/) });
});

test('a process that takes too much memory is killed, and the person is asked for a smaller picture', async () => {
  const limited = open({ maxMemoryBytes: 20 * 1024 * 1024 });
  expect(await refusalOf(limited.encode('cover', await large()))).toEqual({
    code: 'invalid_request',
    message: 'The picture takes too much memory to process. Reduce its size and upload it again.',
  });
  expect(children()).toEqual([]);
});

test('a large AVIF file is refused before it is decoded, because its decoder takes the most memory', async () => {
  const create = { width: 4_001, height: 3_000, channels: 3, background: '#abc' } as const;
  const upload = await sharp({ create }).avif({ quality: 1, effort: 0 }).toBuffer();
  expect(upload.length).toBeLessThan(10_000);
  expect(await refusalOf(open().encode('cover', upload))).toMatchObject({
    message: expect.stringContaining('The maximum is 12 megapixels'),
  });
});

test('a picture that is too small is refused with the minimum size', async () => {
  const upload = await picture('webp', 10, 10);
  expect(await refusalOf(open().encode('icon', upload))).toEqual({
    code: 'invalid_request',
    message: 'An icon needs at least 64 × 64 pixels, and this one has 10 × 10.',
  });
  expect(failures).toEqual([]);
});

test('the encoder process is killed after the time limit', async () => {
  const slow = open({ timeoutMs: 1 });
  expect(await refusalOf(slow.encode('icon', await picture('png')))).toMatchObject({
    message: expect.stringMatching(/^The picture took too long/),
  });
  expect(children()).toEqual([]);
});

test('if the encoder process crashes, only the current picture fails, and the crash is reported', async () => {
  open();
  const crashed = refusalOf(encoder.encode('cover', await large()));
  const next = encoder.encode('icon', await picture('png'));
  process.kill(await childAtWork(), 'SIGSEGV');
  expect(await crashed).toMatchObject({ message: expect.stringMatching(/^The picture is damaged/) });
  expect(failures).toEqual(['The process ended with SIGSEGV.']);
  expect(await next).toHaveLength(9);
});

test('close() kills the encoder process and refuses the waiting pictures', async () => {
  open();
  const upload = await large();
  const all = [1, 2, 3].map(() => refusalOf(encoder.encode('cover', upload)));
  await childAtWork();
  encoder.close();
  for (const { code } of await Promise.all(all)) expect(code).toBe('unavailable');
  expect(children()).toEqual([]);
  expect(failures).toEqual([]);
});

const drawing = (width: number, inside = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="630"><rect width="100%" height="100%" fill="#123456"/>${inside}</svg>`;

test('draw() renders an SVG with an embedded picture', async () => {
  const icon = (
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
  ).toString('base64');
  const png = await open().draw(
    drawing(1200, `<image width="8" height="8" href="data:image/png;base64,${icon}"/>`),
  );
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 1200, height: 630 });
  expect([...data.subarray(3, 6), ...data.subarray(60, 63)]).toEqual([255, 0, 0, 0x12, 0x34, 0x56]);
  expect(failures).toEqual([]);
});

test('draw() renders text with the bundled fonts', async () => {
  const lines = [
    ['W', 'Inter'],
    ['i', 'Inter'],
    ['W', 'DejaVu Sans'],
  ].map(
    ([letter, family], at) =>
      `<text x="100" y="${at * 210 + 180}" font-family="${family}" font-size="200" fill="#fff">${letter}</text>`,
  );
  const png = await open().draw(drawing(600, lines.join('')));
  const widthOf = async (line: number) => {
    const cut = await sharp(png)
      .extract({ left: 0, top: line * 210, width: 600, height: 210 })
      .toBuffer();
    return (await sharp(cut).trim().toBuffer({ resolveWithObject: true })).info.width;
  };
  const [wide, narrow, other] = [await widthOf(0), await widthOf(1), await widthOf(2)];
  // Without fonts, letters would be boxes of equal width. With the machine's fonts, both families could look the same.
  expect(wide).toBeGreaterThan(3 * narrow);
  expect(wide).not.toBe(other);
});

test('draw() refuses large drawings, reads no files and does not delay uploads', async () => {
  open();
  expect(await refusalOf(encoder.draw(drawing(20_000)))).toMatchObject({ code: 'unavailable' });
  expect(failures).toHaveLength(1);
  expect(await refusalOf(encoder.draw(drawing(1, ' '.repeat(MAX_SVG_BYTES))))).toBeDefined();
  const file = pathToFileURL('docs/screenshots/claims-light.png').href;
  const plain = drawing(300);
  expect(await encoder.draw(drawing(300, `<image width="300" height="630" href="${file}"/>`))).toEqual(
    await encoder.draw(plain),
  );
  const drawings = Promise.allSettled(
    Array.from({ length: MAX_WAITING_DRAWINGS }, () => encoder.draw(plain)),
  );
  expect(await refusalOf(encoder.draw(plain))).toMatchObject({ code: 'unavailable' });
  expect(await encoder.encode('icon', await picture('png'))).toHaveLength(9);
  encoder.close();
  await drawings;
});

test('the service process does not load the decoders', async () => {
  const module = pathToFileURL('src/marketplace/pictures/encoder.ts').href;
  const program = `
    import { readFileSync } from 'node:fs';
    import { createPictureEncoder } from ${JSON.stringify(module)};
    const { encode } = createPictureEncoder({ onFailure: console.error });
    const files = await encode('icon', readFileSync('docs/screenshots/claims-light.png'));
    console.log(files.length, /sharp|libvips/.test(readFileSync('/proc/self/maps', 'utf8')));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(output).toBe('9 false\n');
});
