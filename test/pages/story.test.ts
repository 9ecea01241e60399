/**
 * End-to-end test: an operator sets up the service, an owner publishes a listing, the operator approves it, a claimant
 * claims an offer through a share link, the owner's server redeems the claim, and the owner sees the redemption.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { DASHBOARD_SETUP_PATH } from '../../src/base/paths.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import {
  answered,
  CHROMIUM,
  collectFaults,
  countLooks,
  openBrowser,
  openProfile,
} from '../support/browser.ts';
import { createDbLocation, type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { type OwnersPage, startOwnersPage } from './market/support.ts';

const run = promisify(execFile);
const HAS_CURL = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

/** Operates a page by mouse or keyboard. */
interface Hands {
  /** Activates a link or button. */
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Selects a radio button. */
  choose(target: Locator): Promise<void>;
}

const mouse = (): Hands => ({
  press: async (target) => {
    await target.click();
    await answered(target.page());
  },
  type: (target, text) => target.fill(text),
  // The styled label covers the radio button, so Playwright must not wait until the button is clickable.
  choose: (target) => target.check({ force: true }),
});

/** Focuses controls directly and then uses only keys. `keyboardFindings` tests that Tab reaches every control. */
const keyboard = (page: Page): Hands => ({
  press: async (target) => {
    await target.press('Enter');
    await answered(page);
  },
  type: async (target, text) => {
    await target.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  },
  choose: (target) => target.press('Space'),
});

interface Way {
  readonly name: string;
  readonly javaScript: boolean;
  readonly hands: (page: Page) => Hands;
}
/** Pages do not depend on the engine, so each engine is combined with a different input method. */
const WAYS: Readonly<Record<TestEngine, Way>> = {
  sqlite: { name: 'can be completed with only the keyboard', javaScript: true, hands: keyboard },
  postgres: { name: 'can be completed with a mouse and without JavaScript', javaScript: false, hands: mouse },
};

const PASSWORD = 'a password of some length';
const OFFER = '20% off the first year';
/** Maximum time from the verify response to the green tick, measured as the number of polls times the interval. */
const GREEN_WITHIN_MS = 1_000;
const SET_UP_LINK = /http\S+\/setup#\S+(?=\s)/;

/** A person with a separate browser profile. */
interface Person extends Hands {
  readonly page: Page;
  readonly faults: readonly string[];
  link(name: string | RegExp): Promise<void>;
  button(name: string | RegExp): Promise<void>;
  fill(fields: Readonly<Record<string, string>>): Promise<void>;
  heading(name: string | RegExp): Promise<void>;
}

describe.skipIf(CHROMIUM === null || !HAS_CURL).each(ENGINES)('the path to redemption on %s', (engine) => {
  const way = WAYS[engine];
  let browser: Browser;
  beforeAll(async () => {
    // Clicks wait for drawn frames; key presses do not.
    browser = await openBrowser({ drawsFrames: way.hands === mouse });
  });

  test(way.name, async () => {
    const dbLocation: DbLocation = await createDbLocation(engine);
    const app: OwnersPage = await startOwnersPage();
    const profiles: BrowserContext[] = [];
    let server: ServerProcess | undefined;
    try {
      server = await startServer(dbLocation);
      const { baseUrl } = server;
      const open = async (path: string): Promise<Person> => {
        const profile = await openProfile(browser, { baseUrl, javaScript: way.javaScript });
        profiles.push(profile);
        return personAt(await profile.newPage(), way.hands, path);
      };

      // On its first start, the service prints the set-up link to the terminal.
      const link = await vi.waitUntil(() => SET_UP_LINK.exec(server!.stdout() + server!.stderr())?.[0]);
      const operator = await open(link);
      if (!way.javaScript) await operator.fill({ Code: link.split('#')[1]! });
      await operator.fill({
        'Your name': 'Olga Operator',
        'Email address': 'olga@claims.example',
        Password: PASSWORD,
      });
      await operator.button('Become the operator');
      await operator.heading('Overview');

      const owner = await open('/');
      await owner.link('Sign up');
      await signUp(owner, 'ada@acme.example');
      await owner.link('Dashboard');
      await owner.link('Publish an app');
      await owner.fill({
        Name: 'Fieldnotes',
        'Public address': 'fieldnotes',
        Website: `${app.origin}/`,
        Summary: 'Notes for people who work outdoors.',
        Description: 'Fieldnotes works without a network.',
        Publisher: 'Acme Outdoors',
      });
      await owner.button('Create draft');
      await owner.fill({ Offer: OFFER, 'Redemption link': `${app.origin}/welcome?claim={claim}` });
      await owner.button('Add offer');
      await owner.heading(OFFER);
      await owner.press(owner.page.locator('.breadcrumb').getByRole('link', { name: 'Fieldnotes' }));
      await owner.button('Submit for review');
      await owner.page.getByText('Waiting for review').first().waitFor();

      await operator.link('Queue');
      await operator.link(/Fieldnotes/);
      await operator.heading('Fieldnotes');
      await operator.button('Approve');
      await operator.heading('Queue');
      await operator.link('Accounts');
      await operator.link('Acme Outdoors');
      await operator.choose(operator.page.getByLabel('Studio'));
      await operator.button('Set plan');
      await operator.heading('Acme Outdoors');
      expect(await operator.page.getByLabel('Studio').isChecked()).toBe(true);

      await owner.page.goto('/dashboard/settings/keys');
      await owner.press(owner.page.getByRole('link', { name: /^Create/ }).first());
      await owner.fill({ Name: 'server' });
      await owner.button('Create API key');
      await owner.heading('Your new API key');
      const key = /cck_live_[0-9A-Za-z]{38}/.exec((await owner.page.textContent('main'))!)![0];
      await owner.page.goto('/dashboard');
      await owner.page.getByText('Waiting for your first verification…').waitFor();

      const claimant = await open('/l/fieldnotes?via=podcast');
      await claimant.button(`Claim offer: ${OFFER}`);
      await signUp(claimant, 'bo@people.example');
      // The claim that was requested before sign-up is created now, with the label of the share link.
      await claimant.page.waitForURL('**/claims/*');
      await claimant.button(`Open Fieldnotes: ${OFFER}`);
      await claimant.heading('Welcome to the app');
      const arrived = new URL(claimant.page.url());
      expect(arrived.origin).toBe(app.origin);
      const token = arrived.searchParams.get('claim')!;

      const redeem = async () => {
        const { stdout } = await run('curl', [
          '--silent',
          ...['--header', `Authorization: Bearer ${key}`],
          ...['--json', JSON.stringify({ token, redeem: true })],
          baseUrl + VERIFY_PATH,
        ]);
        return JSON.parse(stdout);
      };
      const looks = way.javaScript ? await countLooks(owner.page, DASHBOARD_SETUP_PATH) : null;
      expect(await redeem()).toMatchObject({ status: 'redeemed', offer: OFFER, via: 'podcast' });
      looks?.begin();
      const green = owner.page.getByText('Your first verification: redeemed');
      if (looks !== null) {
        await green.waitFor();
        expect(looks.elapsedMs()).toBeLessThanOrEqual(GREEN_WITHIN_MS);
      } else
        await expect
          .poll(() => owner.page.reload().then(() => green.isVisible()), { timeout: 10_000 })
          .toBe(true);
      expect(await redeem()).toMatchObject({ status: 'already_redeemed' });
      await claimant.page.goto(`${baseUrl}/claims`);
      expect(await claimant.page.getByRole('article').textContent()).toContain('Redeemed');

      await owner.page.goto('/dashboard');
      await owner.link('Claims');
      await owner.heading('Claims');
      const row = owner.page.getByRole('row', { name: OFFER });
      expect(await row.textContent()).toMatch(/Redeemed/);
      expect(await row.textContent()).toContain('podcast');
      await owner.link('Campaigns');
      await owner.heading('Campaigns');
      expect(await owner.page.getByRole('row', { name: 'podcast' }).textContent()).toMatch(/1.*1.*100/);

      for (const person of [operator, owner, claimant]) expect(person.faults).toEqual([]);
    } finally {
      for (const profile of profiles) await profile.close();
      await server?.kill('SIGKILL');
      await app.close();
      await dbLocation.remove();
    }
  }, 120_000);
});

async function personAt(page: Page, handsOf: (page: Page) => Hands, path: string): Promise<Person> {
  const faults = collectFaults(page);
  page.setDefaultTimeout(10_000);
  const hands = handsOf(page);
  await page.goto(path);
  const named = (role: 'link' | 'button') => async (name: string | RegExp) =>
    hands.press(page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }));
  return {
    ...hands,
    page,
    faults,
    link: named('link'),
    button: named('button'),
    fill: async (fields) => {
      for (const [label, text] of Object.entries(fields)) {
        await hands.type(page.getByLabel(new RegExp(`^${label}(?: \\(optional\\))?$`, 'i')), text);
      }
    },
    heading: (name) => page.getByRole('heading', { level: 1, name }).waitFor(),
  };
}

async function signUp(person: Person, email: string): Promise<void> {
  await person.heading('Sign up');
  await person.fill({ 'Email address': email, Password: PASSWORD });
  await person.press(person.page.locator('main').getByRole('button', { name: 'Sign up' }));
  await person.page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor({ state: 'detached' });
}
