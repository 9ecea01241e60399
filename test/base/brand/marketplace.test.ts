/** Brand, general settings and plans: saved changes take effect in every process without a restart. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { openMarketplace } from '../../../src/base/brand/marketplace.ts';
import type { Database } from '../../../src/platform/store/database.ts';
import { ENGINES } from '../../support/engines.ts';
import { saveBrand } from '../../support/marketplace.ts';
import { type Person, type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite, startSite } from '../../support/site.ts';

const ENV = { MARKETPLACE_NAME: 'Erster Markt', TIME_ZONE: 'Europe/Berlin' };
const FORM = { name: 'Wolkenmarkt' };
const PATH = '/desk/settings/brand';
const GENERAL = { timeZone: 'Pacific/Auckland', language: 'en', showsSoftware: 'yes' };
const GENERAL_PATH = '/desk/settings/general';
/** Other processes reload the brand within this time. */
const NOTICED_MS = 1_000;

const PLANS_FORM = {
  'starter.name': 'Starter',
  'studio.name': 'Pro',
  'studio.price': '€29 a month',
  'studio.listings': '3',
  'everything.name': 'Everything',
  'everything.isHidden': 'yes',
};

describe.each(ENGINES)('the brand on %s', (engine) => {
  let site: OwnSite;
  let operator: SignedIn;
  let olga: Person;
  beforeAll(async () => {
    site = await openSite(engine, ENV);
    operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
    olga = operator.person;
  });
  afterAll(() => site?.close());
  const set = (changed: object) => saveBrand(site.context, operator.accountId, changed);
  afterEach(() => set({}));

  /** Returns the site's database, modified to call `onRead` before each read. */
  function watched(onRead: () => void): Database {
    const { db } = site.context;
    const read = Object.create(db.read, {
      selectFrom: {
        value: (table: 'settings') => {
          onRead();
          return db.read.selectFrom(table);
        },
      },
    }) as Database['read'];
    return { ...db, read };
  }

  const get = async (path: string, { baseUrl }: Pick<OwnSite, 'baseUrl'> = site) =>
    (await fetch(baseUrl + path)).text();

  // Runs only on PostgreSQL, because SQLite allows only one server process.
  if (engine === 'postgres') {
    test('is updated in other processes within a second', async () => {
      const other = await startSite(site.dbLocation, ENV);
      const paths = ['/', '/help', '/docs'];
      try {
        for (const path of paths) expect(await get(path, other)).toContain('Erster Markt');
        await set({ name: 'Wolkenmarkt' });
        await olga.post('/desk/settings/plans', PLANS_FORM);
        vi.spyOn(performance, 'now').mockReturnValue(performance.now() + NOTICED_MS);
        for (const path of paths) expect(await get(path, other), path).toContain('Wolkenmarkt');
        expect(other.context.marketplace.brand.name).toBe('Wolkenmarkt');
        expect(other.context.marketplace.plans.studio).toMatchObject({ name: 'Pro', listings: 3 });
      } finally {
        vi.restoreAllMocks();
        await other.stop();
      }
    });
    // The remaining tests run the same queries on every engine, so SQLite is enough.
    return;
  }

  test('is taken from the environment until an operator changes it', async () => {
    expect(await get('/')).toContain('· Erster Markt</title>');
    const page = (await olga.get(PATH)).text;
    expect(page).toContain('Erster Markt<p class="hint"><code>MARKETPLACE_NAME</code></p>');
    expect(page).not.toContain('MARKETPLACE_HEADLINE');
    expect((await olga.get(GENERAL_PATH)).text).toContain(
      'Europe/Berlin<p class="hint"><code>TIME_ZONE</code></p>',
    );
    expect(page).not.toContain('replaced by the value saved here');
    const saved = await olga.post(PATH, FORM);
    expect(saved.location).toBe(`${PATH}?done`);
    const general = await olga.post(GENERAL_PATH, { ...GENERAL, contact: 'help@wolken.example' });
    expect(general.location).toBe(`${GENERAL_PATH}?done`);
    expect((await olga.get(PATH)).text).toContain(
      'Erster Markt, replaced by the value saved here<p class="hint"><code>MARKETPLACE_NAME</code></p>',
    );
    const { context } = site;
    expect(context.marketplace.brand).toMatchObject({
      name: 'Wolkenmarkt',
      contact: 'mailto:help@wolken.example',
    });
    expect(context.marketplace.timeZone).toBe('Pacific/Auckland');
    expect((await olga.get('/desk/events?type=all')).text).toContain('Name: Wolkenmarkt (was Erster Markt)');
  });

  test('keeps what another operator has changed since a form was opened', async () => {
    const valueIn = (html: string, field: string) =>
      new RegExp(`name="${field}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? '';
    const open = async (path: string, fields: readonly string[]) => {
      const { text } = await olga.get(path);
      return Object.fromEntries([...fields, 'seen'].map((field) => [field, valueIn(text, field)]));
    };
    const fields = ['name', 'accent', 'headline', 'lead'];
    const [first, second, third] = [
      await open(PATH, fields),
      await open(PATH, fields),
      await open(PATH, fields),
    ];
    expect((await olga.post(PATH, { ...first, name: 'Wolkenmarkt' })).status).toBe(303);
    expect((await olga.post(PATH, { ...second, headline: 'Himmel' })).status).toBe(303);
    expect(site.context.marketplace.brand).toMatchObject({ name: 'Wolkenmarkt', headline: 'Himmel' });
    const refused = await olga.post(PATH, { ...third, name: 'Sternenmarkt' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Someone else has changed this too.');
    expect(site.context.marketplace.brand.name).toBe('Wolkenmarkt');
    const shownAgain = { headline: valueIn(refused.text, 'headline'), seen: valueIn(refused.text, 'seen') };
    const again = { ...third, name: 'Sternenmarkt', ...shownAgain };
    expect((await olga.post(PATH, again)).status).toBe(303);
    expect(site.context.marketplace.brand).toMatchObject({ name: 'Sternenmarkt', headline: 'Himmel' });

    const opened = await open(GENERAL_PATH, ['contact']);
    await set({ showsSoftware: false });
    const kept = {
      ...GENERAL,
      timeZone: 'Europe/Berlin',
      seen: opened['seen']!,
      contact: 'help@wolken.example',
    };
    expect((await olga.post(GENERAL_PATH, kept)).status).toBe(303);
    expect(site.context.marketplace.brand).toMatchObject({
      contact: 'mailto:help@wolken.example',
      showsSoftware: false,
    });
  });

  test('uses the environment for values that no operator has changed', async () => {
    await set({ name: 'Wolkenmarkt' });
    const other = { ...DEFAULT_BRAND, name: 'X', accent: '#ffd400', timeZone: 'Asia/Tokyo', language: 'de' };
    const { brand } = await openMarketplace(site.context.db, other, Date.now);
    expect(brand).toEqual({ ...other, name: 'Wolkenmarkt' });
  });

  test('is updated immediately after saving, even on cached pages', async () => {
    const paths = ['/', '/help', '/docs', '/sign-in'];
    for (const path of paths) expect(await get(path)).toContain('Erster Markt');
    await olga.post(PATH, FORM);
    for (const path of paths) {
      const text = await get(path);
      expect(text, path).toContain('Wolkenmarkt');
      expect(text, path).not.toContain('Erster Markt');
    }
  });

  test('sets the language of public pages and the desk', async () => {
    await olga.post(GENERAL_PATH, { ...GENERAL, language: 'de' });
    expect(await get('/help')).toMatch(/<html lang="de" dir="ltr">.*<h1 dir="auto">Hilfe<\/h1>/s);
    expect((await olga.get(GENERAL_PATH)).text).toMatch(
      /<html lang="de" dir="ltr">.*<option value="de" selected="">Deutsch/s,
    );
  });

  test('can be previewed without being saved', async () => {
    const preview = await olga.post(`${PATH}/preview`, { ...FORM, accent: '#ffd400' });
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('Nothing has been saved yet');
    expect(preview.text).toContain('· Wolkenmarkt</title>');
    expect(preview.text).toContain('/assets/accent-ffd400.');
    expect(preview.text).toContain('rx="6" fill="#8b7300"');
    expect(preview.text).toContain('#ffd400 is too light for white text, so buttons use #8b7300.');
    expect(site.context.marketplace.brand.name).toBe('Erster Markt');
  });

  test('is not saved if the form is invalid; the form names every problem and keeps the input', async () => {
    const general = await olga.post(GENERAL_PATH, { ...GENERAL, language: 'xx' });
    expect(general.status).toBe(422);
    expect(general.text).toContain('The language must be en or de; found &quot;xx&quot;.');
    const answer = await olga.post(PATH, { name: '', accent: 'sunny' });
    expect(answer.status).toBe(422);
    for (const words of [
      'The name of the marketplace is empty.',
      'The accent colour must be a solid colour',
      'value="sunny"',
    ])
      expect(answer.text).toContain(words);
    expect(site.context.marketplace.brand.name).toBe('Erster Markt');
  });

  test('is edited on two pages that preserve each other’s values', async () => {
    await olga.post(GENERAL_PATH, { ...GENERAL, contact: 'help@wolken.example' });
    await olga.post(PATH, FORM);
    const both = { name: 'Wolkenmarkt', contact: 'mailto:help@wolken.example', showsSoftware: true };
    expect(site.context.marketplace.brand).toMatchObject(both);
    await olga.post(GENERAL_PATH, GENERAL);
    expect(site.context.marketplace.brand).toMatchObject({ ...both, contact: null });
  });

  test('can be changed only by operators', async () => {
    const { person } = await signedInAs(site, { email: 'bo@example.com' });
    for (const path of [PATH, `${PATH}/preview`, GENERAL_PATH])
      expect((await person.post(path, FORM)).status).toBe(404);
  });

  test('includes plans whose names, prices and limits operators can change', async () => {
    const saved = await olga.post('/desk/settings/plans', PLANS_FORM);
    expect(saved.location).toBe('/desk/settings/plans?done');
    expect(site.context.marketplace.plans.studio).toMatchObject({ name: 'Pro', price: '€29 a month' });
    expect((await olga.get('/dashboard/settings/plan')).text).toContain('€29 a month');
    expect((await olga.get('/desk/events?type=all')).text).toContain('Studio: name: Pro (was Studio)');
    const wrong = { ...PLANS_FORM, 'studio.name': 'Starter', 'starter.listings': '101' };
    const refused = await olga.post('/desk/settings/plans', wrong);
    expect(refused.text).toContain('“Listings” must be a whole number from 1 to 100.');
    const twice = await olga.post('/desk/settings/plans', { ...PLANS_FORM, 'studio.name': 'Starter' });
    expect(twice.text).toContain('Another plan has this name.');
  });

  test('is read from the database once for concurrent requests and at most once a second', async () => {
    let reads = 0;
    const db = watched(() => {
      reads += 1;
    });
    const marketplace = await openMarketplace(db, DEFAULT_BRAND, Date.now);
    const ofOne = reads;
    await Promise.all([marketplace.refresh(), marketplace.refresh()]);
    expect(marketplace.refresh()).toBeNull();
    expect(reads).toBe(2 * ofOne);
  });

  test('keeps its previous values if the database is unavailable', async () => {
    let isAway = false;
    const db = watched(() => {
      if (isAway) throw new Error('unavailable');
    });
    await set({ name: 'Wolkenmarkt' });
    const marketplace = await openMarketplace(db, DEFAULT_BRAND, Date.now);
    isAway = true;
    await marketplace.refresh();
    expect(marketplace.brand.name).toBe('Wolkenmarkt');
  });
});
