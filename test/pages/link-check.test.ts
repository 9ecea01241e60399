/** A link check in a browser: the owner sees each step of their real page turn, live. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOO_SOON_MS } from '../../src/dashboard/link-checks/findings.ts';
import { createKey } from '../../src/keys/create.ts';
import { createListing } from '../../src/listings/create.ts';
import { createOffer } from '../../src/offers/create.ts';
import { CHROMIUM, createVisitor, press, type Visitor } from '../support/browser.ts';
import { type SignedIn, signedInAs } from '../support/person.ts';
import { type RedemptionPage, startRedemptionPage } from '../support/redemption-page.ts';
import { type OwnSite, openSite } from '../support/site.ts';

const ACTOR = 'operator' as const;

describe.skipIf(CHROMIUM === null)('a link check in a browser', () => {
  let now = Date.now();
  let service: OwnSite;
  let owner: SignedIn;
  let owners: RedemptionPage;
  let visitor: Visitor;
  beforeAll(async () => {
    const env = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' };
    service = await openSite('sqlite', env, () => now);
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
    visitor = createVisitor(service.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    owners?.close();
    await service?.close();
  });

  const step = (page: Page, title: string, result: string) =>
    page.getByRole('heading', { name: `${result}: ${title}` }).waitFor();
  const open = async (page: Page, button: string): Promise<Page> => {
    now += TOO_SOON_MS;
    const opened = page.waitForEvent('popup');
    await press(page, page.getByRole('button', { name: button }));
    return opened;
  };
  const check = (use: (page: Page) => Promise<void>) =>
    visitor.visit(
      '/dashboard',
      async (page, faults) => {
        await page.getByRole('link', { name: 'Link check', exact: true }).click();
        await page.getByRole('link', { name: 'A month' }).click();
        await press(page, page.getByRole('button', { name: 'Check the live link' }));
        await step(page, 'Opening the link redeems nothing', 'Passed');
        await use(page);
        expect(faults).toEqual([]);
      },
      true,
      owner.person.profileCookies(service.baseUrl),
    );

  it('leads from the menu to a claim that is refused the second time', async () => {
    await check(async (page) => {
      await step(page, 'Your server calls verify', 'Passed');
      const theirs = await open(page, 'Open your link');
      await theirs.getByRole('button', { name: 'Get it' }).waitFor();
      await step(page, 'The claim is redeemed once', 'Waiting');
      now += TOO_SOON_MS;
      await press(theirs, theirs.getByRole('button', { name: 'Get it' }));
      await step(page, 'The claim is redeemed once', 'Passed');
      await theirs.close();
      const again = await open(page, 'Open the same link again');
      await again.getByText('already_redeemed').waitFor();
      await again.close();
      await step(page, 'A second visit is refused', 'Passed');
    });
  });

  it.each([
    ['a script', '<script>document.forms[0].submit()</script>'],
    ['a meta refresh', '<meta http-equiv="refresh" content="0;url=/redeem">'],
  ])('notices %s that redeems', async (_, html) => {
    let token = '';
    owners.answer = async (request, response, verify) => {
      response.setHeader('content-type', 'text/html');
      token = request.token || token;
      const redeems = request.method === 'POST' || request.path === '/redeem';
      await verify(token, redeems ? `attempt-${token}` : null);
      response.end(redeems ? 'Done' : `<form method="post"></form>${html}`);
    };
    await check(async (page) => {
      const theirs = await open(page, 'Open your link');
      await theirs.getByText('Done').waitFor();
      await theirs.close();
      await step(page, 'The claim is redeemed once', 'Note');
    });
  });
});
