/** Claimant pages: finding, claiming and opening offers, without leaking tokens or codes. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { suspendListing, withdrawListing } from '../../../src/marketplace/listings/decisions.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { pauseOffer } from '../../../src/marketplace/offers/edit.ts';
import { findCampaigns } from '../../../src/pages/dashboard/campaigns/campaigns.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { CHROMIUM, type Visitor } from '../../support/browser.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../support/certificate.ts';
import { changeClaims } from '../../support/claims.ts';
import { openTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { issueTokens } from '../../support/marketplace.ts';
import { looseTexts, type TestPages } from '../support.ts';
import { newClaimant, newViewer } from '../viewers.ts';
import { createMarketListing, type OwnersPage, startClaimantPages, startOwnersPage } from './support.ts';

const UNKNOWN = '01934e2d-5678-7abc-8def-0123456789ab';
/** Matches the beginning of every claim token. */
const TOKEN = /clm_[0-9A-Za-z]/;
/** Longer than the polling interval of the claim page. */
const NEXT_LOOK_MS = 3_500;

describe('claimant pages', () => {
  let database: TestDatabase;
  let context: Context;
  let pages: TestPages;
  let owners: OwnersPage;
  let owner: Viewer;
  let bo: Viewer;
  let count = 0;

  beforeAll(async () => {
    database = await openTestDatabase('sqlite');
    context = database.context;
    owners = await startOwnersPage();
    owner = await newViewer(context, { name: 'Ada Acme' });
    bo = await newClaimant(context);
    pages = await startClaimantPages(context);
  });
  afterAll(async () => {
    await pages.close();
    await owners.close();
    await database.close();
  });

  /** Creates a listing with one offer whose link opens the owner's page. */
  async function listing(offer: Partial<Parameters<typeof createMarketListing>[2]['offers'][number]> = {}) {
    count += 1;
    const slug = `notes-${count}`;
    const { offerIds } = await createMarketListing(context, owner, {
      slug,
      name: `Notes ${count}`,
      summary: 'A calm place for what a team knows.',
      origin: owners.origin,
      offers: [{ offer: '20% off the first year', ...offer }],
    });
    return { slug, offerId: offerIds[0]! };
  }
  const claimsOf = (offerId: string) =>
    context.db.read.selectFrom('claims').selectAll().where('offer_id', '=', offerId).execute();
  const claimFor = async (person: Viewer, { slug, offerId }: { slug: string; offerId: string }) =>
    (await claimOffer(context, { claimantAccountId: person.accountId, listing: slug, offerId })).claimId;

  // Sends a session cookie if a viewer is signed in, because a response to a request without a session cookie may come
  // from the cache for signed-out visitors.
  const get = (path: string, redirect: 'manual' | 'follow' = 'manual') =>
    fetch(pages.url + path, {
      redirect,
      headers: pages.viewer === null ? {} : { Cookie: 'claimcheck.session_token=x' },
    });
  const textAt = async (path: string): Promise<string> => (await get(path)).text();
  const groupsOfClaims = async () =>
    [...(await textAt('/claims')).matchAll(/<h2 id="(?:un)?usable">([^<]+)/g)].map(([, title]) => title);
  const signInNewClaimant = async () => {
    bo = await newClaimant(context);
    pages.viewer = bo;
  };
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(pages.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const claimPathOf = ({ slug, offerId }: { slug: string; offerId: string }) =>
    `/l/${slug}/offers/${offerId}/claim`;

  const visit: Visitor['visit'] = (...args) => pages.visitor.visit(...args);

  describe('the marketplace', () => {
    test('filters apps by words and kind, and preserves the filter in pagination links', async () => {
      pages.viewer = null;
      const names = Array.from({ length: 26 }, (_, index) => `gallery-${String(index).padStart(2, '0')}`);
      for (const slug of names) {
        await createMarketListing(context, owner, {
          slug,
          name: `Gallery ${slug}`,
          offers: [{ offer: 'A frame', kind: 'gift' }],
        });
      }
      const first = await textAt('/?q=gallery&kind=gift');
      expect(first.match(/href="\/l\/gallery-/g)).toHaveLength(24);
      const next = /href="(\/\?q=gallery[^"]*page=2)"/.exec(first)![1]!.replaceAll('&amp;', '&');
      expect(next).toContain('kind=gift');
      const second = await textAt(next);
      expect(second.match(/href="\/l\/gallery-/g)).toHaveLength(2);
      expect(await textAt('/?q=gallery&kind=trial')).toContain('No trial offers match');
      expect(await textAt('/?kind=nonsense&sort=match&page=nonsense')).toContain('href="/l/gallery-');
    });

    test('isolates right-to-left text from the surrounding text on every claimant page', async () => {
      const [name, offer] = ['دفتر 2.0 (Ada)', 'مرحبا 20% off (من Ada)!'];
      const { offerIds } = await createMarketListing(context, owner, {
        slug: 'daftar',
        name,
        summary: offer,
        origin: owners.origin,
        offers: [{ offer }],
      });
      pages.viewer = bo;
      const claimId = await claimFor(bo, { slug: 'daftar', offerId: offerIds[0]! });
      for (const path of [
        `/?q=${encodeURIComponent(`\u2068${name}\u2069`)}`,
        '/l/daftar',
        '/claims',
        `/claims/${claimId}`,
      ]) {
        const html = await textAt(path);
        expect(html, path).toContain(name);
        expect([looseTexts(html, name), looseTexts(html, offer)], path).toEqual([0, 0]);
      }
    });

    test('hides redemption links and codes until the offer is claimed', async () => {
      const { slug } = await listing({ link: '/secret-path?claim={claim}', code: 'SECRETCODE' });
      for (const path of ['/?q=notes', `/l/${slug}`]) {
        const html = await textAt(path);
        expect(html).not.toContain('SECRETCODE');
        expect(html).not.toContain('secret-path');
      }
    });

    test('says how many people have claimed an offer, unless they are few or the claims are limited', async () => {
      const many = await listing();
      const limited = await listing({ claim_limit: '30' });
      pages.viewer = null;
      const claimed = async ({ slug }: { readonly slug: string }) =>
        /(\d+)<\/\w+> claimed/.exec((await textAt(`/l/${slug}`)).split('id="more-apps"')[0]!)?.[1] ?? null;
      await issueTokens(context, many, 19);
      expect(await claimed(many)).toBeNull();
      await issueTokens(context, many, 1);
      await issueTokens(context, limited, 20);
      await expect.poll(() => claimed(many), { timeout: 3_000 }).toBe('20');
      expect(await textAt(`/l/${limited.slug}`)).toContain('of 30 left');
      expect(await claimed(limited)).toBeNull();
    });

    test('lists open offers first, then scheduled offers, then paused offers', async () => {
      const { offerIds } = await createMarketListing(context, owner, {
        slug: 'sorted',
        name: 'Sorted',
        offers: [
          { offer: 'Was paused' },
          { offer: 'Comes later', starts_at: '2099-01-02T10:00' },
          { offer: 'Open now' },
        ],
      });
      await pauseOffer(context, { offerId: offerIds[0]!, actor: 'operator' });
      pages.viewer = null;
      const titles = (await textAt('/l/sorted')).match(
        /Was paused(?=<\/h3>)|Comes later(?=<\/h3>)|Open now(?=<\/h3>)/g,
      );
      expect(titles).toEqual(['Open now', 'Comes later', 'Was paused']);
    });

    test('preserves the share link’s label in a listing’s sign-in and sign-up links', async () => {
      const { slug } = await listing();
      pages.viewer = null;
      const html = await textAt(`/l/${slug}?via=spring`);
      const next = encodeURIComponent(`/l/${slug}?via=spring`);
      expect(html).toContain(`<a href="/sign-in?next=${next}">Sign in</a>`);
      expect(html).toContain(`<a href="/sign-up?next=${next}">sign up</a>`);
    });

    test('returns the same 404 for a draft listing as for an unknown listing', async () => {
      count += 1;
      await createMarketListing(context, owner, {
        slug: `draft-${count}`,
        name: 'Draft',
        draft: true,
        offers: [{ offer: 'x' }],
      });
      const bytes = async (path: string) => {
        const response = await get(path);
        return [response.status, await response.text()];
      };
      expect(await bytes(`/l/draft-${count}`)).toEqual(await bytes('/l/none-at-all'));
      expect((await bytes('/l/none-at-all'))[0]).toBe(404);
    });
  });

  describe('claiming an offer', () => {
    test('requires a POST, which records the share link’s label and redirects to the claim', async () => {
      pages.viewer = bo;
      const made = await listing();
      for (const path of [`/l/${made.slug}`, claimPathOf(made), `/l/${made.slug}?via=x`]) await get(path);
      expect(await claimsOf(made.offerId)).toEqual([]);
      const response = await post(claimPathOf(made), { via: 'spring-1' });
      const [claim] = await claimsOf(made.offerId);
      expect([response.status, response.headers.get('location')]).toEqual([303, `/claims/${claim!.id}`]);
      expect(claim).toMatchObject({ via: 'spring-1', claimant_id: bo.accountId });
      const [, printed] = /<p class="print-only[^>]*>(.*?)<\/p>/.exec(await textAt(`/claims/${claim!.id}`))!;
      expect(printed!.replaceAll(/<[^>]+>/g, '')).toMatch(new RegExp(`^https?://.+/claims/${claim!.id}$`));
    });

    // `label.test.ts` covers all spellings.
    test.each([
      ['?VIA=news', 'news'],
      ['/?via=news', 'news'],
      ['?via=news%2520look', 'news'],
      ['?utm_source=x&amp;via=news%3Futm_source=mc', 'news'],
      ['?via=news&utm_source=x&utm_source=y', 'news'],
      ['?via=Frühling 2026', null],
      [`?via=${'x'.repeat(65)}`, null],
    ])('reads the label in %s as %j, and reports an unreadable label to the owner', async (query, via) => {
      pages.viewer = bo;
      const made = await listing();
      const html = await (await get(`/l/${made.slug}${query.replaceAll(' ', '%20')}`, 'follow')).text();
      const [, name, value] = /name="(via|unread_via)" value="([^"]*)"/.exec(html)!;
      expect([name, value]).toEqual(via === null ? ['unread_via', expect.any(String)] : ['via', via]);
      expect((await post(claimPathOf(made), { [name!]: value! })).status).toBe(303);
      expect(await claimsOf(made.offerId)).toMatchObject([{ via }]);
      const campaigns = await findCampaigns(context, { accountId: owner.accountId, listing: made.slug });
      const found = query.startsWith('?via=x') ? `${'x'.repeat(40)}…` : 'Frühling 2026';
      expect(campaigns!.unreadable).toEqual(via === null ? [{ found, claims: 1, visits: 0 }] : []);
    });

    test('ignores an invalid label in the form', async () => {
      const made = await listing();
      expect((await post(claimPathOf(made), { via: 'not.a.label!' })).status).toBe(303);
      expect(await claimsOf(made.offerId)).toMatchObject([{ via: null }]);
    });

    test('completes after sign-in only if the browser has the cookie that the claim form set', async () => {
      pages.viewer = null;
      const made = await listing();
      const path = `${claimPathOf(made)}?via=spring`;
      const response = await post(claimPathOf(made), { via: 'spring' });
      const way = `/sign-up?next=${encodeURIComponent(path)}`;
      expect([response.status, response.headers.get('location')]).toEqual([303, way]);
      const intent = response.headers.getSetCookie().find((cookie) => cookie.includes('intent='))!;
      expect(intent).toMatch(/; HttpOnly/i);
      pages.viewer = bo;
      const follow = (to: string, cookie: string) =>
        fetch(pages.url + to, {
          redirect: 'manual',
          headers: { Cookie: `claimcheck.session_token=x; ${cookie}` },
        });
      const pair = intent.split(';')[0]!;
      for (const [to, cookie] of [
        [path, 'x=y'],
        [path, pair.replace(/.{5}$/, 'AAAAA')],
        [claimPathOf(made), pair],
        [`${claimPathOf(await listing())}?via=spring`, pair],
      ] as const) {
        expect((await follow(to, cookie)).headers.get('location')).toMatch(/^\/l\//);
      }
      expect(await claimsOf(made.offerId)).toEqual([]);
      const done = await follow(path, pair);
      const claims = await claimsOf(made.offerId);
      expect(claims).toMatchObject([{ via: 'spring', claimant_id: bo.accountId }]);
      expect([done.status, done.headers.get('location')]).toEqual([303, `/claims/${claims[0]!.id}`]);
      expect(done.headers.get('set-cookie')).toMatch(/intent=; .*Max-Age=0/i);
      // Without the cookie, a person who already has the claim is redirected to the claim.
      expect((await follow(path, 'x=y')).headers.get('location')).toBe(`/claims/${claims[0]!.id}`);
    });

    test('returns 404 for an unknown offer or listing', async () => {
      pages.viewer = bo;
      const made = await listing();
      const other = await listing();
      for (const path of [
        `/l/${made.slug}/offers/${UNKNOWN}/claim`,
        `/l/${made.slug}/offers/${other.offerId}/claim`,
        `/l/${made.slug}/offers/x/claim`,
        `/l/none/offers/${made.offerId}/claim`,
      ]) {
        expect((await post(path)).status).toBe(404);
      }
      expect(await claimsOf(other.offerId)).toEqual([]);
    });

    test('returns 409 if the offer is not open; the listing and the error page give the reason', async () => {
      const paused = await listing();
      await pauseOffer(context, { offerId: paused.offerId, actor: 'operator' });
      const full = await listing({ claim_limit: '1' });
      await claimFor(owner, full);
      const ended = await listing();
      await context.db.transaction((tx) =>
        tx
          .updateTable('offers')
          .set({ ends_at: '2026-01-02T10:00:00.000Z' })
          .where('id', '=', ended.offerId)
          .execute(),
      );
      const scheduled = await listing({ code: 'EARLY-BIRD', starts_at: '2099-01-02T10:00' });
      for (const [made, words] of [
        [scheduled, 'Opens on <time datetime="2099-01-02T10:00:00.000Z"'],
        [paused, 'The app has paused this offer.'],
        [full, 'Its only claim has been made.'],
        [ended, 'It ended on <time datetime="2026-01-02T10:00:00.000Z"'],
      ] as const) {
        for (const viewer of [null, bo]) {
          pages.viewer = viewer;
          const html = await textAt(`/l/${made.slug}`);
          expect(html).toContain(words);
          expect(html).not.toContain('Claim offer');
          expect(html).not.toContain('EARLY-BIRD');
        }
        const late = await post(claimPathOf(made));
        expect(late.status).toBe(409);
        const html = await late.text();
        expect(html).toContain('The offer was not claimed');
        expect(html).toContain(words);
      }
      pages.viewer = owner;
      const html = await textAt(`/l/${full.slug}`);
      expect(html).toContain('Show your claim');
      expect(html).not.toContain('Its only claim');
    });

    test('returns 409 for a suspended or withdrawn listing, which still links to an existing claim', async () => {
      for (const [move, words] of [
        [suspendListing, 'The operator has suspended this app'],
        [withdrawListing, 'The app has left this marketplace'],
      ] as const) {
        const made = await listing();
        const claimId = await claimFor(owner, made);
        pages.viewer = owner;
        const linksToListing = async () =>
          (await textAt(`/claims/${claimId}`)).includes(`href="/l/${made.slug}"`);
        expect(await linksToListing()).toBe(true);
        expect(await textAt(`/l/${made.slug}`)).toContain('20% off');
        await move(context, { listing: made.slug, actor: 'operator' });
        expect(await linksToListing()).toBe(false);
        pages.viewer = bo;
        const html = await textAt(`/l/${made.slug}`);
        expect(html).toContain(words);
        expect(html.split('id="more-apps"')[0]).not.toContain('20% off');
        expect((await post(claimPathOf(made))).status).toBe(409);
        pages.viewer = owner;
        expect(await textAt(`/l/${made.slug}`)).toContain(`/claims/${claimId}`);
        expect(await textAt(`/claims/${claimId}`)).toContain('Your claim still works');
      }
    });

    test('an existing claim is shown as unusable, but safe, while the owner is suspended', async () => {
      const person = await newClaimant(context);
      const claimId = await claimFor(person, await listing());
      pages.viewer = person;
      const look = async () => (await get(`/claims/${claimId}`)).text();
      await suspendAccount(context, { account: owner.accountId, actor: 'operator' });
      const html = await look();
      expect(html).toContain('This claim can’t be redeemed at the moment.');
      expect(html).toContain('Your claim is safe.');
      expect(html).not.toContain('can still be redeemed');
      expect(await groupsOfClaims()).toEqual(['Can’t be used']);
      await restoreAccount(context, { account: owner.accountId, actor: 'operator' });
      expect(await groupsOfClaims()).toEqual(['Ready to use']);
      expect(await look()).not.toContain('Your claim is safe.');
    });
  });

  describe('my claims', () => {
    test('expose the token only in the redirect to the owner’s page, which gets no Referer', async () => {
      const person = await newClaimant(context);
      pages.viewer = person;
      const made = await listing({ code: 'NOTES-20' });
      const claimId = await claimFor(person, made);
      for (const path of [
        '/',
        `/l/${made.slug}`,
        '/claims',
        `/claims/${claimId}`,
        `/claims/${claimId}/look`,
      ]) {
        const response = await get(path);
        expect(response.ok).toBe(true);
        expect(JSON.stringify([...response.headers]) + (await response.text())).not.toMatch(TOKEN);
      }
      const page = await get(`/claims/${claimId}`);
      expect(page.headers.get('content-security-policy')).toContain(
        `form-action 'self' ${owners.origin} https:;`,
      );
      expect(await page.text()).toContain('NOTES-20');

      expect((await get(`/claims/${claimId}/open`)).status).toBe(404);
      const hop = await post(`/claims/${claimId}/open`);
      expect(hop.status).toBe(303);
      expect(hop.headers.get('location')).toMatch(
        new RegExp(`^${owners.origin}/welcome\\?claim=clm_[0-9A-Za-z]{33}$`),
      );
      expect(hop.headers.get('referrer-policy')).toBe('no-referrer');
      expect(hop.headers.get('cache-control')).toBe('no-store');
      expect(await hop.text()).toBe('');
      expect(await claimsOf(made.offerId)).toMatchObject([{ redeemed_at: null }]);
    });

    test('redirect a signed-out person to sign-in, with a return path to the claim', async () => {
      pages.viewer = null;
      const response = await get(`/claims/${UNKNOWN}`);
      expect(response.headers.get('location')).toBe(`/sign-in?next=%2Fclaims%2F${UNKNOWN}`);
      expect((await post(`/claims/${UNKNOWN}/open`)).status).toBe(303);
      const look = await get(`/claims/${UNKNOWN}/look`);
      expect(look.headers.get('location')).toBe(`/claims/${UNKNOWN}`);
    });

    test('show whether a claim was redeemed, was replaced or has only a code for checkout', async () => {
      const person = await newClaimant(context);
      pages.viewer = person;
      const made = await listing();
      const claimId = await claimFor(person, made);
      const set = (values: { redeemed_at?: string; replaced_at?: string }) =>
        changeClaims(context.db, { id: claimId }, values);
      await set({ redeemed_at: '2026-11-20T12:00:00.000Z' });
      expect(await textAt(`/claims/${claimId}`)).toContain('A claim can be redeemed only once');
      await set({ replaced_at: '2026-11-20T13:00:00.000Z' });
      const html = await textAt(`/claims/${claimId}`);
      expect(html).toContain('A newer claim replaces it.');
      expect(html).not.toContain(`/claims/${claimId}/open`);
      expect(html).not.toContain('Show the newer claim');
      const newer = await claimFor(person, made);
      const link = new RegExp(`href="/claims/${newer}"[^>]*>Show the newer claim`);
      expect(await textAt(`/claims/${claimId}`)).toMatch(link);

      const code = await listing({ link: null, code: 'NOTES-20' });
      const codeClaim = await claimFor(person, code);
      const page = await textAt(`/claims/${codeClaim}`);
      expect(page).toContain('NOTES-20');
      expect(page).toContain('at checkout');
      expect(page).not.toContain(`/claims/${codeClaim}/open`);
      const hop = await post(`/claims/${codeClaim}/open`);
      expect(hop.status).toBe(409);
      expect(await hop.text()).toContain('Enter its code at checkout');
    });

    test('show a code from the owner’s list only to the person who got it, with a link to the shop', async () => {
      const made = await listing({
        link: null,
        code_list: 'close',
        conditions: 'For new customers.\n<b>Once.</b>',
      });
      expect(await textAt(`/l/${made.slug}`)).toContain('All codes have been given out.');
      const codes = ['<b>&"OWN-1', '=cmd|A0'];
      const lines = codes.map((text, index) => ({ line: index + 1, text }));
      await addCodes(context, { offerId: made.offerId, actor: 'operator', lines });
      const people = [await newClaimant(context), await newClaimant(context)];
      const claims = [];
      for (const person of people) claims.push(await claimFor(person, made));
      const listingPage = await textAt(`/l/${made.slug}`);
      expect(listingPage).toContain('For new customers.\n&lt;b&gt;Once.&lt;/b&gt;');
      expect(listingPage).not.toContain('OWN-1');
      pages.viewer = people[0]!;
      for (const path of ['/claims', `/claims/${claims[0]}`]) {
        const response = await get(path);
        expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
        const html = await response.text();
        expect(html).toContain('data-copy="&lt;b&gt;&amp;&quot;OWN-1"');
        expect(html).not.toContain('cmd|A0');
      }
      const own = await textAt(`/claims/${claims[0]}`);
      expect(own).toContain('Only you have this code.');
      expect(own).toContain('Code given');
      expect(own).toContain('Copy code');
      expect(own).toContain('aria-label="QR code of the checkout code"');
      expect(own).toContain(`href="${owners.origin}/"`);
      expect((await get(`/claims/${claims[1]}`)).status).toBe(404);
    });

    test.skipIf(CHROMIUM === null)('have one button that copies the code and opens the shop', async () => {
      const made = await listing({ link: null, code: 'NOTES-20', shop_url: `${owners.origin}/shop` });
      const person = await newClaimant(context);
      const claimId = await claimFor(person, made);
      pages.viewer = person;
      await visit(`/claims/${claimId}`, async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        const opened = page.context().waitForEvent('page');
        await page.getByRole('link', { name: 'Copy and open' }).click();
        const shop = await opened;
        await shop.waitForURL(`${owners.origin}/shop`);
        await page.bringToFront();
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('NOTES-20');
      });
      // Without JavaScript, the button is a link to the shop.
      expect(await textAt(`/claims/${claimId}`)).toMatch(
        new RegExp(`<a [^>]*href="${owners.origin}/shop"[^>]*>(?:(?!</a>).)*Open`),
      );
    });

    test('are paginated', async () => {
      const person = await newClaimant(context);
      pages.viewer = person;
      const offers = Array.from({ length: 26 }, (_, index) => ({ offer: `Offer ${index}` }));
      const { offerIds } = await createMarketListing(context, owner, { slug: 'many', name: 'Many', offers });
      for (const offerId of offerIds) await claimFor(person, { slug: 'many', offerId });
      const first = await textAt('/claims');
      expect(first.match(/ticket-title/g)).toHaveLength(25);
      const next = /href="(\/claims\?after=[\w-]+)"/.exec(first)![1]!;
      const second = await textAt(next);
      expect(second.match(/ticket-title/g)).toHaveLength(1);
      expect(second).toContain('First page');
    });
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    test('the redirect to the owner’s page is blocked if form-action lacks the page’s origin', async () => {
      await signInNewClaimant();
      const claimId = await claimFor(bo, await listing());
      await visit(`/claims/${claimId}`, async (page) => {
        await page.route(`**/claims/${claimId}`, async (route) => {
          const response = await route.fetch();
          const headers = response.headers();
          const policy = headers['content-security-policy']!;
          headers['content-security-policy'] = policy.replace(` ${owners.origin}`, '');
          await route.fulfill({ response, headers });
        });
        await page.reload();
        owners.visits.splice(0);
        const refused = page.waitForEvent('console', (message) => message.text().includes('form-action'));
        // `press` would wait for a response, but the browser blocks the response to this form.
        await page.getByRole('button', { name: /^Open Notes/ }).click();
        await refused;
        expect(new URL(page.url()).pathname).toBe(`/claims/${claimId}`);
        expect(owners.visits).toEqual([]);
      });
    });

    test('the owner’s page can redirect to another origin only over HTTPS', async () => {
      await signInNewClaimant();
      const claimId = await claimFor(bo, await listing());
      const secure = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY });
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
      const { port } = secure.address() as AddressInfo;
      await visit(`/claims/${claimId}`, async (page) => {
        const hop = () => page.getByRole('button', { name: /^Open Notes/ }).click();
        owners.movedTo = owners.origin.replace('localhost', '127.0.0.1');
        const refused = page.waitForEvent('console', (message) => message.text().includes('form-action'));
        await hop();
        await refused;
        expect(new URL(page.url()).pathname).toBe(`/claims/${claimId}`);
        owners.movedTo = `https://localhost:${port}/welcome`;
        // A submitted form is locked for eight seconds; a reload unlocks it.
        await page.reload();
        // The browser connects to the server, but rejects the server's certificate as invalid.
        const reached = once(secure, 'tlsClientError');
        await hop();
        await reached;
        await page.waitForURL('chrome-error://chromewebdata/');
      });
      owners.movedTo = null;
      secure.close();
    });

    test('the claim page updates after a redemption and then stops polling', async () => {
      await signInNewClaimant();
      const claimId = await claimFor(bo, await listing());
      expect((await get(`/claims/${claimId}/look`)).status).toBe(204);
      await visit('about:blank', async (page, faults) => {
        await page.clock.install();
        await page.goto(`/claims/${claimId}`);
        await changeClaims(context.db, { id: claimId }, { redeemed_at: '2026-11-20T12:00:00.000Z' });
        await page.clock.fastForward(NEXT_LOOK_MS);
        await page.getByText('A claim can be redeemed only once').waitFor();
        expect(await page.getByText('20 Nov 2026, 12:00').isVisible()).toBe(true);
        expect(await page.locator('[hx-get]').count()).toBe(0);
        expect(faults).toEqual([]);
      });
    });

    // Without JavaScript, a double click submits the form twice. `races.test.ts` covers that case.
    test('a double click submits the claim form only once', async () => {
      await signInNewClaimant();
      const made = await listing();
      await visit(`/l/${made.slug}`, async (page) => {
        let sent = 0;
        const clickedTwice = Promise.withResolvers<void>();
        await page.route('**/claim', async (route) => {
          sent += 1;
          const response = await route.fetch({ maxRedirects: 0 });
          await clickedTwice.promise;
          await route.fulfill({ response });
        });
        const button = await page.getByRole('button', { name: /^Claim offer/ }).boundingBox();
        await page.mouse.dblclick(button!.x + 5, button!.y + 5);
        clickedTwice.resolve();
        await page.waitForURL('**/claims/*');
        expect(sent).toBe(1);
      });
      expect(await claimsOf(made.offerId)).toHaveLength(1);
    });
  });
});
