/** The owner's claims page and its exports list the same claims as a plain filter over all rows. */
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { issueClaimFor } from '../../../src/claims/creation/issue.ts';
import { createExporter, type Exporter } from '../../../src/claims/export/exporter.ts';
import { findClaimNamed } from '../../../src/claims/search/search.ts';
import { shortClaimId } from '../../../src/claims/short-id.ts';
import { hashToken } from '../../../src/claims/token.ts';
import { aggregateLabelDeltas } from '../../../src/marketplace/campaigns/count.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { campaignPages } from '../../../src/pages/dashboard/campaigns/pages.tsx';
import { ownerClaimPages } from '../../../src/pages/dashboard/claims/pages.tsx';
import { eventDeskPages } from '../../../src/pages/desk/audit/pages.tsx';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { SCANNED_ROWS } from '../../../src/platform/store/scan.ts';
import { CHROMIUM, pageFindings } from '../../support/browser.ts';
import { changeClaims } from '../../support/claims.ts';
import { createOwner, issueTokens, type Owner, recordAttempts } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';
import { ended, readOn, threadsOf, untilResting } from '../../support/threads.ts';
import { OWNER, startPages, type TestPages } from '../support.ts';

const CLAIMS = '/dashboard/claims';
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const LABELS = [null, 'spring', '-sum', '__proto__'];
const FORMULA = '=HYPERLINK("https://evil.example","x")';
/** A reference of the maximum length, with a formula, markup and right-to-left text. */
const REFERENCE = `=1+1 <b>"שלום"</b> ${'x'.repeat(100)}`.slice(0, 100);
const actor = 'operator' as const;
/** Enough claims to make the export far larger than the socket buffers. */
const MANY_CLAIMS = 50_000;
/** How many bytes the client reads. The buffers hold fewer bytes, so the paused export thread must resume. */
const READ_BYTES = 8 * 1024 * 1024;
/** Timeout for the server to notice a disconnected client. */
const WAIT_MS = 30_000;

type Row = Awaited<ReturnType<typeof allClaims>>[number];

const allClaims = (context: Context) =>
  context.db.read
    .selectFrom('claims')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .leftJoin('claim_references', 'claim_references.claim_seq', 'claims.seq')
    .selectAll('claims')
    .select(['listings.slug', 'claim_references.reference'])
    .execute();

describe("the owner's claims", () => {
  const { context } = shareDatabase('sqlite');
  const exporter = createExporter();
  let pages: TestPages;
  let owner: Owner;
  let stranger: Owner;
  let otherSlug: string;
  let otherOffer: string;
  const tokens: string[] = [];
  const viewerOf = ({ accountId }: { accountId: string }): Viewer => ({ ...OWNER, accountId });

  beforeAll(async () => {
    owner = await createOwner(context);
    stranger = await createOwner(context);
    otherSlug = `${owner.slug}-more`;
    const { accountId: account } = owner;
    const [name, url] = ['Lumen Photos für Fotografinnen und Fotografen', 'https://more.example'];
    await createListing(context, { account, slug: otherSlug, name, url, upTo: 'approved', actor });
    const other = { listing: otherSlug, offer: FORMULA, kind: 'gift', code: 'X', actor } as const;
    otherOffer = (await createOffer(context, other)).id;
    for (const [at, day] of DAYS.entries()) {
      const then: Context = { ...context, now: () => Date.parse(`${day}T10:00:00Z`) };
      for (const via of LABELS) {
        const where = { ...owner, offerId: at === 1 ? otherOffer : owner.offerId };
        tokens.push(...(await issueTokens(then, where, 12, via === null ? {} : { via })));
      }
      await issueTokens(then, owner, 8, { mode: 'test', via: 'spring' });
      const offerId = at === 1 ? otherOffer : owner.offerId;
      const claim = { offerId, claimantRef: '=1+1', mode: 'live', via: null, replace: false } as const;
      await issueClaimFor(then, claim);
    }
    const third = await context.db.read.selectFrom('claims').select(['id', 'seq']).execute();
    const redeemed = third.filter(({ seq }) => seq % 3 === 0).map(({ id }) => id);
    await changeClaims(
      context.db,
      { id: redeemed },
      { redeemed_at: '2026-03-04T09:00:00.000Z', redeemed_by_key_id: owner.liveKeyId },
    );
    await context.db.transaction((tx) =>
      sql`insert into claim_references (account_number, claim_seq, reference)
        select account_number, seq, case seq % 2 when 0 then 'order 1' else ${REFERENCE} end
        from claim_rows where seq % 3 = 0 and mode = 'live'`.execute(tx),
    );
    await issueTokens(context, stranger, 20, { via: 'spring' });
    await aggregateLabelDeltas(context);
    pages = await startPages([(app) => ownerClaimPages(app, context, exporter)]);
  });
  afterAll(async () => {
    await pages.close();
    await exporter.close();
  });
  beforeEach(() => {
    pages.viewer = viewerOf(owner);
  });

  const find = (q: string) => pages.post(`${CLAIMS}/find`, { q });
  const plainText = (html: string) => html.replaceAll('&amp;', '&');
  const idsOf = (text: string) =>
    [...text.matchAll(/href="\/dashboard\/claims\/([\da-f]{8}-[\da-f-]+)"/g)].map(([, id]) => id!);
  const linkOf = (text: string, label: string) => {
    const found = new RegExp(`href="([^"]+)"[^>]*>\\s*${label}`).exec(text);
    return found === null ? null : plainText(found[1]!);
  };
  /** Follows the "Next" and "Look further back" links. Returns the ids of all claims in order. */
  async function crawl(path: string): Promise<string[]> {
    const ids: string[] = [];
    for (let next: string | null = path; next !== null; ) {
      const { status, text }: { status: number; text: string } = await pages.get(next);
      expect(status).toBe(200);
      ids.push(...idsOf(text));
      next = linkOf(text, 'Next') ?? linkOf(text, 'Look further back');
    }
    return ids;
  }
  const reference = async (matches: (row: Row) => boolean): Promise<Row[]> =>
    (await allClaims(context))
      .filter((row) => row.account_id === owner.accountId && matches(row))
      .sort((a, b) => (a.claimed_at === b.claimed_at ? b.seq - a.seq : a.claimed_at < b.claimed_at ? 1 : -1));

  // `test/claims/search.test.ts` tests the filters; these cases test which URL parameter sets which filter.
  const cases: [string, () => string, (row: Row) => boolean][] = [
    ['no filter', () => '', () => true],
    ['offer', () => `offer=${owner.offerId}`, (row) => row.offer_id === owner.offerId],
    ['the label __proto__', () => 'via=__proto__', (row) => row.via === '__proto__'],
    ['no label', () => 'via=%28none%29', (row) => row.via === null],
    ['redeemed', () => 'state=redeemed', (row) => row.redeemed_at !== null],
    ['not redeemed', () => 'state=not_redeemed', (row) => row.redeemed_at === null],
    ['test mode', () => 'mode=test', (row) => row.mode === 'test'],
    [
      'a single day',
      () => `claimed_from=${DAYS[1]}&claimed_to=${DAYS[1]}`,
      (row) => row.claimed_at.startsWith(DAYS[1]!),
    ],
    ['claimant', () => 'claimant=%3D1%2B1', (row) => row.claimant_ref === '=1+1'],
    ['reference', () => 'reference=order+1', (row) => row.reference === 'order 1'],
    [
      'all filters combined',
      () =>
        `listing=${owner.slug}&via=spring&state=not_redeemed&mode=live&claimed_from=${DAYS[0]}&claimed_to=${DAYS[0]}`,
      (row) =>
        row.slug === owner.slug &&
        row.via === 'spring' &&
        row.redeemed_at === null &&
        row.mode === 'live' &&
        row.claimed_at.startsWith(DAYS[0]!),
    ],
    [
      'a label in test mode',
      () => 'via=spring&mode=test',
      (row) => row.via === 'spring' && row.mode === 'test',
    ],
    ["another owner's listing", () => `listing=${stranger.slug}`, () => false],
  ];

  test.each(cases)(
    'pages, CSV and NDJSON list the same claims as a plain query: %s',
    async (_name, query, matches) => {
      // Without `mode`, live claims are listed.
      const mode = query().includes('mode=test') ? 'test' : 'live';
      const rows = await reference((row) => row.mode === mode && matches(row));
      expect(await crawl(`${CLAIMS}?${query()}`)).toEqual(rows.map(({ id }) => id));
      const csv = await pages.get(`${CLAIMS}/export.csv?${query()}`);
      expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(csv.headers.get('content-disposition')).toMatch(
        /^attachment; filename="claims-[\d-]{10}\.csv"$/,
      );
      const records = parse(csv.text, { columns: true }) as Record<string, string>[];
      expect(records.map((record) => record['claim_id'])).toEqual(rows.map(({ id }) => id));
      expect(records.map((record) => record['via'])).toEqual(rows.map(({ via }) => via ?? ''));
      for (const cell of records.flatMap((record) => Object.values(record))) {
        expect(cell).not.toMatch(/^(?!-sum$)[=+\-@\t\r]/);
      }
      const ndjson = await pages.get(`${CLAIMS}/export.ndjson?${query()}`);
      expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson');
      const lines = ndjson.text.split('\n').filter((line) => line !== '');
      expect(lines.map((line) => JSON.parse(line).claim_id)).toEqual(rows.map(({ id }) => id));
    },
  );

  test('download links keep the filters of the page', async () => {
    const { text } = await pages.get(`${CLAIMS}?via=spring&state=redeemed`);
    const link = linkOf(text, 'Download CSV')!;
    expect(link).toBe(`${CLAIMS}/export.csv?via=spring&state=redeemed&mode=live`);
    expect((await pages.get(link)).text).not.toContain('__proto__');
  });

  test('formulas in offer texts and references are escaped in the CSV', async () => {
    const { text } = await pages.get(`${CLAIMS}/export.csv?offer=${otherOffer}`);
    expect(text).toContain(`'=HYPERLINK`);
    expect(text).toContain(`'=1+1`);
  });

  test.each([
    ['via=Not%20one', 'via', 'A campaign label must'],
    ['state=both', 'state', 'The state must be'],
    ['claimed_from=20.11.2026', 'claimed_from', 'Enter a day such as'],
    ['redeemed_to=2026-02-30', 'redeemed_to', 'Enter a day such as'],
    ['state=not_redeemed&redeemed_from=2026-11-20', 'state', 'Claims that are not redeemed'],
  ])('?%s shows an error next to the field, and the search is not run', async (query, field, sentence) => {
    const { status, text } = await pages.get(`${CLAIMS}?${query}&listing=${owner.slug}`);
    expect(status).toBe(200);
    expect(text).toContain(`id="filter-${field}-problem"><span>${sentence}`);
    expect(text).toContain('The search was not run');
    expect(idsOf(text)).toEqual([]);
    if (field === 'via') expect(text).toContain('value="Not one"');
    expect((await pages.get(`${CLAIMS}/export.csv?${query}`)).status).toBe(400);
  });

  test('a long search stops after a fixed number of rows, says how far it got and can be continued', async () => {
    const many = await createOwner(context);
    const early: Context = { ...context, now: () => Date.parse('2026-01-01T00:00:00Z') };
    const [rare] = await issueTokens(early, many, 1, { via: 'rare' });
    await issueTokens(context, many, SCANNED_ROWS + 100);
    pages.viewer = viewerOf(many);
    expect((await pages.get(CLAIMS)).text).toContain('<option value="rare">rare</option>');
    const { id } = (await findClaimNamed(context, { accountId: many.accountId, text: rare! }))!;
    await changeClaims(context.db, { id }, { redeemed_at: '2026-01-02T00:00:00.000Z' });
    const first = await pages.get(`${CLAIMS}?state=redeemed`);
    expect(first.text).toContain('No match so far');
    expect(first.text).toContain('was searched');
    const labelled = await pages.get(`${CLAIMS}?via=rare`);
    expect(idsOf(labelled.text)).toEqual([id]);
    expect(labelled.text).not.toContain('was searched');
    for (const rare of ['state=redeemed', 'via=rare', 'via=rare&state=redeemed']) {
      expect(await crawl(`${CLAIMS}?${rare}`)).toEqual([id]);
      const file = await pages.get(`${CLAIMS}/export.ndjson?${rare}`);
      expect(file.text.split('\n')).toHaveLength(2);
    }
  });

  test('claims are found by token, ID or reference, and tokens never appear in a URL', async () => {
    const claim = (await findClaimNamed(context, { accountId: owner.accountId, text: tokens[0]! }))!;
    expect(await find(` ${tokens[0]} `)).toMatchObject({ status: 303, location: `${CLAIMS}/${claim.id}` });
    for (const pasted of [
      claim.id,
      claim.id.toUpperCase(),
      `https://notes.example/claim?ref=x&claim=${tokens[0]}`,
      `https://claims.example/claims/${claim.id}`,
      `${pages.url}${CLAIMS}/${claim.id}`,
    ]) {
      expect(await find(pasted)).toMatchObject({ status: 303, location: `${CLAIMS}/${claim.id}` });
    }
    expect(await find('order 1')).toMatchObject({ status: 303, location: `${CLAIMS}?reference=order+1` });
    expect(await find('=1+1')).toMatchObject({ status: 303, location: `${CLAIMS}?claimant=%3D1%2B1` });
    for (const nothing of [
      '',
      String(claim.seq),
      `#${claim.seq}`,
      'clm_nonsense',
      'an-imported-token-of-no-claim',
      // Too long for a reference.
      'x'.repeat(150),
      // Contains an API key.
      `key ${owner.liveKey}`,
      "'; drop",
    ]) {
      const { status, location, text } = await find(nothing);
      expect([status, location]).toEqual([422, null]);
      expect(text).toContain('filter-q-problem');
      if (nothing !== '') expect(text).toContain('None of your claims has this token');
    }
    for (const filter of ['claimant', 'reference']) {
      const { text } = await pages.get(`${CLAIMS}?${filter}=${tokens[0]}`);
      expect(text).toMatch(/looks like a claim token|contains a claim token/);
      expect(text).not.toContain(tokens[0]);
    }
  });

  test('claims are found by their short ID; several with the same short ID are listed', async () => {
    const asker = await createOwner(context);
    const random = (bytes: number) => new Uint8Array(bytes);
    for (const [nowMs, count] of [
      [Date.parse('2026-01-01'), 1],
      [Date.parse('2026-01-02'), 2],
    ] as const) {
      await issueTokens({ ...context, now: () => nowMs, random }, asker, count);
    }
    pages.viewer = viewerOf(asker);
    const [newer, newest] = idsOf((await pages.get(CLAIMS)).text);
    const oldest = idsOf((await pages.get(CLAIMS)).text).at(-1)!;
    const typed = shortClaimId(oldest).toLowerCase().replace('-', ' ');
    expect(await find(typed)).toMatchObject({ status: 303, location: `${CLAIMS}/${oldest}` });
    const { location } = await find(shortClaimId(newest!));
    expect(location).toContain(`?short_id=${shortClaimId(newest!)}`);
    expect(idsOf((await pages.get(location!)).text)).toEqual([newer, newest]);
  });

  test("another account's tokens, references and claims are not found", async () => {
    const { id: mine } = (await reference(() => true))[0]!;
    pages.viewer = viewerOf(stranger);
    for (const text of [
      tokens[0]!,
      '=1+1',
      'order 1',
      mine,
      shortClaimId(mine),
      `https://claims.example/claims/${mine}`,
    ]) {
      expect((await find(text)).status).toBe(422);
    }
  });

  test('an invalid claim ID returns the same 404 page as an unknown one', async () => {
    const { seq } = (await reference(() => true))[0]!;
    const unknown = await pages.get(`${CLAIMS}/${stranger.offerId}`);
    for (const id of [seq, '0', '-1', '1e3', 'x', '%27x']) {
      expect(await pages.get(`${CLAIMS}/${id}`)).toMatchObject({ status: 404, text: unknown.text });
    }
  });

  test('an export starts only on GET, pauses if the client stops reading and ends if the connection closes', async () => {
    const many = await createOwner(context);
    await issueTokens(context, many, MANY_CLAIMS, { via: 'x'.repeat(64) });
    const own = createExporter({ restMs: 1 });
    const ownPages = await startPages([(app) => ownerClaimPages(app, context, own)]);
    ownPages.viewer = viewerOf(many);
    const address = `${ownPages.url}${CLAIMS}/export.ndjson`;
    const head = await threadsOf(() => fetch(address, { method: 'HEAD' }));
    expect(head.result.headers.get('content-type')).toBe('application/x-ndjson');
    expect([head.result.status, head.threads]).toEqual([200, []]);
    const { result, threads } = await threadsOf(() => fetch(address));
    const reader = result.body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toMatch(/^\{"claim_id":/);
    await untilResting(threads[0]!);
    // The thread has not read these claims yet, unless it has read ahead of the client.
    await context.db.transaction((tx) =>
      sql`update claim_rows set via = ${'y'.repeat(64)} where via = ${'x'.repeat(64)}`.execute(tx),
    );
    expect(await readOn(reader, READ_BYTES)).toContain('"via":"yyy');
    const end = ended(threads[0]!);
    await ownPages.close();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow();
    await end;
  });

  test('each account can run at most two downloads at a time, of any kind', async () => {
    const endless: Exporter = { ...exporter, export: async () => new ReadableStream() };
    const ownPages = await startPages([
      (app) => ownerClaimPages(app, context, endless),
      (app) =>
        campaignPages(app, context, {
          pictureEncoder: { draw: () => Promise.reject(new Error()) },
        }),
      (app) => eventDeskPages(app, context),
    ]);
    // Responses are kept, because a download ends when its response is garbage-collected.
    const kept: Response[] = [];
    const begin = async (path: string) => {
      const stop = new AbortController();
      const address = `${ownPages.url}${path}${path.includes('?') ? '&' : '?'}n=${kept.length}`;
      const answer = await fetch(address, { signal: stop.signal });
      kept.push(answer);
      const { status, headers } = answer;
      return { status, retryAfter: headers.get('retry-after'), stop: () => stop.abort() };
    };
    ownPages.viewer = { ...viewerOf(owner), isOperator: true };
    const first = await begin(`${CLAIMS}/export.csv`);
    expect([first.status, (await begin(`${CLAIMS}/export.ndjson`)).status]).toEqual([200, 200]);
    const others = [
      `${CLAIMS}/export.csv`,
      `${CLAIMS}/export.ndjson`,
      `/dashboard/campaigns/export.csv?listing=${owner.slug}`,
      '/desk/events/export.csv',
    ];
    for (const path of others) {
      const { status, retryAfter } = await begin(path);
      expect([path, status, retryAfter]).toEqual([path, 429, '10']);
    }
    expect((await fetch(`${ownPages.url}${CLAIMS}/export.csv`, { method: 'HEAD' })).status).toBe(200);
    ownPages.viewer = viewerOf(stranger);
    const foreign = await begin(`${CLAIMS}/export.csv`);
    expect(foreign.status).toBe(200);
    ownPages.viewer = viewerOf(owner);
    first.stop();
    await expect
      .poll(async () => (await begin(`${CLAIMS}/export.csv`)).status, { timeout: WAIT_MS })
      .toBe(200);
    await ownPages.close();
  });

  test('a claim page shows each event with the name of the API key used, and never the token', async () => {
    const token = (await issueTokens(context, owner, 1, { via: 'spring' }))[0]!;
    const { id } = (await findClaimNamed(context, { accountId: owner.accountId, text: token }))!;
    const redeemed = { redeemed_at: new Date().toISOString(), redeemed_by_key_id: owner.liveKeyId };
    await changeClaims(context.db, { token_hash: hashToken(token) }, redeemed);
    const causes = ['valid', 'redeemed', 'already_redeemed'] as const;
    await recordAttempts(context, owner, token, causes, Date.now());
    const { text } = await pages.get(`${CLAIMS}/${id}`);
    const shown = ['Claimed', 'Verified: valid', 'Redeemed', 'Refused: already redeemed', 'r2', 'server'];
    for (const words of shown) expect(text).toContain(words);
    expect(text).not.toContain(token);
    expect(text).not.toContain('Not redeemed yet');
    const [referred] = await reference((row) => row.reference === 'order 1');
    expect((await pages.get(`${CLAIMS}/${referred!.id}`)).text).toContain(
      `href="${CLAIMS}?reference=order+1"`,
    );
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    test('filters update the list, the URL and the download links, and Back restores the list', async () => {
      const { page, faults, leave } = await pages.visitor.open(CLAIMS);
      await page.getByLabel('State', { exact: true }).selectOption('redeemed');
      await page.waitForURL('**/claims?*state=redeemed*');
      const unredeemed = page.getByRole('cell').getByText('Not redeemed').first();
      await unredeemed.waitFor({ state: 'detached' });
      expect(await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toContain(
        'state=redeemed',
      );
      await page.getByText('More filters').click();
      await page.getByLabel('Reference', { exact: true }).fill('x'.repeat(101));
      await page.getByLabel('Reference', { exact: true }).press('Enter');
      await page.getByText('The search was not run').waitFor();
      // `everywhere.test.ts` checks the other states.
      expect(await pageFindings(page, 'claims-refused')).toEqual([]);
      await page.goBack();
      await page.getByRole('link', { name: 'Download CSV' }).waitFor();
      await page.goBack();
      await unredeemed.waitFor();
      expect(faults).toEqual([]);
      await leave();
    });

    test('filters can be applied without JavaScript, and are kept across pages', async () => {
      const { page, leave } = await pages.visitor.open(CLAIMS, false);
      await page.getByLabel('State').selectOption('not_redeemed');
      await page.getByRole('button', { name: 'Filter' }).click();
      expect(page.url()).toContain('state=not_redeemed');
      await page.getByRole('link', { name: 'Next' }).click();
      expect(await page.getByRole('rowheader').count()).toBe(46);
      await page.getByRole('link', { name: 'Back to the newest' }).click();
      expect(page.url()).toContain('state=not_redeemed');
      await leave();
    });
  });
});
