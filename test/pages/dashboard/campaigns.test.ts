/** The campaigns page: its counts equal a recount of the claims, and share links accept only valid labels. */
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import sharp from 'sharp';
import { encode, renderSVG } from 'uqr';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { createExporter } from '../../../src/claims/export/exporter.ts';
import { hashToken } from '../../../src/claims/token.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import { aggregateLabelDeltas } from '../../../src/marketplace/campaigns/count.ts';
import {
  appendLabelDeltas,
  countUnreadableLabel,
  LISTED_LISTINGS,
} from '../../../src/marketplace/campaigns/queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createPictureEncoder } from '../../../src/marketplace/pictures/encoder.ts';
import { campaignPages } from '../../../src/pages/dashboard/campaigns/pages.tsx';
import { ownerClaimPages } from '../../../src/pages/dashboard/claims/pages.tsx';
import { discoveryPages } from '../../../src/pages/market/discovery/pages.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { readAccountNumber } from '../../../src/platform/store/numbers.ts';
import { CHROMIUM, pageFindings, press } from '../../support/browser.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';
import { OWNER, startPages, type TestPages } from '../support.ts';

const CAMPAIGNS = '/dashboard/campaigns';
const DAY_MS = 86_400_000;
const LONG_LABEL = 'newsletter_for_people_who_like_very_long_labels_2026-11-21_final';
/** Each label and its number of claims. The label `null` stands for claims without a label. */
const LABELS: readonly (readonly [string | null, number])[] = [
  [null, 40],
  ['spring', 31],
  ['-sum', 7],
  ['__proto__', 5],
  [LONG_LABEL, 3],
];
const actor = 'operator' as const;

/** Returns the HTML from the labels table to the end of the page, without `<wbr>`. */
const labelTable = (text: string): string =>
  text.slice(text.indexOf('<h2>Labels</h2>')).replaceAll(/<wbr ?\/?>/g, '');

describe('campaigns', () => {
  const { context } = shareDatabase('sqlite');
  const exporter = createExporter();
  const pictureEncoder = createPictureEncoder({ onFailure: () => {} });
  let pages: TestPages;
  let owner: Owner;
  const viewerOf = ({ accountId }: { accountId: string }): Viewer => ({
    ...OWNER,
    accountId,
    personId: accountId,
  });

  const redeem = (at: Context, token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = { keyHash: hashKey(owner.liveKey), tokenHash: hashToken(token), redeem: true };
      createVerifier(at.db, at.now, { batch: () => {} }).submit(
        { ...request, idempotencyHash: null, reference: null, networks: null, trace: null },
        (error) => (error === null ? resolve() : reject(error)),
      );
    });

  beforeAll(async () => {
    owner = await createOwner(context);
    const now = Date.now();
    for (const [via, count] of LABELS) {
      for (let at = 0; at < count; at += 1) {
        const then: Context = { ...context, now: () => now - ((at * 7) % 80) * DAY_MS };
        const [token] = await issueTokens(then, owner, 1, via === null ? {} : { via });
        if (at % 3 === 0) await redeem({ ...context, now: () => now }, token!);
      }
    }
    await issueTokens(context, owner, 9, { mode: 'test', via: 'spring' });
    await issueTokens(context, await createOwner(context), 9, { via: 'spring' });
    await aggregateLabelDeltas(context);
    await issueTokens(context, owner, 2, { via: 'spring' });
    pages = await startPages([
      (app) => campaignPages(app, context, { pictureEncoder }),
      // The campaigns page shows the badge, and `discoveryPages` serves the badge.
      (app) => discoveryPages(app, { context, baseUrl: 'http://localhost', pictureEncoder }),
      (app) => ownerClaimPages(app, context, exporter),
    ]);
  });
  afterAll(async () => {
    await pages.close();
    await exporter.close();
    await pictureEncoder.close();
  });
  beforeEach(() => {
    pages.viewer = viewerOf(owner);
  });

  const recount = async () => {
    const claims = await context.db.read
      .selectFrom('claims')
      .select(['via', 'redeemed_at'])
      .where('listing_id', '=', owner.listingId)
      .where('mode', '=', 'live')
      .execute();
    return [...Map.groupBy(claims, ({ via }) => via)]
      .map(([via, of]) => ({
        via: via ?? '',
        claims: of.length,
        redeemed: of.filter(({ redeemed_at }) => redeemed_at !== null).length,
      }))
      .sort((a, b) => b.claims - a.claims);
  };

  test('the counts of each label equal a recount of the claims, on the page and in the CSV', async () => {
    const expected = await recount();
    const { text } = await pages.get(`${CAMPAIGNS}?listing=${owner.slug}`);
    const rows = [...labelTable(text).matchAll(/<tr role="row"><th scope="row".*?<\/tr>/g)].map(([row]) => ({
      via: /class="mono"[^>]*>([^<]+)</.exec(row)?.[1] ?? '',
      numbers: [...row.matchAll(/<span class="num">([\d,]+)</g)].map(([, digits]) => Number(digits)),
    }));
    expect(rows).toEqual(
      expected.map(({ via, claims, redeemed }) => ({ via, numbers: [0, 0, claims, 0, redeemed] })),
    );

    // The `listing` parameter also accepts an id.
    expect((await pages.get(`${CAMPAIGNS}?listing=${owner.listingId}`)).status).toBe(200);
    const csv = await pages.get(`${CAMPAIGNS}/export.csv?listing=${owner.slug}`);
    expect(csv.headers.get('content-disposition')).toContain('attachment');
    const records = parse(csv.text, { columns: true }) as Record<string, string>[];
    expect(records).toEqual(
      expected.map(({ via, claims, redeemed }) =>
        expect.objectContaining({
          via,
          claims: String(claims),
          redeemed: String(redeemed),
          rate: (redeemed / claims).toFixed(4),
        }),
      ),
    );
  });

  test('each label links to its claims, and the number of listed claims equals the count', async () => {
    const { text } = await pages.get(CAMPAIGNS);
    const links = [...text.matchAll(/href="(\/dashboard\/claims\?[^"]+)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
    expect(links).toHaveLength(LABELS.length);
    const counts = await Promise.all(
      links.map(
        async (link) =>
          [...(await pages.get(link)).text.matchAll(/href="\/dashboard\/claims\/[0-9a-f-]{36}"/g)].length,
      ),
    );
    expect(counts).toEqual((await recount()).map(({ claims }) => claims));
  });

  test('claims are counted in the date range and in the period of the same length before the range', async () => {
    const today = context.at().slice(0, 10);
    const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const claimsIn = async (from: string, to: string) => {
      const { rows } = await sql<{ claims: number }>`
        select count(*) as claims from claims where listing_id = ${owner.listingId} and mode = 'live'
          and claimed_at >= ${`${from}T00:00:00.000Z`} and claimed_at <= ${`${to}T23:59:59.999Z`}`.execute(
        context.db.read,
      );
      return Number(rows[0]!.claims);
    };
    const fileOf = async (query: Record<string, string>) => {
      const { text } = await pages.get(
        `${CAMPAIGNS}/export.csv?${new URLSearchParams({ listing: owner.slug, ...query })}`,
      );
      const records = parse(text, { columns: true }) as Record<string, string>[];
      const sum = (column: string) => records.reduce((total, record) => total + Number(record[column]), 0);
      return [sum('claims'), sum('claims_before')];
    };
    const year = `${today.slice(0, 4)}-01-01`;
    const days = Math.round((Date.parse(today) - Date.parse(year)) / DAY_MS) + 1;
    for (const [query, from, length] of [
      [{ range: '7' }, dayOf(6), 7],
      [{ range: '30' }, dayOf(29), 30],
      [{}, dayOf(89), 90],
      [{ range: 'unknown' }, dayOf(89), 90],
      [{ range: 'year' }, year, days],
      [{ range: 'custom', from: dayOf(40), to: dayOf(20) }, dayOf(40), 21],
      [{ range: 'custom', from: dayOf(20) }, dayOf(20), 21],
    ] as [Record<string, string>, string, number][]) {
      const end = new Date(Date.parse(from) + (length - 1) * DAY_MS).toISOString().slice(0, 10);
      const [first, last] = [-length, -1].map((n) =>
        new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10),
      );
      const expected = [await claimsIn(from, end), await claimsIn(first!, last!)];
      expect(await fileOf(query), JSON.stringify(query)).toEqual(expected);
    }
    const { text } = await pages.get(`${CAMPAIGNS}?range=7`);
    expect(text).toMatch(/aria-current="page">7 days</);
    expect(text).toContain('compared with the 7 days before');
  });

  test.each([
    ['from=2026-02-30', 'The first day must be between'],
    ['from=x', 'The first day must be between'],
    ['from=2026-03-01&to=2026-02-01', 'The first day must not be after the last day'],
    ['from=2020-01-01&to=2026-02-01', 'A period can have at most 1,096 days'],
    ['to=2026-02-01', 'A last day (to) needs a first day'],
  ])('an invalid date range shows an error and keeps the input: %s', async (query, problem) => {
    const { status, text } = await pages.get(`${CAMPAIGNS}?range=custom&${query}`);
    expect(status).toBe(200);
    expect(text).toContain(`id="filter-from-problem"><span>${problem}`);
    const { from } = Object.fromEntries(new URLSearchParams(query));
    if (from !== undefined) expect(text).toMatch(new RegExp(`name="from"[^>]*value="${from}"`));
  });

  test('invalid labels are listed as received, with their visits and claims', async () => {
    const account_number = await readAccountNumber(context.db.read, owner.accountId);
    const of = { account_number, listing_id: owner.listingId };
    await context.db.transaction(async (tx) => {
      await countUnreadableLabel(tx, of, 'Frühling <26>', { visits: 12 });
      await countUnreadableLabel(tx, of, 'Frühling <26>', { claims: 2 });
    });
    const { text } = await pages.get(CAMPAIGNS);
    expect(text).toContain('12 visits and 2 claims have arrived with an invalid label');
    expect(text.replaceAll(/<wbr ?\/?>/g, '')).toMatch(/Frühling &lt;26&gt;<\/span>: 12 visits, 2 claims/);
  });

  test('the charts of a label have a title and a table with a row for each day', async () => {
    for (const [label, name] of [
      ['spring', 'spring'],
      ['(none)', 'no label'],
      ['unknown', null],
    ] as const) {
      const { text } = await pages.get(`${CAMPAIGNS}?${new URLSearchParams({ listing: owner.slug, label })}`);
      for (const what of ['Visits', 'Claims']) {
        expect(text).toContain(`${what} by day${name === null ? '' : `: ${name}`}<`);
      }
      expect(text.match(/<th scope="row" role="rowheader"[^>]*>\d+ [A-Z]/g)).toHaveLength(2 * 90);
    }
  });

  test.each([
    ['', ''],
    ['spring_26', '?via=spring_26'],
    [' spring ', '?via=spring'],
  ])('the label %j gets a share link and a QR code', async (label, shared) => {
    // An empty parameter would cause a redirect.
    const query = label === '' ? '' : `?${new URLSearchParams({ share: label })}`;
    const { text } = await pages.get(`${CAMPAIGNS}${query}`);
    expect(text).toContain(`data-copy="${pages.url}/l/${owner.slug}${shared}"`);
    expect(text).toContain('QR code of');
    const wanted = new URLSearchParams({ listing: owner.slug, ...(label !== '' && { share: label }) });
    const file = await pages.get(`${CAMPAIGNS}/qr.svg?${wanted}`);
    expect(file.status).toBe(200);
    const name = [owner.slug, label.trim()].filter((part) => part !== '').join('-');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}.svg"`);
    const svg = renderSVG(`${pages.url}/l/${owner.slug}${shared}`, { ecc: 'M', border: 4, pixelSize: 20 });
    expect(file.text).toBe(svg);
  });

  test('a share link leads to the listing or to the chosen offer, with the label, also as a QR code', async () => {
    const page = await pages.get(CAMPAIGNS);
    expect(page.text).toContain(`<option value="" selected`);
    expect(page.text).toContain(`<option value="${owner.offerId}"`);
    const chosen = { listing: owner.slug, share: 'spring', offer: owner.offerId };
    const { share: _, ...unlabelled } = chosen;
    const created = await pages.post(CAMPAIGNS, unlabelled);
    expect(created.location).toBe(`${CAMPAIGNS}?${new URLSearchParams(unlabelled)}#share`);
    const link = `${pages.url}/l/${owner.slug}/offers/${owner.offerId}?via=spring`;
    const { text } = await pages.get(`${CAMPAIGNS}?${new URLSearchParams(chosen)}`);
    expect(text).toContain(`data-copy="${link}"`);
    expect(text).toContain(`<option value="${owner.offerId}" selected`);
    const file = await pages.get(`${CAMPAIGNS}/qr.svg?${new URLSearchParams(chosen)}`);
    expect(file.text).toBe(renderSVG(link, { ecc: 'M', border: 4, pixelSize: 20 }));
    // A proposed label keeps the choice.
    const invalid = await pages.get(`${CAMPAIGNS}?${new URLSearchParams({ ...chosen, share: 'Spring 26' })}`);
    expect(invalid.text).toContain(`<input type="hidden" name="offer" value="${owner.offerId}"`);

    // An offer of another listing isn't offered, and a QR code never leads elsewhere than chosen.
    const { offerId: foreign } = await createOwner(context);
    const wrong = new URLSearchParams({ ...chosen, offer: foreign });
    expect((await pages.get(`${CAMPAIGNS}?${wrong}`)).text).toContain(
      `data-copy="${pages.url}/l/${owner.slug}?via=spring"`,
    );
    expect((await pages.get(`${CAMPAIGNS}/qr.svg?${wrong}`)).status).toBe(404);
  });

  test('a PNG QR code draws each module as 20 × 20 pixels', async () => {
    const wanted = new URLSearchParams({ listing: owner.slug, share: 'spring' });
    const response = await fetch(`${pages.url}${CAMPAIGNS}/qr.png?${wanted}`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${owner.slug}-spring.png"`,
    );
    const code = encode(`${pages.url}/l/${owner.slug}?via=spring`, { ecc: 'M', border: 4 });
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: code.size * 20, height: code.size * 20, channels: 1 });
    const wrong = data.findIndex((grey, index) => {
      const [x, y] = [index % info.width, Math.floor(index / info.width)];
      return grey !== (code.data[Math.floor(y / 20)]![Math.floor(x / 20)] ? 0 : 255);
    });
    expect(wrong).toBe(-1);
  });

  test.each(['Spring', 'a b', '<script>', 'ä', 'x'.repeat(65)])(
    'the invalid label %j gets no link',
    async (label) => {
      const { status, text } = await pages.get(`${CAMPAIGNS}?${new URLSearchParams({ share: label })}`);
      expect(status).toBe(200);
      expect(text).toContain('id="share-share-problem"><span>A campaign label must have 1 to 64');
      expect(text).not.toContain('QR code of');
      expect(text).not.toContain('<script>"');
    },
  );

  test("another account's listing returns the same 404 as a missing one, for pages and downloads", async () => {
    pages.viewer = viewerOf(await createOwner(context));
    for (const path of [CAMPAIGNS, `${CAMPAIGNS}/export.csv`, `${CAMPAIGNS}/qr.svg`, `${CAMPAIGNS}/qr.png`]) {
      const unknown = await pages.get(`${path}?listing=nowhere`);
      for (const listing of [owner.slug, owner.listingId, "'"]) {
        const foreign = await pages.get(`${path}?${new URLSearchParams({ listing })}`);
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
      }
    }
    expect((await pages.get(CAMPAIGNS)).text).not.toContain(LONG_LABEL);
  });

  test('a requested listing beyond the menu’s limit is added to the menu and selected', async () => {
    const many = await createOwner(context);
    const listing = { account: many.accountId, url: 'https://many.example', actor };
    for (let at = 0; at < LISTED_LISTINGS; at += 1) {
      await createListing(context, { ...listing, slug: `${many.slug}-${at}`, name: '0' });
    }
    pages.viewer = viewerOf(many);
    expect((await pages.get(CAMPAIGNS)).text).not.toContain(`<option value="${many.slug}"`);
    const { text } = await pages.get(`${CAMPAIGNS}?listing=${many.slug}`);
    expect(text).toContain(`<option value="${many.slug}" selected`);
  });

  test('labels are paginated, and a page number past the end shows the last page', async () => {
    const many = await createOwner(context);
    const { accountId, listingId } = many;
    const labels = Array.from({ length: 120 }, (_, at) => ({
      accountId,
      listingId,
      via: `label-${at}`,
      claims: 200 - at,
      redeemed: 1,
    }));
    await context.db.transaction((tx) => appendLabelDeltas(tx, context.db.engine, context.at(), labels));
    pages.viewer = viewerOf(many);
    const seen: string[] = [];
    for (const page of ['1', '2', '3', '999']) {
      const { text } = await pages.get(`${CAMPAIGNS}?page=${page}`);
      const labels = [...labelTable(text).matchAll(/class="mono"[^>]*>(label-\d+)</g)].map(
        ([, label]) => label!,
      );
      if (page !== '999') seen.push(...labels);
      else expect(labels).toEqual(seen.slice(100));
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `label-${at}`));
  });

  test('creating a share link registers its label, so that its visits are always counted separately', async () => {
    const registered = async () => {
      const rows = await context.db.read
        .selectFrom('label_counts')
        .select('via')
        .where('listing_id', '=', owner.listingId)
        .where('registered_at', 'is not', null)
        .execute();
      return rows.map(({ via }) => via);
    };
    const create = (share: string) => pages.post(CAMPAIGNS, { listing: owner.slug, share });
    const created = await create(' spring_26 ');
    expect([created.status, created.location]).toEqual([
      303,
      `${CAMPAIGNS}?listing=${owner.slug}&share=spring_26#share`,
    ]);
    expect((await create('Not one')).location).toContain('share=Not');
    expect((await create('')).status).toBe(303);
    expect(await registered()).toEqual(['spring_26']);
    expect((await pages.post(CAMPAIGNS, { listing: 'not-mine', share: 'a' })).status).toBe(404);
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    test.each([true, false])(
      'choosing another listing updates the page and its share link form; JavaScript: %j',
      async (javaScript) => {
        const slug = `${owner.slug}-quiet-${javaScript}`;
        const name = 'Lumen Photos für Fotografinnen und Fotografen';
        const listing = { account: owner.accountId, slug, name, url: 'https://two.example' };
        await createListing(context, { ...listing, upTo: 'pending', actor });
        const { page, faults, leave } = await pages.visitor.open(CAMPAIGNS, javaScript);
        await page.getByLabel('Listing').selectOption(slug);
        // With JavaScript, choosing a listing submits the form.
        const show = page.getByRole('button', { name: 'Show', exact: true });
        expect(await show.count()).toBe(javaScript ? 0 : 1);
        if (!javaScript) await show.click();
        await page.getByText('No visits or claims in this period').waitFor();
        const link = page.locator('.secret code');
        expect(await link.textContent()).toBe(`${pages.url}/l/${slug}`);
        await page.getByRole('link', { name: 'New share link' }).click();
        expect(await link.textContent()).toBe(`${pages.url}/l/${slug}`);
        expect(await page.getByText('The listing is not live').isVisible()).toBe(true);
        if (javaScript) expect(await pageFindings(page, 'campaigns-quiet')).toEqual([]);
        const field = page.getByLabel('Label (optional)');
        await field.fill('Not one');
        await field.press('Enter');
        await page.getByText('A campaign label must have 1 to 64').first().waitFor();
        expect(await field.inputValue()).toBe('Not one');
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        await field.fill('spring_26');
        await press(page, page.getByRole('button', { name: 'Create link' }));
        await page.getByText('Counted as spring_26').waitFor();
        expect(await link.textContent()).toBe(`${pages.url}/l/${slug}?via=spring_26`);
        expect(faults).toEqual([]);
        await leave();
      },
    );

    test('a chart reads out the values of a day to the keyboard, a mouse and a finger', async () => {
      const { page, faults, leave } = await pages.visitor.open(`${CAMPAIGNS}?listing=${owner.slug}`);
      const reader = page.getByRole('slider', { name: 'Claims by day' });
      const chart = page.locator('.chart', { has: reader });
      const cells = await chart.locator('tbody :is(th, td)').allTextContents();
      const texts = Array.from({ length: cells.length / 3 }, (_, row) => {
        const [day, claims, redeemed] = cells.slice(3 * row, 3 * row + 3);
        return `${day}, Claims: ${claims}, Redeemed: ${redeemed}`;
      });
      const tip = reader.locator('.chart-tip');
      const readsOut = async (index: number) => {
        expect(await reader.getAttribute('aria-valuetext')).toBe(texts.at(index));
        expect((await tip.locator('p').allTextContents()).join(', ')).toBe(texts.at(index));
        expect(await tip.isVisible()).toBe(true);
      };
      expect(await tip.isVisible()).toBe(false);
      await reader.focus();
      // The last row is today, which is not over and not in the lines.
      await readsOut(-2);
      for (const [key, index] of [
        ['ArrowLeft', -3],
        ['PageDown', -10],
        ['Home', 0],
        ['ArrowLeft', 0],
        ['ArrowRight', 1],
        ['End', -2],
      ] as const) {
        await page.keyboard.press(key);
        await readsOut(index);
      }
      await page.keyboard.press('Escape');
      expect(await tip.isVisible()).toBe(false);
      await reader.blur();

      const { x, y, width } = (await reader.boundingBox())!;
      await page.mouse.move(x + 1, y + 20);
      await readsOut(0);
      await page.mouse.move(x + width / 2, y + 20);
      await readsOut(Math.round((texts.length - 2) / 2));
      await page.mouse.move(x, y - 200);
      expect(await tip.isVisible()).toBe(false);
      const touch = { pointerType: 'touch', clientX: x + width - 1 };
      await reader.dispatchEvent('pointerdown', touch);
      await reader.dispatchEvent('pointerleave', touch);
      await readsOut(-2);
      expect(await pageFindings(page, 'campaigns-reader')).toEqual([]);
      expect(faults).toEqual([]);
      await leave();
    });

    // `everywhere.test.ts` checks the other states.
    test.each([
      ['campaigns-range', 'range=custom&from=2026-02-30'],
      ['campaigns-label', 'share=Not%20one&label=spring'],
    ])('%s passes the page checks', async (name, query) => {
      expect(await pages.visitor.look(`${CAMPAIGNS}?${query}`, name)).toEqual([]);
    });
  });
});
