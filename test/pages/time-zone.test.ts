/** Tables, filters, counts, start dates and end dates use days in the marketplace's time zone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClaims } from '../../src/claims/creation/issue.ts';
import { aggregateLabelDeltas } from '../../src/marketplace/campaigns/count.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { ENGINES } from '../support/engines.ts';
import { type Person, signedInAs } from '../support/person.ts';
import { type OwnSite, openSite } from '../support/site.ts';

/** 00:30 on 21 November in Auckland. */
const NOW = Date.parse('2026-11-20T11:30:00.000Z');

describe.each(ENGINES)('a marketplace in Auckland on %s', (engine) => {
  let site: OwnSite;
  let owner: Person;
  beforeAll(async () => {
    site = await openSite(engine, { TIME_ZONE: 'Pacific/Auckland' }, () => NOW);
    const { accountId, person } = await signedInAs(site, {
      email: 'ada@example.com',
      plan: 'studio',
      operator: true,
    });
    owner = person;
    const actor = 'operator';
    const { context } = site;
    const url = 'https://notes.example';
    await createListing(context, {
      account: accountId,
      slug: 'notes',
      name: 'Notes',
      url,
      upTo: 'approved',
      actor,
    });
    const texts = {
      offer: 'A month',
      kind: 'trial',
      code: 'MONTH',
      starts_at: '2026-11-21',
      ends_at: '2026-12-31',
    };
    const { id } = await createOffer(context, { listing: 'notes', ...texts, actor });
    for await (const _ of issueClaims(context, { offerId: id, count: 3, mode: 'live', via: 'spring' }));
  });
  afterAll(() => site?.close());

  const text = async (path: string) => (await owner.get(path)).text.replaceAll('\u00a0', ' ');

  test('filters claims by local day, on the page and in exports', async () => {
    const shown = await text('/dashboard/claims');
    // The table omits the year for dates in the current year.
    const time = '>21 Nov, 00:30<';
    expect(shown).toContain(time);
    expect(shown).toContain('Times in New Zealand Time.');
    for (const [day, claims] of [
      ['2026-11-20', 0],
      ['2026-11-21', 3],
      ['2026-11-22', 0],
    ] as const) {
      const query = `claimed_from=${day}&claimed_to=${day}`;
      const csv = await text(`/dashboard/claims/export.csv?${query}`);
      expect([day, csv.trim().split('\n').length - 1]).toEqual([day, claims]);
      expect((await text(`/dashboard/claims?${query}`)).includes(time)).toBe(claims > 0);
    }
    expect(await text('/dashboard/claims/export.csv')).toContain('2026-11-20T11:30:00.000Z');
    const excel = await text('/dashboard/claims/export.csv?for=excel');
    expect(excel).toContain('claimed_at (Pacific/Auckland)');
    expect(excel).toContain('2026-11-21 00:30:00');
  });

  test('counts claims by local day, before and after the counts are aggregated', async () => {
    const lastDay = async () =>
      (await text('/dashboard/campaigns')).match(/\d+ \w+<\/th>(?:(?!<\/tr>).)*<\/tr><\/tbody>/g)?.at(1);
    const before = await text('/dashboard/campaigns');
    await aggregateLabelDeltas(site.context);
    expect(await text('/dashboard/campaigns')).toBe(before);
    expect(await lastDay()).toMatch(/21 Nov.*3/);
    const { rows } = { rows: await site.context.db.read.selectFrom('label_days').selectAll().execute() };
    expect(rows).toMatchObject([{ day: '2026-11-21', claims: 3 }]);
  });

  test('interprets an end date without a time as the end of that local day', async () => {
    const { ends_at } = await site.context.db.read.selectFrom('offers').selectAll().executeTakeFirstOrThrow();
    expect(ends_at).toBe('2026-12-31T10:59:59.999Z');
    expect(await text('/l/notes')).toContain(
      'Until <time datetime="2026-12-31T10:59:59.999Z" data-precision="minute">31 Dec 2026, 23:59 NZDT<',
    );
  });

  test('shows the end of an offer with its time and zone, wherever it appears', async () => {
    const { id, listing_id } = await site.context.db.read
      .selectFrom('offers')
      .select(['id', 'listing_id'])
      .executeTakeFirstOrThrow();
    for (const path of [
      '/',
      '/l/notes',
      '/l/notes/badge.svg',
      `/dashboard/listings/${listing_id}`,
      `/dashboard/offers/${id}`,
      `/desk/listings/${listing_id}`,
    ]) {
      const shown = (await text(path)).replaceAll(/<[^>]+>/g, ' ');
      const ends = shown.match(/31 Dec.{0,20}/g) ?? [];
      expect(ends.length, path).toBeGreaterThan(0);
      for (const end of ends) expect(end, path).toMatch(/^31 Dec 2026, 23:59 NZDT/);
    }
  });

  test('interprets a start date without a time as local midnight, and a start time as local time', async () => {
    const { context } = site;
    const { id, starts_at } = await context.db.read
      .selectFrom('offers')
      .select(['id', 'starts_at'])
      .executeTakeFirstOrThrow();
    // Midnight on 21 November in Auckland.
    expect(starts_at).toBe('2026-11-20T11:00:00.000Z');
    const change = (starts: string) =>
      editOffer(context, { offerId: id, starts_at: starts, actor: 'operator' });
    await change('2026-11-22');
    const day =
      'Opens on <time datetime="2026-11-21T11:00:00.000Z" data-precision="minute">22 Nov 2026, 00:00 NZDT<';
    const time =
      'Opens on <time datetime="2026-11-20T11:45:00.000Z" data-precision="minute">21 Nov 2026, 00:45 NZDT<';
    for (const page of ['/l/notes', '/']) expect(await text(page)).toContain(day);
    await change('2026-11-21T00:45');
    for (const page of ['/l/notes', '/']) expect(await text(page)).toContain(time);
    const form = await text(`/dashboard/offers/${id}`);
    expect(form).toContain('value="2026-11-21T00:45"');
    expect(form).toContain('In New Zealand Time.');
    await change('');
  });
});
