/**
 * A stranger claims an offer with an email address and the code or the link of a mail: real pages, mails and a browser
 * as wide as a phone. How long it takes follows from what the person does and how long they wait for pages; the time
 * that the mail travels does not count.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOffer } from '../../src/claims/claim-offer.ts';
import { CHROMIUM, createVisitor, pageFindings, press, type Visitor } from '../support/browser.ts';
import { PASSWORD, Person, signedInAs } from '../support/person.ts';
import { type OwnSite, openSite } from '../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { createMarketListing, type OwnersPage, startOwnersPage } from './claimant-support.ts';
import { newViewer } from './viewers.ts';

const TAP_MS = 1_100;
/** 40 words a minute, of five characters. */
const CHARACTER_MS = 60_000 / (40 * 5);
const LINK_WITHIN_MS = 10_000;
const TYPED_WITHIN_MS = 20_000;
/** If a walk takes too long, it is tried again, up to this many walks in all, because the machine may be busy. */
const WALKS = 3;
/** More than the interval at which the waiting page asks for news. */
const NEXT_LOOK_MS = 3_500;
const PHONE = { width: 390, height: 844 };
const OFFER = '20% off the first year';
const LISTING = '/l/notes?via=podcast';

const digitsIn = (mail: string): string => /^(\d{4} \d{4})$/m.exec(mail)![1]!;
const linkIn = (mail: string): string => /^(http\S+\/sign-in\/link#\w{10})$/m.exec(mail)![1]!;

/** What a person has done, and how long they have waited for pages. */
class Clock {
  taps = 0;
  characters = 0;
  waitedMs = 0;
  /** Pages that were loaded in any window. */
  loads = 0;

  get personMs(): number {
    return this.taps * TAP_MS + this.characters * CHARACTER_MS + this.waitedMs;
  }

  async open(visitor: Visitor): Promise<Page> {
    const { page } = await visitor.open('about:blank');
    await page.clock.install();
    await page.setViewportSize(PHONE);
    page.on('response', (response) => {
      if (response.ok() && response.request().isNavigationRequest()) this.loads += 1;
    });
    return page;
  }

  /** Taps, and waits for what the person looks for next. */
  async tap(target: Locator, next: Locator): Promise<void> {
    this.taps += 1;
    await this.wait(async () => {
      await target.click();
      await next.waitFor();
    });
  }

  /** Into the field that has the focus, so that nobody has to tap it. */
  async type(page: Page, field: string, text: string): Promise<void> {
    await page.locator(`[name=${field}]:focus`).waitFor();
    this.characters += text.length;
    await page.keyboard.type(text);
  }

  /** Takes with one tap what the browser suggests for the field that has the focus. */
  async autofill(page: Page, field: string, text: string): Promise<void> {
    this.taps += 1;
    await page.locator(`[name=${field}]:focus`).fill(text);
  }

  async wait(work: () => Promise<unknown>): Promise<void> {
    const beganMs = performance.now();
    await work();
    this.waitedMs += performance.now() - beganMs;
  }
}

interface Walk {
  readonly clock: Clock;
  /** Where the code was asked for. */
  readonly page: Page;
  readonly email: string;
}

describe.skipIf(CHROMIUM === null)('a claim by mail', () => {
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

  /** From the page of the listing to the mail. */
  async function askForCode(clock: Clock, enter: 'type' | 'autofill') {
    people += 1;
    const email = `maria.lopez.${people}@example.com`;
    const page = await clock.open(visitor);
    await page.goto(LISTING);
    await clock.tap(button(page, /^Claim offer/), page.getByLabel('Email address'));
    await clock[enter](page, 'email', email);
    await clock.tap(button(page, 'Email me a code'), heading(page, 'Check your mail'));
    return { email, page, mail: await smtp.mailTo(email) };
  }

  /** From the page of the claim to the owner's, which learns the token and nothing else. */
  const openOwnersPage = async (clock: Clock, page: Page): Promise<void> => {
    await clock.tap(button(page, /^Open Fieldnotes/), heading(page, 'Welcome to the app'));
    expect(page.url()).toMatch(new RegExp(`^${app.origin}/welcome\\?claim=clm_[0-9A-Za-z]{33}$`));
    const { referer, cookie } = app.visits.at(-1)!.headers;
    expect([referer, cookie]).toEqual([undefined, undefined]);
  };

  async function walkWithCode(): Promise<Walk> {
    const clock = new Clock();
    const { page, email, mail } = await askForCode(clock, 'type');
    // One tap to the mail, for example on its notification, and one back.
    clock.taps += 2;
    await clock.type(page, 'code', digitsIn(mail).replace(' ', ''));
    await clock.tap(button(page, 'Continue'), heading(page, OFFER));
    await openOwnersPage(clock, page);
    return { clock, page, email };
  }

  /**
   * The listing is open in an in-app browser, such as a social network's; the mail program opens links in another
   * browser.
   */
  async function walkWithLink(): Promise<Walk> {
    const clock = new Clock();
    const { page, email, mail } = await askForCode(clock, 'autofill');
    // The mail, and the link in it.
    clock.taps += 2;
    const phone = await clock.open(otherBrowser);
    await clock.wait(async () => {
      await phone.goto(linkIn(mail));
      await button(phone, 'Sign in').waitFor();
    });
    expect(await claimsOf(email)).toEqual([]);
    await clock.tap(button(phone, 'Sign in'), heading(phone, OFFER));
    await openOwnersPage(clock, phone);
    return { clock, page, email };
  }

  async function walkWithin(ms: number, walk: () => Promise<Walk>): Promise<Walk> {
    let walked = await walk();
    for (let again = 1; again < WALKS && walked.clock.personMs > ms; again += 1) walked = await walk();
    expect(walked.clock.personMs).toBeLessThanOrEqual(ms);
    expect(await claimsOf(walked.email)).toEqual([{ via: 'podcast' }]);
    return walked;
  }

  it('takes ten seconds with autofill and the link; the browser that asked for the mail does not get signed in', async () => {
    const { clock, page } = await walkWithin(LINK_WITHIN_MS, walkWithLink);
    // In the in-app browser: the listing and "Check your mail". In the other browser: the link, the claim and the
    // owner's page.
    expect(clock).toMatchObject({ taps: 7, characters: 0, loads: 5 });
    await page.clock.fastForward(NEXT_LOOK_MS);
    await page.getByText('Finished in another window').waitFor();
    expect((await page.goto('/claims'))!.url()).toContain('/sign-in');
  });

  it('takes twenty seconds with the address and the code typed', async () => {
    const { clock } = await walkWithin(TYPED_WITHIN_MS, walkWithCode);
    // The listing, "Check your mail", the claim and the owner's page.
    expect(clock).toMatchObject({ taps: 6, loads: 4 });
  });

  it('works without scripts, and on a separate page in a browser without popovers', async () => {
    const email = 'old-browser@example.com';
    await visitor.visit(
      LISTING,
      async (page, faults) => {
        // The styles show it only to browsers without popovers.
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

  it('is found again with the mail that the help page sends', async () => {
    const email = 'lost@example.com';
    const { accountId } = await signedInAs(site, { email });
    await claimOffer(site.context, { claimantAccountId: accountId, listing: 'notes', offerId });
    const person = new Person(site.baseUrl);
    const form = /<form[^>]* action="\/sign-in".*?<\/form>/s.exec((await person.get('/help')).text)![0];
    expect(form).toMatch(/name="next" value="\/claims".*name="email"/s);
    await person.post('/sign-in', { next: '/claims', email });
    const mail = await smtp.mailTo(email);
    expect(mail).toMatch(/^Subject: Your claims$/m);
    const { location } = await person.post('/sign-in/link', { code: linkIn(mail).split('#')[1]! });
    expect((await person.get(location!)).text).toContain(OFFER);
  });

  it('looks as it should at every step', () =>
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
      await send('Continue');
      await page.getByText('This code is wrong').first().waitFor();
      await look('mail-code');
      await page.goto('/sign-in/password');
      await look('mail-password');
      await page.goto('/sign-in?expired');
      await look('mail-sign-in');
      await page.goto(linkIn(await smtp.mailTo(email)));
      await look('mail-link');
      await send('Sign in');
      await page.waitForURL('**/claims/*');
      await page.goto('/account');
      await page.locator('summary', { hasText: 'Add a password' }).click();
      await look('mail-account');
      await page.locator('form[action="/account/password"]').getByLabel('New password').fill(PASSWORD);
      await send('Add a password');
      await page.getByText('Your password is set.').waitFor();
      // The browser reports each refused form.
      expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
    }));
});
