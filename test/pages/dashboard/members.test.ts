/** Inviting, joining, switching accounts, changing roles and leaving, on pages of the running service. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { findRole } from '../../../src/people/accounts/membership-queries.ts';
import { MIN_RESEND_MS } from '../../../src/people/members/member.ts';
import { listInvitations } from '../../../src/people/members/queries.ts';
import { CHROMIUM, createVisitor, pageFindings } from '../../support/browser.ts';
import { addMember } from '../../support/members.ts';
import { PASSWORD, Person, type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { partOf, startSmtpSink } from '../../support/smtp-sink.ts';
import { decode } from './support.ts';

const MEMBERS = '/dashboard/settings/members';

describe('member pages', () => {
  let site: OwnSite;
  let owner: SignedIn;

  beforeAll(async () => {
    site = await openSite('sqlite');
    owner = await signedInAs(site, { email: 'ada@acme.example', name: 'Acme', plan: 'studio' });
    await createListing(site.context, {
      account: owner.accountId,
      slug: 'notes',
      name: 'Notes of Acme',
      url: 'https://notes.example/',
      actor: `account:${owner.accountId}`,
    });
  });
  afterAll(() => site?.close());

  const linkOf = (html: string): string => /\/invitation#([0-9A-Z]{10})/.exec(decode(html))![1]!;
  const inviteTo = async (form: Readonly<Record<string, string>>) =>
    linkOf((await owner.person.post(MEMBERS, { email: '', role: 'member', ...form })).text);

  test('show an invitation link once, and a new person can sign up and join with it', async () => {
    const code = await inviteTo({});
    expect((await owner.person.get(MEMBERS)).text).not.toContain(code);

    const newcomer = new Person(site.baseUrl);
    const entered = await newcomer.post('/invitation', { code });
    expect(entered.location).toBe('/invitation/open');
    const opened = await newcomer.get('/invitation/open');
    expect(opened.text).toContain('Acme');
    expect(opened.text).toContain('href="/sign-up?next=%2Finvitation%2Fopen"');
    const signedUp = await newcomer.signUp('milo@people.example', { next: '/invitation/open' });
    expect(signedUp.location).toBe('/invitation/open');
    expect((await newcomer.get('/invitation/open')).text).toContain('milo@people.example');
    expect((await newcomer.post('/invitation/accept')).location).toBe('/dashboard');

    expect((await newcomer.get('/dashboard/listings')).text).toContain('Notes of Acme');
    const refused = await newcomer.get(MEMBERS);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Only owners of');
    expect((await newcomer.get('/dashboard')).text).not.toContain(`href="${MEMBERS}"`);
    // The code must not be stored in cookies.
    expect(newcomer.received.some((cookie) => cookie.includes(code))).toBe(false);

    // The next session opens the joined account, because the person's own account has no listings.
    const again = new Person(site.baseUrl);
    expect((await again.signIn('milo@people.example', PASSWORD, '/home')).location).toBe('/home');
    expect((await again.get('/home')).location).toBe('/dashboard');
    expect((await again.get('/dashboard/listings')).text).toContain('Notes of Acme');
  });

  test('tell a person with another address that the invitation isn’t theirs; staying is the default', async () => {
    const code = await inviteTo({ email: 'milo@elsewhere.example' });
    const { person } = await signedInAs(site, { email: 'olaf@people.example' });
    await person.post('/invitation', { code });
    const { text } = await person.get('/invitation/open');
    expect(text).toContain('This invitation is for milo@elsewhere.example, and you are signed in as olaf@');
    expect(text).toMatch(/class="button primary" href="\/home"[^>]*>Stay signed in as olaf@people\.example</);
    expect(text).toMatch(/Invited on <time[^>]*>[^<]*UTC/);
    expect(text).not.toContain('action="/invitation/accept"');
  });

  test.skipIf(CHROMIUM === null)(
    'show an opened invitation on a page that passes the page checks',
    async () => {
      const code = await inviteTo({});
      const { person } = await signedInAs(site, { email: 'lena@people.example' });
      const visitor = createVisitor(site.baseUrl);
      for (const [name, of] of [
        ['invitation', new Person(site.baseUrl)],
        ['invitation-signed-in', person],
      ] as const) {
        await of.post('/invitation', { code });
        const cookies = of.profileCookies(site.baseUrl);
        const look = async (page: Page, faults: readonly string[]) => {
          await page.getByText('Acme').first().waitFor();
          expect([...(await pageFindings(page, name)), ...faults]).toEqual([]);
        };
        await visitor.visit('/invitation/open', look, true, cookies);
      }
      await visitor.close();
    },
  );

  test('prefill the invited email address on sign-up and sign-in', async () => {
    const shown = await owner.person.post(MEMBERS, { email: 'nora@people.example', role: 'member' });
    expect(decode(shown.text)).toContain('Pass this link on to nora@people.example');
    const invited = new Person(site.baseUrl);
    await invited.post('/invitation', { code: linkOf(shown.text) });
    for (const path of ['/sign-up', '/sign-in']) {
      const form = await invited.get(`${path}?next=%2Finvitation%2Fopen`);
      expect(form.text).toMatch(/<input[^>]*value="nora@people\.example"/);
      expect((await invited.get(path)).text).not.toContain('nora@');
    }
  });

  test('let a person switch accounts, and return 409 for a form that was opened before the switch', async () => {
    const two = await signedInAs(site, { email: 'two@people.example', name: 'Two Accounts' });
    await addMember(site.context, two, { accountId: owner.accountId });
    const form = await two.person.get('/dashboard/listings/new');
    const shownTo = /name="shown_to" value="([^"]+)"/.exec(form.text)![1]!;
    expect(shownTo).toBe(`${two.accountId}.${owner.accountId}`);

    const switched = await two.person.post('/dashboard/switch', {
      account: two.accountId,
      shown_to: shownTo,
    });
    expect(switched.location).toBe('/dashboard');
    expect((await two.person.get('/dashboard/listings')).text).not.toContain('Notes of Acme');
    const listing = { slug: 'mine', name: 'Mine', url: 'https://mine.example/', shown_to: shownTo };
    const asked = await two.person.post('/dashboard/listings/new', listing);
    expect(asked.status).toBe(409);
    expect(asked.text).toContain('You are now working in another account');
    // Forms that change only the person's own data are accepted in every account.
    const renamed = await two.person.post('/account/name', { name: 'Two', shown_to: shownTo });
    expect(renamed.status).toBe(303);

    expect((await two.person.post('/dashboard/switch', { account: owner.accountId })).status).toBe(303);
    expect((await two.person.get('/dashboard/listings')).text).toContain('Notes of Acme');
    const stranger = await signedInAs(site, { email: 'eve@elsewhere.example' });
    const other = await two.person.post('/dashboard/switch', { account: stranger.accountId });
    expect(other.status).toBe(404);
  });

  test('let owners change roles and remove members, and let members leave', async () => {
    const cora = await signedInAs(site, { email: 'cora@people.example', name: 'Cora' });
    await addMember(site.context, cora, { accountId: owner.accountId });
    const role = () => findRole(site.context.db.read, owner.accountId, cora.accountId);
    const changed = await owner.person.post(`${MEMBERS}/${cora.accountId}/role`, { role: 'owner' });
    expect(changed.location).toBe(`${MEMBERS}?done=role`);
    expect(await role()).toBe('owner');

    const key = { name: 'Server of Cora', mode: 'test', expires: '', form: '' };
    expect((await cora.person.post('/dashboard/settings/keys', key)).text).toContain('cck_test_');
    const page = await owner.person.get(`${MEMBERS}/${cora.accountId}/remove`);
    expect(page.text).toContain('Server of Cora');
    const wrong = await owner.person.post(`${MEMBERS}/${cora.accountId}/remove`, { keys: 'never' });
    expect(wrong.status).toBe(422);
    const removed = await owner.person.post(`${MEMBERS}/${cora.accountId}/remove`, { keys: '24h' });
    expect(removed.location).toBe(`${MEMBERS}?done=removed`);
    expect(await role()).toBeNull();

    await addMember(site.context, cora, { accountId: owner.accountId });
    const leave = `/account/accounts/${owner.accountId}/leave`;
    expect((await cora.person.get(leave)).text).toContain('Leave');
    // The removal ended Cora's identity confirmations.
    expect((await cora.person.post(leave, { keys: 'now' })).status).toBe(403);
    const left = await cora.person.post(leave, { keys: 'now', proof_password: PASSWORD });
    expect(left.location).toBe('/account/accounts');
    expect(await role()).toBeNull();
    expect((await cora.person.get(leave)).status).toBe(404);
  });

  test('ask what ends before an owner becomes a member', async () => {
    const dora = await signedInAs(site, { email: 'dora@people.example', name: 'Dora' });
    await addMember(site.context, dora, { accountId: owner.accountId, role: 'owner' });
    const key = { name: 'Server of Dora', mode: 'test', expires: '', form: '' };
    expect((await dora.person.post('/dashboard/settings/keys', key)).text).toContain('cck_test_');
    const members = await owner.person.get(MEMBERS);
    expect(members.text).toContain(`${MEMBERS}/${dora.accountId}/demote`);
    const page = await owner.person.get(`${MEMBERS}/${dora.accountId}/demote`);
    for (const words of ['Server of Dora', 'Invitations that were sent', 'In 24 hours']) {
      expect(page.text).toContain(words);
    }
    const wrong = await owner.person.post(`${MEMBERS}/${dora.accountId}/role`, {
      role: 'member',
      keys: '1y',
    });
    expect(wrong.status).toBe(422);
    const form = { role: 'member', keys: 'now' };
    const changed = await owner.person.post(`${MEMBERS}/${dora.accountId}/role`, form);
    expect(changed.location).toBe(`${MEMBERS}?done=role`);
    expect((await dora.person.get(MEMBERS)).status).toBe(403);
    const { revoked_at } = await site.context.db.read
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('name', '=', 'Server of Dora')
      .executeTakeFirstOrThrow();
    expect(revoked_at).not.toBeNull();
  });

  test('show expired invitations, and replace or remove any invitation', async () => {
    const first = await inviteTo({ email: 'vera@people.example' });
    const [{ id } = { id: '' }] = await listInvitations(site.context.db.read, owner.accountId);
    const past = '2026-01-01T00:00:00.000Z';
    await site.context.db.transaction((tx) =>
      tx.updateTable('invitations').set({ expires_at: past }).where('id', '=', id).execute(),
    );
    const page = (await owner.person.get(MEMBERS)).text;
    for (const words of ['Expired', 'New link for vera@', 'Remove the invitation for vera@']) {
      expect(page).toContain(words);
    }
    const again = `/dashboard/settings/invitations/${id}/again`;
    const code = linkOf((await owner.person.post(again)).text);
    expect(code).not.toBe(first);
    expect((await owner.person.get(MEMBERS)).text).toContain('Withdraw the invitation for vera@');
    const removed = await owner.person.post(`/dashboard/settings/invitations/${id}/withdraw`);
    expect(removed.location).toBe(`${MEMBERS}?done=withdrawn`);
    expect((await owner.person.post(again)).status).toBe(404);
    expect((await new Person(site.baseUrl).post('/invitation', { code })).text).toContain('does not work');
  });

  test('require a recent identity confirmation to invite a member', async () => {
    await site.context.db.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ proven_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', owner.sessionId)
        .execute(),
    );
    const [{ id } = { id: '' }] = await listInvitations(site.context.db.read, owner.accountId);
    for (const path of [MEMBERS, `/dashboard/settings/invitations/${id}/again`]) {
      const answer = await owner.person.post(path, { email: '', role: 'owner' });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain('Confirm it’s you');
    }
  });
});

test('an invitation is mailed instead of shown if a mail server is configured', async () => {
  const sink = await startSmtpSink();
  let nowMs = Date.now();
  const env = { SMTP_URL: sink.url, MAIL_FROM: 'claims@claims.example' };
  const site = await openSite('sqlite', env, () => nowMs);
  try {
    const owner = await signedInAs(site, { email: 'ada@acme.example', name: 'Acme' });
    const answer = await owner.person.post(MEMBERS, { email: 'milo@people.example', role: 'member' });
    expect(answer.location).toBe(`${MEMBERS}?done=invited`);
    await expect.poll(() => sink.mails.length).toBe(1);
    const [mail] = sink.mails;
    expect(mail).toContain('milo@people.example');
    const [{ id } = { id: '' }] = await listInvitations(site.context.db.read, owner.accountId);
    expect((await owner.person.get(MEMBERS)).text).toContain('Resend to milo@people.example');
    nowMs += MIN_RESEND_MS;
    const again = await owner.person.post(`/dashboard/settings/invitations/${id}/again`);
    expect(again.location).toBe(`${MEMBERS}?done=invited`);
    await expect.poll(() => sink.mails.length).toBe(2);
    const code = /\/invitation#([0-9A-Z]{10})/.exec(partOf(sink.mails[1]!, 'text/plain'))![1]!;
    const milo = await signedInAs(site, { email: 'milo@people.example' });
    await milo.person.post('/invitation', { code });
    expect((await milo.person.post('/invitation/accept')).location).toBe('/dashboard');
    expect((await milo.person.get('/account/accounts')).text).toContain('Acme');
  } finally {
    await site.close();
    await sink.close();
  }
});
