/** Account deletion erases personal data and keeps claims. Nobody can claim an offer twice by deleting an account. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deletionsAreDue, eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import { reencrypt } from '../../../src/background/system/secret-keys.ts';
import { listEndpoints } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../../src/base/context.ts';
import { codesOfClaims } from '../../../src/claims/codes/codes-of-claims.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { claimForTest } from '../../../src/claims/creation/issue.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { DELETED_NAME, KEYS_KEPT_MS, UNDO_MS } from '../../../src/people/accounts/account.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { planDeletion, setPlan, undoDeletion } from '../../../src/people/accounts/edit.ts';
import { type Account, findAccount } from '../../../src/people/accounts/queries.ts';
import { renameAccount } from '../../../src/people/accounts/rename.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { unsignedText } from '../../../src/people/mail/letter.ts';
import type { Mail } from '../../../src/people/mail/mail.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { endAllSessions, setOperator } from '../../../src/people/sign-in/access.ts';
import { signInProven } from '../../../src/people/sign-in/sign-in.ts';
import { createSecretBox } from '../../../src/platform/secrets/secret-keys.ts';
import type { Database } from '../../../src/platform/store/database.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { addPasskey, queueMail } from '../../people/sign-in/support.ts';
import { countDeletions } from '../../support/deletions.ts';
import { ENGINES, openTestDatabase, TEST_SECRET_KEY, type TestDatabase } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { signInServices } from '../../support/person.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { allTexts } from '../../support/tables.ts';
import { redeemAll } from '../../support/verify.ts';

const ACTOR = 'operator' as const;

describe.each(ENGINES)('account deletion on %s', (engine) => {
  let database: TestDatabase;
  let context: Context;
  let owner: Owner;
  let people = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    context = database.context;
    owner = await createOwner(context);
  });
  afterAll(() => database.close());

  const later = (ms: number): Context => {
    const { now } = context;
    return { ...context, now: () => now() + ms };
  };
  const due = () => later(UNDO_MS + 1);
  const newEmail = () => {
    people += 1;
    return `erased-${people}@example.com`;
  };
  const person = (email = newEmail(), name = 'P'): Promise<Account> =>
    createAccount(context, { email, name, actor: ACTOR });
  const plan = ({ id }: Pick<Account, 'id'>) =>
    planDeletion(context, { account: id, actor: `account:${id}`, notice: null });
  const erase = async (...accounts: readonly Pick<Account, 'id'>[]) => {
    for (const account of accounts) await plan(account);
    return eraseDueAccounts(due());
  };
  const rules = { hasMail: false, address: null };
  const claim = ({ id }: Pick<Account, 'id'>, of: Owner = owner, at = context) =>
    claimOffer(at, { claimantAccountId: id, listing: of.slug, offerId: of.offerId, rules });
  const signIn = ({ id: accountId }: Pick<Account, 'id'>, address = '203.0.113.1') =>
    signInProven(signInServices({ context, baseUrl: 'https://claims.example' }), {
      accountId,
      factors: 1,
      caller: { cookie: '', userAgent: `Browser of ${address}`, address },
    });

  test('deletes pictures and notices in short transactions, so that redemptions hardly wait', async () => {
    const account = await person();
    const at = context.at();
    const pictures = Array.from({ length: 25 }, () => ({
      ...{ id: uuidv7(context), account_id: account.id, listing_id: null, subject_id: uuidv7(context) },
      ...{ kind: 'offer' as const, files: '[]', bytes: 1, created_at: at },
      ...{ proposed_at: null, declined_reason: null, replaced_at: at },
    }));
    const kinds = ['claims', 'reminders'];
    const notices = Array.from({ length: 1_100 }, (_, index) => ({
      ...{ account_id: account.id, kind: kinds[index % 2]!, about: `${index}`, at },
    }));
    await context.db.transaction(async (tx) => {
      await tx.insertInto('pictures').values(pictures).execute();
      await tx.insertInto('notices').values(notices).execute();
    });
    await plan(account);
    const ofNotices = countDeletions(due(), 'notices');
    const ofPictures = countDeletions(ofNotices.context, 'pictures');
    expect(await eraseDueAccounts(ofPictures.context)).toBe(1);
    for (const table of ['pictures', 'notices'] as const) {
      const rows = context.db.read.selectFrom(table).where('account_id', '=', account.id).selectAll();
      expect(await rows.execute()).toEqual([]);
    }
    expect([ofPictures.most(), ofNotices.most()]).toEqual([10, 200]);
  });

  test('deletes invitations to every spelling of the address, and no others', async () => {
    const account = await person('invited@example.com');
    const invitation = (id: string, email: string) => ({
      ...{ id, email, account_id: owner.accountId, role: 'member' as const, code_hash: id },
      ...{ created_at: context.at(), expires_at: later(DAY_MS).at() },
      ...{ invited_by_id: null, mailed_at: null, name: null, plan: null, note: null, language: null },
    });
    const [own, other] = [uuidv7(context), uuidv7(context)];
    await context.db.transaction((tx) =>
      tx
        .insertInto('invitations')
        .values([invitation(own, 'invited+work@example.com'), invitation(other, 'other@example.com')])
        .execute(),
    );
    await erase(account);
    expect(await context.db.read.selectFrom('invitations').select('id').execute()).toEqual([{ id: other }]);
  });

  test('is announced by mail, takes effect after 7 days and can be cancelled until then', async () => {
    const account = await person();
    const mails: Mail[] = [];
    const mailer = { keep: async (_: unknown, mail: Mail) => void mails.push(mail), start: () => {} };
    const notice = { mailer, baseUrl: 'https://claims.example' };
    const ask = () => planDeletion(context, { account: account.id, actor: `account:${account.id}`, notice });
    const planned = await ask();
    const leftMs = Date.parse(planned.delete_at!) - context.now();
    expect(Math.abs(leftMs - 7 * DAY_MS)).toBeLessThan(60_000);
    // A second request changes nothing and sends no mail.
    expect((await ask()).delete_at).toBe(planned.delete_at);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.to).toBe(account.email);
    expect(unsignedText(mails[0]!)).toContain('https://claims.example/account');
    // Until the deletion, the person can still sign in and claim.
    await signIn(account);
    expect((await claim(account)).created).toBe(true);
    expect(await eraseDueAccounts(later(UNDO_MS - 60_000))).toBe(0);
    const undone = await undoDeletion(context, { account: account.id, actor: `account:${account.id}` });
    expect([undone.delete_at, undone.delete_reason]).toEqual([null, null]);
    expect(await eraseDueAccounts(due())).toBe(0);
    expect((await findAccount(context.db.read, account.id)).email).toBe(account.email);
    expect((await eventsOf(context.db, account.id)).map(({ type }) => type)).toEqual([
      'account.created',
      'account.deletion_planned',
      'account.deletion_undone',
    ]);
  });

  test('is refused for operators, and an account scheduled for deletion cannot become an operator', async () => {
    const olga = await createAccount(context, { email: newEmail(), name: 'O', operator: true, actor: ACTOR });
    expect(await refusalOf(plan(olga))).toContain('operator rights first');
    const account = await plan(await person());
    const making = { account: account.id, operator: true, actor: ACTOR, hasMail: false };
    const make = setOperator(context, making);
    expect(await refusalOf(make)).toContain('about to be deleted');
    await undoDeletion(context, { account: account.id, actor: ACTOR });
  });

  test('erases all personal data and frees the email address', async () => {
    const email = 'grace.hopper+erased@gmail.com';
    const account = await person(email, 'Grace Brewster');
    await signIn(account, '203.0.113.77');
    await addPasskey(context, account.id);
    await queueMail(context, email, 'A notice.');
    await renameAccount(context, { accountId: account.id, name: 'Commodore Hopper' });
    await claim(account);
    await claimForTest(context, { accountId: owner.accountId, offerId: owner.offerId });
    await suspendAccount(context, { account: account.id, actor: ACTOR, reason: 'She is Grace Brewster.' });
    const before = await allTexts(context);
    for (const trace of TRACES) expect(before.includes(trace), trace).toBe(true);
    expect(await erase(account)).toBe(1);
    const texts = await allTexts(context);
    for (const trace of TRACES) expect(texts.includes(trace), trace).toBe(false);
    expect(await eventsOf(context.db, account.id)).toMatchObject([
      { type: 'account.created', data: { email: '(deleted)', plan: 'starter', operator: false } },
      { type: 'account.renamed', data: { from: '(deleted)', to: '(deleted)' } },
      { type: 'account.suspended', data: { reason: '(deleted)' } },
      { type: 'account.deletion_planned', data: { reason: 'asked' } },
      { type: 'account.deleted', actor: 'service' },
    ]);
    expect(await findAccount(context.db.read, account.id)).toMatchObject({
      name: DELETED_NAME,
      email: account.id,
      delete_at: null,
    });
    expect((await person(email)).id).not.toBe(account.id);
    const by = { account: account.id, actor: ACTOR };
    const listing = { ...by, slug: 'x-y-z', name: 'X', url: 'https://x.example' };
    for (const refused of [
      () => plan(account),
      () => undoDeletion(context, by),
      () => setPlan(context, { ...by, plan: 'studio' }),
      () => createKey(context, { ...by, name: 'k' }),
      () => createListing(context, listing),
      () => signIn(account),
    ]) {
      await expect(refused()).rejects.toThrow('This account has been deleted.');
    }
    await endAllSessions(context, by);
  });
  const TRACES = ['gracehopper', 'grace.hopper', 'Grace Brewster', 'Commodore Hopper', '203.0.113.77'];

  test('keeps claims and their codes, and their tokens can still be redeemed', async () => {
    const coded = await createOwner(context);
    await editOffer(context, { offerId: coded.offerId, actor: ACTOR, code_list: 'close' });
    const lines = ['ERASED-1', 'ERASED-2'].map((text, index) => ({ line: index + 1, text }));
    await addCodes(context, { offerId: coded.offerId, actor: `account:${coded.accountId}`, lines });
    const account = await person();
    const { claimId } = await claim(account, coded);
    await erase(account);
    const [kept, ...others] = await claimsOf(context, coded);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ id: claimId, claimant_id: null, redeemed_at: null });
    expect(await codesOfClaims(context, context.db.read, [kept!])).toEqual(new Map([[claimId, 'ERASED-1']]));
    const token = context.tokens.derive(claimId, 'live');
    expect(await redeemAll(context, coded.liveKey, [token, token])).toEqual(['redeemed', 'already_redeemed']);
  });

  test('blocks a second claim from the same mailbox, even after the secret key is replaced', async () => {
    const [first, other] = [await createOwner(context), await createOwner(context)];
    const account = await person('second.try@gmail.com');
    await claim(account, first);
    await erase(account);
    const again = await person('secondtry+new@googlemail.com');
    expect(await refusalOf(claim(again, first))).toContain('by an account that has since been deleted');
    expect((await claim(again, other)).created).toBe(true);
    expect((await claim(await person(), first)).created).toBe(true);
    const newKey = 'another secret key for tests that is long enough';
    const both = { ...context, secretBox: createSecretBox([newKey, TEST_SECRET_KEY], context.random) };
    await reencrypt(both);
    const withNewKeyOnly = { ...context, secretBox: createSecretBox([newKey], context.random) };
    expect(await refusalOf(claim(again, first, withNewKeyOnly))).toContain(
      'by an account that has since been deleted',
    );
    await reencrypt({ ...context, secretBox: createSecretBox([TEST_SECRET_KEY, newKey], context.random) });
    // Control: without the mailbox mark, the claim succeeds.
    await context.db.transaction((tx) => tx.deleteFrom('mailbox_marks').execute());
    expect((await claim(again, first)).created).toBe(true);
  });

  test('withdraws listings, deletes drafts and webhooks, and expires API keys after 90 days', async () => {
    const closed = await createOwner(context);
    const tokens = await issueTokens(context, closed, 2);
    const draft = await createListing(context, {
      account: closed.accountId,
      slug: `${closed.slug}-draft`,
      name: 'Draft',
      url: 'https://draft.example',
      actor: ACTOR,
    });
    await createOffer(context, {
      listing: draft.slug,
      offer: 'Unseen',
      kind: 'gift',
      code: 'UNSEEN',
      actor: ACTOR,
    });
    const { accountId } = closed;
    const hook = { url: 'https://1.1.1.1/hook', eventTypes: ['claim.created'] } as const;
    await createEndpoint(context, localOutgoing(), { ...hook, accountId, actor: `account:${accountId}` });
    await erase({ id: accountId });
    expect(await listEndpoints(context.db.read, accountId)).toEqual([]);
    const endpoints = context.db.read.selectFrom('webhook_endpoints').select('secret');
    expect(await endpoints.where('account_id', '=', accountId).execute()).toEqual([{ secret: '' }]);
    expect((await findListing(context.db.read, closed.slug)).state).toBe('withdrawn');
    await expect(findListing(context.db.read, draft.slug)).rejects.toThrow('no listing');
    expect(await refusalOf(claim(await person(), closed))).toContain('withdrawn');
    const deletedMs = UNDO_MS + KEYS_KEPT_MS;
    expect(await redeemAll(later(deletedMs - 60_000), closed.liveKey, [tokens[0]!])).toEqual(['redeemed']);
    expect(await redeemAll(later(deletedMs + 60_000), closed.liveKey, [tokens[1]!])).toEqual([
      'invalid_api_key',
    ]);
  });

  test('resumes after being aborted at any point, with the same result', async () => {
    const owners = [await createOwner(context), await createOwner(context), await createOwner(context)];
    const account = await person();
    for (const of of owners) await claim(account, of);
    await plan(account);
    let runs = 0;
    // The nth run is aborted after n transactions.
    while (await deletionsAreDue(due())) {
      runs += 1;
      expect(runs).toBeLessThan(20);
      const stop = new AbortController();
      let left = runs;
      const stopping = watchWrites(due(), () => {
        left -= 1;
        if (left === 0) stop.abort();
      });
      await eraseDueAccounts(stopping, { signal: stop.signal, rowsAPortion: 1 });
    }
    expect(runs).toBeGreaterThan(3);
    const again = await person(account.email);
    for (const of of owners) {
      expect((await claimsOf(context, of)).map(({ claimant_id }) => claimant_id)).toEqual([null]);
      expect(await refusalOf(claim(again, of))).toContain('deleted');
    }
  });

  /** Returns a context that calls `written` after each committed transaction. */
  const watchWrites = (of: Context, written: () => void): Context => ({
    ...of,
    db: {
      ...of.db,
      transaction: async (work) => {
        const result = await of.db.transaction(work);
        written();
        return result;
      },
    },
  });

  /**
   * Starts a claim and keeps its transaction open while the claimant's account is deleted. Commits the claim once the
   * deletion has ended or is waiting for a lock. Returns the claimant ID stored in the claim.
   */
  async function eraseDuringClaim(withRules: boolean): Promise<string | null> {
    const of = await createOwner(context);
    const account = await person();
    await plan(account);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { byKey } = context.db;
    const transaction: Database['transaction'] = (work) =>
      byKey.transaction(async (tx) => {
        const result = await work(tx);
        reached.resolve();
        await gate.promise;
        return result;
      });
    const paused: Context = { ...context, db: { ...context.db, byKey: { ...byKey, transaction } } };
    const claimed = claimOffer(paused, {
      claimantAccountId: account.id,
      listing: of.slug,
      offerId: of.offerId,
      ...(withRules && { rules }),
    });
    await reached.promise;
    let isErased = false;
    const erased = eraseDueAccounts(due()).finally(() => {
      isErased = true;
    });
    while (!isErased && !(await isWaitingForLock(context))) await nextTick();
    gate.resolve();
    await Promise.all([claimed, erased]);
    return (await claimsOf(context, of))[0]!.claimant_id;
  }

  // SQLite runs one write transaction at a time, so this race cannot occur.
  test.skipIf(engine === 'sqlite')(
    'waits for a concurrent claim to commit, and then removes the person from the claim',
    async () => {
      expect(await eraseDuringClaim(true)).toBeNull();
      // Control: without `rules`, the claim does not lock the account, so the claim keeps the claimant ID.
      expect(await eraseDuringClaim(false)).not.toBeNull();
    },
  );

  test('removes the person from concurrent claims and stores a mailbox mark for each claim', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => createOwner(context)));
    const account = await person();
    const again = await person(account.email.replace('@', '+again@'));
    await plan(account);
    const claims = owners.map((of) => claim(account, of).catch((error: Error) => error.message));
    const [made] = await Promise.all([Promise.all(claims), eraseDueAccounts(due(), { rowsAPortion: 2 })]);
    for (const [index, of] of owners.entries()) {
      const kept = await claimsOf(context, of);
      const result = made[index]!;
      if (typeof result === 'string') {
        expect(result).toMatch(/deleted/);
        expect(kept).toEqual([]);
        expect((await claim(again, of)).created).toBe(true);
      } else {
        expect(kept).toMatchObject([{ claimant_id: null }]);
        expect(await refusalOf(claim(again, of))).toContain('deleted');
      }
    }
  });
});

/** Whether a transaction in this database is waiting for an advisory lock. */
async function isWaitingForLock({ db }: Context): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
    where not l.granted and l.locktype = 'advisory' and d.datname = current_database()`.execute(db.read);
  return rows.length > 0;
}
