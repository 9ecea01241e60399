/** The front page and its settings at the desk. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';

const SETTINGS = '/desk/settings/front-page';

let site: OwnSite;
let operator: SignedIn;

beforeAll(async () => {
  site = await openSite('sqlite');
  operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
});
afterAll(() => site?.close());

async function publish(slug: string, name: string, account = operator.accountId): Promise<void> {
  const listing = {
    account,
    slug,
    name,
    url: 'https://app.example',
    upTo: 'approved',
  } as const;
  await createListing(site.context, { ...listing, actor: 'operator' });
  const offer = { listing: slug, offer: `Half off ${name}`, kind: 'discount', code: 'HALF' };
  await createOffer(site.context, { ...offer, actor: 'operator' });
}

const front = async (query = ''): Promise<string> => (await operator.person.get(`/${query}`)).text;

/** Slugs of the apps on a page, in order. */
const appsIn = (html: string): readonly string[] =>
  [...html.matchAll(/href="\/l\/([a-z0-9-]+)"/g)].map(([, slug]) => slug!);

const categories = (form: Readonly<Record<string, string>>) =>
  operator.person.post(`${SETTINGS}/categories`, form);
const feature = (form: Readonly<Record<string, string>>) =>
  operator.person.post(`${SETTINGS}/featured`, form);
/** Submits the form of the arrow with the label, as the page of the settings renders it. */
async function moveFeatured(label: string): Promise<void> {
  const forms = (await operator.person.get(SETTINGS)).text.split('<form ');
  const form = forms.find((html) => html.includes(`aria-label="${label}"`))!;
  const fields = form.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g);
  await feature(Object.fromEntries([...fields].map(([, name, value]) => [name!, value!])));
}
const namesIn = (html: string): readonly string[] =>
  [...html.matchAll(/name="name-[^"]*"[^>]*value="([^"]*)"/g)].map(([, name]) => name!);

test('the front page shows search, sorting and pagination only once there are enough apps', async () => {
  expect(await front()).toContain('No apps are published here yet.');
  await publish('cafe', 'Café');
  expect(await front()).not.toMatch(/name="q"|Newest/);
  expect(await front()).toMatch(/See the offer<[\s\S]*How it works[\s\S]*Redeem it in the app/);
  for (let app = 1; app <= 30; app += 1) await publish(`app-${app}`, `App ${app}`);
  expect(await front()).toMatch(/name="q"[\s\S]*Newest[\s\S]*Page 1 of 2/);
  expect(await front()).not.toMatch(/Ending soon|See the offer|How it works/);
});

test('the page for owners promises an email only if there is a mail server', async () => {
  expect((await operator.person.get('/publish')).text).toContain('Your dashboard shows when it is live');
  const mailed = await openSite('sqlite', {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'claims@example.com',
  });
  onTestFinished(() => mailed.close());
  expect(await (await fetch(`${mailed.baseUrl}/publish`)).text()).toContain(
    'You get an email when it is live',
  );
});

test('search, filters, sorting and pages are URL parameters, and empty results link to a broader list', async () => {
  expect(appsIn(await front()).slice(0, 2)).toEqual(['app-30', 'app-29']);
  expect(appsIn(await front('?page=2')).at(-1)).toBe('cafe');
  expect(appsIn(await front('?q=CAFE'))).toEqual(['cafe']);
  for (const [query, sentence, link] of [
    ['?page=3', 'There is no page 3.', '/'],
    ['?q=zebra', 'No apps match “zebra”.', '/'],
    ['?q=zebra&kind=gift', 'No gift offers match “zebra”.', '/?q=zebra'],
    ['?kind=gift', 'No gift offers at the moment.', '/'],
    ['?category=gone', 'This category doesn’t exist (any more).', '/'],
    ['?sort=ending', 'No open offer here has an end date.', '/'],
  ] as const) {
    const [before = '', after] = (await front(query)).replaceAll(/[\u2068\u2069]/g, '').split(sentence);
    expect(after, `${query}: ${before.slice(-200)}`).toContain(`href="${link}"`);
  }
});

test('operators can add, rename, reorder and remove categories', async () => {
  await categories({ added: 'Design' });
  await categories({ added: 'Büro' });
  await categories({ renamed: 'buero', 'name-buero': 'Office' });
  await categories({ added: 'Musik' });
  await categories({ moved: 'buero', step: 'up' });
  // The last category cannot move down.
  await categories({ moved: 'musik', step: 'down' });
  expect(namesIn((await operator.person.get(SETTINGS)).text)).toEqual(['Office', 'Design', 'Musik']);
  const taken = await categories({ renamed: 'musik', 'name-musik': 'OFFICE' });
  expect([taken.status, taken.text]).toEqual([
    422,
    expect.stringContaining('There is already a category &quot;Office&quot;.'),
  ]);
  expect((await categories({ added: 'x'.repeat(41) })).text).toContain('at most 40');
  for (const listing of ['cafe', 'app-7']) {
    await editListing(site.context, { listing, category: 'office', actor: 'operator' });
  }
  const html = await front('?category=buero');
  expect(appsIn(html)).toEqual(['app-7', 'cafe']);
  expect(html).toContain('<title>Office');
  // Categories without an app are hidden.
  expect(html).not.toContain('Musik');
  await categories({ removed: 'buero' });
  expect(await front()).not.toContain('Office');
  await categories({ added: 'büro' });
  expect(appsIn(await front('?category=buero'))).toHaveLength(2);
});

test('operators can feature up to six apps in an order they choose', async () => {
  await feature({ app: 'CAFÉ' });
  await feature({ app: `${site.baseUrl}/l/app-3` });
  await feature({ app: 'app-30' });
  expect(appsIn(await front()).slice(0, 4)).toEqual(['cafe', 'app-3', 'app-30', 'app-29']);
  await moveFeatured('Down: Café');
  expect(appsIn(await front()).slice(0, 3)).toEqual(['app-3', 'cafe', 'app-30']);
  await moveFeatured('Up: App 30');
  expect(appsIn(await front()).slice(0, 3)).toEqual(['app-3', 'app-30', 'cafe']);
  expect((await feature({ app: 'No such app' })).text).toContain('There is no listing');
  for (const app of ['app-4', 'app-5', 'app-6']) await feature({ app });
  expect((await feature({ app: 'app-7' })).text).toContain('At most 6 listings can be featured');
  const fromReview = async (slug: string) => {
    const listing = await findListing(site.context.db.read, slug);
    const { headers } = await operator.person.post(`/desk/listings/${listing.id}/feature`, {});
    return headers.get('location')!.replace(listing.id, slug);
  };
  expect(await fromReview('app-7')).toBe(`${SETTINGS}?full`);
  await suspendListing(site.context, { listing: 'app-7', actor: 'operator', reason: null });
  expect(await fromReview('app-7')).toBe('/desk/listings/app-7');
});

test('a missing page and a listing lead to other apps with open offers', async () => {
  await categories({ added: 'Music' });
  for (const listing of ['app-9', 'cafe']) {
    await editListing(site.context, { listing, category: 'music', actor: 'operator' });
  }
  await createListing(site.context, {
    account: operator.accountId,
    slug: 'no-offer',
    name: 'No offer',
    url: 'https://app.example',
    upTo: 'approved',
    actor: 'operator',
  });
  const missing = await operator.person.get('/nothing');
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('name="q"');
  // Without claims, the newest app is the most popular.
  expect(appsIn(missing.text)).toEqual(['app-30', 'app-29', 'app-28']);
  const besides = (await operator.person.get('/l/cafe')).text.split('id="more-apps"')[1]!;
  expect(appsIn(besides)).toEqual(['app-9', 'app-30', 'app-29']);
});

test('a listing leads to its category, and to other apps of its owner first', async () => {
  const { accountId } = await signedInAs(site, { email: 'ines@example.com' });
  for (const [slug, category] of [
    ['one', 'music'],
    ['two', ''],
    ['three', 'music'],
  ] as const) {
    await publish(slug, `Ines ${slug}`, accountId);
    await editListing(site.context, { listing: slug, category, actor: 'operator' });
  }
  const page = async () => (await operator.person.get('/l/one')).text;
  expect(await page()).toContain('<a href="/?category=music" dir="auto">Music</a>');
  const besides = async () => appsIn((await page()).split('id="more-apps"')[1]!).slice(0, 2);
  await expect.poll(besides, { timeout: 3_000 }).toEqual(['three', 'two']);
});
