/** The whole way of someone new, on the service as it runs: share link, sign-up, claim, the owner's page, redemption. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlan } from '../../src/accounts/set-plan.ts';
import type { Service } from '../../src/app.ts';
import { createKey } from '../../src/keys/create.ts';
import { CHROMIUM, openBrowser, openProfile } from '../support/browser.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { startSite } from '../support/site.ts';
import { createMarketListing, type OwnersPage, startOwnersPage } from './claimant-support.ts';
import { newViewer } from './viewers.ts';

describe.skipIf(CHROMIUM === null).each(ENGINES)('someone new on %s', (engine) => {
  let database: TestDatabase;
  let owners: OwnersPage;
  let site: Service;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    owners = await startOwnersPage();
    site = await startSite(database);
  });
  afterAll(async () => {
    await site.stop();
    await owners.close();
    await database.close();
  });

  it.each([true, false])(
    'signs up on the way and keeps offer and label (scripts: %s)',
    async (javaScript) => {
      const { context } = database;
      const owner = await newViewer(context, { name: 'Ada Acme' });
      await setPlan(context, { account: owner.accountId, plan: 'studio', actor: 'operator' });
      const { key } = await createKey(context, {
        account: owner.accountId,
        name: 'server',
        mode: 'live',
        actor: 'operator',
      });
      const slug = `notes-${javaScript}`;
      await createMarketListing(context, owner, {
        slug,
        name: 'Notes',
        origin: owners.origin,
        offers: [{ offer: 'Another one' }, { offer: '20 % off the first year' }],
      });

      const browser = await openBrowser();
      const profile = await openProfile(browser, { baseUrl: site.baseUrl, javaScript });
      const page = await profile.newPage();
      await page.goto(`/l/${slug}?via=spring`);
      await page.getByRole('link', { name: 'Claim offer: 20 % off the first year' }).click();
      await page.locator('main').getByRole('link', { name: 'Sign up' }).click();
      await page.getByLabel('Name').fill('Bo Claimant');
      await page.getByLabel('E-mail').fill(`bo-${javaScript}@example.com`);
      await page.getByLabel('Password').fill('a password of some length');
      await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
      await page.waitForURL(`**/l/${slug}?via=spring#offer-*`);
      await page.getByRole('button', { name: 'Claim offer: 20 % off the first year' }).click();
      await page.getByRole('button', { name: 'Open Notes: 20 % off the first year' }).click();
      await page.getByRole('heading', { name: 'Welcome to the app' }).waitFor();

      const token = new URL(page.url()).searchParams.get('claim');
      const verify = await fetch(`${site.baseUrl}/api/v1/marketplace/claims/verify`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ token, redeem: true }),
      });
      expect(await verify.json()).toMatchObject({ status: 'redeemed', via: 'spring' });
      await page.goto('/claims');
      expect(await page.getByRole('article').textContent()).toContain('Redeemed');
      await profile.close();
    },
  );
});
