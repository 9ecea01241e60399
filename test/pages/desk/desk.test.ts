/** The desk in Chromium: accessibility, layout, single-key shortcuts, and keyboard use without JavaScript. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { createMailer } from '../../../src/people/mail/mail.ts';
import { CHROMIUM, type Visitor } from '../../support/browser.ts';
import { newViewer } from '../viewers.ts';
import { type Desk, openDesk, pendingListing } from './support.ts';

let desk: Desk;
let starterId: string;

beforeAll(async () => {
  desk = await openDesk('sqlite');
  for (const slug of ['notes', 'photo-fix']) await pendingListing(desk, slug);
  const starter = await newViewer(desk.context, {
    email: 'eve@maps.example',
    name: 'Eve Maps',
    plan: 'starter',
  });
  const name = 'A rather long name of an app that says at length what it is all about';
  starterId = (await pendingListing(desk, 'maps', name, starter.accountId)).id;
  await createKey(desk.context, {
    account: desk.owner.accountId,
    name: 'shop server',
    mode: 'live',
    actor: `account:${desk.owner.accountId}`,
  });
  const mailer = createMailer(desk.context, { smtpUrl: null, from: 'x@example.com', onFailure: () => {} });
  mailer.send(async () => ({
    to: 'ada@acme.example',
    subject: 'Set a new password',
    letter: [
      {
        link: 'Set a new password',
        href: 'https://claims.example/reset-password#4hT9sWq2Lm7Zx0Vb5Nc8Rd1Kf3Gp6Yj2',
      },
      'If you did not ask for it, do nothing.',
    ],
  }));
  await mailer.close();
});
afterAll(async () => {
  await desk.close();
});

const visit: Visitor['visit'] = (...args) => desk.pages.visitor.visit(...args);

const stateOf = async (id: string) => (await findListing(desk.db.read, id)).state;

/** Page states that `everywhere.test.ts` does not cover. */
const PAGES: Readonly<Record<string, () => string>> = {
  'listing of an owner without API keys': () => `/desk/listings/${starterId}`,
  'own account': () => `/desk/accounts/${desk.operator.accountId}`,
  outbox: () => '/desk/outbox',
  'events of an unknown account': () => '/desk/events?account=nobody@example.com',
  'empty list of events': () => '/desk/events?type=key.revoked',
};

describe.skipIf(CHROMIUM === null)('single-key shortcuts', () => {
  test('navigate the queue, decide on a listing and undo the decision', async () => {
    const { id } = await pendingListing(desk, 'by-key', 'By key');
    await visit('/desk/queue', async (page) => {
      const rows = await page.locator('[data-stop]').count();
      for (let row = 0; row < rows; row += 1) await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.keyboard.press('j');
      expect(await page.locator(':focus').textContent()).toBe('By key');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/desk/listings/${id}`);
      await page.keyboard.press('a');
      await page.waitForURL(`**/desk/queue?decided=${id}`);
      expect(await stateOf(id)).toBe('approved');
      await page.keyboard.press('u');
      await page.waitForURL(`**/desk/listings/${id}`);
      expect(await stateOf(id)).toBe('pending');
      // The shortcut `c` opens a form for the reason, where keys type text instead of triggering shortcuts.
      await page.keyboard.press('c');
      await page.keyboard.type('Say jack, carl and rust.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/desk/queue?decided=${id}`);
      expect(await stateOf(id)).toBe('changes_requested');
    });
  });

  test('stay turned off in the browser after a reload', async () => {
    const { id } = await pendingListing(desk, 'keys-off', 'Keys off');
    await visit(`/desk/listings/${id}`, async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Single-key shortcuts' }).waitFor();
      await page.getByRole('checkbox', { name: 'Use shortcuts in this browser' }).uncheck();
      await page.keyboard.press('Escape');
      await page.reload();
      expect(await page.locator('[data-shortcut]:visible').count()).toBe(0);
      for (const key of ['a', 'r', '?']) await page.keyboard.press(key);
      expect(await page.locator('.dialog:popover-open').count()).toBe(0);
      expect(await stateOf(id)).toBe('pending');
      await page.getByRole('button', { name: 'Shortcuts: single keys' }).click();
      await page.getByRole('checkbox', { name: 'Use shortcuts in this browser' }).check();
      await page.keyboard.press('Escape');
      await page.keyboard.press('a');
      await page.waitForURL(`**/desk/queue?decided=${id}`);
      expect(await stateOf(id)).toBe('approved');
    });
  });
});

describe.skipIf(CHROMIUM === null)('the desk without JavaScript', () => {
  test('lets an operator reject a listing and undo the decision by keyboard', async () => {
    const { id } = await pendingListing(desk, 'no-script', 'No script');
    await visit(
      `/desk/listings/${id}`,
      async (page) => {
        await page.getByRole('button', { name: 'Reject…' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: /^Reject / }).waitFor();
        expect(await page.locator(':focus').getAttribute('name')).toBe('reason');
        // If the reason is empty, the response shows the form again, with an error.
        await page.getByRole('button', { name: 'Reject listing' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Reason').focus();
        await page.keyboard.type('It is no app.');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/desk/queue?decided=${id}`);
        expect(await stateOf(id)).toBe('rejected');
        await page.getByRole('button', { name: 'Undo: No script' }).focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/desk/listings/${id}`);
        expect(await stateOf(id)).toBe('pending');
      },
      false,
    );
  });
});

describe.skipIf(CHROMIUM === null)('desk pages', () => {
  test.each(Object.entries(PAGES))('%s has no accessibility or layout problems', async (name, path) => {
    expect(await desk.pages.visitor.look(path(), `desk ${name}`)).toEqual([]);
  });
});
