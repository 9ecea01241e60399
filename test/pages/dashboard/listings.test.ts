/** An owner's listings: drafts, the form, review, and the operator's decisions. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOwnListing } from '../../../src/marketplace/listings/counted-queries.ts';
import { declineProposal } from '../../../src/marketplace/listings/decide-proposal.ts';
import {
  approveListing,
  rejectListing,
  requestChanges,
  suspendListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { setPublisher } from '../../../src/people/accounts/edit.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { CHROMIUM } from '../../support/browser.ts';
import { issueTokens } from '../../support/marketplace.ts';
import { createMarketListing } from '../market/support.ts';
import { type Dashboard, decode, idIn, openDashboard, problemsIn, versionIn } from './support.ts';

const LISTINGS = '/dashboard/listings';
const FIELDNOTES = {
  name: 'Fieldnotes',
  slug: 'fieldnotes',
  url: 'https://fieldnotes.example/app',
  summary: 'Notes for people who work outdoors.',
  description: 'Works without a signal.\n\nSyncs when there is one.',
};
const OFFER = {
  offer: '20% off',
  kind: 'discount',
  redemption_link: 'https://fieldnotes.example/welcome?claim={claim}',
};
const actor = 'operator' as const;

describe('an owner’s listings', () => {
  let dashboard: Dashboard;
  const inBrowser = test.skipIf(CHROMIUM === null);
  let slugs = 0;
  const freshSlug = () => {
    slugs += 1;
    return `notes-${slugs}`;
  };

  beforeAll(async () => {
    dashboard = await openDashboard('sqlite');
  });
  afterAll(() => dashboard.close());

  /** Returns the path of a listing, given the path of the form that adds an offer to the listing. */
  const pathIn = (location: string | null): string => {
    const [, path = ''] = /^(.+)\/offers\/new$/.exec(location ?? '') ?? [];
    return path;
  };

  async function submitted() {
    const owner = await dashboard.signIn();
    const slug = freshSlug();
    const { location } = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, slug });
    const path = pathIn(location);
    const early = await dashboard.post(`${path}/submit`);
    expect([early.status, early.text]).toEqual([409, expect.stringContaining('has no offer yet')]);
    expect(early.text).toContain(`href="${path}/offers/new"`);
    await dashboard.post(`${path}/offers/new`, OFFER);
    expect((await dashboard.post(`${path}/submit`)).location).toBe(path);
    return { path, id: idIn(path), slug, owner };
  }

  test.each([false, true])(
    'the form asks for the name that people will see; invited: %s',
    async (isAllowed) => {
      const owner = await dashboard.signIn('starter', 'ines');
      await setPublisher(dashboard.context, { account: owner.accountId, actor, isAllowed });
      const email = 'ines@studio.example';
      dashboard.pages.viewer = { ...owner, email };
      const path = `${LISTINGS}/new`;
      // The name is the part of the address before the @, so it is not suggested.
      expect((await dashboard.get(path)).text).toMatch(/name="publisher"[^>]*value=""/);
      const listing = { ...FIELDNOTES, slug: freshSlug() };
      const refused = await dashboard.post(path, { ...listing, publisher: ' ' });
      expect([refused.status, problemsIn(refused.text)]).toEqual([422, ['The publisher’s name is empty.']]);
      const preview = await dashboard.post(`${path}/preview`, { ...listing, publisher: 'Studio Ines' });
      expect(preview.text).toContain('Studio Ines');
      const created = await dashboard.post(path, { ...listing, publisher: 'Studio Ines' });
      expect(created.status).toBe(303);
      const account = await findAccount(dashboard.db.read, owner.accountId);
      expect(account.name).toBe('Studio Ines');
      await dashboard.post(created.location!, OFFER);
      await dashboard.post(`${pathIn(created.location)}/submit`);
      await approveListing(dashboard.context, { listing: listing.slug, actor });
      // A new name of an approved owner needs a review, so the account page asks for it.
      expect((await dashboard.get(path)).text).not.toContain('name="publisher"');
    },
  );

  test('a new listing goes from draft through review to the marketplace, and can be withdrawn', async () => {
    await dashboard.signIn();
    expect((await dashboard.get(LISTINGS)).text).toContain('Publish an app');
    const created = await dashboard.post(`${LISTINGS}/new`, FIELDNOTES);
    expect(created.status).toBe(303);
    const path = pathIn(created.location);
    expect((await dashboard.get(created.location!)).text).toContain('New offer');
    expect((await dashboard.get(path)).text).toContain('This draft isn’t public yet');
    await dashboard.post(`${path}/offers/new`, OFFER);
    await dashboard.post(`${path}/submit`);
    const pending = await dashboard.get(path);
    expect(pending.text).toContain('Waiting for review');
    expect(pending.text).not.toContain('Review it at the desk');
    dashboard.pages.viewer = { ...dashboard.pages.viewer!, isOperator: true };
    expect((await dashboard.get(path)).text).toContain(`href="/desk/listings/${idIn(path)}"`);
    await approveListing(dashboard.context, { listing: 'fieldnotes', actor });
    const live = await dashboard.get(path);
    expect(live.text).toContain('Withdraw…');
    expect(live.text).toContain('href="/l/fieldnotes"');
    await dashboard.post(`${path}/withdraw`);
    expect((await dashboard.get(path)).text).toContain('You withdrew this listing');
  });

  test('each invalid field shows an error and keeps its input', async () => {
    await dashboard.signIn();
    const bad = {
      name: '',
      slug: 'Not A Slug',
      url: 'http://fieldnotes.example',
      summary: 'x'.repeat(161),
      description: '<script>alert(1)</script>'.repeat(200),
    };
    const { status, text } = await dashboard.post(`${LISTINGS}/new`, bad);
    expect(status).toBe(422);
    expect(problemsIn(text)).toEqual([
      'The name is empty.',
      expect.stringContaining('The public address (slug) may contain only lowercase letters'),
      expect.stringContaining('must start with https://'),
      expect.stringContaining('The summary has 161 characters'),
      expect.stringContaining('The description has 5,000 characters'),
    ]);
    for (const typed of Object.values(bad)) expect(decode(text)).toContain(typed);
    expect(text).not.toContain('<script>alert');
  });

  test('a category that no longer exists is reported, and no field is marked invalid', async () => {
    await dashboard.signIn();
    const { status, text } = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, category: 'gone' });
    expect([status, problemsIn(text)]).toEqual([422, []]);
    expect(text).toContain('This marketplace has no categories.');
  });

  test('a missing slug is generated from the name if the name has enough Latin letters', async () => {
    await dashboard.signIn();
    const name = `Ada’s Größe ${freshSlug()}`;
    const { location } = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, name, slug: ' ' });
    const made = (await dashboard.get(pathIn(location))).text;
    expect(decode(made)).toContain(`value="adas-groesse-${name.split(' ').at(-1)}"`);
    const none = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, name: '東京', slug: '' });
    expect(problemsIn(none.text)).toEqual([expect.stringContaining('too few letters from a to z')]);
  });

  test('a slug in use is rejected at its field, both when creating and when editing a listing', async () => {
    const { slug } = await submitted();
    await dashboard.signIn();
    const taken = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, slug });
    expect([taken.status, problemsIn(taken.text)]).toEqual([422, [expect.stringContaining('already')]]);
    const { location } = await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, slug: freshSlug() });
    const edited = await dashboard.post(pathIn(location), { ...FIELDNOTES, slug, version: '1' });
    expect([edited.status, problemsIn(edited.text)]).toEqual([422, [expect.stringContaining('already')]]);
  });

  test('the page shows the requested changes, and one form submission saves and resubmits the listing', async () => {
    const { path, id, slug, owner } = await submitted();
    await requestChanges(dashboard.context, { listing: slug, reason: 'Say who it is <for>.', actor });
    const { text } = await dashboard.get(path);
    expect(text).toContain('The operator asked for changes');
    expect(text).toContain('Say who it is &lt;for&gt;.');
    const edited = { ...FIELDNOTES, slug, summary: 'For ornithologists.', version: versionIn(text) };
    const long = await dashboard.post(path, { ...edited, reply: 'x'.repeat(1_001), submit: 'yes' });
    expect([long.status, problemsIn(long.text)]).toEqual([
      422,
      [expect.stringContaining('The reply has 1,001 characters')],
    ]);
    const before = await findOwnListing(dashboard.context.db.read, owner.accountId, id);
    expect(before).toMatchObject({ state: 'changes_requested', summary: FIELDNOTES.summary });
    const sent = await dashboard.post(path, { ...edited, reply: 'It says so now.', submit: 'yes' });
    expect(sent.status).toBe(303);
    expect(await findOwnListing(dashboard.context.db.read, owner.accountId, id)).toMatchObject({
      state: 'pending',
      summary: 'For ornithologists.',
      reply: 'It says so now.',
    });
    await rejectListing(dashboard.context, { listing: id, reason: 'No.', actor });
    const rejected = await dashboard.get(path);
    expect(rejected.text).toContain('The operator rejected this listing');
    expect(rejected.text).toContain('If you disagree, contact the operator.');
    expect(rejected.text).not.toContain('Save listing');
    const refused = await dashboard.post(`${path}/submit`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('A listing whose state is rejected cannot be submitted');
  });

  test('the list has the share link of each live listing and a curve of its claims', async () => {
    const { slug, id } = await submitted();
    const share = `data-copy="${dashboard.pages.url}/l/${slug}"`;
    expect((await dashboard.get(LISTINGS)).text).not.toContain(share);
    await approveListing(dashboard.context, { listing: slug, actor });
    const [offer] = await dashboard.db.read
      .selectFrom('offers')
      .select('id')
      .where('listing_id', '=', id)
      .execute();
    const daysAgo = (days: number) => ({ ...dashboard.context, now: () => Date.now() - days * DAY_MS });
    await issueTokens(daysAgo(5), { offerId: offer!.id }, 3);
    await issueTokens(daysAgo(40), { offerId: offer!.id }, 2);
    const { text } = await dashboard.get(LISTINGS);
    expect(text).toContain(share);
    expect(text).toMatch(/ aria-label="Claims: 3, most \(3\) on \d+ [A-Z]/);
    expect(text).toContain('<span class="sub">0.0%</span>');
  });

  test('a new URL on another host needs review, and the current URL stays live until then', async () => {
    const { path, id, slug, owner } = await submitted();
    await approveListing(dashboard.context, { listing: slug, actor });
    const listing = async () => (await findOwnListing(dashboard.db.read, owner.accountId, id))!;
    const moved = { ...FIELDNOTES, name: 'Renamed', url: 'https://elsewhere.example/app' };
    const saved = await dashboard.post(path, { ...moved, version: String((await listing()).version) });
    expect(saved.location).toBe(`${path}?saved`);
    const { url } = FIELDNOTES;
    expect(await listing()).toMatchObject({ name: FIELDNOTES.name, slug, url, proposed_url: moved.url });
    const waiting = await dashboard.get(path);
    expect(waiting.text).toContain('Live now and in review');
    expect(waiting.text).toContain('Change in review');
    await declineProposal(dashboard.context, { listing: id, reason: 'Not yours.', actor });
    await dashboard.post(`${path}/discard-texts`);
    const declined = await dashboard.get(path);
    expect(declined.text).toContain('The operator declined https://elsewhere.example/app');
    expect(declined.text).not.toContain('Live now and in review');
    await dashboard.post(`${path}/take-back`);
    expect(await listing()).toMatchObject({ url: FIELDNOTES.url, proposed_url: null, declined_reason: null });
    await suspendListing(dashboard.context, { listing: slug, reason: 'Spam.', actor });
    expect((await dashboard.get(path)).text).toMatch(/The operator suspended this listing.*Spam\./s);
  });

  test('a stale form returns 409 and keeps the input instead of overwriting newer changes', async () => {
    const { path, slug } = await submitted();
    const version = versionIn((await dashboard.get(path)).text);
    await approveListing(dashboard.context, { listing: slug, actor });
    const stale = await dashboard.post(path, { ...FIELDNOTES, name: 'Mine', version });
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('your change conflicts with somebody else’s');
    expect(stale.text).toContain('value="Mine"');
    expect((await dashboard.post(path, { ...FIELDNOTES, name: 'Mine' })).status).toBe(409);
    const again = versionIn(stale.text);
    // Fields missing from the form keep their values.
    const { summary, ...known } = FIELDNOTES;
    expect((await dashboard.post(path, { ...known, name: 'Mine', version: again })).status).toBe(303);
    expect((await dashboard.get(path)).text).toContain(`${summary}</textarea>`);
  });

  test('drafts and offers that were never live can be deleted, and their events are kept', async () => {
    await dashboard.signIn();
    const draft = async () =>
      pathIn((await dashboard.post(`${LISTINGS}/new`, { ...FIELDNOTES, slug: freshSlug() })).location);
    const make = async (below: string) => idIn((await dashboard.post(`${below}/offers/new`, OFFER)).location);
    const path = await draft();
    const offer = await make(path);
    expect((await dashboard.get(`/dashboard/offers/${offer}`)).text).toContain('Delete offer');
    expect((await dashboard.post(`/dashboard/offers/${offer}/delete`)).location).toBe(path);
    expect((await dashboard.get(`/dashboard/offers/${offer}`)).status).toBe(404);
    const copied = await dashboard.get(`${path}/offers/new?from=${await make(path)}`);
    expect(copied.text).toContain('value="20% off"');
    const kept = await draft();
    await dashboard.post(`/dashboard/offers/${await make(kept)}/open-test`);
    const refused = await dashboard.post(`${kept}/delete`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('test claims count too')]);
    expect((await dashboard.post(`${path}/delete`)).location).toBe(LISTINGS);
    expect((await dashboard.get(path)).status).toBe(404);
    const events = await dashboard.db.read
      .selectFrom('events')
      .select('data')
      .where('subject_id', 'in', [idIn(path), offer])
      .execute();
    expect(events.filter(({ data }) => data.includes('deleted'))).toHaveLength(2);
  });

  test('listings in review, live listings and live offers cannot be deleted', async () => {
    const { path, slug } = await submitted();
    const waiting = await dashboard.post(`${path}/delete`);
    expect([waiting.status, waiting.text]).toEqual([409, expect.stringContaining('never live')]);
    const [offer] = /\/dashboard\/offers\/[0-9a-f-]{36}/.exec((await dashboard.get(path)).text)!;
    const only = await dashboard.post(`${offer}/delete`);
    expect([only.status, only.text]).toEqual([409, expect.stringContaining('The only offer of a listing')]);
    await approveListing(dashboard.context, { listing: slug, actor });
    expect((await dashboard.post(`${path}/delete`)).status).toBe(409);
    await dashboard.post(`${path}/offers/new`, OFFER);
    const live = await dashboard.post(`${offer}/delete`);
    expect([live.status, live.text]).toEqual([409, expect.stringContaining('An offer that was live')]);
    expect((await dashboard.get(offer)).status).toBe(200);
  });

  test('the list is paginated, with 50 listings per page', async () => {
    const owner = await dashboard.signIn();
    for (let count = 0; count < 51; count += 1) {
      const draft = { slug: freshSlug(), name: 'N', draft: true, offers: [] };
      await createMarketListing(dashboard.context, owner, draft);
    }
    const first = await dashboard.get(LISTINGS);
    const next = /href="(\/dashboard\/listings\?after=[^"]+)"/.exec(first.text)![1]!;
    const second = await dashboard.get(next);
    expect([first, second].map(({ text }) => text.match(/role="rowheader"/g)?.length)).toEqual([50, 1]);
  });

  const looksRight = async (path: string, name: string) =>
    expect(await dashboard.look(path, name)).toEqual([]);

  // `everywhere.test.ts` checks the other states.
  inBrowser('a live listing with a change in review has no layout or accessibility issues', async () => {
    const owner = await dashboard.signIn('studio', 'Ada Acme-Bergström von und zu Hohenstein');
    const { id } = await createMarketListing(dashboard.context, owner, {
      slug: 'a-listing-with-a-very-long-address-that-people-still-may-choose',
      name: 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung für alle, die draußen arbeiten',
      summary: FIELDNOTES.summary,
      description: FIELDNOTES.description,
      origin: 'https://fieldnotes.example',
      offers: [
        { offer: '20% off the first year', code: 'FIELD20', claim_limit: '100' },
        {
          offer: 'Three months of everything, for teams of up to five',
          kind: 'trial',
          ends_at: '2031-01-31',
        },
        { offer: 'Code only', kind: 'gift', link: null, code: 'GIFT' },
      ],
    });
    const path = `${LISTINGS}/${id}`;
    const { text } = await dashboard.get(path);
    const form = decode(text);
    const saved = await dashboard.post(path, {
      ...FIELDNOTES,
      name: /name="name"[^>]*value="([^"]*)"/.exec(form)![1]!,
      url: 'https://elsewhere.example/a/rather/long/path/to/the/app?with=query&and=more',
      version: versionIn(text),
    });
    expect(saved.status).toBe(303);
    await looksRight(path, 'owner listing approved with proposal');
    await looksRight(LISTINGS, 'owner listings');
  });

  inBrowser('a listing with requested changes has no layout or accessibility issues', async () => {
    const { path, id } = await submitted();
    const reason = 'Please say who it is for.\n\nAnd what it costs afterwards.';
    await requestChanges(dashboard.context, { listing: id, reason, actor });
    await looksRight(path, 'owner listing changes requested');
  });

  test('a button previews the unsaved input without JavaScript', async () => {
    await dashboard.signIn();
    const preview = `${LISTINGS}/new/preview`;
    expect((await dashboard.get(`${LISTINGS}/new`)).text).toContain(`formaction="${preview}"`);
    const { text } = await dashboard.post(preview, { ...FIELDNOTES, name: 'Typed name' });
    expect(text).toMatch(/id="preview".*Typed name.*value="Typed name"/s);
  });

  inBrowser('the preview updates while the owner types', async () => {
    await dashboard.signIn();
    await dashboard.visit(`${LISTINGS}/new`, async (page, faults) => {
      const preview = page.locator('#preview');
      await page.getByLabel('Name').fill('Typed <b>name</b>');
      await page.getByLabel('Website').fill('https://typed.example/app');
      await preview.getByText('Typed <b>name</b>').waitFor();
      await preview.getByText('typed.example').waitFor();
      expect(faults).toEqual([]);
    });
  });
});
