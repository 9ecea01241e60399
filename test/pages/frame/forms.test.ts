/** With JavaScript, a form shows its response in place, so the Back button never leads to the response. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageGroup } from '../../../src/pages/frame/page-router.ts';
import { page as answer, readForm, redirect } from '../../../src/pages/frame/pages.ts';
import { SCRIPTS } from '../../../src/pages/ui/assets.ts';
import { newForm } from '../../../src/pages/ui/form-state.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import {
  answered,
  CHROMIUM,
  collectFaults,
  createVisitor,
  pageFindings,
  press,
  type Visitor,
} from '../../support/browser.ts';
import { PASSWORD } from '../../support/person.ts';
import { Away, startPages, type TestPages } from '../support.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';
import { FormPage } from './form-page.tsx';

/** A page with a form. The value of the form's field `answer` selects the response. */
const FORM: PageGroup = (app) => {
  let sent = 0;
  app.get('/form', { for: 'anyone' }, (c) =>
    answer(c, FormPage({ form: newForm(), sent }), { title: 'Form' }),
  );
  app.post('/form', { for: 'anyone' }, async (c) => {
    const form = await readForm(c);
    sent += 1;
    if (form.has('second')) return redirect(c, '/form#second');
    switch (form.text('answer')) {
      case 'conflict':
        throw new Refusal('claim_not_redeemed', 'Somebody else has changed this.');
      case 'often':
        throw new Refusal('rate_limited', 'Too many attempts. Try again in 60 minutes.');
      case 'away':
        throw new Away();
      case 'broken':
        throw new Error('broken');
      default:
        form.refuse('answer', 'This is no answer.');
        return answer(c, FormPage({ form, sent }), {
          title: 'Form again',
          status: form.status,
          scripts: ['passkey'],
        });
    }
  });
};

describe.skipIf(CHROMIUM === null)('forms in a browser', () => {
  let site: WholeSite;
  let pages: TestPages;
  let visitor: Visitor;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    pages = await startPages([FORM]);
    visitor = createVisitor(site.service.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await Promise.all([site?.close(), pages?.close()]);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText');

  test('a rejected sign-in adds no history entry, and Back after signing in loads a page with GET', () =>
    visitor.visit('/docs', async (page) => {
      await page.goto('/sign-in');
      const before = await page.evaluate<number>('history.length');
      await page.getByLabel('Email address').fill('olga@claims.example');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await press(page, button(page, 'Sign in'));
      expect(await focused(page)).toContain('That did not work');
      expect(page.url()).toBe(`${site.service.baseUrl}/sign-in`);
      expect(await page.evaluate('history.length')).toBe(before);
      expect(await page.getByLabel('Email address').inputValue()).toBe('olga@claims.example');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await press(page, button(page, 'Sign in'));
      await page.waitForURL('**/desk');
      // The sign-in page redirects signed-in people, so this test does not check the URL.
      const back = await page.goBack();
      expect(back?.request().method()).toBe('GET');
      expect(await page.locator('h1').count()).toBe(1);
    }));

  test('a rejected listing form keeps its input, and Back leads to the page before the form', () => {
    const cookies = site.people.owner.person.profileCookies(site.service.baseUrl);
    const inPlace = async (page: Page, faults: readonly string[]) => {
      await page.goto('/dashboard/listings/new');
      await page.getByLabel('Name', { exact: true }).fill('Ada Sketches');
      await press(page, button(page, 'Create draft'));
      expect(await focused(page)).toContain('Please check');
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Sketches');
      await page.goBack();
      expect(page.url()).toBe(`${site.service.baseUrl}/dashboard/listings`);
      expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
    };
    return visitor.visit('/dashboard/listings', inPlace, true, cookies);
  });

  test('a form with one field shows its error once, next to the field, and focuses the field', async () => {
    const cookies = site.people.owner.person.profileCookies(site.service.baseUrl);
    const refused = (javaScript: boolean) => async (page: Page) => {
      const name = page.locator('#name-name');
      await name.fill(' ');
      await press(page, page.locator('form[action="/account/name"]').getByRole('button', { name: 'Save' }));
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
      // The focus moves after the alert appears.
      await page.locator('#name-name:focus').waitFor();
      const problem = page.locator(`#${await name.getAttribute('aria-describedby')}`);
      expect([await name.getAttribute('aria-invalid'), await problem.getAttribute('role')]).toEqual([
        'true',
        'alert',
      ]);
      const words = (await problem.textContent())!;
      expect((await page.locator('body').innerText()).split(words)).toHaveLength(2);
      // `pageFindings` needs JavaScript.
      if (javaScript) expect(await pageFindings(page, 'one-field-refused')).toEqual([]);
    };
    for (const javaScript of [true, false]) {
      await visitor.visit('/account', refused(javaScript), javaScript, cookies);
    }
  });

  test('server and network errors are shown above the fields, which keep their input', () =>
    pages.visitor.visit('/form', async (page) => {
      const field = page.getByLabel('Answer');
      const sayings = {
        conflict: 'Somebody else has changed this.',
        often: 'Too many attempts. Try again in 60 minutes.',
        away: 'What you typed is still here: send it again in a moment.',
        broken: 'give the operator this request ID',
      };
      for (const [text, saying] of Object.entries(sayings)) {
        await field.fill(text);
        await press(page, button(page, 'Send'));
        expect(await focused(page), text).toContain(saying);
        expect([await field.inputValue(), await page.locator('form .notice').count()]).toEqual([text, 1]);
      }
      await page.route('**/form', (route) => route.abort());
      await press(page, button(page, 'Send'));
      expect(await focused(page)).toContain('No response arrived');
      expect(await field.inputValue()).toBe('broken');
    }));

  test('the form script loads each script once, submits the button’s value and follows redirects to a fragment', () =>
    pages.visitor.visit('/form', async (page) => {
      const faults = collectFaults(page);
      for (const _ of [1, 2]) await press(page, button(page, 'Send'));
      expect(await page.title()).toBe('Form again · Claimcheck');
      const scripts = `[...document.scripts].filter(({ src }) => src.endsWith('${SCRIPTS.passkey.path}')).length`;
      expect(await page.evaluate(scripts)).toBe(1);
      await press(page, button(page, 'Second'));
      await page.waitForURL('**/form#second');
      expect(await page.title()).toBe('Form · Claimcheck');
      expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
    }));

  test('a second submit is ignored while the first one is pending', () =>
    pages.visitor.visit('/form', async (page) => {
      const sent = await page.locator('output').innerText();
      await page.evaluate(
        "document.querySelector('main button').click(), document.querySelector('main button').click()",
      );
      await answered(page);
      expect(Number(await page.locator('output').innerText())).toBe(Number(sent) + 1);
    }));
});
