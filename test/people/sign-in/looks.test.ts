/** States of the sign-in and account pages that `everywhere.test.ts` doesn’t cover. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EARLIER_PARTS } from '../../../src/people/sign-in/email/confirm.ts';
import { endedAccessCookie } from '../../../src/people/sign-in/sessions/sealed-cookies.ts';
import { issueSetUpLink } from '../../../src/people/sign-in/set-up.ts';
import { CHROMIUM, createVisitor, pageFindings, press, type Visitor } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { OTHER_PASSWORD, PASSWORD, Person, signedInAs, signInServices } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { addAuthenticator, appCode, newPasswordLink } from './support.ts';

describe.skipIf(CHROMIUM === null)('sign-in and account pages', () => {
  let site: OwnSite;
  let visitor: Visitor;
  beforeAll(async () => {
    const port = String(await freePort());
    site = await openSite('sqlite', { PORT: port, BASE_URL: `http://localhost:${port}` });
    visitor = createVisitor(site.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await site?.close();
  });

  const visit = (path: string, work: (page: Page) => Promise<void>, person?: Person) =>
    visitor.visit(
      path,
      async (page, faults) => {
        await work(page);
        // Chromium reports every 4xx response as a failed resource.
        expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
      },
      true,
      person?.profileCookies(site.baseUrl),
    );
  const send = (page: Page, name: string) => press(page, page.getByRole('button', { name, exact: true }));

  test('the setup page takes the code from the link and removes it from the address bar', async () => {
    const link = await issueSetUpLink(site.context, {
      baseUrl: site.baseUrl,
      dataDir: site.dbLocation.dataDir,
    });
    await visit(link!, async (page) => {
      expect(await page.getByLabel('Code').inputValue()).toHaveLength(10);
      expect(page.url()).toBe(`${site.baseUrl}/setup`);
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
    });
  });

  test('a second link opened on the same page replaces the code in the form', () =>
    visit('/invitation#AAAAABBBBB', async (page) => {
      expect(await page.getByLabel('Code').inputValue()).toBe('AAAAABBBBB');
      await page.evaluate("location.hash = '#CCCCCDDDDD'");
      await expect.poll(() => page.getByLabel('Code').inputValue()).toBe('CCCCCDDDDD');
      expect(new URL(page.url()).hash).toBe('');
    }));

  test('the code of a link for a new password names the account before it asks for the password', async () => {
    const { email, accountId } = await signedInAs(site, { email: 'reset@example.com' });
    const link = await newPasswordLink(site, accountId);
    await visit(link, async (page) => {
      await page.getByText(email).waitFor();
      expect(page.url()).toBe(`${site.baseUrl}/reset-password`);
      expect(await pageFindings(page, 'reset-password')).toEqual([]);
      await page.locator('input[name=password]:focus').fill('too short');
      await send(page, 'Set password');
      await page.getByText(email).waitFor();
      await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD);
      await send(page, 'Set password');
      await page.getByText('Your new password is set').waitFor();
    });
  });

  test('the code of a link for a new address survives a sign-in, and no URL contains it', async () => {
    const { email } = await signedInAs(site, { email: 'moving@example.com' });
    await visit('/account/email/confirm#AAAAABBBBB', async (page) => {
      await page.waitForURL('**/sign-in?next=%2Faccount%2Femail%2Fconfirm');
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await send(page, 'Sign in');
      await page.waitForURL('**/account/email/confirm');
      await page.getByText(email).waitFor();
      expect(await page.locator('input[name=code]').inputValue()).toBe('AAAAABBBBB');
      expect(await pageFindings(page, 'new-address')).toEqual([]);
    });
  });

  test('the page that names ended access passes the visual checks', async () => {
    const ended = Object.fromEntries(EARLIER_PARTS.map((part, index) => [part, index + 1]));
    const [pair = ''] = endedAccessCookie(signInServices(site), ended).split(';');
    const person = new Person(site.baseUrl);
    person.receive(pair);
    await visit(
      '/sign-in/ended-access?next=%2Fclaims',
      async (page) => {
        expect(await page.locator('main li').count()).toBe(EARLIER_PARTS.length);
        expect(await pageFindings(page, 'ended-access')).toEqual([]);
        expect(await page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/claims');
      },
      person,
    );
  });

  test('the sign-in page focuses the email field and keeps its value after a wrong password', () =>
    visit('/sign-in', async (page) => {
      await page.locator('input[name=email]:focus').waitFor();
      await page.keyboard.type('nobody@example.com');
      await page.getByLabel('Password').fill('a wrong password');
      await send(page, 'Sign in');
      expect(await page.getByLabel('Email address').inputValue()).toBe('nobody@example.com');
      expect(await pageFindings(page, 'sign-in-refused')).toEqual([]);
    }));

  test('on narrow screens, the header links are in a menu', () =>
    visitor.visit(
      '/help',
      async (page) => {
        await page.setViewportSize({ width: 320, height: 640 });
        const signUp = page.getByRole('link', { name: 'Sign up' });
        expect(await signUp.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Menu' }).click();
        const menu = page.getByRole('navigation', { name: 'Menu' });
        expect(await menu.getByRole('link').allInnerTexts()).toEqual([
          'Marketplace',
          'Docs',
          'Help',
          'Sign up',
          'Sign in',
        ]);
        const [button, list] = await Promise.all(
          [page.getByRole('button', { name: 'Menu' }), menu].map((part) => part.boundingBox()),
        );
        expect(list!.y).toBeGreaterThanOrEqual(button!.y + button!.height - 1);
        await page.keyboard.press('Escape');
        await page.setViewportSize({ width: 820, height: 640 });
        expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
        expect(await signUp.isVisible()).toBe(true);
      },
      false,
    ));

  test('the 404 page links to the marketplace, and to sign-in if the visitor is signed out', async () => {
    const { person } = await signedInAs(site, { email: 'lost@example.com' });
    const linksOf = (html: string) =>
      [
        ...html
          .split('<main')[1]!
          .split('</main>')[0]!
          .matchAll(/href="([^"]+)"/g),
      ].map(([, href]) => href);
    const missing = await fetch(`${site.baseUrl}/nowhere`);
    expect([missing.status, linksOf(await missing.text())]).toEqual([404, ['/', '/sign-in']]);
    expect(linksOf((await person.get('/nowhere')).text)).toEqual(['/']);
  });

  test('the account page passes the visual checks after errors and during second-factor setup', async () => {
    const email = 'wir-uebernehmen-die-bereitstellungsgebuehren@rueckerstattung.example.com';
    const name = 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung GmbH & Co. KG';
    const { person: ada } = await signedInAs(site, { email, name });
    for (const userAgent of ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Safari/604.1', 'curl/8.5.0', '']) {
      await new Person(site.baseUrl, { 'User-Agent': userAgent }).signIn(email);
    }
    const work = async (page: Page) => {
      await page.getByText('Change password').first().click();
      await page.getByLabel('Your password').locator('visible=true').fill('not the password');
      await page.getByLabel('New password').fill(OTHER_PASSWORD);
      await send(page, 'Change password');
      await page.getByText('The password is wrong.').first().waitFor();
      expect(await pageFindings(page, 'account-refused')).toEqual([]);

      await send(page, 'Turn it on');
      await page.getByText('1. Scan this').waitFor();
      const key = (await page.locator('.secret code').textContent()) ?? '';
      await page.getByRole('textbox', { name: 'Code' }).fill('000000');
      await send(page, 'Turn it on');
      expect(await pageFindings(page, 'second-factor-wrong')).toEqual([]);
      await page.getByLabel('Code').fill(appCode(key));
      await send(page, 'Turn it on');
      await page.getByText('The second factor is on.').waitFor();

      await addAuthenticator(page.context(), page);
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
      await page.getByLabel('Password').fill('not the password');
      await press(page, page.getByRole('button', { name: 'Confirm' }));
      await page.getByText('The password is wrong.').first().waitFor();
      expect(await pageFindings(page, 'prove-refused')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Use a passkey' }));
      await page.waitForURL('**/account');
    };
    await visit('/account', work, ada);
  });
});
