/**
 * A listing or the whole marketplace for members only. The routes come from the router, so a new route is tested too: no
 * response to somebody who isn't a member contains a text of the hidden listing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CAMPAIGNS_PATH,
  DESK_LINKS_PATH,
  listingLinksPath,
  listingPath,
  offerPath,
} from '../../../src/base/paths.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { defaultPolicy, type Policy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { createAccessLink, revokeAccessLink } from '../../../src/people/visibility/access-link.ts';
import { listAccessLinks } from '../../../src/people/visibility/link-queries.ts';
import { Person } from '../../support/person.ts';
import type { PersonName } from '../sample-data.ts';
import { fieldsFor, pathWith, type Route, routesOf } from '../site-routes.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

/** In every text of the listing and its offers. */
const MARK = 'Zyxwv';
/** In the summary. Without the mark, because pages repeat what was searched. */
const WORD = 'quagga';
const OWNER = 'Adele Acme';
const SHOWN = new RegExp(`${MARK}|${OWNER}`);

let site: WholeSite;
let ids: WholeSite['ids'];
beforeAll(async () => {
  site = await openWholeSite('sqlite', {
    // Waiting lists need a mail server.
    env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'claims@example.com' },
  });
  const { context } = site;
  // The routes of listings take the slug of a draft elsewhere.
  ids = { ...site.ids, draftSlug: site.slug };
  const text = (name: string) => `${MARK} ${name}`;
  await editListing(context, {
    listing: site.slug,
    name: text('Notebook'),
    summary: text(WORD),
    description: text('description'),
    visibility: 'members',
    actor: 'operator',
  });
  await editOffer(context, {
    offerId: ids.offer,
    offer: text('offer'),
    conditions: text('conditions'),
    actor: 'operator',
  });
});
afterAll(() => site?.close());

async function setMembers(change: Partial<Policy>): Promise<void> {
  await setPolicy(site.context, {
    policy: { ...defaultPolicy(false), ...change },
    hasProvider: false,
    operatorId: site.people.operator.accountId,
    actor: 'operator',
  });
  // Like a change on a page, a request to the desk invalidates cached pages.
  await site.request('operator', 'POST', '/desk/first-steps/hide', { form: {} });
}

const get = (person: PersonName | null, path: string, headers = {}) =>
  site.request(person, 'GET', path, { headers });
const claim = (person: PersonName, offer = ids.offer) =>
  site.request(person, 'POST', `${offerPath(site.slug, offer)}/claim`, { form: {} });

/** Ways to ask for the hidden listing in a query. */
const queries = () => [
  '',
  `?q=${WORD}`,
  '?sort=popular',
  `?next=${encodeURIComponent(`${offerPath(site.slug, ids.offer)}/claim`)}`,
  `?listing=${ids.listing}&offer=${ids.offer}`,
  '?via=newsletter',
];

/** Pages of the documentation, which read no listing and no query. */
const isGuide = (path: string) => path.startsWith('/docs') && path !== '/docs/search';

const OTHER_PATHS = ['/api/v1/catalogue', '/l/notes/', '/L/Notes', '/sitemap.xml/', '/no-such-page'];

/** What everybody may request with any query, and what signed-in people may request. */
function requestsOf(
  person: PersonName | null,
): readonly (readonly [method: string, path: string, route: Route | null])[] {
  const routes = routesOf(site.service);
  const isPublic = ({ rules }: Route) => rules === undefined || rules.for === 'anyone';
  return [
    ...OTHER_PATHS.map((path) => ['GET', path, null] as const),
    ...routes.flatMap((route) => {
      const path = pathWith(route, ids);
      if (route.method === 'GET' && isPublic(route)) {
        return (isGuide(path) ? [''] : queries()).map((query) => ['GET', path + query, route] as const);
      }
      if (person === null && !isPublic(route)) return [];
      // Forms without an ID in their path would change the person's own account.
      const isAsked = route.method === 'GET' || (route.method === 'POST' && route.parameters.length > 0);
      return isAsked ? [[route.method, path, route] as const] : [];
    }),
  ];
}

/** The requests whose responses show the listing to the person. */
async function sightingsOf(person: PersonName | null): Promise<readonly string[]> {
  const requests = requestsOf(person);
  expect(requests.length).toBeGreaterThan(100);
  const sightings: string[] = [];
  for (const [method, path, route] of requests) {
    const form = method === 'POST' && route !== null ? { form: fieldsFor(route, ids) } : {};
    const { text, headers } = await site.request(person, method, path, form);
    if (SHOWN.test(text + JSON.stringify([...headers]))) sightings.push(`${method} ${path}`);
  }
  return sightings;
}

async function offersNoBadge(): Promise<void> {
  const { text } = await get('owner', `${CAMPAIGNS_PATH}?listing=${site.slug}`);
  expect(text).not.toContain('badge.svg');
  expect(text).toContain('Badges and previews in chats don’t work');
  expect(text).toContain(`href="${listingLinksPath(ids.listing)}"`);
}

describe('a listing for members only', () => {
  test('is on no page, in no list and in no picture for people who are not members', async () => {
    expect(await sightingsOf(null)).toEqual([]);
    expect(await sightingsOf('stranger')).toEqual([]);
    // The control: some of the same requests show the listing to its owner.
    for (const path of ['/', `/?q=${WORD}`, listingPath(site.slug), offerPath(site.slug, ids.offer)]) {
      expect(requestsOf(null).some(([method, asked]) => method === 'GET' && asked === path)).toBe(true);
      expect((await get('owner', path)).text).toMatch(SHOWN);
    }
  });

  test('is refused by every route that takes a listing, also by those that show no text', async () => {
    const routes = routesOf(site.service).filter(({ path }) => path.startsWith('/l/'));
    expect(routes.length).toBeGreaterThan(6);
    const ask = async (person: PersonName | null, route: Route) =>
      (
        await site.request(person, route.method, pathWith(route, ids), {
          ...(route.method === 'POST' && { form: fieldsFor(route, ids) }),
        })
      ).status;
    // The same for everybody, with or without a session.
    const isPicture = ({ path }: Route) => /badge|posters/.test(path);
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      for (const person of route.rules?.for === 'anyone'
        ? ([null, 'stranger'] as const)
        : (['stranger'] as const)) {
        expect([name, await ask(person, route)]).toEqual([name, isPicture(route) ? 404 : 403]);
      }
      if (route.method === 'GET' && !isPicture(route))
        expect([200, 303], name).toContain(await ask('member', route));
    }
  });

  test('says who may see it, without caches and search engines', async () => {
    for (const person of [null, 'stranger'] as const) {
      const { status, text, headers } = await get(person, listingPath(site.slug));
      expect(status).toBe(403);
      expect(text).toContain('For members only');
      expect(text).toContain('<meta name="robots" content="noindex"/>');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('etag')).toBeNull();
    }
    expect((await get(null, listingPath(site.slug))).text).toContain(
      `/sign-in?next=${encodeURIComponent(listingPath(site.slug))}`,
    );
    // Nobody learns which offers the listing has.
    const [real, missing] = await Promise.all(
      [ids.offer, site.missing.offer].map((offer) => claim('stranger', offer)),
    );
    expect([real!.status, missing!.status]).toEqual([403, 403]);
    expect(real!.text.replaceAll(ids.offer, '')).toBe(missing!.text.replaceAll(site.missing.offer, ''));
  });

  test('stays hidden after a member has loaded the page, also for conditional requests', async () => {
    const path = listingPath(site.slug);
    const tags = ['*'];
    for (const person of ['owner', 'member', 'operator'] as const) {
      const shown = await get(person, path);
      expect([shown.status, SHOWN.test(shown.text)], person).toEqual([200, true]);
      expect(shown.headers.get('cache-control')).toContain('no-store');
      tags.push(shown.headers.get('etag') ?? '"none"');
    }
    for (const method of ['GET', 'HEAD']) {
      for (const tag of tags) {
        const { status, text } = await site.request(null, method, path, {
          headers: { 'if-none-match': tag },
        });
        expect([status, SHOWN.test(text)]).toEqual([403, false]);
      }
    }
    const { listings } = JSON.parse((await get('operator', '/api/v1/catalogue')).text);
    expect(listings).toEqual([]);
    expect((await get('operator', `${path}/badge.svg`)).status).toBe(404);
  });

  test('stays unnamed in a sign-in that began before it was hidden', async () => {
    const setVisibility = (visibility: string) =>
      editListing(site.context, { listing: site.slug, visibility, actor: 'operator' });
    await setVisibility('');
    const browser = new Person(site.service.baseUrl);
    const begun = await browser.post(`${offerPath(site.slug, ids.offer)}/claim`, {
      email: 'new@first.example',
    });
    const before = await browser.get(begun.location!);
    await setVisibility('members');
    expect(before.text).toContain(MARK);
    const after = await browser.get(begun.location!);
    expect(after.text).toContain('Check your email');
    expect(after.text).not.toContain(MARK);
  });

  test('offers its owner no badge, which would be missing, and says why', offersNoBadge);

  test('can be claimed only by members, and earlier claims are kept', async () => {
    expect(await claim('stranger')).toMatchObject({ status: 403 });
    expect((await claim('claimant')).location).toBe(`/claims/${ids.claim}`);
    expect((await get('claimant', `/claims/${ids.claim}`)).status).toBe(200);
    await setMembers({ memberDomains: ['acme.example'] });
    expect((await claim('removed')).location).toMatch(/^\/claims\//);
    expect((await get('removed', listingPath(site.slug))).status).toBe(200);
    await setMembers({ memberDomains: ['*.acme.example'] });
    expect((await get('removed', listingPath(site.slug))).status).toBe(403);
    await setMembers({});
  });
});

test('an invitation link works after signing in, and its revocation with the next request', async () => {
  const { context, people } = site;
  const scope = { listingId: ids.listing, accountId: people.owner.accountId };
  const change = { ...scope, actor: `account:${people.owner.accountId}` as const };
  const { code } = await createAccessLink(context, { ...change, name: 'Podcast', people: 1, days: 30 });
  const { person } = people.stranger;
  expect((await person.post('/invitation', { code })).location).toBe('/invitation/open');
  const opened = await person.get('/invitation/open');
  expect(opened.text).toContain(`${OWNER}`);
  expect(opened.text).not.toContain(MARK);
  expect((await person.post('/invitation/accept')).location).toBe(listingPath(site.slug));
  expect((await person.get(listingPath(site.slug))).text).toContain(MARK);
  expect((await person.get('/')).text).toContain(MARK);

  // Forwarded to a second person, although it is for one.
  const other = people.removed.person;
  await other.post('/invitation', { code });
  expect((await other.post('/invitation/accept')).text).toContain('does not work any more');
  expect((await other.get(listingPath(site.slug))).status).toBe(403);

  const [link] = await listAccessLinks(context.db.read, ids.listing);
  await revokeAccessLink(context, { ...change, id: link!.id });
  expect((await person.get(listingPath(site.slug))).status).toBe(403);
  expect((await person.get('/')).text).not.toContain(MARK);
});

test('operators see the invitation links of owners, without their codes, and can revoke them', async () => {
  const { context, people } = site;
  const { accountId } = people.owner;
  const { code } = await createAccessLink(context, {
    listingId: ids.listing,
    accountId,
    actor: `account:${accountId}`,
    name: 'Conference',
    people: 7,
    days: 30,
  });
  const page = (await get('operator', DESK_LINKS_PATH)).text;
  expect(page).toMatch(/Conference.*Zyxwv Notebook.*Adele Acme.*0 of 7/s);
  expect(page.replaceAll('-', '')).not.toContain(code.replaceAll('-', ''));
  const names = async () => (await listAccessLinks(context.db.read, ids.listing)).map(({ name }) => name);
  const { id } = (await listAccessLinks(context.db.read, ids.listing)).find(
    ({ name }) => name === 'Conference',
  )!;
  const revoke = (person: PersonName) =>
    site.request(person, 'POST', `${DESK_LINKS_PATH}/${id}/revoke`, { form: {} });
  expect((await revoke('owner')).status).toBeGreaterThanOrEqual(400);
  expect(await names()).toContain('Conference');
  expect((await revoke('operator')).location).toBe(`${DESK_LINKS_PATH}?done=revoked`);
  expect(await names()).not.toContain('Conference');
});

describe('a marketplace for members only', () => {
  beforeAll(async () => {
    await editListing(site.context, { listing: site.slug, visibility: '', actor: 'operator' });
    await setMembers({ visibility: 'members', memberDomains: ['people.example'] });
  });

  test('shows strangers no listing, count or search result, and members everything', async () => {
    expect(await sightingsOf(null)).toEqual([]);
    expect(await sightingsOf('stranger')).toEqual([]);
    const front = await get(null, '/');
    expect([front.status, front.text.includes('noindex')]).toEqual([200, true]);
    expect(front.text).toContain('people.example');
    expect((await get('claimant', '/')).text).toContain(MARK);
    expect((await get(null, '/')).text).not.toContain(MARK);
  });

  test('offers owners no badge and members no feed', async () => {
    await offersNoBadge();
    expect((await get('claimant', '/')).text).not.toContain('application/atom+xml');
  });

  test('gives an existing and an unknown address the same response', async () => {
    for (const person of [null, 'stranger'] as const) {
      const real = await get(person, listingPath(site.slug));
      const missing = await get(person, listingPath('no-such-app'));
      expect(real.status).toBe(403);
      const slugs = /(\/|%2F)(?:notes|no-such-app)/g;
      expect(real.text.replaceAll(slugs, '$1')).toBe(missing.text.replaceAll(slugs, '$1'));
      expect(missing.status).toBe(403);
    }
  });

  test('can be claimed only by members', async () => {
    expect((await claim('stranger')).status).toBe(403);
    await setMembers({ visibility: 'members', memberDomains: ['elsewhere.example'] });
    expect((await claim('stranger')).location).toMatch(/^\/claims\//);
  });
});
