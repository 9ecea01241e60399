/** An owner's start page: the set-up steps, the first verification, and the overview that replaces the steps. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { DASHBOARD_SETUP_PATH } from '../../../src/base/paths.ts';
import { listOwnListings, type OwnListing } from '../../../src/marketplace/listings/counted-queries.ts';
import { submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { findOpenQuestion } from '../../../src/marketplace/listings/question-queries.ts';
import { answerQuestion, askOwner } from '../../../src/marketplace/listings/questions.ts';
import { reportListing } from '../../../src/marketplace/listings/reports.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { readLaunch } from '../../../src/pages/dashboard/start/tell-people.tsx';
import { createLinkPreviews } from '../../../src/pages/market/discovery/link-preview.ts';
import type { Plan } from '../../../src/people/accounts/account.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { CHROMIUM, countLooks, createVisitor, pageFindings, type Visitor } from '../../support/browser.ts';
import { issueTokens } from '../../support/marketplace.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { createMarketListing, type OwnersPage, startOwnersPage } from '../market/support.ts';

const run = promisify(execFile);
const VERIFY_PATH = '/api/v1/marketplace/claims/verify';
const actor = 'operator' as const;
/** Timeout for a call to appear in the request log. */
const LOGGED_WITHIN_MS = 4_000;
/** Maximum time from the call to the green tick. */
const GREEN_WITHIN_MS = 1_000;

describe('the start page', () => {
  let site: OwnSite;
  let app: OwnersPage;
  let visitor: Visitor;
  let people = 0;

  beforeAll(async () => {
    site = await openSite('sqlite');
    app = await startOwnersPage();
    visitor = createVisitor(site.baseUrl);
  });
  afterAll(async () => {
    await visitor.close();
    await app.close();
    await site.close();
  });

  const newPerson = (plan: Plan = 'studio'): Promise<SignedIn> => {
    people += 1;
    return signedInAs(site, { email: `starter-${people}@example.com`, plan });
  };

  const get = ({ person }: SignedIn, path = '/dashboard', headers: Readonly<Record<string, string>> = {}) =>
    person.get(path, headers);

  const shows = (person: SignedIn, words: string) =>
    expect.poll(async () => (await get(person)).text, { timeout: LOGGED_WITHIN_MS }).toContain(words);

  /** The state of each step: `done`, `now` or `later`. */
  const stepsIn = (html: string): readonly string[] =>
    [...html.matchAll(/<li class="step( done| now)?"/g)].map((match) => match[1]?.trim() ?? 'later');

  const publish = (person: SignedIn, draft = false) =>
    createMarketListing(site.context, person, {
      slug: `start-${people}`,
      name: 'Fieldnotes',
      origin: app.origin,
      draft,
      offers: [{ offer: '20% off the first year' }],
    });
  const newKey = (person: SignedIn, mode: 'live' | 'test') =>
    createKey(site.context, { account: person.accountId, name: `${mode} server`, mode, actor });
  const newToken = async (offerId: string, mode: 'live' | 'test') =>
    (await issueTokens(site.context, { offerId }, 1, { mode }))[0]!;
  const verify = (key: string, token: string, redeem = true) =>
    fetch(site.baseUrl + VERIFY_PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, redeem }),
    });

  /** Creates an owner who has completed every step except the first verification. */
  async function waiting() {
    const person = await newPerson();
    const { offerIds } = await publish(person);
    const [live, test] = [await newKey(person, 'live'), await newKey(person, 'test')];
    return { person, offerId: offerIds[0]!, live, test };
  }

  test('marks completed steps as done and highlights the next step', async () => {
    const person = await newPerson();
    const first = await get(person);
    expect(first.text).toContain('Publish your app');
    expect(stepsIn(first.text)).toEqual(['now', 'later', 'later', 'later']);
    const { id, offerIds } = await publish(person, true);
    const draft = await get(person);
    expect(stepsIn(draft.text)).toEqual(['now', 'done', 'later', 'later']);
    await submitListing(site.context, { listing: id, actor: `account:${person.accountId}` });
    const pending = await get(person);
    expect(pending.text).toContain('is waiting for review');
    expect(stepsIn(pending.text)).toEqual(['later', 'done', 'now', 'later']);
    const key = await newKey(person, 'test');
    expect(stepsIn((await get(person)).text)).toEqual(['later', 'done', 'done', 'now']);
    await editOffer(site.context, { offerId: offerIds[0]!, redemption_link: null, code: 'C', actor });
    expect(stepsIn((await get(person)).text)).toEqual(['later', 'now', 'done', 'later']);
    await revokeKey(site.context, { keyId: key.id, actor });
    expect(stepsIn((await get(person)).text)).toEqual(['later', 'now', 'later', 'later']);
  });

  test('does not ask for an API key on the Starter plan, and warns about an offer with a link but no code', async () => {
    const person = await newPerson('starter');
    await publish(person, true);
    const { text } = await get(person);
    expect(text).toContain('Your plan has no API keys');
    // The link is useless without a key, so the step that adds a code isn’t done.
    expect(stepsIn(text)).toEqual(['now', 'later', 'later']);
    const done = await newPerson('starter');
    const { offerIds } = await publish(done);
    const overview = await get(done);
    expect(stepsIn(overview.text)).toEqual([]);
    expect(overview.text).toContain('No offer has been claimed yet');
    expect(overview.text).toContain('Your server cannot verify claims yet');
    await editOffer(site.context, {
      offerId: offerIds[0]!,
      code: 'NOTES20',
      actor: 'operator',
    });
    expect((await get(done)).text).not.toContain('Your server cannot verify claims yet');
  });

  test('shows a curl command that redeems a claim once the placeholders are replaced', async () => {
    const { person, offerId, live } = await waiting();
    const token = await newToken(offerId, 'live');
    const { text } = await get(person);
    const shown = /<code>(CLAIMCHECK_API_KEY=[^<]*)<\/code>/.exec(text)![1]!;
    for (const placeholder of ['cck_…', 'clm_…']) expect(text).toContain(`<code>${placeholder}</code>`);
    const command = shown
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replace('cck_…', live.key)
      .replace('clm_…', token);
    // A shell function replaces curl and prints its arguments.
    const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`]);
    const [, url, , authorization, , type, , key, , body] = stdout.split('\n');
    const headers = [authorization, type, key].map((line) => line!.split(': ') as [string, string]);
    expect(Object.fromEntries(headers)).toHaveProperty('Idempotency-Key', '"order-4711"');
    const answer = await fetch(url!, { method: 'POST', headers, body: body! });
    expect(await answer.json()).toMatchObject({ status: 'redeemed' });
  });

  test('explains why calls failed to verify a claim', async () => {
    const { person, offerId, live, test } = await waiting();
    expect((await get(person)).text).toContain('Waiting for your first verification…');
    await verify(live.key, '{claim}');
    await verify(live.key, await newToken(offerId, 'test'));
    await fetch(site.baseUrl + VERIFY_PATH, { headers: { Authorization: `Bearer ${live.key}` } });
    await revokeKey(site.context, { keyId: test.id, actor });
    await verify(test.key, await newToken(offerId, 'test'));
    const faults = async () =>
      [...(await get(person)).text.matchAll(/<li><p>(.*?)<\/p>/g)].map((match) => match[1]);
    await expect
      .poll(faults, { timeout: LOGGED_WITHIN_MS })
      .toEqual([
        expect.stringContaining('is revoked'),
        expect.stringContaining('not a POST'),
        expect.stringContaining('A test token was sent with a live key'),
      ]);
  });

  test('shows the request and response of the first verification, with secrets redacted', async () => {
    const { person, offerId, live } = await waiting();
    const token = await newToken(offerId, 'live');
    const answer = await (await verify(live.key, token, false)).json();
    await shows(person, 'Your first verification: valid');
    const { text } = await get(person);
    expect(text).toContain('The claim is valid and not redeemed yet.');
    expect(text).not.toContain(token);
    expect(text).not.toContain(live.key);
    expect(text).toContain(`{&quot;token&quot;:&quot;…${token.slice(-4)}&quot;,&quot;redeem&quot;:false}`);
    const shown = /<pre[^>]*><code>200 OK\n\n([^<]*)<\/code>/.exec(text)![1]!;
    expect(JSON.parse(shown.replaceAll('&quot;', '"'))).toEqual(answer);
    // After the first redemption, the page shows the redemption instead of the verification.
    await verify(live.key, token);
    await shows(person, 'Your first redemption');
    const later = (await get(person)).text;
    expect(later).toContain('&quot;redeem&quot;:true}');
    expect(later).not.toContain('not redeemed yet');
    // Later calls do not replace the first redemption.
    await verify(live.key, await newToken(offerId, 'live'), false);
    await verify(live.key, await newToken(offerId, 'live'));
    expect((await get(person)).text).toContain(/req_[\w-]+/.exec(later)![0]);
  });

  test('returns 204 to polling requests until a call arrives', async () => {
    const { person, offerId, live } = await waiting();
    const { text } = await get(person);
    const path = /hx-get="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect((await get(person, path, { 'hx-request': 'true' })).status).toBe(204);
    expect((await get(person, path)).status).toBe(303);
    await verify(live.key, await newToken(offerId, 'live'));
    await expect
      .poll(async () => (await get(person, path, { 'hx-request': 'true' })).status, {
        timeout: LOGGED_WITHIN_MS,
      })
      .toBe(200);
    const part = await get(person, path, { 'hx-request': 'true' });
    expect(stepsIn(part.text)).toEqual(['done', 'done', 'done', 'done']);
    expect(part.text).not.toContain('hx-get');
    // Another account that requests the same path sees none of this account's data.
    const other = await newPerson();
    expect((await get(other, path, { 'hx-request': 'true' })).text).not.toContain('Fieldnotes');
  });

  test.skipIf(CHROMIUM === null)(
    'shows the green tick within a second of the call, and keeps polling until the redemption',
    async () => {
      const { person, offerId, live, test } = await waiting();
      await verify(live.key, '{claim}');
      const token = await newToken(offerId, 'live');
      const work: Parameters<Visitor['visit']>[1] = async (page, faults) => {
        await page.getByText('A call arrived').waitFor();
        expect(await pageFindings(page, 'owner start waiting')).toEqual([]);
        const opening = page.context().waitForEvent('page');
        await page.getByRole('button', { name: 'Open with a test claim' }).click();
        const opened = await opening;
        await opened.getByRole('heading', { name: 'Welcome to the app' }).waitFor();
        const testToken = new URL(opened.url()).searchParams.get('claim')!;
        expect(testToken).toMatch(/^clm_test_/);
        expect(app.visits.map(({ headers }) => headers.referer)).toEqual([undefined]);
        await opened.close();
        await page.waitForResponse((response) => response.url().includes(DASHBOARD_SETUP_PATH));
        const looks = await countLooks(page, DASHBOARD_SETUP_PATH);
        await verify(test.key, testToken, false);
        looks.begin();
        await page.getByText('Your first verification: valid').waitFor();
        expect(looks.elapsedMs()).toBeLessThanOrEqual(GREEN_WITHIN_MS);
        await verify(live.key, token);
        await page.getByText('Your first redemption').waitFor();
        expect(await page.getByText('not redeemed yet').count()).toBe(0);
        expect(await page.locator('li.step.done').count()).toBe(4);
        expect(await page.content()).not.toContain(token);
        expect(await pageFindings(page, 'owner start green')).toEqual([]);
        await page.getByRole('link', { name: 'Go to your overview' }).click();
        await page.getByRole('heading', { name: 'Latest claims' }).waitFor();
        expect(faults).toEqual([]);
      };
      await visitor.visit('/dashboard', work, true, person.person.profileCookies(site.baseUrl));
    },
  );

  test.skipIf(CHROMIUM === null)(
    'keeps the address and the history of the browser while it polls',
    async () => {
      const person = await newPerson();
      const work: Parameters<Visitor['visit']>[1] = async (page) => {
        const entries = await page.evaluate('history.length');
        await page.waitForResponse((response) => response.url().includes(DASHBOARD_SETUP_PATH));
        await page.evaluate('new Promise(requestAnimationFrame)');
        expect([new URL(page.url()).pathname, await page.evaluate('history.length')]).toEqual([
          '/dashboard',
          entries,
        ]);
      };
      await visitor.visit('/dashboard', work, true, person.person.profileCookies(site.baseUrl));
    },
  );

  test('helps to share a listing for 14 days after its approval', async () => {
    const { person, offerId } = await waiting();
    const share = `${site.baseUrl}/l/start-${people}?via=launch`;
    const { text } = await get(person);
    expect(text).toContain(`data-copy="${share}"`);
    expect(text).toContain(`20% off the first year: Fieldnotes is on Claimcheck. ${share}`);
    const [, preview = ''] = /<img src="([^"]+)"[^>]*width="1200"/.exec(text) ?? [];
    expect(await (await fetch(site.baseUrl + preview)).bytes().then((bytes) => bytes.length)).toBeGreaterThan(
      0,
    );
    expect(text).toContain(`QR code of ${share}`);
    expect(text).toContain(`/l/start-${people}/badge.svg`);

    const launchIn = (context: Context, listings: readonly OwnListing[]) =>
      readLaunch(context, createLinkPreviews(context), listings, site.baseUrl);
    const { listings } = await listOwnListings(site.context.db.read, person.accountId);
    const launchAt = (ms: number) => launchIn({ ...site.context, now: () => Date.now() + ms }, listings);
    expect(await launchAt(13 * DAY_MS)).toMatchObject({ link: share });
    expect(await launchAt(15 * DAY_MS)).toBeNull();
    await editOffer(site.context, { offerId, ends_at: new Date(Date.now() + DAY_MS).toISOString(), actor });
    expect((await launchAt(2 * DAY_MS))!.text).toBe(`Fieldnotes is on Claimcheck: ${share}`);

    await editListing(site.context, { listing: `start-${people}`, visibility: 'members', actor });
    const ofMembers = (await get(person)).text;
    expect(ofMembers).toContain(`data-copy="${share}"`);
    expect(ofMembers).toContain('Badges and previews in chats don’t work');
    expect(ofMembers).not.toMatch(/badge\.svg|width="1200"/);
  });

  test('shows the operator’s question until it is answered', async () => {
    const person = await newPerson();
    const { id: listingId } = await publish(person);
    const { context } = site;
    await reportListing(context, {
      listing: listingId,
      cause: 'broken',
      words: null,
      reporterId: null,
      address: '192.0.2.1',
    });
    await askOwner(context, { listing: listingId, question: 'Is it still valid?', actor });
    const reply = `href="/dashboard/listings/${listingId}/question"`;
    const { text } = await get(person);
    expect(text).toContain('Is it still valid?');
    expect(text).toContain(reply);
    const badge = 'Question from the operator';
    expect((await get(person, '/dashboard/listings')).text).toContain(badge);
    const question = (await findOpenQuestion(context.db.read, listingId))!;
    await answerQuestion(context, {
      listing: listingId,
      questionId: question.id,
      reply: 'Yes.',
      actor: `account:${person.accountId}`,
    });
    expect((await get(person)).text).not.toContain(reply);
    expect((await get(person, '/dashboard/listings')).text).not.toContain(badge);
  });

  test('shows figures and open problems once all steps are done', async () => {
    const { person, offerId, live } = await waiting();
    for (let count = 0; count < 4; count += 1) await verify(live.key, await newToken(offerId, 'live'));
    await newToken(offerId, 'live');
    await newToken(offerId, 'test');
    await expect
      .poll(async () => stepsIn((await get(person)).text), { timeout: LOGGED_WITHIN_MS })
      .toEqual([]);
    const { text } = await get(person);
    const FIGURE = /<dt>([^<]*)(?:<span class="sub">([^<]*)<\/span>)?<\/dt><dd>(?:<span[^>]*>)?([^<]*)/g;
    expect([...text.matchAll(FIGURE)].map((match) => match.slice(1))).toEqual([
      ['Visitors', 'in 0 visits', '0'],
      ['Claims', undefined, '5'],
      ['Redeemed', '80.0% of 5 claims with a link', '4'],
    ]);
    expect(text).toContain('All 5 claims');
    expect(text.match(/href="\/dashboard\/claims\/[0-9a-f-]{36}"/g)).toHaveLength(5);
    const link = 'https://elsewhere.example/?c={claim}';
    await editOffer(site.context, { offerId, redemption_link: link, actor: `account:${person.accountId}` });
    await revokeKey(site.context, { keyId: live.id, actor });
    const later = await get(person);
    expect(later.text).toContain('New redemption link');
    // Only the test key is still active, and test keys cannot find live claims.
    expect(later.text).not.toContain('No API key is active');
    expect(text).not.toContain('You only have test keys');
    expect(later.text).toContain('You only have test keys');
    const [beforeSharing] = later.text.split('Tell people');
    expect(beforeSharing).toContain('You only have test keys');
    expect(beforeSharing).toContain('New redemption link');
  });
});
