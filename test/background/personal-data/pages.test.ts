/** The pages where people download their data, delete their account and cancel the deletion. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DATA_PARTS,
  type PersonDataPage,
  readPersonData,
} from '../../../src/background/personal-data/data.ts';
import { eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import { appendEvent } from '../../../src/base/events/queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { insertQuestion, putReply } from '../../../src/marketplace/listings/question-queries.ts';
import { addCodes, withholdCodes } from '../../../src/marketplace/offers/codes.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { UNDO_MS } from '../../../src/people/accounts/account.ts';
import { inviteMember } from '../../../src/people/members/invite.ts';
import { FRESH_PROOF_MS, RECENT_PROOF_MS } from '../../../src/people/sign-in/sessions/sessions.ts';
import { createAccessLink } from '../../../src/people/visibility/access-link.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { dayIn } from '../../../src/platform/text/time-zone.ts';
import {
  type AccountSite,
  addPasskey,
  openAccountSite,
  queueMail,
  unescaped,
} from '../../people/sign-in/support.ts';
import { CHROMIUM, createVisitor, pageFindings, press, type Visitor } from '../../support/browser.ts';
import { ENGINES } from '../../support/engines.ts';
import { claimsOf, createOwner, type Owner } from '../../support/marketplace.ts';
import { noMailer, type SignedIn } from '../../support/person.ts';
import { callVerify } from '../../support/verify.ts';

describe.each(ENGINES)('personal data and account deletion on %s', (engine) => {
  let site: AccountSite;
  let owner: Owner;
  let aheadMs = 0;
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, () => Date.now() + aheadMs);
    owner = await createOwner(site.context);
    await editOffer(site.context, { offerId: owner.offerId, actor: 'operator', code_list: 'close' });
    const lines = ['CODE-OF-ADA', 'CODE-OF-BO'].map((text, index) => ({ line: index + 1, text }));
    await addCodes(site.context, { offerId: owner.offerId, actor: `account:${owner.accountId}`, lines });
  });
  afterAll(() => site?.close());

  const claim = ({ person }: SignedIn, { slug, offerId } = owner) =>
    person.post(`/l/${slug}/offers/${offerId}/claim`, {});

  test('the download contains every part of a person’s data, but no secrets and no data of other people', async () => {
    const ada = await site.signedIn();
    const bo = await site.signedIn();
    await claim(ada);
    await claim(bo);
    const { id } = (await claimsOf(site.context, owner)).find((one) => one.claimant_id === ada.accountId)!;
    const redemption = {
      token: site.context.tokens.derive(id, 'live'),
      redeem: true,
      reference: 'order-4711',
    };
    expect((await callVerify(site.baseUrl, owner.liveKey, redemption)).status).toBe(200);
    await addPasskey(site.context, ada.accountId);
    await queueMail(site.context, ada.email, 'Your weekly numbers.');
    await site.context.db.transaction((tx) =>
      appendEvent(tx, {
        accountId: ada.accountId,
        type: 'key.created',
        at: site.context.at(),
        actor: `account:${bo.accountId}`,
        subjectId: ada.accountId,
        data: { name: 'shop', mode: 'live', start: 'aB3d' },
      }),
    );
    const { status, headers, text } = await ada.person.get('/account/data.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-[\d-]+\.json"$/);
    const data = JSON.parse(text);
    expect(Object.keys(data)).toEqual(DATA_PARTS);
    expect(data.profile).toMatchObject([
      { id: ada.accountId, email: ada.email, name: 'Ada', plan: 'starter' },
    ]);
    expect(data.claims).toMatchObject([
      { offer: '20 % off the first "year"', code: 'CODE-OF-ADA', reference: 'order-4711' },
    ]);
    expect(data.passkeys).toMatchObject([{ name: 'Laptop' }]);
    expect(data.sessions).toMatchObject([{ id: ada.sessionId, ip: ada.person.headers['X-Forwarded-For'] }]);
    expect(data.sign_ins).toMatchObject([{ type: 'session.signed_in', by: 'you' }]);
    expect(data.mails).toMatchObject([{ subject: 'A notice', text: 'Your weekly numbers.\n' }]);
    expect(data.events).toMatchObject([
      { type: 'account.created', by: 'an operator', email: ada.email },
      { type: 'key.created', by: 'another person' },
    ]);
    const csv = await ada.person.get('/account/data.csv');
    expect(csv.text).toContain('claims,1,code,CODE-OF-ADA\r\n');
    for (const file of [text, csv.text]) {
      for (const other of [bo.email, 'CODE-OF-BO', ...(await secretsOf(ada))])
        expect(file).not.toContain(other);
    }
    expect((await ada.person.get('/account/data.xml')).status).toBe(404);
    expect((await site.browser().get('/account/data.json')).location).toContain('/sign-in');
  });

  test('the download contains invitations to another spelling of the mailbox', async () => {
    const ada = await site.signedIn({ email: `exports${Date.now()}@gmail.com` });
    const email =
      `Ex.ports${ada.email.slice('exports'.length).replace('@gmail', '+x@googlemail')}`.toLowerCase();
    const services = { context: site.context, baseUrl: site.baseUrl, mailer: noMailer };
    const { accountId } = owner;
    const invite = (to: string) =>
      inviteMember(services, {
        accountId,
        actor: `account:${accountId}`,
        role: 'member',
        email: to,
        address: null,
      });
    await invite(email);
    await invite('other@gmail.com');
    const data = JSON.parse((await ada.person.get('/account/data.json')).text);
    expect(data.invitations).toMatchObject([{ email }]);
  });

  test('the download contains invitation links that the person created, and questions of the operator', async () => {
    const { context } = site;
    const ada = await site.signedIn();
    const bo = await site.signedIn();
    const { accountId } = ada;
    const actor = `account:${accountId}` as const;
    const newListing = (account: string, slug: string) =>
      createListing(context, { account, slug, name: 'App', url: 'https://app.example', actor: 'operator' });
    const { id: listingId } = await newListing(accountId, `ada-${accountId}`);
    const { id: listingOfBo } = await newListing(bo.accountId, `bo-${accountId}`);
    const link = { listingId, accountId, actor, people: 10, days: 30 };
    const codes = [];
    for (const name of ['Newsletter', 'Conference'])
      codes.push((await createAccessLink(context, { ...link, name })).code);
    const at = context.at();
    await context.db.transaction(async (tx) => {
      const asked = { listing_id: listingId, question: 'Who may use it?', asked_at: at };
      const id = uuidv7(context);
      await insertQuestion(tx, { ...asked, id });
      await putReply(tx, { id, listingId, reply: 'Students.', at });
      await insertQuestion(tx, { ...asked, id: uuidv7(context), listing_id: listingOfBo });
    });
    const { text } = await ada.person.get('/account/data.json');
    const { access_links, listing_questions } = JSON.parse(text);
    expect(access_links).toMatchObject([{ name: 'Newsletter' }, { name: 'Conference' }]);
    expect(listing_questions).toMatchObject([{ question: 'Who may use it?', reply: 'Students.' }]);
    for (const code of codes) expect(text).not.toContain(code);
    const first = await readPersonData(context, accountId, 'access_links.', 1);
    expect([first.records.length, first.next]).toEqual([1, `access_links.${access_links[0].id}`]);
  });

  test('pagination returns the same records for any page size and rejects invalid cursors', async () => {
    const ada = await site.signedIn({ plan: 'studio' });
    const shop = await createOwner(site.context);
    for (const of of [shop, await createOwner(site.context)]) await claim(ada, of);
    const at = site.context.at();
    await site.context.db.transaction(async (tx) => {
      const notices = [
        ...['event:1', 'event:2', 'week:2026/47'].map((about) => ({ kind: 'claims', about })),
        { kind: 'week', about: 'a' },
      ];
      const values = notices.map((notice) => ({ ...notice, account_id: ada.accountId, at }));
      await tx.insertInto('notices').values(values).execute();
    });
    const read = async (limit: number) => {
      const records: unknown[] = [];
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const page: PersonDataPage = await readPersonData(site.context, ada.accountId, after, limit);
        records.push(...page.records);
        after = page.next;
      }
      return records;
    };
    const all = await read(100);
    expect(all.length).toBeGreaterThan(8);
    for (const limit of [1, 2, 3]) expect(await read(limit)).toEqual(all);
    for (const cursor of ['x', 'claims.x', 'sessions.1', 'notices.\0', `passkeys.${'-'.repeat(36)}`]) {
      const refused = readPersonData(site.context, ada.accountId, cursor);
      await expect(refused, cursor).rejects.toThrow('must be the `next` of an earlier page');
    }
  });

  async function secretsOf({ accountId }: SignedIn): Promise<readonly string[]> {
    const { read } = site.context.db;
    const { hash, token_hash } = await read
      .selectFrom('passwords')
      .innerJoin('sessions', 'sessions.account_id', 'passwords.account_id')
      .select(['hash', 'token_hash'])
      .where('sessions.account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return [hash, token_hash];
  }

  // The pages run the same queries on every engine, so SQLite is enough for the tests below.
  if (engine === 'postgres') return;

  test('download and deletion require a recent confirmation of identity', async () => {
    const ada = await site.signedIn();
    aheadMs += FRESH_PROOF_MS + 1_000;
    expect((await ada.person.get('/account/data.json')).status).toBe(200);
    expect((await ada.person.get('/account/delete')).location).toContain('/account/prove');
    aheadMs += RECENT_PROOF_MS;
    for (const path of ['/account/data.json', '/account/data.csv', '/account/delete']) {
      expect((await ada.person.get(path)).location, path).toContain('/account/prove');
    }
    expect((await ada.person.post('/account/delete')).text).toContain('name="proof_password"');
    const account = (await ada.person.get('/account')).text;
    expect(account).not.toContain('will be deleted on');
    // The link may redirect to the confirmation page. With a `download` attribute, the browser would save that page
    // instead of showing it.
    expect(account).toMatch(/<a [^>]*href="\/account\/data\.json"[^>]*>Download JSON/);
    expect(account).not.toMatch(/<a [^>]*href="\/account\/data\.json"[^>]*download/);
  });

  test('an account is deleted 7 days after the request unless the person cancels', async () => {
    const ada = await site.signedIn();
    const [eve, kim] = [await site.signedIn(), await site.signedIn({ operator: true })];
    const page = unescaped((await ada.person.get('/account/delete')).text);
    expect(page).toContain(dayIn('UTC', new Date(Date.now() + aheadMs + UNDO_MS).toISOString()));
    expect(page).not.toContain('Your apps and their claims');
    expect((await ada.person.post('/account/delete')).location).toBe('/account');
    expect((await eve.person.post('/account/delete')).location).toBe('/account');
    const refused = await kim.person.post('/account/delete');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('operator rights first')]);
    const account = (await ada.person.get('/account')).text;
    expect(account).toContain('Your account will be deleted on');
    const planned = (await ada.person.get('/account/delete')).text;
    expect(planned).toContain('Your account will be deleted on');
    for (const text of [account, planned]) expect(text).toContain('action="/account/keep"');
    expect(planned).not.toContain('action="/account/delete"');
    aheadMs += UNDO_MS - DAY_MS;
    const again = await site.browser();
    expect((await again.signIn(ada.email)).status).toBe(303);
    expect((await again.post('/account/keep')).location).toBe('/account?done=kept');
    expect((await again.get('/account')).text).not.toContain('will be deleted on');
    aheadMs += DAY_MS + 1_000;
    await eraseDueAccounts(site.context);
    expect(await again.isSignedIn()).toBe(true);
    expect(await eve.person.isSignedIn()).toBe(false);
    expect((await site.browser().signIn(eve.email)).status).toBe(422);
  });

  test('claimants of a deleted app owner see the deadline for redeeming their claims', async () => {
    const shop = await createOwner(site.context);
    const ada = await site.signedIn();
    const { location } = await claim(ada, shop);
    await site.context.db.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ delete_at: site.context.at(), delete_reason: 'asked' })
        .where('id', '=', shop.accountId)
        .execute(),
    );
    await eraseDueAccounts(site.context);
    const left = (await ada.person.get(location!)).text;
    expect(left).toContain('has left this marketplace');
    expect(left).toContain('You can redeem your claim until');
    aheadMs += 91 * DAY_MS;
    const back = site.browser();
    await back.signIn(ada.email);
    expect((await back.get(location!)).text).toContain('This claim can’t be redeemed any more.');
  });
});

describe.skipIf(CHROMIUM === null)('personal data pages in a browser', () => {
  let site: AccountSite;
  let visitor: Visitor;
  beforeAll(async () => {
    site = await openAccountSite('sqlite');
    visitor = createVisitor(site.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await site?.close();
  });

  const visit = ({ person }: SignedIn, path: string, work: (page: Page) => Promise<void>) =>
    visitor.visit(
      path,
      async (page, faults) => {
        await work(page);
        expect(faults).toEqual([]);
      },
      true,
      person.profileCookies(site.baseUrl),
    );

  test('let an owner download data, delete the account and cancel the deletion', async () => {
    const ada = await site.signedIn({ plan: 'studio' });
    const owner = await createOwner(site.context);
    await site.context.db.transaction((tx) =>
      tx
        .updateTable('listings')
        .set({ account_id: ada.accountId })
        .where('id', '=', owner.listingId)
        .execute(),
    );
    await visit(ada, '/account', async (page) => {
      const begun = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download JSON' }).click();
      expect((await begun).suggestedFilename()).toMatch(/^my-data-.*\.json$/);
      await page.getByRole('link', { name: 'Delete my account…' }).click();
      await page.getByRole('heading', { name: 'What stays' }).waitFor();
      await press(page, page.getByRole('button', { name: 'Delete my account' }));
      await page.getByRole('heading', { name: /Your account will be deleted on/ }).waitFor();
      expect(await pageFindings(page, 'account-pending')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Keep my account' }).first());
      await page.getByText('Deletion cancelled.').waitFor();
    });
  });

  test('let operators download a person’s data, delete the account and release withheld codes', async () => {
    const olga = await site.signedIn({ operator: true });
    const ada = await site.signedIn();
    const owner = await createOwner(site.context);
    await editOffer(site.context, { offerId: owner.offerId, actor: 'operator', code_list: 'close' });
    const lines = ['ONE', 'TWO'].map((text, index) => ({ line: index + 1, text }));
    await addCodes(site.context, { offerId: owner.offerId, actor: 'operator', lines });
    await withholdCodes(site.context);
    await visit(olga, `/desk/accounts/${ada.accountId}`, async (page) => {
      const begun = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download JSON' }).click();
      expect((await begun).suggestedFilename()).toMatch(/^account-.*\.json$/);
      await page.getByRole('button', { name: 'Delete account…' }).click();
      await press(page, page.getByRole('button', { name: 'Delete account', exact: true }));
      await page.getByText('Will be deleted', { exact: true }).waitFor();
      expect(await pageFindings(page, 'desk-account-pending')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Undo deletion' }));
      await page.getByRole('button', { name: 'Delete account…' }).waitFor();
    });
    await visit(olga, '/desk/system', async (page) => {
      expect(await pageFindings(page, 'desk-system-withheld')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Release all codes' }));
      await page.getByText('2 codes released.').waitFor();
    });
    expect((await ada.person.post('/desk/system/release-codes')).status).toBe(404);
    expect((await ada.person.get(`/desk/accounts/${ada.accountId}/data.json`)).status).toBe(404);
  });
});
