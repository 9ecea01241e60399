/**
 * How long a claim takes a person with a new address: real pages, mails and a real browser as wide as a phone, and a
 * model of what people need for what they do. How long the mail travels does not count.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/app.ts';
import { CHROMIUM, keepPicture, openBrowser, openProfile } from '../support/browser.ts';
import { createTestPlace, type TestPlace } from '../support/engines.ts';
import { signedInAs } from '../support/person.ts';
import { startSite } from '../support/site.ts';
import { partOf, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { createMarketListing, type OwnersPage, startOwnersPage } from './claimant-support.ts';

const TAP_MS = 1_100;
/** 40 words a minute, of five characters. */
const CHARACTER_MS = 60_000 / (40 * 5);
const LINK_WITHIN_MS = 10_000;
const TYPED_WITHIN_MS = 20_000;
/** The pages are as fast as in the fastest of so many walks: the machine does other things too. */
const WALKS = 3;
const PHONE = { width: 390, height: 844 };
const OFFER = '20 % off the first year';

/** What a person has done, and how long they have waited for pages. */
class Clock {
  taps = 0;
  characters = 0;
  waitedMs = 0;
  /** Documents that were loaded in any window. */
  loads = 0;
  readonly #name: string;
  #steps = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get personMs(): number {
    return this.taps * TAP_MS + this.characters * CHARACTER_MS + this.waitedMs;
  }

  async open(browser: Browser, baseUrl: string): Promise<Page> {
    const profile = await openProfile(browser, { baseUrl });
    const page = await profile.newPage();
    await page.setViewportSize(PHONE);
    page.on('domcontentloaded', () => {
      this.loads += 1;
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
    await this.keep(next.page());
  }

  /** A tap outside of the pages, such as on a notification. */
  tapElsewhere(): void {
    this.taps += 1;
  }

  /** Into the field that has the focus, so that nobody has to tap it. */
  async type(page: Page, field: string, text: string): Promise<void> {
    await page.locator(`[name=${field}]:focus`).waitFor();
    this.characters += text.length;
    await page.keyboard.type(text);
    await this.keep(page);
  }

  /** Takes with one tap what the browser suggests for the field that has the focus. */
  async autofill(page: Page, field: string, text: string): Promise<void> {
    this.taps += 1;
    await page.locator(`[name=${field}]:focus`).fill(text);
    await this.keep(page);
  }

  async wait(work: () => Promise<unknown>): Promise<void> {
    const beganMs = performance.now();
    await work();
    this.waitedMs += performance.now() - beganMs;
  }

  /** Keeps a picture of the step. */
  async keep(page: Page): Promise<void> {
    this.#steps += 1;
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await keepPicture(page, `walk ${this.#name} ${this.#steps} ${colorScheme}`);
    }
  }
}

describe.skipIf(CHROMIUM === null)('a claim on a phone', () => {
  let place: TestPlace;
  let site: Service;
  let smtp: SmtpSink;
  let app: OwnersPage;
  let browser: Browser;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    app = await startOwnersPage();
    place = await createTestPlace('sqlite');
    site = await startSite(place, { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    const { accountId } = await signedInAs(site, {
      email: 'olga@example.com',
      operator: true,
      plan: 'studio',
    });
    const offers = [{ offer: OFFER }];
    const listing = {
      slug: 'notes',
      name: 'Fieldnotes',
      summary: 'Notes for people who work outdoors.',
      offers,
    };
    await createMarketListing(site.context, { accountId }, { ...listing, origin: app.origin });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
    await smtp?.close();
    await app?.close();
    await place?.remove();
  });

  let people = 0;
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

  /** From the page of the listing to the mail. */
  async function askForCode(
    clock: Clock,
    enter: Clock['type'],
  ): Promise<{ readonly page: Page; readonly mail: string }> {
    people += 1;
    const email = `maria.lopez.${people}@example.com`;
    const page = await clock.open(browser, site.baseUrl);
    await page.goto('/l/notes?via=podcast');
    await heading(page, 'Fieldnotes').waitFor();
    clock.loads = 0;
    await clock.tap(button(page, /^Claim offer/), page.getByLabel('Email address'));
    await enter.call(clock, page, 'email', email);
    await clock.tap(button(page, 'Email me a code'), heading(page, 'Check your mail'));
    await smtp.mailTo(email);
    return { page, mail: smtp.mails.findLast((one) => one.includes(`To: ${email}\n`))! };
  }

  /** From the page of the claim to the owner's. */
  const openOwnersPage = async (clock: Clock, page: Page): Promise<void> => {
    const welcome = heading(page, 'Welcome to the app');
    await clock.tap(button(page, /^Open Fieldnotes/), welcome);
    expect(page.url()).toContain(`${app.origin}/welcome?claim=clm_`);
  };

  async function walkWithCode(): Promise<Clock> {
    const clock = new Clock('code');
    const { page, mail } = await askForCode(clock, clock.type);
    // To the mail and back.
    clock.tapElsewhere();
    clock.tapElsewhere();
    const digits = /^(\d{4}) (\d{4})$/m.exec(mail)!;
    await clock.type(page, 'code', digits[1]! + digits[2]!);
    await clock.tap(button(page, 'Continue'), heading(page, 'Your claim'));
    await openOwnersPage(clock, page);
    await page.context().close();
    return clock;
  }

  /** The listing is open in the browser of an app; the mail program opens links in another one. */
  async function walkWithLink(): Promise<Clock> {
    const clock = new Clock('link');
    const { page: inApp, mail } = await askForCode(clock, clock.autofill);
    clock.tapElsewhere();
    const phone = await clock.open(browser, site.baseUrl);
    // The link in the mail.
    clock.tapElsewhere();
    await clock.wait(async () => {
      await phone.goto(/^(http\S+\/sign-in\/link#\w{10})$/m.exec(partOf(mail, 'text/plain'))![1]!);
      await button(phone, 'Sign in').waitFor();
    });
    await clock.keep(phone);
    await clock.tap(button(phone, 'Sign in'), heading(phone, 'Your claim'));
    await openOwnersPage(clock, phone);
    await inApp.context().close();
    await phone.context().close();
    return clock;
  }

  async function fastest(walk: () => Promise<Clock>): Promise<Clock> {
    const clocks: Clock[] = [];
    for (let walked = 0; walked < WALKS; walked += 1) clocks.push(await walk());
    return clocks.toSorted((a, b) => a.waitedMs - b.waitedMs)[0]!;
  }

  it('takes a person ten seconds with autofill and the link in the mail', async () => {
    const clock = await fastest(walkWithLink);
    expect(clock).toMatchObject({ taps: 7, characters: 0 });
    // In the app, "Check your mail". In the other browser the link, the claim and the owner's page.
    expect(clock.loads).toBe(4);
    expect(clock.personMs).toBeLessThanOrEqual(LINK_WITHIN_MS);
  });

  it('takes a person twenty seconds who types the address and the code', async () => {
    const clock = await fastest(walkWithCode);
    expect(clock.taps).toBe(6);
    // "Check your mail", the claim and the owner's page.
    expect(clock.loads).toBe(3);
    expect(clock.personMs).toBeLessThanOrEqual(TYPED_WITHIN_MS);
  });

  it('sends a mail that shows its code and its link', async () => {
    const { page: asked, mail } = await askForCode(new Clock('mail'), Clock.prototype.type);
    await asked.context().close();
    // Not on a page of the service, whose policy would forbid the styles.
    const page = await browser.newPage();
    await page.setContent(partOf(mail, 'text/html'));
    const digits = /^(\d{4} \d{4})$/m.exec(mail)![1]!;
    for (const width of [390, 700]) {
      await page.setViewportSize({ width, height: 600 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await keepPicture(page, `walk mail ${width} ${colorScheme}`);
        expect(await page.getByText(digits).isVisible()).toBe(true);
        expect(await page.getByRole('link', { name: 'Claim the offer' }).isVisible()).toBe(true);
      }
    }
    await page.close();
  });
});
