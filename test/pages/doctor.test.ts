/** The doctor in a browser: the owner sees each step of their real page turn, live. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import { createKey } from '../../src/keys/create.ts';
import { createListing } from '../../src/listings/create.ts';
import { createOffer } from '../../src/offers/create.ts';
import { CHROMIUM, createVisitor, openBrowser, press, type Visitor } from '../support/browser.ts';
import { createTestPlace, type TestPlace } from '../support/engines.ts';
import { type SignedIn, signedInAs } from '../support/person.ts';
import { type RedemptionPage, startRedemptionPage } from '../support/redemption-page.ts';
import { startSite } from '../support/site.ts';

const ACTOR = 'operator' as const;

describe.skipIf(CHROMIUM === null)('the doctor in a browser', () => {
  let place: TestPlace;
  let service: Service;
  let owner: SignedIn;
  let owners: RedemptionPage;
  let browser: Browser;
  let visitor: Visitor;
  beforeAll(async () => {
    place = await createTestPlace('sqlite');
    service = await startSite(place, { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' });
    owner = await signedInAs(service, { email: 'adele@acme.example', plan: 'studio' });
    const account = owner.accountId;
    const { key } = await createKey(service.context, { account, name: 'Shop', mode: 'test', actor: ACTOR });
    owners = await startRedemptionPage(service.baseUrl, () => key);
    const url = new URL(owners.link).origin;
    const listing = { account, slug: 'notes', name: 'Notes', url, upTo: 'approved', actor: ACTOR } as const;
    await createListing(service.context, listing);
    const offer = {
      listing: 'notes',
      offer: 'A month',
      kind: 'trial',
      redemption_link: owners.link,
    } as const;
    await createOffer(service.context, { ...offer, actor: ACTOR });
    browser = await openBrowser();
    visitor = createVisitor(browser, service.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    owners?.close();
    await service?.stop();
    await place?.remove();
  });

  it('walks from the menu to a claim that is refused the second time', async () => {
    const cookies = owner.person.profileCookies(service.baseUrl);
    await visitor.visit(
      '/dashboard',
      async (page, faults) => {
        await page.getByRole('link', { name: 'Doctor', exact: true }).click();
        await press(page, page.getByRole('button', { name: 'Examine A month' }));
        const step = (title: string, result: string) =>
          page.getByRole('heading', { name: `${result}: ${title}` }).waitFor();
        await step('Your server asks about the token', 'Fine');
        await step('Opening the link redeems nothing', 'Fine');
        const open = async (button: string) => {
          const opened = page.waitForEvent('popup');
          await press(page, page.getByRole('button', { name: button }));
          return opened;
        };
        const theirs = await open('Open your link');
        await theirs.getByRole('button', { name: 'Get it' }).waitFor();
        await step('Your page opens and asks', 'Fine');
        await press(theirs, theirs.getByRole('button', { name: 'Get it' }));
        await step('The claim is redeemed', 'Fine');
        await theirs.close();
        const again = await open('Open the same link again');
        await again.getByText('already_redeemed').waitFor();
        await again.close();
        await step('The second time it is refused', 'Fine');
        expect(await page.getByText('All is well').count()).toBe(2);
        expect(faults).toEqual([]);
      },
      true,
      cookies,
    );
  });
});
