/**
 * A person without an account claims an offer with an emailed code or link, in a browser window as wide as a phone. The
 * tests limit the person's time, estimated from the number of taps, typed characters and loaded pages. The time for mail
 * delivery is not counted; the benchmark measures how fast pages are.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import {
  answered,
  CHROMIUM,
  createVisitor,
  pageFindings,
  press,
  type Visitor,
} from '../../support/browser.ts';
import { PASSWORD, Person, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';
import { newViewer } from '../viewers.ts';
import { createMarketListing, type OwnersPage, startOwnersPage } from './support.ts';

const TAP_MS = 1_100;
/** Time to type one character, at 40 words of five characters per minute. */
const CHARACTER_MS = 60_000 / (40 * 5);
/** Time to load a page in a phone's browser, until the person can go on. */
const LOAD_MS = 450;
const LINK_WITHIN_MS = 10_000;
const TYPED_WITHIN_MS = 20_000;
/** Longer than the polling interval of the page that waits for the code. */
const NEXT_LOOK_MS = 3_500;
const PHONE = { width: 390, height: 844 };
const OFFER = '20% off the first year';
const LISTING = '/l/notes?via=podcast';

const digitsIn = (mail: string): string => /^(\d{4} \d{4})$/m.exec(mail)![1]!;
const linkIn = (mail: string): string => /^(http\S+\/sign-in\/link#\w{10})$/m.exec(mail)![1]!;

/** Counts one person's taps, typed characters and loaded pages. */
class Clock {
  taps = 0;
  characters = 0;
  /** Number of pages loaded in the window that the person looks at. The other window polls. */
  loads = 0;
  private window: Page | undefined;

  get personMs(): number {
    return this.taps * TAP_MS + this.characters * CHARACTER_MS + this.loads * LOAD_MS;
  }

  async open(visitor: Visitor): Promise<Page> {
    const { page } = await visitor.open('about:blank');
    await page.clock.install();
    await page.setViewportSize(PHONE);
    this.window = page;
    page.on('response', (response) => {
      const isLoad = response.ok() && response.request().isNavigationRequest();
      if (isLoad && page === this.window) this.loads += 1;
    });
    return page;
  }

  /** Taps `target` and waits until `next` is visible. */
  async tap(target: Locator, next: Locator): Promise<void> {
    this.taps += 1;
    await target.click();
    await next.waitFor();
  }

  /** Types into a field that already has the focus, so no tap is needed. */
  async type(page: Page, field: string, text: string): Promise<void> {
    await page.locator(`[name=${field}]:focus`).waitFor();
    this.characters += text.length;
    await page.keyboard.type(text);
  }

  /** Accepts the browser's suggestion for the focused field with one tap. */
  async autofill(page: Page, field: string, text: string): Promise<void> {
    this.taps += 1;
    await page.locator(`[name=${field}]:focus`).fill(text);
  }
}

interface Walk {
  readonly clock: Clock;
  /** The page where the person entered the email address. */
  readonly page: Page;
  readonly email: string;
}

describe.skipIf(CHROMIUM === null)('claiming by email', () => {
  let site: OwnSite;
  let smtp: SmtpSink;
  let app: OwnersPage;
  let offerId: string;
  let visitor: Visitor;
  let otherBrowser: Visitor;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    app = await startOwnersPage();
    site = await openSite('sqlite', { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    const { offerIds } = await createMarketListing(site.context, await newViewer(site.context), {
      slug: 'notes',
      name: 'Fieldnotes',
      summary: 'Notes for people who work outdoors.',
      origin: app.origin,
      offers: [{ offer: OFFER }],
    });
    offerId = offerIds[0]!;
    visitor = createVisitor(site.baseUrl);
    otherBrowser = createVisitor(site.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await otherBrowser?.close();
    await site?.close();
    await smtp?.close();
    await app?.close();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const claimsOf = async (email: string) =>
    site.context.db.read
      .selectFrom('claims')
      .innerJoin('accounts', 'accounts.id', 'claims.claimant_id')
      .select('claims.via')
      .where('accounts.email', '=', email)
      .execute();
  let people = 0;

  /** Opens the listing, requests a code and returns the mail. */
  async function askForCode(clock: Clock, enter: 'type' | 'autofill') {
    people += 1;
    const email = `maria.lopez.${people}@example.com`;
    const page = await clock.open(visitor);
    await page.goto(LISTING);
    await clock.tap(button(page, /^Claim offer/), page.getByLabel('Email address'));
    await clock[enter](page, 'email', email);
    await clock.tap(button(page, 'Email me a code'), heading(page, 'Check your email'));
    return { email, page, mail: await smtp.mailTo(email) };
  }

  /** Opens the owner's page, which must receive the token without a Referer or cookies. */
  const openOwnersPage = async (clock: Clock, page: Page): Promise<void> => {
    await clock.tap(button(page, /^Open Fieldnotes/), heading(page, 'Welcome to the app'));
    expect(page.url()).toMatch(new RegExp(`^${app.origin}/welcome\\?claim=clm_[0-9A-Za-z]{33}$`));
    const { referer, cookie } = app.visits.at(-1)!.headers;
    expect([referer, cookie]).toEqual([undefined, undefined]);
  };

  async function walkWithCode(): Promise<Walk> {
    const clock = new Clock();
    const { page, email, mail } = await askForCode(clock, 'type');
    // The person taps the mail's notification, and then taps to return to the browser.
    clock.taps += 2;
    expect(await page.locator('.lead').innerText()).toContain(`To claim “${OFFER}” from Fieldnotes`);
    // The last digit sends the form, which the page says first.
    const about = await page.locator('[name=code]').getAttribute('aria-describedby');
    expect(await page.locator(`#${about}`).innerText()).toContain('The last digit sends the code.');
    await clock.type(page, 'code', digitsIn(mail).replace(' ', ''));
    await heading(page, OFFER).waitFor();
    await openOwnersPage(clock, page);
    return { clock, page, email };
  }

  /** `isSame`: whether the mail client opens the link in the browser that requested it, or in another one. */
  async function walkWithLink(isSame: boolean): Promise<Walk> {
    const clock = new Clock();
    const { page, email, mail } = await askForCode(clock, 'autofill');
    // One tap opens the mail, and another tap opens the link.
    clock.taps += 2;
    const phone = isSame ? page : await clock.open(otherBrowser);
    const choice = button(phone, 'Sign in and claim');
    await phone.goto(linkIn(mail));
    await choice.waitFor();
    expect(await claimsOf(email)).toEqual([]);
    // In another browser, a claim is not the default.
    expect(await phone.locator('.button.primary:focus').textContent()).toBe(
      isSame ? 'Sign in and claim' : 'Sign in without claiming',
    );
    await clock.tap(choice, heading(phone, OFFER));
    await openOwnersPage(clock, phone);
    return { clock, page, email };
  }

  async function walkWithin(ms: number, walk: () => Promise<Walk>): Promise<Walk> {
    const walked = await walk();
    expect(walked.clock.personMs).toBeLessThanOrEqual(ms);
    expect(await claimsOf(walked.email)).toEqual([{ via: 'podcast' }]);
    return walked;
  }

  test('takes at most 10 seconds with the link, which signs in only the browser that opens it', async () => {
    const { clock, page } = await walkWithin(LINK_WITHIN_MS, () => walkWithLink(false));
    // The embedded browser loads the listing and "Check your email". The other browser loads the link, the claim and the
    // owner's page.
    expect(clock).toMatchObject({ taps: 7, characters: 0, loads: 5 });
    await page.clock.fastForward(NEXT_LOOK_MS);
    await page.getByText('Finished in another window').waitFor();
    expect((await page.goto('/claims'))!.url()).toContain('/sign-in');
  });

  test('takes at most 10 seconds with the link in the browser that requested it', async () => {
    const { clock } = await walkWithin(LINK_WITHIN_MS, () => walkWithLink(true));
    expect(clock).toMatchObject({ taps: 7, characters: 0, loads: 5 });
  });

  test('takes at most 20 seconds if the address and the code are typed', async () => {
    const { clock } = await walkWithin(TYPED_WITHIN_MS, walkWithCode);
    // The browser loads the listing, "Check your email", the claim and the owner's page.
    expect(clock).toMatchObject({ taps: 5, loads: 4 });
  });

  test('works without JavaScript, and on a separate page in browsers without popover support', async () => {
    const email = 'old-browser@example.com';
    await visitor.visit(
      LISTING,
      async (page, faults) => {
        // CSS shows this link only in browsers without popover support.
        const link = page.locator('.without-popovers a');
        expect(await link.isVisible()).toBe(false);
        await page.goto((await link.getAttribute('href'))!);
        await page.getByLabel('Email address').fill(email);
        await press(page, button(page, 'Email me a code'));
        await page.getByLabel('Code').fill(digitsIn(await smtp.mailTo(email)));
        await press(page, button(page, 'Continue'));
        await page.waitForURL('**/claims/*');
        expect(faults).toEqual([]);
      },
      false,
    );
    expect(await claimsOf(email)).toEqual([{ via: 'podcast' }]);
  });

  test('a lost claim can be recovered with a mail requested on the help page', async () => {
    const email = 'lost@example.com';
    const { accountId } = await signedInAs(site, { email });
    await claimOffer(site.context, { claimantAccountId: accountId, listing: 'notes', offerId });
    const person = new Person(site.baseUrl);
    const form = /<form[^>]* action="\/sign-in".*?<\/form>/s.exec((await person.get('/help')).text)![0];
    expect(form).toMatch(/name="next" value="\/claims".*name="email"/s);
    await person.post('/sign-in', { next: '/claims', email });
    const mail = await smtp.mailTo(email);
    expect(mail).toMatch(/^Subject: Your claims$/m);
    const { location } = await person.post('/sign-in/link', {
      code: linkIn(mail).split('#')[1]!,
      choice: 'sign-in',
    });
    expect((await person.get(location!)).text).toContain(OFFER);
  });

  test('has no accessibility or layout problems at any step', () =>
    visitor.visit(LISTING, async (page, faults) => {
      const email = 'looks@example.com';
      const look = async (name: string) => expect(await pageFindings(page, name)).toEqual([]);
      const send = (name: string) => press(page, button(page, name));
      await look('mail-listing');
      await button(page, /^Claim offer/).click();
      await look('mail-dialog');
      await page.getByLabel('Email address').fill('ada@');
      await send('Email me a code');
      await page.getByText('must look like').first().waitFor();
      await look('mail-claim');
      await page.getByLabel('Email address').fill(email);
      await send('Email me a code');
      await page.getByLabel('Code').fill('0000 0000');
      await page.getByText('This code is wrong').first().waitFor();
      expect(await page.getByLabel('Code').isVisible()).toBe(true);
      // The response replaced the field. The last digit of the next code is sent, too.
      const sentAgain = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByLabel('Code').fill('0000 0001');
      await sentAgain;
      await answered(page);
      await look('mail-code');
      await page.goto('/sign-in/password');
      await look('mail-password');
      await page.goto('/sign-in?expired');
      await look('mail-sign-in');
      await page.goto(linkIn(await smtp.mailTo(email)));
      await button(page, 'Sign in and claim').waitFor();
      await look('mail-link');
      await send('Sign in and claim');
      await page.waitForURL('**/claims/*');
      await page.goto('/account');
      await page.locator('summary', { hasText: 'Add a password' }).click();
      await look('mail-account');
      await page.locator('form[action="/account/password"]').getByLabel('New password').fill(PASSWORD);
      await send('Add a password');
      await page.getByText('Your password is set.').waitFor();
      // The browser logs an error for each rejected form.
      expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
    }));
});
