/** An owner's offers: the form and its link tester, review of new links, pausing, and test claims. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownClaimState } from '../../../src/claims/claim.ts';
import { openClaim, templateOf } from '../../../src/claims/claimants/open.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { findClaim } from '../../../src/claims/queries.ts';
import { findOwnListing } from '../../../src/marketplace/listings/counted-queries.ts';
import { declineProposal } from '../../../src/marketplace/listings/decide-proposal.ts';
import { findOwnOffer } from '../../../src/marketplace/offers/queries.ts';
import { findCampaigns } from '../../../src/pages/dashboard/campaigns/campaigns.ts';
import { readOverview } from '../../../src/pages/dashboard/start/start.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { BAD_LINKS } from '../../support/bad-links.ts';
import { CHROMIUM, pageFindings, press } from '../../support/browser.ts';
import { changeClaims } from '../../support/claims.ts';
import { createMarketListing } from '../market/support.ts';
import { type Dashboard, decode, holds, idIn, openDashboard, problemsIn, versionIn } from './support.ts';

const FIELDS = {
  offer: '20% off the first year',
  kind: 'discount',
  redemption_link: 'https://fieldnotes.example/welcome?plan=studio&claim={claim}',
  test_link: '',
  code: 'FIELD20',
  starts_at: '',
  ends_at: '2031-01-31',
  claim_limit: '100',
};
const TEST_LINK = 'http://192.168.7.7:8080/welcome?claim={claim}';
const actor = 'operator' as const;

describe('an owner’s offers', () => {
  let dashboard: Dashboard;
  const inBrowser = test.skipIf(CHROMIUM === null);
  let slugs = 0;

  beforeAll(async () => {
    dashboard = await openDashboard('sqlite');
    const policy = { ...defaultPolicy(false), texts: 'list' } as const;
    await setPolicy(dashboard.context, {
      policy,
      hasProvider: false,
      operatorId: (await dashboard.signIn()).accountId,
      actor: actor,
    });
  });
  afterAll(() => dashboard.close());

  async function ownerWithListing(draft = false, plan: 'starter' | 'studio' = 'studio') {
    const owner = await dashboard.signIn(plan);
    slugs += 1;
    const slug = `offers-${slugs}`;
    const origin = 'https://fieldnotes.example';
    const listing = { slug, name: 'Fieldnotes', origin, draft, offers: [] };
    const { id: listingId } = await createMarketListing(dashboard.context, owner, listing);
    return { owner, listingId, slug };
  }
  const newPath = (listingId: string) => `/dashboard/listings/${listingId}/offers/new`;
  const versionOf = async (path: string) => versionIn((await dashboard.get(path)).text);

  async function offerOf(fields: Partial<typeof FIELDS> = {}) {
    const made = await ownerWithListing();
    const { location } = await dashboard.post(newPath(made.listingId), { ...FIELDS, ...fields });
    const id = idIn(location);
    const path = `/dashboard/offers/${id}`;
    return {
      ...made,
      id,
      path,
      stored: async () => (await findOwnOffer(dashboard.db.read, made.owner.accountId, id))!,
      save: async (change: Partial<typeof FIELDS>) =>
        dashboard.post(path, { ...FIELDS, ...fields, ...change, version: await versionOf(path) }),
    };
  }

  test('an offer can be created and edited, and its form shows the stored values', async () => {
    const offer = await offerOf();
    expect(await offer.stored()).toMatchObject({
      offer: FIELDS.offer,
      kind: 'discount',
      redemption_link: FIELDS.redemption_link,
      code: 'FIELD20',
      ends_at: '2031-01-31T23:59:59.999Z',
      claim_limit: 100,
    });
    const { text } = await dashboard.get(offer.path);
    for (const typed of Object.values(FIELDS)) expect([typed, holds(text, typed)]).toEqual([typed, true]);
    expect(text).toContain('<a href="/dashboard/listings" aria-current="true">');
    const saved = await offer.save({ kind: 'trial', ends_at: '', claim_limit: '' });
    expect(saved.location).toBe(`${offer.path}?saved`);
    expect(await offer.stored()).toMatchObject({ kind: 'trial', ends_at: null, claim_limit: null });
    expect((await dashboard.get(`/dashboard/listings/${offer.listingId}`)).text).toContain(FIELDS.offer);
  });

  test('a plan without API keys offers codes before links', async () => {
    const headings = async (plan: 'starter' | 'studio') => {
      const { listingId } = await ownerWithListing(false, plan);
      const { text } = await dashboard.get(newPath(listingId));
      return [...text.matchAll(/<h3 id="(by-\w+)">/g)].map(([, id]) => id);
    };
    expect(await headings('starter')).toEqual(['by-code', 'by-link']);
    expect(await headings('studio')).toEqual(['by-link', 'by-code']);
  });

  test('forms of new listings and offers that are sent twice create one object', async () => {
    const { listingId, owner } = await ownerWithListing(true);
    const formOf = async (path: string) => {
      const form = /name="form" value="([^"]+)"/.exec((await dashboard.get(path)).text)![1]!;
      return { form, path };
    };
    const { form, path } = await formOf(`/dashboard/listings/${listingId}/offers/new`);
    const twice = [
      await dashboard.post(path, { ...FIELDS, form }),
      await dashboard.post(path, { ...FIELDS, form }),
    ];
    expect(twice[0]!.location).toBe(twice[1]!.location);
    const listing = await findOwnListing(dashboard.db.read, owner.accountId, listingId);
    const again = await formOf(path);
    expect((await dashboard.post(path, { ...FIELDS, form: again.form })).location).not.toBe(
      twice[0]!.location,
    );
    const after = await findOwnListing(dashboard.db.read, owner.accountId, listingId);
    expect(after!.offers).toBe(listing!.offers + 1);

    const draft = await formOf('/dashboard/listings/new');
    const fields = { name: 'Twice', slug: 'sent-twice', url: 'https://twice.example', form: draft.form };
    const [one, two] = [await dashboard.post(draft.path, fields), await dashboard.post(draft.path, fields)];
    expect([one.status, one.location]).toEqual([303, two.location]);
    // A new form with the same address is another listing.
    const { form: other } = await formOf(draft.path);
    expect((await dashboard.post(draft.path, { ...fields, form: other })).status).toBe(422);
  });

  test('“Duplicate” opens the form of a new offer with the values of the original, except past dates', async () => {
    const { listingId, id, stored } = await offerOf();
    await dashboard.db.transaction((tx) =>
      tx.updateTable('offers').set({ ends_at: '2026-01-02T03:04:05.000Z' }).where('id', '=', id).execute(),
    );
    const { text } = await dashboard.get(`${newPath(listingId)}?from=${id}`);
    const { ends_at, ...others } = FIELDS;
    for (const typed of Object.values(others)) expect([typed, holds(text, typed)]).toEqual([typed, true]);
    expect(holds(text, ends_at)).toBe(false);
    expect(text).toContain(`name="from" value="${id}"`);
    const { location } = await dashboard.post(newPath(listingId), { ...others, ends_at: '', from: id });
    expect(idIn(location)).not.toBe((await stored()).id);
    // An offer of another account is like none.
    const stranger = await ownerWithListing();
    const foreign = (await dashboard.get(`${newPath(stranger.listingId)}?from=${id}`)).text;
    expect(holds(foreign, FIELDS.code)).toBe(false);
  });

  test('a field missing from the form keeps its value', async () => {
    const offer = await offerOf();
    const { code: _, ...known } = FIELDS;
    await dashboard.post(offer.path, { ...known, kind: 'trial', version: await versionOf(offer.path) });
    expect(await offer.stored()).toMatchObject({ kind: 'trial', code: 'FIELD20' });
  });

  test('adding an offer to a draft leads to a page with a button that submits the listing for review', async () => {
    const { listingId } = await ownerWithListing(true);
    const { location } = await dashboard.post(newPath(listingId), FIELDS);
    const submit = `action="/dashboard/listings/${listingId}/submit"`;
    expect((await dashboard.get(location!)).text).toContain(submit);
    expect((await dashboard.get(location!.replace('?saved', ''))).text).not.toContain(submit);
  });

  test('each invalid field shows an error and keeps its input', async () => {
    const { listingId } = await ownerWithListing();
    const bad = {
      offer: ' ',
      kind: 'bargain',
      redemption_link: 'https://fieldnotes.example/?claim=<token>',
      code: 'TWO WORDS',
      starts_at: '15 January',
      ends_at: '2026-02-30',
      claim_limit: '0',
    };
    const { status, text } = await dashboard.post(newPath(listingId), bad);
    expect(status).toBe(422);
    expect(problemsIn(text)).toEqual([
      'The offer text is empty.',
      expect.stringContaining('The kind of an offer must be one of'),
      expect.stringContaining('The redemption link contains "<"'),
      expect.stringContaining('The shared code contains a space'),
      expect.stringContaining('The start date must be a day'),
      expect.stringContaining('The end date must be a day'),
      expect.stringContaining('The claim limit must be a whole number'),
    ]);
    const { kind: _, ...typed } = bad;
    for (const value of Object.values(typed)) expect([value, holds(text, value)]).toEqual([value, true]);
    const none = await dashboard.post(newPath(listingId), { ...FIELDS, redemption_link: '', code: '' });
    expect(problemsIn(none.text)).toEqual([expect.stringContaining('found none of them')]);
    const past = await dashboard.post(newPath(listingId), { ...FIELDS, ends_at: '2020-01-01' });
    expect(problemsIn(past.text)).toEqual([expect.stringContaining('has passed')]);
  });

  test('a start date is stored to the minute and must be before the end date', async () => {
    const offer = await offerOf({ starts_at: '2031-01-15T10:30' });
    expect(await offer.stored()).toMatchObject({ starts_at: '2031-01-15T10:30:00.000Z' });
    const page = (await dashboard.get(offer.path)).text.replaceAll('\u00a0', ' ');
    expect(page).toContain('value="2031-01-15T10:30"');
    for (const words of ['Scheduled', 'The offer opens on', '15 Jan 2031, 10:30', 'In UTC.'])
      expect(page).toContain(words);
    const list = (await dashboard.get(`/dashboard/listings/${offer.listingId}`)).text;
    expect(list).toContain('Scheduled');
    for (const starts_at of ['2031-02-01', '2031-01-31T23:59:59.999']) {
      const late = await offer.save({ starts_at });
      expect([late.status, problemsIn(late.text)]).toEqual([
        422,
        [expect.stringContaining('not before its end')],
      ]);
      expect(late.text).toContain('id="field-starts_at-problem"');
      expect(late.text).toContain(`value="${starts_at}"`);
    }
    expect((await offer.save({ starts_at: '' })).status).toBe(303);
    expect(await offer.stored()).toMatchObject({ starts_at: null });
  });

  test('editing other fields keeps an end date that has passed', async () => {
    const offer = await offerOf();
    const ends_at = '2025-03-01T10:30:00.000Z';
    const typed = '2025-03-01T10:30';
    await dashboard.db.transaction((tx) =>
      tx.updateTable('offers').set({ ends_at }).where('id', '=', offer.id).execute(),
    );
    expect((await dashboard.get(offer.path)).text).toContain(`value="${typed}"`);
    expect((await offer.save({ ends_at: typed, code: 'NEW' })).status).toBe(303);
    expect(await offer.stored()).toMatchObject({ ends_at, code: 'NEW' });
  });

  test('the form and the link tester reject invalid redemption links with the same reason', async () => {
    const { listingId } = await ownerWithListing();
    // Some links cannot be tested through the form: white space is trimmed, an empty link is valid with a code, lone
    // surrogates cannot be encoded in UTF-8, and a form with a NUL is rejected before its fields are read.
    const reachesTheField = (link: string) =>
      link !== '' && link.trim() === link && link.isWellFormed() && !link.includes('\0');
    const bad = BAD_LINKS.filter(([link]) => reachesTheField(link));
    expect(bad.length).toBeGreaterThan(100);
    for (const [link, reason] of bad) {
      const fields = { ...FIELDS, redemption_link: link };
      const refused = await dashboard.post(newPath(listingId), fields);
      expect(refused.status, link).toBe(422);
      expect(problemsIn(refused.text), link).toEqual([expect.stringContaining(reason)]);
      const checked = await dashboard.post(`${newPath(listingId)}/check`, fields, { 'HX-Request': 'true' });
      expect(checked.status, link).toBe(200);
      expect(decode(checked.text), link).toContain(reason);
      expect(checked.text).not.toContain('well-formed');
    }
    const { text } = await dashboard.get(`/dashboard/listings/${listingId}`);
    expect(text).toContain('Add an offer');
  });

  test('the link tester shows the parameter, the final link and whether the link needs review', async () => {
    const offer = await offerOf();
    const check = async (link: string) => {
      const typed = { ...FIELDS, redemption_link: link };
      const { text } = await dashboard.post(`${offer.path}/check`, typed, { 'HX-Request': 'true' });
      return decode(text.replaceAll('<wbr/>', ''));
    };
    const good = await check('https://fieldnotes.example/in?c={claim}#top');
    expect(good).toContain('<code>c</code>');
    expect(good).toContain('https://fieldnotes.example/in?c=clm_EXAMPLE#top');
    expect(good).toContain('live as soon as you save');
    expect(await check('https://other.example/?c={claim}')).toContain('It will be reviewed, because');
    expect(await check(FIELDS.redemption_link)).toContain('current link');
    // Without JavaScript, the button returns the full page and saves nothing.
    expect((await dashboard.get(offer.path)).text).toContain(`formaction="${offer.path}/check"`);
    const typed = { ...FIELDS, offer: 'Typed', claim_limit: 'x' };
    const whole = await dashboard.post(`${offer.path}/check`, typed);
    expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('value="Typed"')]);
    expect(problemsIn(whole.text)).toHaveLength(1);
    expect(await offer.stored()).toMatchObject({ offer: FIELDS.offer });
  });

  test('the preview shows unsaved input, for a new offer and an existing one', async () => {
    const { listingId, path } = await offerOf();
    const typed = { ...FIELDS, offer: 'Typed <b>offer</b>', conditions: 'For new customers.' };
    for (const at of [newPath(listingId), path]) {
      const { text } = await dashboard.post(`${at}/preview`, typed, { 'HX-Request': 'true' });
      expect(text).toContain('Typed &lt;b&gt;offer&lt;/b&gt;');
      expect(text).toContain('For new customers.');
      expect(text).toContain('Redeem at fieldnotes.example with a code.');
      const whole = await dashboard.post(`${at}/preview`, typed);
      expect(whole.text).toMatch(/id="preview".*Typed &lt;b&gt;offer/s);
    }
  });

  test('a link to another host needs review, and the page shows why it was declined', async () => {
    const offer = await offerOf();
    const other = 'https://elsewhere.example/?c={claim}';
    await offer.save({ redemption_link: other });
    expect(await offer.stored()).toMatchObject({
      redemption_link: FIELDS.redemption_link,
      proposed_link: other,
    });
    expect((await dashboard.get(offer.path)).text).toContain('A new redemption link is waiting for review');
    const declined = { listing: offer.listingId, offerId: offer.id, reason: 'Whose is that?', actor };
    await declineProposal(dashboard.context, declined);
    const { text } = await dashboard.get(offer.path);
    expect(text).toContain('Whose is that?');
    expect(text).not.toContain('is waiting for review');
    await dashboard.post(`${offer.path}/take-back`);
    expect(await offer.stored()).toMatchObject({ proposed_link: null, declined_reason: null });
  });

  test('an offer can be paused and resumed, and saving a form that was opened earlier returns 409', async () => {
    const offer = await offerOf();
    const version = await versionOf(offer.path);
    expect((await dashboard.post(`${offer.path}/pause`)).location).toBe(offer.path);
    expect((await dashboard.get(offer.path)).text).toContain(
      'The offer takes no new claims until you resume it',
    );
    expect((await dashboard.post(`${offer.path}/resume`)).location).toBe(offer.path);
    expect((await offer.stored()).paused_at).toBeNull();
    const stale = await dashboard.post(offer.path, { ...FIELDS, offer: 'Mine', version });
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('value="Mine"')]);
    expect(await offer.stored()).toMatchObject({ offer: FIELDS.offer });
  });

  test('concurrent edits of different fields are merged, and edits of the same field conflict', async () => {
    const offer = await offerOf();
    const seenIn = (text: string) => ({ seen: decode(/name="seen" value="([^"]*)"/.exec(text)![1]!) });
    const opened = seenIn((await dashboard.get(offer.path)).text);
    await offer.save({ code: 'THEIRS' });
    const merged = await dashboard.post(offer.path, { ...FIELDS, offer: 'Mine', ...opened });
    expect(merged.location).toBe(`${offer.path}?saved=merged`);
    expect((await dashboard.get(merged.location!)).text).toContain('Their changes are kept');
    expect(await offer.stored()).toMatchObject({ offer: 'Mine', code: 'THEIRS' });

    const fields = { ...FIELDS, code: 'MINE', claim_limit: '7' };
    const asked = await dashboard.post(offer.path, { ...fields, ...opened });
    expect(asked.status).toBe(409);
    expect(asked.text).toContain('your change conflicts with somebody else’s');
    expect(asked.text).toMatch(/Shared code.*<del>THEIRS<\/del>.*<ins>MINE<\/ins>/s);
    // A field that this form did not change shows the stored value.
    expect(asked.text).toContain('value="Mine"');
    expect(await offer.stored()).toMatchObject({ code: 'THEIRS', claim_limit: 100 });

    // Another edit is saved before the retry, so the retry conflicts again.
    await offer.save({ code: 'NEWER', offer: 'Mine' });
    const again = { ...fields, offer: 'Mine', ...seenIn(asked.text) };
    const askedAgain = await dashboard.post(offer.path, again);
    expect([askedAgain.status, (await offer.stored()).code]).toEqual([409, 'NEWER']);
    const saved = await dashboard.post(offer.path, { ...again, ...seenIn(askedAgain.text) });
    expect(saved.status).toBe(303);
    expect(await offer.stored()).toMatchObject({ offer: 'Mine', code: 'MINE', claim_limit: 7 });
  });

  test('“Open with a test claim” reuses a test token until it is redeemed', async () => {
    const offer = await offerOf();
    const page = await dashboard.get(offer.path);
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://fieldnotes.example https:;",
    );
    const openTest = async () => {
      const { status, location, headers } = await dashboard.post(`${offer.path}/open-test`);
      const policies = [headers.get('referrer-policy'), headers.get('cache-control')];
      expect([status, ...policies]).toEqual([303, 'no-referrer', 'no-store']);
      return new URL(location!).searchParams.get('claim')!;
    };
    const token = await openTest();
    expect(token).toMatch(/^clm_test_/);
    expect(await openTest()).toBe(token);
    const { accountId: account } = offer.owner;
    const key = await createKey(dashboard.context, { account, name: 'trial', mode: 'test', actor });
    const redeemed = { redeemed_at: new Date().toISOString(), redeemed_by_key_id: key.id };
    await changeClaims(dashboard.db, { offer_id: offer.id }, redeemed);
    expect(await openTest()).not.toBe(token);
    // Test claims are not counted.
    expect((await offer.stored()).claims).toBe(0);
  });

  test('a test link needs no review and is used only for the owner’s test claims', async () => {
    const offer = await offerOf({ test_link: TEST_LINK, redemption_link: '', code: 'FIELD20' });
    expect(await offer.stored()).toMatchObject({ test_link: TEST_LINK, proposed_link: null });
    const { accountId } = offer.owner;
    const claimLive = async (claimantAccountId: string) => {
      const claimed = { claimantAccountId, listing: offer.slug, offerId: offer.id };
      return { claimantAccountId, claimId: (await claimOffer(dashboard.context, claimed)).claimId };
    };
    const live = await claimLive(accountId);
    expect((await dashboard.get(offer.path)).headers.get('content-security-policy')).toContain(
      "form-action 'self' http://192.168.7.7:8080 https:;",
    );
    const openTest = async () => (await dashboard.post(`${offer.path}/open-test`)).location!;
    expect(await openTest()).toMatch(/^http:\/\/192\.168\.7\.7:8080\/welcome\?claim=clm_test_/);
    // The offer has no redemption link yet, so nobody can open a live claim.
    await expect(openClaim(dashboard.context, live)).rejects.toThrow('no page to open');
    await offer.save({ redemption_link: FIELDS.redemption_link, test_link: TEST_LINK });
    expect((await openClaim(dashboard.context, live)).link).toMatch(/^https:\/\/fieldnotes\.example\//);
    expect(await openTest()).toMatch(/^http:\/\/192\.168\.7\.7:8080\//);
    // After a transfer of the listing, test claims of the former account use the live link.
    const { redemption_link } = FIELDS;
    const row = { mode: 'test', account_id: accountId, redemption_link, test_link: TEST_LINK } as const;
    expect(templateOf(row, accountId)).toBe(TEST_LINK);
    expect(templateOf(row, 'another account')).toBe(redemption_link);

    await offer.save({ redemption_link: FIELDS.redemption_link, test_link: '' });
    expect(await openTest()).toMatch(/^https:\/\/fieldnotes\.example\//);
    const events = await dashboard.db.read
      .selectFrom('events')
      .select('data')
      .where('subject_id', '=', offer.id)
      .execute();
    expect(events.some(({ data }) => data.includes('test_link'))).toBe(true);
    expect(events.filter(({ data }) => data.includes('192.168'))).toEqual([]);
    expect((await dashboard.get(`/l/${offer.slug}`)).text).not.toContain('192.168');
  });

  test('claims of code-only offers are excluded from the rate, and the Starter plan shows no rate', async () => {
    const offer = await offerOf({ redemption_link: '', code: 'FIELD20' });
    const { accountId } = offer.owner;
    const claim = { claimantAccountId: accountId, listing: offer.slug, offerId: offer.id };
    const { claimId } = await claimOffer(dashboard.context, claim);
    const { text } = await dashboard.get(`/dashboard/listings/${offer.listingId}`);
    const pairs = [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].slice(0, 2);
    const figures = pairs.map(([, ...parts]) => parts.map((part) => part.replaceAll(/<[^>]*>/g, ' ').trim()));
    expect(figures).toEqual([
      ['Claims', '1'],
      ['Redeemed not counted: people use the codes in your shop', '–'],
    ]);
    const found = await findClaim(dashboard.db, accountId, { id: claimId });
    expect(shownClaimState(found!)).toBe('code_given');
    const reader = { ...dashboard.context, db: dashboard.db };
    const campaigns = await findCampaigns(reader, { accountId, listing: offer.listingId });
    expect(campaigns?.total).toMatchObject({ claims: 1, redeemable: 0 });
    expect(campaigns?.labels).toMatchObject([{ via: null, claims: 1, redeemable: 0 }]);
    const { allClaims, funnel } = await readOverview(reader, accountId);
    expect([allClaims, funnel]).toMatchObject([1, { claims: 1, redeemable: 0 }]);
    const later = { ...reader, now: () => reader.now() + 40 * DAY_MS };
    expect((await readOverview(later, accountId)).funnel).toMatchObject({
      claims: 0,
      before: { claims: 1, code_claims: 1 },
    });
  });

  // `everywhere.test.ts` checks the other states.
  inBrowser('a paused offer with a link in review has no layout or accessibility issues', async () => {
    const offer = await offerOf();
    const redemption_link =
      'https://shop.elsewhere.example/a/very/long/path/that/never/seems/to/end?plan=studio&claim={claim}';
    await offer.save({ redemption_link });
    await dashboard.post(`${offer.path}/pause`);
    expect(await dashboard.look(offer.path, 'owner offer paused with proposal')).toEqual([]);
  });

  inBrowser('a form with errors has no layout or accessibility issues', async () => {
    const { listingId } = await ownerWithListing();
    await dashboard.visit(newPath(listingId), async (page) => {
      await page.getByLabel('Redemption link').fill('http://{claim}.fieldnotes.example/?a={claim}&b={b}');
      await page.getByLabel('Claim limit').fill('many');
      await press(page, page.getByRole('button', { name: 'Add offer' }));
      await page.getByText('Please check these fields').waitFor();
      expect(await pageFindings(page, 'owner offer refused')).toEqual([]);
    });
  });

  inBrowser('the link tester updates while the owner types', async () => {
    const { listingId } = await ownerWithListing();
    await dashboard.visit(newPath(listingId), async (page, faults) => {
      await page.getByLabel('Redemption link').fill('https://fieldnotes.example/in?ticket={claim}');
      const tester = page.locator('#link-tester');
      await tester.getByText('https://fieldnotes.example/in?ticket=clm_EXAMPLE').waitFor();
      await page.getByLabel('Redemption link').fill('https://fieldnotes.example/in?ticket={Claim}&x=@{');
      await tester.getByText('the placeholder is written {claim}').waitFor();
      expect(faults).toEqual([]);
      // The field is a textarea, but Enter submits the form as in a single-line field.
      await page.getByLabel('Redemption link').press('Enter');
      await page.getByText('Please check these fields').waitFor();
      const problem = page.locator('#field-redemption_link-problem');
      await problem.waitFor();
      await page.getByLabel('Redemption link').fill('https://fieldnotes.example/in?ticket={claim}');
      await problem.waitFor({ state: 'hidden' });
    });
  });
});
