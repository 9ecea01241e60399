/** Picture uploads with and without JavaScript, their limits, and the reasons for rejected uploads. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENCODE_TIMEOUT_MS } from '../../../src/marketplace/pictures/encoder.ts';
import { MAX_UPLOAD_BYTES } from '../../../src/marketplace/pictures/picture.ts';
import { MAX_UPLOADS_OF_PERSON } from '../../../src/pages/frame/uploads.ts';
import { picture } from '../../marketplace/pictures/uploads.ts';
import { CHROMIUM, createVisitor, type Visitor } from '../../support/browser.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite, startSite } from '../../support/site.ts';
import { decode, problemsIn } from '../dashboard/support.ts';
import { createMarketListing } from '../market/support.ts';

const TOO_LARGE = 'The picture is larger than 8 MiB. Reduce its size and upload it again.';

const WIDTH_OF_ICON = `(async () => {
  const image = document.querySelector('img[alt="Current icon"]');
  await image.decode();
  return image.naturalWidth;
})()`;

describe('pictures', () => {
  let site: OwnSite;
  let owner: SignedIn;
  let path: string;
  let offerPath: string;
  let visitor: Visitor;

  beforeAll(async () => {
    site = await openSite('postgres');
    owner = await signedInAs(site, { email: 'ada@example.com' });
    visitor = createVisitor(site.baseUrl);
    const { id, offerIds } = await createMarketListing(site.context, owner, {
      slug: 'notes',
      name: 'Fieldnotes',
      draft: true,
      offers: [{ offer: 'A month free' }],
    });
    path = `/dashboard/listings/${id}`;
    offerPath = `/dashboard/offers/${offerIds[0]}`;
  });
  afterAll(async () => {
    await visitor.close();
    await site.close();
  });

  const formOf = (bytes: Uint8Array | null, fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(
      'picture',
      new File(bytes === null ? [] : [new Uint8Array(bytes)], bytes === null ? '' : 'icon.png'),
    );
    return form;
  };
  const send = (bytes: Uint8Array | null, to = `${path}/pictures/icon`, person = owner.person) =>
    person.post(to, formOf(bytes));
  const sourceIn = (html: string, alt: string) =>
    new RegExp(`<img src="(/pictures/[0-9a-f]{32}\\.(?:png|jpg))"[^>]*alt="${alt}"`).exec(html)?.[1];

  test('can be uploaded, replaced and removed without JavaScript', async () => {
    const operator = await signedInAs(site, { email: 'editor@example.com', operator: true });
    const edited = `${path.replace('/dashboard/', '/desk/')}/edit`;
    const preview = async () => (await operator.person.get(edited)).text.split('id="preview"')[1];
    const sent = await send(await picture('png', 64, 64));
    expect([sent.status, sent.location]).toEqual([303, `${path}?saved#pictures`]);
    expect(await preview()).toContain('/pictures/');
    const first = sourceIn((await owner.person.get(path)).text, 'Current icon')!;
    expect((await fetch(site.baseUrl + first)).headers.get('content-type')).toBe('image/png');
    await send(await picture('webp', 65, 65));
    expect(sourceIn((await owner.person.get(path)).text, 'Current icon')).not.toBe(first);
    expect((await owner.person.post(`${path}/pictures/icon/remove`)).status).toBe(303);
    expect(sourceIn((await owner.person.get(path)).text, 'Current icon')).toBeUndefined();
    expect(await preview()).not.toContain('/pictures/');
    expect((await send(await picture('png', 320, 180), `${offerPath}/pictures/offer`)).status).toBe(303);
    expect(sourceIn((await owner.person.get(offerPath)).text, 'Current picture')).toBeDefined();
  });

  test('are rejected with a reason at the field', async () => {
    const small = await send(await picture('png', 10, 10));
    expect([small.status, problemsIn(small.text)]).toEqual([
      422,
      ['An icon needs at least 64 × 64 pixels, and this one has 10 × 10.'],
    ]);
    expect(problemsIn((await send(Buffer.from('<svg onload="alert(1)">'))).text)[0]).toMatch(/^SVG files/);
    expect(problemsIn((await send(null)).text)).toEqual(['Choose a picture first.']);
    expect(problemsIn((await send(new Uint8Array(MAX_UPLOAD_BYTES + 1))).text)).toEqual([TOO_LARGE]);
  });

  test('are rejected with 413 if the request body exceeds the size limit', async () => {
    const sent = await send(new Uint8Array(MAX_UPLOAD_BYTES + 100_000));
    expect([sent.status, decode(sent.text).includes(TOO_LARGE)]).toEqual([413, true]);
  });

  test('are accepted only from the listing’s owner, and only from a form opened in the owner’s account', async () => {
    const icon = await picture('png');
    expect((await owner.person.post(path, formOf(icon))).status).toBe(415);
    expect((await owner.person.post(`${path}/pictures/icon`, { picture: 'x' })).status).toBe(415);
    const stranger = await signedInAs(site, { email: 'eve@example.com' });
    expect((await send(icon, `${path}/pictures/icon`, stranger.person)).status).toBe(404);
    const signedOut = await fetch(`${site.baseUrl}${path}/pictures/icon`, {
      method: 'POST',
      body: formOf(icon),
      headers: { Origin: site.baseUrl },
      redirect: 'manual',
    });
    expect(signedOut.headers.get('location')).toMatch(/^\/sign-in/);
    const foreign = await owner.person.post(`${path}/pictures/icon`, formOf(icon), {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(foreign.status).toBe(403);
    const other = formOf(icon, { shown_to: stranger.accountId });
    const mixed = await owner.person.post(`${path}/pictures/icon`, other);
    expect([mixed.status, mixed.text.includes('was opened in another account')]).toEqual([400, true]);
  });

  test('are rejected if the multipart form is malformed or has too many parts', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    const headersOfPart = `--b\r\n${'a: b\r\n'.repeat(1_000)}${part.slice('--b\r\n'.length)}--b--\r\n`;
    for (const body of [
      `${part.repeat(100)}--b--\r\n`,
      '--b\r\nx',
      'x',
      headersOfPart,
      headersOfPart.replace('--b--', ''),
    ]) {
      const sent = await fetch(`${site.baseUrl}${path}/pictures/icon`, {
        method: 'POST',
        headers: { ...headers, Cookie: owner.person.cookie, Origin: site.baseUrl },
        body,
      });
      expect([sent.status, (await sent.text()).includes('The form could not be read.')]).toEqual([400, true]);
    }
  });

  test('are limited to a few concurrent uploads per person', async () => {
    const icon = await picture('png', 64, 64);
    const answers = await Promise.all(Array.from({ length: MAX_UPLOADS_OF_PERSON + 2 }, () => send(icon)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, 303, 429, 429]);
  });

  test('can be uploaded after earlier uploads were interrupted', async () => {
    const { host, port } = new URL(site.baseUrl);
    const form = new Response(formOf(Buffer.from('not a picture')));
    const body = await form.text();
    const head = [
      `POST ${path}/pictures/icon HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${site.baseUrl}`,
      `Cookie: ${owner.person.cookie}`,
      `Content-Type: ${form.headers.get('content-type')}`,
    ].join('\r\n');
    // The first kind ends in the middle of the body. The others end while the response, a page with the reason, is made.
    const interrupted = [
      ...Array.from({ length: 4 }, () => ({ text: body.slice(0, 40), length: 100_000, afterMs: 5 })),
      ...Array.from({ length: 60 }, (_, afterMs) => ({
        text: body,
        length: body.length,
        afterMs: afterMs / 3,
      })),
    ];
    for (const { text, length, afterMs } of interrupted) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n${text}`);
      await once(socket, 'connect');
      await sleep(afterMs);
      socket.end().destroy();
      await once(socket, 'close');
    }
    const icon = await picture('png', 64, 64);
    await expect.poll(async () => (await send(icon)).status).toBe(303);
  });

  test('uploaded by an operator for the brand are shown by every process', async () => {
    const operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
    const other = await startSite(site.dbLocation);
    const brand = '/desk/settings/brand';
    try {
      const foreign = await owner.person.post(`${brand}/pictures/logo`, formOf(await picture('png')));
      expect(foreign.status).toBe(404);
      for (const [name, width] of [
        ['logo', 96],
        ['logo-dark', 97],
        ['icon', 64],
      ] as const) {
        const form = formOf(await picture('png', width, 64));
        const { location } = await operator.person.post(`${brand}/pictures/${name}`, form);
        expect(location).toBe(`${brand}?done#pictures`);
      }
      for (const { baseUrl } of [site, other]) {
        const shown = async () => (await fetch(baseUrl)).text();
        // The other process reloads the brand every second.
        await expect.poll(shown, { timeout: 10_000 }).toContain('<link rel="icon" href="/pictures/');
        const page = await shown();
        expect(page).toMatch(
          /<a class="brand" href="\/"><picture class="themed"><source[^>]*media="\(prefers-color-scheme: dark\)"/,
        );
        expect(page).toMatch(/<img src="\/pictures\/[0-9a-f]{32}\.png"[^>]*alt="Claimcheck"/);
        const [, icon] = /<link rel="icon" href="(\/pictures\/[0-9a-f]{32}\.png)" type="image\/png"/.exec(
          page,
        )!;
        expect((await fetch(baseUrl + icon)).status).toBe(200);
        expect((await fetch(`${baseUrl}/favicon.ico`)).url).toContain(icon);
        expect((await fetch(`${baseUrl}/apple-touch-icon.png`)).url).toContain('/pictures/');
        const manifest = await (await fetch(`${baseUrl}/manifest.webmanifest`)).json();
        expect(manifest).toMatchObject({ icons: [{ type: 'image/png', sizes: '16x16' }, {}, {}] });
      }
      await operator.person.post(`${brand}/pictures/logo/remove`);
      expect(await (await fetch(site.baseUrl)).text()).toContain('<span dir="auto">Claimcheck</span>');
    } finally {
      await other.stop();
    }
  });

  describe.skipIf(CHROMIUM === null)('in a browser', () => {
    test('are uploaded as soon as they are chosen, in place, so unsaved input is kept', async () => {
      await owner.person.post(`${path}/pictures/icon/remove`);
      await visitor.visit(
        path,
        async (page, faults) => {
          // On a busy machine, encoding takes long, because it runs at a low priority.
          page.setDefaultTimeout(ENCODE_TIMEOUT_MS);
          const image = { name: 'icon.png', mimeType: 'image/png' };
          const [icon, cover] = [page.locator('#icon-picture'), page.locator('#cover-picture')];
          const button = page.getByRole('button', { name: 'Upload icon' });
          const name = page.getByLabel('Name', { exact: true });
          const widthOfPart = async () => (await page.locator('#icon-part').boundingBox())!.width;
          const uploads: string[] = [];
          page.on('request', (request) => {
            if (request.url().includes('/pictures/') && request.method() === 'POST')
              uploads.push(request.url());
          });
          await name.fill('Typed before');
          expect([await icon.isVisible(), await cover.isVisible()]).toEqual([false, false]);

          await icon.setInputFiles({ ...image, buffer: Buffer.alloc(MAX_UPLOAD_BYTES + 1) });
          await page.getByText(TOO_LARGE).waitFor();
          expect(uploads).toEqual([]);

          const chooser = page.waitForEvent('filechooser');
          await button.click();
          await (await chooser).setFiles({ ...image, buffer: await picture('png', 64, 64) });
          await page.getByRole('img', { name: 'Current icon' }).waitFor();
          expect(await page.evaluate<number>(WIDTH_OF_ICON)).toBeGreaterThan(0);

          await icon.setInputFiles({ ...image, buffer: await picture('png', 10, 10) });
          await page.getByText('this one has 10 × 10').first().waitFor();
          expect(await button.getAttribute('aria-describedby')).toContain('icon-picture-problem');

          const width = await widthOfPart();
          const held = Promise.withResolvers<void>();
          await page.route('**/pictures/cover', async (route) => {
            await held.promise;
            await route.continue();
          });
          await cover.setInputFiles({ ...image, buffer: await picture('png', 640, 360) });
          await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
          expect(await widthOfPart()).toBe(width);
          held.resolve();
          await page.getByRole('img', { name: 'Current cover picture' }).waitFor();

          const bytes = JSON.stringify([...(await picture('png', 65, 65))]);
          const dataTransfer = await page.evaluateHandle(
            `(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(${bytes})], 'icon.png')); return data; })()`,
          );
          const current = page.getByRole('img', { name: 'Current icon' });
          const before = await current.getAttribute('src');
          await page.locator('#icon-part').dispatchEvent('drop', { dataTransfer });
          await expect
            .poll(() => current.getAttribute('src'), { timeout: ENCODE_TIMEOUT_MS })
            .not.toBe(before);

          expect(await name.inputValue()).toBe('Typed before');
          expect(uploads).toHaveLength(4);
          expect(faults.filter((fault) => !fault.includes('422'))).toEqual([]);
        },
        true,
        owner.person.profileCookies(site.baseUrl),
      );
    });
  });
});
