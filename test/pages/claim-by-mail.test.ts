/** A stranger claims an offer with an email address and the code or the link of a mail, in Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import {
  CHROMIUM,
  collectFaults,
  openBrowser,
  openProfile,
  pageFindings,
  press,
} from '../support/browser.ts';
import { createTestPlace, type TestPlace } from '../support/engines.ts';
import { createOwner, OFFER_TEXT, type Owner } from '../support/marketplace.ts';
import { PASSWORD, Person } from '../support/person.ts';
import { startSite } from '../support/site.ts';
import { partOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const digitsIn = (mail: string): string => /^(\d{4} \d{4})$/m.exec(mail)![1]!;
const linkIn = (mail: string): string => /^(http\S+\/sign-in\/link#\w{10})$/m.exec(mail)![1]!;

describe.skipIf(CHROMIUM === null)('a claim by mail', () => {
  let place: TestPlace;
  let site: Service;
  let smtp: SmtpSink;
  let owner: Owner;
  let browser: Browser;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    place = await createTestPlace('sqlite');
    site = await startSite(place, { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    owner = await createOwner(site.context);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
    await smtp?.close();
    await place?.remove();
  });

  interface Visitor {
    readonly page: Page;
    /** Documents that the window has loaded. */
    readonly loads: () => number;
    readonly close: () => Promise<void>;
  }

  async function open(javaScript = true): Promise<Visitor> {
    const profile = await openProfile(browser, { baseUrl: site.baseUrl, javaScript });
    const page = await profile.newPage();
    const faults = collectFaults(page);
    let loads = 0;
    page.on('domcontentloaded', () => {
      loads += 1;
    });
    const close = async () => {
      expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
      await profile.close();
    };
    return { page, loads: () => loads, close };
  }
  const button = (page: Page, name: string) => press(page, page.getByRole('button', { name, exact: true }));
  async function ask(page: Page, email: string): Promise<void> {
    await page.goto(`/l/${owner.slug}?via=podcast`);
    await page.getByRole('button', { name: `Claim offer: ${OFFER_TEXT}` }).click();
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Email me a code');
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  }
  const claimsOf = async (email: string) =>
    site.context.db.read
      .selectFrom('claims')
      .innerJoin('accounts', 'accounts.id', 'claims.claimant_id')
      .select(['claims.id', 'claims.via'])
      .where('accounts.email', '=', email)
      .execute();

  it.each([true, false])('with the code typed in the same tab (scripts: %s)', async (javaScript) => {
    const email = `typed-${javaScript}@example.com`;
    const { page, loads, close } = await open(javaScript);
    await ask(page, email);
    await page.getByLabel('Code').fill(digitsIn(await smtp.mailTo(email)));
    await button(page, 'Continue');
    await page.waitForURL('**/claims/*');
    const claims = await claimsOf(email);
    expect(claims).toMatchObject([{ via: 'podcast' }]);
    expect(page.url()).toBe(`${site.baseUrl}/claims/${claims[0]!.id}`);
    // The listing, the code, and the claim.
    expect(loads()).toBe(3);
    await close();
  });

  it('on a separate page in a browser without popovers', async () => {
    const email = 'old-browser@example.com';
    const { page, close } = await open(false);
    await page.goto(`/l/${owner.slug}?via=podcast`);
    // The styles show it only to browsers without popovers.
    const link = page.locator('.without-popovers a');
    expect(await link.isVisible()).toBe(false);
    await page.goto((await link.getAttribute('href'))!);
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Email me a code');
    await page.getByLabel('Code').fill(digitsIn(await smtp.mailTo(email)));
    await button(page, 'Continue');
    await page.waitForURL('**/claims/*');
    expect(await claimsOf(email)).toMatchObject([{ via: 'podcast' }]);
    await close();
  });

  it('with the link in another browser: the claim is made there after one click, and here nobody is signed in', async () => {
    const email = 'elsewhere@example.com';
    const inApp = await open();
    await ask(inApp.page, email);
    const phone = await open();
    await phone.page.goto(linkIn(await smtp.mailTo(email)));
    expect(await claimsOf(email)).toEqual([]);
    await button(phone.page, 'Sign in');
    await phone.page.waitForURL('**/claims/*');
    expect(await claimsOf(email)).toMatchObject([{ via: 'podcast' }]);
    await inApp.page.getByText('Finished in another window').waitFor();
    expect((await inApp.page.goto('/claims'))!.url()).toContain('/sign-in');
    await inApp.close();
    await phone.close();
  });

  it('with the link in another tab of the browser: the tab that waits shows the claim', async () => {
    const email = 'tab@example.com';
    const { page, close } = await open();
    await ask(page, email);
    const tab = await page.context().newPage();
    await tab.goto(linkIn(await smtp.mailTo(email)));
    await button(tab, 'Sign in');
    await tab.waitForURL('**/claims/*');
    await page.waitForURL('**/claims/*');
    expect(await claimsOf(email)).toHaveLength(1);
    await close();
  });

  it('somebody else’s address claims nothing for the one who entered it', async () => {
    const victim = 'victim@example.com';
    const eve = new Person(site.baseUrl);
    const action = `/l/${owner.slug}/offers/${owner.offerId}/claim`;
    await eve.post(action, { email: victim, via: 'podcast' });
    const code = linkIn(await smtp.mailTo(victim)).split('#')[1]!;
    const clicked = new Person(site.baseUrl);
    await clicked.post('/sign-in/link', { code });
    expect(await clicked.isSignedIn()).toBe(true);
    expect((await eve.get('/sign-in/code')).text).toContain('Finished in another window');
    expect(await eve.isSignedIn()).toBe(false);
  });

  it('and a lost page is found again with the mail that the help page sends', async () => {
    const email = 'lost@example.com';
    const first = await open();
    await ask(first.page, email);
    await first.page.getByLabel('Code').fill(digitsIn(await smtp.mailTo(email)));
    await button(first.page, 'Continue');
    await first.page.waitForURL('**/claims/*');
    await first.close();
    const other = await open();
    await other.page.goto('/help');
    await other.page.getByLabel('Email address').fill(email);
    await button(other.page, 'Email me my claims');
    await other.page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    const isWanted = (mail: string) =>
      mail.includes(`To: ${email}\n`) && /^Subject: Your claims$/m.test(mail);
    await expect.poll(() => smtp.mails.some(isWanted), { timeout: 5_000 }).toBe(true);
    const mail = partOf(smtp.mails.find(isWanted)!, 'text/plain');
    await other.page.goto(linkIn(mail));
    await button(other.page, 'Sign in');
    await other.page.waitForURL('**/claims');
    await other.page.getByText(OFFER_TEXT).first().waitFor();
    await other.close();
  });

  it('every step looks as it should', async () => {
    const email = 'looks@example.com';
    const { page, close } = await open();
    const look = async (name: string) => expect(await pageFindings(page, name)).toEqual([]);
    await page.goto(`/l/${owner.slug}`);
    await look('mail-listing');
    await page.getByRole('button', { name: `Claim offer: ${OFFER_TEXT}` }).click();
    await look('mail-dialog');
    await page.getByLabel('Email address').fill('ada@');
    await button(page, 'Email me a code');
    await page.getByText('must look like').first().waitFor();
    await look('mail-claim');
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Email me a code');
    await page.getByLabel('Code').fill('0000 0000');
    await button(page, 'Continue');
    await page.getByText('This code is wrong').first().waitFor();
    await look('mail-code');
    await page.goto('/sign-in/password');
    await look('mail-password');
    await page.goto('/sign-in?expired');
    await look('mail-sign-in');
    await page.goto(linkIn(await smtp.mailTo(email)));
    await look('mail-link');
    await button(page, 'Sign in');
    await page.waitForURL('**/claims/*');
    await page.goto('/account');
    await page.locator('summary', { hasText: 'Add a password' }).click();
    await look('mail-account');
    await page.locator('form[action="/account/password"]').getByLabel('New password').fill(PASSWORD);
    await button(page, 'Add a password');
    await page.getByText('Your password is set.').waitFor();
    await close();
  });
});
