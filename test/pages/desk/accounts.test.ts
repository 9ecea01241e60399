/** Desk pages: accounts, the audit log, the system page and the Outbox. */

import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeNotice } from '../../../src/background/notices/queries.ts';
import { rememberDeletedEvents } from '../../../src/base/events/sweep-queries.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { issueClaimFor } from '../../../src/claims/creation/issue.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import {
  type AccountFilter,
  SEARCHED_ACCOUNTS,
  searchAccounts,
} from '../../../src/pages/desk/accounts/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { createMailer } from '../../../src/people/mail/mail.ts';
import { insertMails } from '../../../src/people/mail/queries.ts';
import { insertMembership } from '../../../src/people/members/queries.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { MAX_REASON_LENGTH } from '../../../src/platform/text/text.ts';
import { run } from '../../app/cli/support.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { newViewer } from '../viewers.ts';
import { type Desk, openDesk, pendingListing, wordsOf } from './support.ts';

describe.each(ENGINES)('the desk on %s', (engine) => {
  let desk: Desk;
  let owner: Owner;
  let path: string;
  beforeAll(async () => {
    desk = await openDesk(engine);
    owner = await createOwner(desk.context);
    path = `/desk/accounts/${owner.accountId}`;
  });
  afterAll(() => desk.close());
  beforeEach(() => {
    desk.pages.viewer = desk.operator;
  });

  const account = (id: string) => findAccount(desk.db.read, id);

  test('changes an account’s plan, and rejects an unknown plan with a message', async () => {
    const saved = `${path}?saved`;
    expect((await desk.post(`${path}/plan`, { plan: 'everything' })).headers.get('location')).toBe(saved);
    expect(await desk.text(saved)).toContain('The plan applies now.');
    expect((await account(owner.accountId)).plan).toBe('everything');
    const refused = await desk.post(`${path}/plan`, { plan: 'gold' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('The plan must be one of starter, studio, everything; found');
    expect(await desk.text(path)).toContain('Olga Operator moved the account from Studio to Everything.');
  });

  test('suspends and restores any account except the operator’s own', async () => {
    expect(await desk.text(path)).toContain('Their API keys stop working');
    const long = await desk.post(`${path}/suspend`, { reason: 'x'.repeat(MAX_REASON_LENGTH + 1) });
    expect([long.status, (await account(owner.accountId)).suspended_at]).toEqual([422, null]);
    expect((await desk.post(`${path}/suspend`, { reason: 'Sells stolen codes.' })).status).toBe(303);
    expect((await account(owner.accountId)).suspended_at).not.toBeNull();
    expect(await desk.text(path)).toContain('Sells stolen codes.');
    // The listing stays approved, but is closed while the account is suspended.
    const listing = `/desk/listings/${owner.listingId}`;
    expect(await desk.text(path)).not.toContain('Live 1');
    expect(await desk.text(listing)).toMatch(/Suspended .* The account of .* is suspended/);
    expect((await desk.post(`${path}/restore`)).status).toBe(303);
    expect((await account(owner.accountId)).suspended_at).toBeNull();
    expect(await desk.text(path)).toContain('Live 1');
    expect(await desk.text(listing)).not.toContain('is suspended');
    const claimant = await desk.text(`/desk/accounts/${desk.otherOperator.accountId}`);
    expect(claimant).toContain('Their claims stay redeemable.');
    expect(claimant).not.toContain('API keys stop working');
    const own = await desk.post(`/desk/accounts/${desk.operator.accountId}/suspend`);
    expect(own.status).toBe(422);
    expect(await wordsOf(own)).toContain('You cannot suspend your own account.');
    expect((await account(desk.operator.accountId)).suspended_at).toBeNull();
  });

  test('requires re-authentication to add an operator, and never removes the last operator', async () => {
    const ada = await newViewer(desk.context, { name: 'Ada Aspirant' });
    const adasPage = `/desk/accounts/${ada.accountId}`;
    const operatorOf = async (id: string) => (await account(id)).operator_since;
    expect(await desk.text(adasPage)).toContain('Make operator…');
    desk.pages.viewer = { ...desk.operator, isRecentlyProven: false, isFreshlyProven: false };
    const unproven = await desk.post(`${adasPage}/operator`, { operator: 'on' });
    expect([unproven.status, await unproven.text()]).toEqual([
      403,
      expect.stringContaining('name="operator" value="on"'),
    ]);
    expect(await operatorOf(ada.accountId)).toBeNull();

    desk.pages.viewer = desk.operator;
    const suspended = { account: ada.accountId, actor: 'operator' } as const;
    await suspendAccount(desk.context, suspended);
    const early = await desk.post(`${adasPage}/operator`, { operator: 'on' });
    expect([early.status, await wordsOf(early)]).toEqual([
      422,
      expect.stringContaining('This account is suspended. End the suspension first.'),
    ]);
    await restoreAccount(desk.context, suspended);
    const made = await desk.post(`${adasPage}/operator`, { operator: 'on' });
    expect(made.headers.get('location')).toBe(adasPage);
    expect(await operatorOf(ada.accountId)).not.toBeNull();
    const shown = await desk.text(adasPage);
    expect(shown).toContain('Remove operator rights…');
    expect(shown).toContain('Olga Operator made the account an operator.');
    await desk.post(`${adasPage}/operator`, { operator: 'off' });
    expect(await operatorOf(ada.accountId)).toBeNull();

    const other = { account: desk.otherOperator.accountId, actor: 'operator' } as const;
    await suspendAccount(desk.context, other);
    const last = await desk.post(`/desk/accounts/${desk.operator.accountId}/operator`, { operator: 'off' });
    expect([last.status, await wordsOf(last)]).toEqual([
      422,
      expect.stringContaining('This is the only operator who isn’t suspended.'),
    ]);
    expect(await operatorOf(desk.operator.accountId)).not.toBeNull();
    await restoreAccount(desk.context, other);
  });

  test('lists API keys without their secrets', async () => {
    const { key } = await createKey(desk.context, {
      account: owner.accountId,
      name: 'shop server',
      mode: 'live',
      actor: 'operator',
    });
    const html = await desk.html(path);
    expect(html).toContain('shop server');
    expect(html).not.toContain(key.slice(13));
  });

  test('searches accounts by part of their name or email address, ignoring case', async () => {
    for (const name of ['Björn 100% Ltd', 'Under_score', 'Back\\slash']) {
      await createAccount(desk.context, {
        email: `${encodeURIComponent(name.slice(0, 3)).replaceAll('%', '')}@search.example`,
        name,
        actor: 'operator',
      });
    }
    const names = async (search: string) =>
      (await searchAccounts(desk.db, { search })).accounts.map(({ name }) => name);
    expect(await names('100%')).toEqual(['Björn 100% Ltd']);
    expect(await names('under_S')).toEqual(['Under_score']);
    expect(await names('r_s')).toEqual(['Under_score']);
    expect(await names('k\\s')).toEqual(['Back\\slash']);
    expect(await names('SEARCH.example')).toHaveLength(3);
    expect(await names('olga@claims.example')).toEqual(['Olga Operator']);
    expect(await names('\u0000')).not.toEqual([]);
    const first = await searchAccounts(desk.db, { search: '', limit: 2 });
    const second = await searchAccounts(desk.db, { search: '', limit: 2, after: first.next! });
    expect(new Set([...first.accounts, ...second.accounts].map(({ id }) => id)).size).toBe(4);
    const shown = await desk.text('/desk/accounts?q=search.example');
    expect(shown).toContain('Under_score');
    expect(shown).not.toContain('Otto Operator');
    expect(await desk.text('/desk/accounts?q=nobody-at-all')).toContain('No accounts match.');
  });

  test.each([
    ['Ökostrom Äcker GmbH', ['ökostrom', 'ÖKOSTROM', 'okostrom', 'O\u0308kostrom', 'äcker gmbh']],
    ['Élève café (decomposed)'.normalize('NFD'), ['élève', 'ÉLÈVE', 'eleve', 'CAFÉ'.normalize('NFD')]],
    ['İstanbul Işık', ['istanbul', 'ISTANBUL', 'ışık', 'isik', 'İSTANBUL']],
    ['Straße 7', ['strasse', 'STRASSE', 'STRAẞE', 'straß', 'stras']],
    ['Ødegård Æther Łódź', ['odegard', 'aether', 'ÆTHER', 'lodz', 'ŁÓDŹ']],
    ['Черв Червоний', ['червоний', 'ЧЕРВОНИЙ']],
    ['ΒΟΡΡΆΣ', ['βορράς', 'βορρασ']],
    ['ﾉｰﾄ 笔记', ['ノート', '笔记']],
    ['Foo\u00a0Bar', ['foo bar']],
  ])('finds “%s” in every spelling', async (name, searches) => {
    const email = `spelled-${uuidv7(desk.context)}@spelled.example`;
    await createAccount(desk.context, { email, name, actor: 'operator' });
    for (const search of searches) {
      const { accounts } = await searchAccounts(desk.db, { search });
      expect(
        accounts.map((account) => account.email),
        search,
      ).toEqual([email]);
    }
  });

  test('filters accounts by role and plan', async () => {
    const namesOf = async (filter: Omit<AccountFilter, 'search'>, search = '') => {
      const { accounts } = await searchAccounts(desk.db, { search, ...filter });
      return accounts.map(({ name, listings }) => `${name} ${listings}`);
    };
    await pendingListing(desk, `listed-${engine}`);
    const owners = await namesOf({ role: 'owners' });
    expect(owners).toContainEqual(expect.stringMatching(/^Ada Acme [1-9]/));
    expect(owners.filter((name) => name.endsWith(' 0'))).toEqual([]);
    expect(await namesOf({ role: 'owners' }, 'olga')).toEqual([]);
    expect(await namesOf({ role: 'operators' }, 'olga@claims.example')).toEqual(['Olga Operator 0']);
    expect(await namesOf({ role: 'operators', plan: 'everything' })).toEqual([]);
    expect(await namesOf({ role: 'suspended' })).toEqual([]);
    const suspended = { account: desk.otherOperator.accountId, actor: 'operator' } as const;
    await suspendAccount(desk.context, suspended);
    expect(await namesOf({ role: 'suspended' })).toEqual(['Otto Operator 0']);
    await restoreAccount(desk.context, suspended);
    expect(await namesOf({ plan: 'starter' })).toContain('Under_score 0');
    expect(await namesOf({ plan: 'studio' })).not.toContain('Under_score 0');
    const shown = await desk.text('/desk/accounts?who=owners');
    expect(shown).toContain('Ada Acme');
    expect(shown).not.toContain('Under_score');
    expect(await desk.text('/desk/accounts?who=operators&plan=everything')).toContain('No accounts match.');
  });

  test('limits how many accounts one search scans, and continues from a cursor', async () => {
    const at = new Date().toISOString();
    const rows = Array.from({ length: SEARCHED_ACCOUNTS }, (_, index) => ({
      id: uuidv7(desk.context),
      email: `bulk-${index}@example.org`,
      mailbox: 'bulk',
      name: 'Bulk',
      plan: 'starter' as const,
      created_at: at,
    }));
    await desk.db.transaction(async (tx) => {
      for (let from = 0; from < rows.length; from += 1_000) {
        await tx
          .insertInto('accounts')
          .values(rows.slice(from, from + 1_000))
          .execute();
      }
    });
    const first = await searchAccounts(desk.db, { search: 'otto' });
    expect(first).toMatchObject({ accounts: [], partial: true });
    const second = await searchAccounts(desk.db, { search: 'otto', after: first.next! });
    expect(second.accounts.map(({ name }) => name)).toEqual(['Otto Operator']);
    expect(second.next).toBeNull();
  });

  test('filters the audit log by type and account, and shows since when the log is complete', async () => {
    await pendingListing(desk, `audited-${engine}`);
    const all = await desk.text('/desk/events');
    expect(all).not.toContain('Complete since');
    expect(all).toContain(`Ada Acme submitted the listing audited-${engine} for review.`);
    expect(all).toContain('created the operator account olga@ claims. example');
    expect(all).toContain('Sign-ins, sign-outs and most sign-ups are hidden.');
    expect(await desk.text('/desk/events?type=all')).toContain('created the account');
    const owners = await desk.text(`/desk/events?account=${desk.owner.email}`);
    expect(owners).toContain('Ada Acme submitted');
    expect(owners).not.toContain('suspended the account');
    const suspensions = await desk.text('/desk/events?type=account.suspended');
    expect(suspensions).toContain('Olga Operator suspended the account.');
    expect(suspensions).not.toContain('Ada Acme submitted');
    const { accountId } = desk.operator;
    const claim = {
      offerId: owner.offerId,
      claimantRef: 'customer-4711',
      mode: 'live',
      via: 'by-hand',
    } as const;
    await issueClaimFor(desk.context, { ...claim, replace: false, actor: `account:${accountId}` });
    const claims = await desk.text('/desk/events?type=claim.created');
    expect(claims).toContain('Olga Operator made a claim with the label by-hand.');
    expect(await desk.text('/desk/events?account=nobody@example.com')).toContain(
      'There is no account with the id or email address',
    );
    for (const odd of ['type=nonsense', 'type=__proto__', 'after=x', 'account=%01', 'account=%F0%9F']) {
      expect([odd, (await desk.get(`/desk/events?${odd}`)).status]).toEqual([odd, 200]);
    }
    const deleted = { seq: 1, until: '2025-11-01T00:00:00.000Z' };
    await desk.db.transaction((tx) => rememberDeletedEvents(tx, deleted));
    expect(await desk.text('/desk/events')).toMatch(/Complete since .*2025.*have been deleted/);
  });

  test('shows the results of `claimcheck doctor` and the backup status on the system page', async () => {
    const text = await desk.text('/desk/system');
    for (const found of ['Durability', 'Secret key', 'Schema', 'Writing', 'Backup', 'Mail']) {
      expect(text).toContain(found);
    }
    expect(text).toMatch(/System \d notes?/);
    expect(text).not.toContain('All OK');
    const backup = await run(['backup', join(desk.dataDir, 'copy.db')], desk.env);
    expect(backup.code === 0).toBe(engine === 'sqlite');
    expect(await desk.text('/desk/system')).toMatch(
      engine === 'sqlite' ? /The last backup is from \d+ \w+ 20/ : /own tool: pg_dump/,
    );
    // A finding that begins with the name of a setting is not capitalized.
    expect(text).toContain(engine === 'sqlite' ? 'journal_mode = wal' : 'fsync = on');
    expect(text).toMatch(/Webhooks\s*Nothing is due/);
    expect(text).not.toMatch(/postgres:\/\/[^@"]*:[^@*"]+@/);
  });

  test('lists unsent mail in the Outbox and escapes its content', async () => {
    const empty = await desk.html('/desk/outbox');
    expect(empty).toContain('No mail is waiting');
    expect(empty.match(/href="\/docs\/self-hosting#mail"/g)).toHaveLength(1);
    const mailer = createMailer(desk.context, { smtpUrl: null, from: 'x@example.com', onFailure: () => {} });
    mailer.send(async () => ({
      to: 'ada@acme.example',
      subject: 'Set a <b>new</b> password',
      letter: [
        { link: 'Open', href: 'https://claims.example/reset-password#abc' },
        '<script>alert(1)</script>',
      ],
    }));
    await mailer.close();
    const html = await desk.html('/desk/outbox');
    expect(html).toContain('data-copy="https://claims.example/reset-password#abc"');
    expect(html).toContain('Set a &lt;b&gt;new&lt;/b&gt; password');
    expect(html).not.toContain('<script>alert');
  });

  test('shows an account’s members, memberships, sessions, mail and paginated claims', async () => {
    const person = await newViewer(desk.context, { email: 'pia@claims.example', name: 'Pia' });
    const page = `/desk/accounts/${person.accountId}`;
    const claimIds: string[] = [];
    for (let offer = 1; offer <= 21; offer += 1) {
      const { id } = await createOffer(desk.context, {
        listing: owner.slug,
        offer: `Offer ${offer}`,
        kind: 'discount',
        code: 'PIA',
        actor: 'operator',
      });
      const claim = { claimantAccountId: person.accountId, listing: owner.slug, offerId: id };
      claimIds.push((await claimOffer(desk.context, claim)).claimId);
    }
    const at = desk.context.at();
    await desk.db.transaction(async (tx) => {
      const membership = {
        account_id: owner.accountId,
        member_id: person.accountId,
        role: 'member' as const,
      };
      await insertMembership(tx, { ...membership, invited_by_id: owner.accountId, created_at: at });
      const mail = { id: uuidv7(desk.context), recipient: person.email, subject: 'Your link', body: '' };
      await insertMails(tx, [{ ...mail, code_hash: null, created_at: at, next_at: null }]);
      await takeNotice(
        tx,
        { accountId: person.accountId, kind: 'reminders', about: 'x' },
        { at, before: null },
      );
    });
    const newest = await desk.html(page);
    const [oldest] = claimIds;
    for (const id of claimIds.slice(1)) expect(newest).toContain(`/desk/claims/${id}`);
    expect(newest).not.toContain(`/desk/claims/${oldest}`);
    const [, next] = /href="([^"]*\?claims=\d+#claims)"/.exec(newest) ?? [];
    expect(await desk.html(next!)).toContain(`/desk/claims/${oldest}`);
    expect(await desk.html(`${page}?claims=nonsense`)).toContain(`/desk/claims/${claimIds.at(-1)}`);
    const text = await desk.text(page);
    for (const shown of [
      'Accounts this person works in',
      'No session is open',
      'Your link',
      'Reminder about an unused claim',
    ]) {
      expect(text).toContain(shown);
    }
    expect(await desk.text(path)).toMatch(/Members .*Pia/);
  });
});
