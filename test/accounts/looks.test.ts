/** Every page of signing in and of the account, in both themes and every width: no finding, also without JavaScript. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueSetUpLink } from '../../src/accounts/set-up.ts';
import {
  CHROMIUM,
  collectFaults,
  openBrowser,
  openProfile,
  pageFindings,
  press,
} from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { OTHER_PASSWORD, PASSWORD, Person, signedInAs } from '../support/person.ts';
import { type OwnSite, openSite } from '../support/site.ts';
import { addAuthenticator, appCode, codeInOutbox } from './support.ts';

describe.skipIf(CHROMIUM === null)('the pages of signing in', () => {
  let site: OwnSite;
  let browser: Browser;
  beforeAll(async () => {
    const port = String(await freePort());
    site = await openSite('sqlite', { PORT: port, BASE_URL: `http://localhost:${port}` });
    browser = await openBrowser();
  });
  afterAll(() => site?.close());

  async function visit<T>(work: (page: Page, profile: BrowserContext) => Promise<T>, javaScript = true) {
    const profile = await openProfile(browser, { baseUrl: site.baseUrl, javaScript });
    const page = await profile.newPage();
    const faults = collectFaults(page);
    await work(page, profile);
    // A browser reports each answer of 4xx as a failed resource.
    expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
    await profile.close();
  }
  const send = (page: Page, name: string) => press(page, page.getByRole('button', { name, exact: true }));

  it('a person sets the service up by the link in the terminal, whose code leaves the address bar', () =>
    visit(async (page) => {
      const link = await issueSetUpLink(site.context, { baseUrl: site.baseUrl, dataDir: site.place.dataDir });
      await page.goto(link!);
      expect(await page.getByLabel('Code').inputValue()).toHaveLength(10);
      expect(page.url()).toBe(`${site.baseUrl}/setup`);
      expect(await pageFindings(page, 'setup')).toEqual([]);
      const password = page.getByLabel('Password');
      await password.fill('too short');
      await page.getByRole('button', { name: 'Show password' }).click();
      expect(await password.getAttribute('type')).toBe('text');
      await page.getByRole('button', { name: 'Hide password' }).click();
      expect(await password.getAttribute('type')).toBe('password');
      await send(page, 'Become the operator');
      expect(await pageFindings(page, 'setup-refused')).toEqual([]);
      await page.getByLabel('Your name').fill('Olga Operator');
      await page.getByLabel('Email address').fill('olga@example.com');
      await page.getByLabel('Password').fill(PASSWORD);
      await send(page, 'Become the operator');
      await page.waitForURL('**/desk');
      await page.goto('/setup');
      expect(await pageFindings(page, 'setup-gone')).toEqual([]);
    }));

  it('a link that is opened in a window with the same page takes the place of the one before', () =>
    visit(async (page) => {
      await page.goto('/reset-password#AAAAABBBBB');
      expect(await page.getByLabel('Code').inputValue()).toBe('AAAAABBBBB');
      await page.evaluate("location.hash = '#CCCCCDDDDD'");
      await expect.poll(() => page.getByLabel('Code').inputValue()).toBe('CCCCCDDDDD');
      expect(new URL(page.url()).hash).toBe('');
    }));

  it('without JavaScript the code of a link is typed into its field', () =>
    visit(async (page) => {
      const email = 'by-hand@example.com';
      const { person: ada } = await signedInAs(site, { email });
      await ada.post('/forgot-password', { email });
      const code = await codeInOutbox(site.context, email);
      await page.goto(`/reset-password#${code}`);
      expect(await page.getByLabel('Code').inputValue()).toBe('');
      await page.getByLabel('Code').fill(` ${code} `);
      await page.getByLabel('Password').fill(PASSWORD);
      await send(page, 'Set password');
      await page.getByText('Your new password is set.').waitFor();
    }, false));

  it('a person signs up, out and in by keyboard', () =>
    visit(async (page) => {
      await page.goto('/sign-up?next=/claims');
      await page.locator('input[name=email]:focus').waitFor();
      await page.keyboard.type('keyboard@example.com');
      await page.keyboard.press('Tab');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/claims');
      await page
        .getByRole('button', { name: /Menu|keyboard/ })
        .first()
        .press('Enter');
      await page.getByRole('button', { name: 'Sign out' }).press('Enter');
      await page.waitForURL(`${site.baseUrl}/`);
      await page.goto('/sign-in');
      await page.locator('input[name=email]:focus').waitFor();
      await page.keyboard.type('keyboard@example.com');
      await page.keyboard.press('Tab');
      await page.keyboard.type('a wrong password');
      await page.keyboard.press('Enter');
      await page.getByText('is wrong.').waitFor();
      expect(await page.getByLabel('Email address').inputValue()).toBe('keyboard@example.com');
      expect(await pageFindings(page, 'sign-in-refused')).toEqual([]);
      await page.goto('/sign-in?done=password');
      expect(await pageFindings(page, 'sign-in-new-password')).toEqual([]);
    }));

  it('an account, with nothing and with everything, and a second factor on the way', () =>
    visit(async (page, profile) => {
      const email = 'wir-uebernehmen-die-bereitstellungsgebuehren@rueckerstattung.example.com';
      const name = 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung GmbH & Co. KG';
      const { person: ada } = await signedInAs(site, { email, name });
      for (const userAgent of ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Safari/604.1', 'curl/8.5.0', '']) {
        await new Person(site.baseUrl, { 'User-Agent': userAgent }).signIn(email);
      }
      await profile.addCookies(ada.profileCookies(site.baseUrl));
      await page.goto('/account');
      expect(await pageFindings(page, 'account')).toEqual([]);

      await page.getByText('Change the email address').click();
      await page.getByText('Change password').first().click();
      await page.getByText('Add a passkey').first().click();
      await page.getByText('Turn it on').click();
      expect(await pageFindings(page, 'account-open')).toEqual([]);

      await page.getByLabel('Your password').locator('visible=true').fill('not the password');
      await page.getByLabel('New password').fill(OTHER_PASSWORD);
      await send(page, 'Change password');
      await page.getByText('The password is wrong.').first().waitFor();
      expect(await pageFindings(page, 'account-refused')).toEqual([]);

      await page.getByText('Turn it on').click();
      await press(page, page.getByRole('button', { name: 'Continue' }));
      await page.getByText('1. Scan this').waitFor();
      expect(await pageFindings(page, 'second-factor')).toEqual([]);
      const key = (await page.locator('.secret code').textContent()) ?? '';
      await page.getByRole('textbox', { name: 'Code' }).fill('000000');
      await send(page, 'Turn it on');
      expect(await pageFindings(page, 'second-factor-wrong')).toEqual([]);
      await page.getByLabel('Code').fill(appCode(key));
      await send(page, 'Turn it on');
      await page.getByText('The second factor is on.').waitFor();

      await addAuthenticator(profile, page);
      await page.getByText('Add a passkey').first().click();
      const form = page.locator('form[data-passkey]');
      await form.getByLabel('Name').fill('Laptop der Bereitstellungsgebührenrückerstattungsabteilung');
      await press(page, form.getByRole('button', { name: 'Add passkey' }));
      await page.getByText('Passkey added.').waitFor();
      expect(await pageFindings(page, 'account-full')).toEqual([]);

      await send(page, 'Create new backup codes');
      await page.getByText('Save them now.').waitFor();
      expect(await pageFindings(page, 'backup-codes')).toEqual([]);
      await page.goto('/account/prove');
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
      expect(await pageFindings(page, 'prove')).toEqual([]);
      await page.getByLabel('Password').fill('not the password');
      await press(page, page.getByRole('button', { name: 'Continue' }).last());
      await page.getByText('The password is wrong.').first().waitFor();
      expect(await pageFindings(page, 'prove-refused')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Use a passkey' }));
      await page.waitForURL('**/account');
      await page.goto('/account/email/confirm');
      expect(await pageFindings(page, 'verify-new-address')).toEqual([]);
    }));
});
