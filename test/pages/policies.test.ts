/** Requests for plans and for permission to publish, plan limits, reports of listings, and edits by operators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_PLANS, type PlanTerms } from '../../src/base/brand/plans.ts';
import { changePlans } from '../../src/base/settings/change-brand.ts';
import { editListing } from '../../src/marketplace/listings/edit.ts';
import { findListing } from '../../src/marketplace/listings/queries.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { findOffer } from '../../src/marketplace/offers/queries.ts';
import { listingValues } from '../../src/pages/editor/listing-form.tsx';
import { offerValues } from '../../src/pages/editor/offer-form-values.ts';
import { defaultPolicy, setPolicy } from '../../src/people/accounts/policy.ts';
import { DEFAULT_TIME_ZONE } from '../../src/platform/text/time-zone.ts';
import type { PersonName } from './sample-data.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

describe('requests, plan limits, reports, and edits by operators', () => {
  let site: WholeSite;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
  });
  afterAll(() => site?.close());

  const get = async (person: PersonName | null, path: string) =>
    (await site.request(person, 'GET', path)).text;
  const post = (person: PersonName | null, path: string, form: Readonly<Record<string, string>>) =>
    site.request(person, 'POST', path, { form });

  test('operators see a plan request in the queue, and the owner sees why it was declined', async () => {
    const path = `/desk/accounts/${site.ids.account}`;
    expect(await get('operator', '/desk/queue')).toContain('Asks for the Everything plan');
    expect(await get('operator', path)).toContain('Adele Acme asks for the Everything plan');
    const empty = await post('operator', `${path}/decline-plan`, { reason: ' ' });
    expect(empty.status).toBe(422);
    expect(empty.text).toContain('The reason is empty.');
    expect((await post('operator', `${path}/decline-plan`, { reason: 'Not yet.' })).status).toBe(303);
    expect(await get('owner', '/dashboard/settings/plan')).toContain('Not yet.');
    expect(await get('operator', '/desk/queue')).not.toContain('Asks for the');
    // Only owners of the account can request a plan.
    const asked = await post('member', '/dashboard/settings/plan/ask', { plan: 'starter' });
    expect(asked.status).toBe(403);
  });

  test.each([
    {
      most: '4 listings.',
      terms: { listings: 4 },
      pages: ['listings', 'listings/new'],
      form: /(?:href|action)="[^"]*listings\/new"/,
    },
    {
      most: '1 offer per listing.',
      terms: { offersOfListing: 1 },
      pages: ['listings/:id', 'listings/:id/offers/new'],
      form: /(?:href|action)="[^"]*offers\/new"/,
    },
    {
      most: '1 member.',
      terms: { members: 1 },
      pages: ['settings/members'],
      form: /action="[^"]*settings\/members"/,
    },
  ])('a notice replaces the form at the plan’s limit of $most', async ({ most, terms, pages, form }) => {
    const plansWith = (changed: Partial<PlanTerms>) =>
      changePlans(site.context, {
        plans: { ...FIRST_PLANS, studio: { ...FIRST_PLANS.studio, ...changed } },
        operatorId: site.people.operator.accountId,
        actor: 'operator',
      });
    const paths = pages.map((page) => `/dashboard/${page.replace(':id', site.ids.listing)}`);
    for (const path of paths) {
      const shown = await get('owner', path);
      expect(shown, path).not.toContain('allows at most');
      expect(shown, path).toMatch(form);
    }
    await plansWith(terms);
    for (const path of paths) {
      const shown = await get('owner', path);
      expect(shown, path).toMatch(
        new RegExp(`The plan of this account allows at most ${most}.*Compare the plans`, 's'),
      );
      expect(shown, path).not.toMatch(form);
      expect(await get('member', path), path).not.toContain('Compare the plans');
    }
    await plansWith({});
  });

  test('an account can request permission to publish, and an operator can grant it', async () => {
    const operatorId = site.people.operator.accountId;
    const policy = { ...defaultPolicy(false), publishing: 'allowed' } as const;
    await setPolicy(site.context, { policy, hasProvider: false, operatorId, actor: 'operator' });
    for (const path of ['/dashboard', '/dashboard/listings', '/dashboard/listings/new']) {
      expect(await get('claimant', path), path).toContain('Publishing needs the operator’s approval');
    }
    const asked = await post('claimant', '/dashboard/ask-to-publish', { message: 'A small shop.' });
    expect(asked.status).toBe(303);
    expect(await get('claimant', '/dashboard')).toContain('You asked to publish');
    const path = `/desk/accounts/${site.people.claimant.accountId}`;
    expect(await get('operator', path)).toContain('A small shop.');
    expect((await post('operator', `${path}/publisher`, { publisher: 'on' })).status).toBe(303);
    expect(await get('claimant', '/dashboard/listings/new')).toContain('Create draft');
  });

  test('anyone can report a listing, and only operators see the report', async () => {
    expect((await post(null, '/l/notes/report', { cause: 'other' })).text).toContain('Say what is wrong.');
    const sent = await post(null, '/l/notes/report', { cause: 'scam', words: 'A copy of my app.' });
    expect(sent.status).toBe(303);
    const path = `/desk/listings/${site.ids.listing}`;
    expect(await get('operator', path)).toContain('A copy of my app.');
    expect(await get('owner', `/dashboard/listings/${site.ids.listing}`)).not.toContain('A copy of my app.');
    expect((await post(null, '/l/draft/report', { cause: 'scam' })).status).toBe(404);
    for (const words of ['One.', 'Two.']) await post(null, '/l/notes/report', { cause: 'scam', words });
    const refused = await post(null, '/l/notes/report', { cause: 'scam', words: 'Three.' });
    // No field is wrong, so the page doesn't ask the person to check one.
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('That did not work')]);
    expect(refused.text).toContain('several open reports about this listing from your network');
    expect(refused.text).toContain('Three.');
    expect((await post('operator', `${path}/dismiss-reports`, { upTo: '' })).status).toBe(409);
  });

  test('operators can create and edit an owner’s listings and offers', async () => {
    const { listing, offer, account } = site.ids;
    const path = `/desk/listings/${listing}`;
    const edited = { name: 'Notes, corrected', url: 'https://moved.example/', version: '0' };
    const wrong = await post('operator', `${path}/edit`, { ...edited, name: '' });
    expect(wrong.text).toContain('The name is empty.');
    const versionNow = async () => String((await findListing(site.context.db.read, listing)).version);
    const saved = await post('operator', `${path}/edit`, { ...edited, version: await versionNow() });
    expect(saved.status).toBe(303);
    expect(await findListing(site.context.db.read, listing)).toMatchObject({
      name: 'Notes, corrected',
      state: 'approved',
      origin: 'https://moved.example',
    });
    const fields = { offer: 'Corrected', kind: 'discount', code: 'SPRING21', version: await versionNow() };
    for (const form of [`${path}/offers/new`, `${path}/offers/${offer}/edit`]) {
      const shown = await get('operator', form);
      expect(shown).toMatch(
        new RegExp(`id="preview"[^>]* hx-post="${form}/preview".*href="${path}">\\s*Cancel`, 's'),
      );
      // The texts must not address the operator as the app's owner.
      expect(shown).not.toMatch(/\byour (?:app|site|website|checkout|computer)\b/);
      const typed = await post('operator', `${form}/preview`, { ...fields, offer: 'Typed' });
      expect(typed.text).toMatch(/id="preview".*Typed.*value="Typed"/s);
    }
    const changed = await post('operator', `${path}/offers/${offer}/edit`, fields);
    expect(changed.status).toBe(303);
    expect(await get('operator', path)).toContain('<strong>Olga Operator</strong> edited the offer');
    const made = await post('operator', `/desk/accounts/${account}/listings/new`, {
      name: 'For Adele',
      url: 'https://adele.example/',
    });
    expect(made.status).toBe(303);
    expect(await findListing(site.context.db.read, 'for-adele')).toMatchObject({
      account_id: account,
      state: 'pending',
    });
    expect((await post('claimant', `${path}/edit`, edited)).status).toBe(404);
  });

  test('an operator’s edit that conflicts with an owner’s shows both values, and a retry replaces them', async () => {
    const { listing, offer, account } = site.ids;
    const { read } = site.context.db;
    const by = { actor: `account:${account}` } as const;
    const policy = { ...defaultPolicy(false), texts: 'list' } as const;
    const operatorId = site.people.operator.accountId;
    await setPolicy(site.context, { policy, hasProvider: false, operatorId, actor: 'operator' });
    const path = `/desk/listings/${listing}`;
    const listingForm = async () => listingValues(await findListing(read, listing));
    const offerForm = async () => offerValues((await findOffer(read, offer))!, DEFAULT_TIME_ZONE);
    const cases = [
      {
        page: `${path}/edit`,
        field: 'summary',
        stored: listingForm,
        ownersEdit: () => editListing(site.context, { ...by, listing, summary: 'Notes by owners' }),
      },
      {
        page: `${path}/offers/${offer}/edit`,
        field: 'conditions',
        stored: offerForm,
        ownersEdit: () => editOffer(site.context, { ...by, offerId: offer, conditions: 'Notes by owners' }),
      },
    ];
    const hiddenIn = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/name="(seen|version)" value="([^"]*)"/g)].map(([, name, value]) => [
          name!,
          value!,
        ]),
      );
    for (const { page, field, stored, ownersEdit } of cases) {
      const typed = { ...(await stored()), [field]: 'Notes by operators' };
      const loaded = hiddenIn(await get('operator', page));
      await ownersEdit();
      const conflict = await post('operator', page, { ...typed, ...loaded });
      expect([conflict.status, (await stored())[field]]).toEqual([409, 'Notes by owners']);
      expect(conflict.text).toMatch(
        new RegExp(`<th[^>]*>${field}.*Notes by <del>owners</del>.*Notes by <ins>operators</ins>`, 'is'),
      );
      const retry = await post('operator', page, { ...typed, ...hiddenIn(conflict.text) });
      expect([retry.status, (await stored())[field]]).toEqual([303, 'Notes by operators']);
    }
  });
});
