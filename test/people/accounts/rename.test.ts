/** New names of accounts: review, undo, concurrent changes, and every place where strangers read the name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { readPersonData } from '../../../src/background/personal-data/data.ts';
import { UNDO_WINDOW_MS } from '../../../src/base/events/decision-queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import {
  approveListing,
  submitListing,
  withdrawListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { findDeskListing, listQueue } from '../../../src/pages/desk/review/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import {
  nameDecision,
  renameAccount,
  undoNameDecision,
  withdrawName,
} from '../../../src/people/accounts/rename.ts';
import { findRequest } from '../../../src/people/accounts/request-queries.ts';
import { declineRequest, grantRequest } from '../../../src/people/accounts/requests.ts';
import { sweepSignIn } from '../../../src/people/sign-in/sweep.ts';
import { HOUR_MS } from '../../../src/platform/text/durations.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { createOwner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const OPERATOR = 'operator' as const;

describe.each(ENGINES)('the name of an account on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: Date.parse('2026-11-20T10:00:00.000Z') };
  let accounts = 0;

  beforeAll(() => {
    Object.assign(context, { now: () => clock.ms });
  });

  const newAccount = async (more: { readonly operator?: boolean } = {}) => {
    accounts += 1;
    const email = `person-${accounts}@example.com`;
    return (await createAccount(context, { email, name: 'Ada', actor: OPERATOR, ...more })).id;
  };
  /** An account with an approved listing. */
  const publisher = async () => {
    const { accountId } = await createOwner(context);
    return { accountId, name: await nameOf(accountId) };
  };
  const nameOf = async (accountId: string) => (await findAccount(database.db.read, accountId)).name;
  const rename = (accountId: string, name: string) => renameAccount(context, { accountId, name });
  const approve = (account: string, name: string) =>
    grantRequest(context, { account, wish: 'name', seen: name, actor: OPERATOR });
  const decline = (account: string, name?: string) =>
    declineRequest(context, { account, wish: 'name', seen: name, reason: 'Not yours.', actor: OPERATOR });
  const undo = (account: string) => undoNameDecision(context, { account, actor: OPERATOR });
  const queued = async (accountId: string) =>
    (await listQueue(database.db.read, { limit: 100 })).items.flatMap((item) =>
      'account' in item && item.account.id === accountId ? [item] : [],
    );
  const decisionOf = async (accountId: string) =>
    nameDecision(
      await findAccount(database.db.read, accountId),
      await findRequest(database.db.read, accountId, 'name'),
    );

  test('waits for review once a listing was approved, also while no listing is live', async () => {
    const { accountId, name } = await publisher();
    expect(await rename(accountId, 'PayPal')).toBe('proposed');
    expect(await nameOf(accountId)).toBe(name);
    expect(await queued(accountId)).toMatchObject([
      { kind: 'name', account: { name }, request: { name: 'PayPal', asked_by_id: null } },
    ]);
    const listing = await database.db.read
      .selectFrom('listings')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    await withdrawListing(context, { listing: listing.id, actor: `account:${accountId}` });
    await withdrawName(context, { accountId });
    expect(await rename(accountId, 'PayPal')).toBe('proposed');
    await approve(accountId, 'PayPal');
    expect(await nameOf(accountId)).toBe('PayPal');
    expect(await queued(accountId)).toEqual([]);
    expect((await eventsOf(database.db, accountId)).slice(1)).toMatchObject([
      { type: 'account.asked', data: { wish: 'name', name: 'PayPal' } },
      { type: 'account.request_withdrawn', data: { wish: 'name', name: 'PayPal' } },
      { type: 'account.asked', data: { wish: 'name', name: 'PayPal' } },
      { type: 'account.renamed', actor: OPERATOR, data: { from: name, to: 'PayPal', approved: true } },
    ]);
  });

  test('changes immediately before the first approval, and for operators', async () => {
    const accountId = await newAccount();
    expect(await rename(accountId, 'Ada & Co')).toBe('renamed');
    const operatorId = await newAccount({ operator: true });
    const url = 'https://app.example.com';
    const app = { account: operatorId, slug: 'of-operator', name: 'App', url, upTo: 'approved' } as const;
    await createListing(context, { ...app, actor: OPERATOR });
    expect(await rename(operatorId, 'Olga')).toBe('renamed');
    expect([await nameOf(accountId), await nameOf(operatorId)]).toEqual(['Ada & Co', 'Olga']);
    expect(await queued(accountId)).toEqual([]);
  });

  test('a decision applies only to the name that the operator saw', async () => {
    const { accountId, name } = await publisher();
    await rename(accountId, 'Ada & Co');
    const [first] = await queued(accountId);
    clock.ms += 1_000;
    await rename(accountId, 'PayPal');
    // A proposal that is edited keeps its position in the queue.
    expect(await queued(accountId)).toMatchObject([{ since: first!.since, request: { name: 'PayPal' } }]);
    expect(await refusalOf(approve(accountId, 'Ada & Co'))).toContain('different name since');
    expect(await refusalOf(decline(accountId, 'Ada & Co'))).toContain('different name since');
    expect(await nameOf(accountId)).toBe(name);
    await decline(accountId, 'PayPal');
    expect(await refusalOf(approve(accountId, 'PayPal'))).toContain('already been answered');
  });

  test('an approval and an edit at the same time never publish a name that nobody saw', async () => {
    const { accountId, name } = await publisher();
    await rename(accountId, 'Ada & Co');
    const [decided] = await Promise.allSettled([approve(accountId, 'Ada & Co'), rename(accountId, 'PayPal')]);
    expect(await nameOf(accountId)).toBe(decided.status === 'fulfilled' ? 'Ada & Co' : name);
    expect(await queued(accountId)).toMatchObject([{ request: { name: 'PayPal' } }]);
  });

  test('a declined name can’t be proposed again; another one can, and the current name withdraws it', async () => {
    const { accountId, name } = await publisher();
    await rename(accountId, 'PayPal');
    await decline(accountId);
    expect(await refusalOf(rename(accountId, 'PayPal'))).toContain('has declined this name');
    expect(await rename(accountId, 'Ada & Co')).toBe('proposed');
    expect(await queued(accountId)).toMatchObject([{ request: { name: 'Ada & Co', reason: null } }]);
    expect(await rename(accountId, name)).toBe('renamed');
    expect(await queued(accountId)).toEqual([]);
    expect(await findRequest(database.db.read, accountId, 'name')).toBeUndefined();
  });

  test('a decision can be undone for 30 seconds, unless the owner has proposed another name', async () => {
    const { accountId, name } = await publisher();
    await rename(accountId, 'Ada & Co');
    await approve(accountId, 'Ada & Co');
    expect(await decisionOf(accountId)).toMatchObject({ decision: 'approve' });
    await undo(accountId);
    expect(await nameOf(accountId)).toBe(name);
    expect(await queued(accountId)).toMatchObject([{ request: { name: 'Ada & Co' } }]);
    await decline(accountId);
    await undo(accountId);
    await approve(accountId, 'Ada & Co');
    clock.ms += UNDO_WINDOW_MS + 1;
    expect(await refusalOf(undo(accountId))).toContain('have passed');
    await rename(accountId, 'PayPal');
    expect(await refusalOf(undo(accountId))).toContain('cannot be undone');
    expect(await nameOf(accountId)).toBe('Ada & Co');
  });

  test('an approved name is kept for an hour, so that it can be undone, and exported until then', async () => {
    const { accountId, name } = await publisher();
    await rename(accountId, 'Ada & Co');
    await approve(accountId, 'Ada & Co');
    const { records } = await readPersonData(context, accountId, 'account_requests.');
    expect(records).toMatchObject([{ data: { name: 'Ada & Co', former_name: name } }]);
    clock.ms += HOUR_MS - 1;
    await sweepSignIn(context);
    expect(await findRequest(database.db.read, accountId, 'name')).toBeDefined();
    clock.ms += 1;
    await sweepSignIn(context);
    expect(await findRequest(database.db.read, accountId, 'name')).toBeUndefined();
    // A declined name stays, with its reason.
    await rename(accountId, 'PayPal');
    await decline(accountId);
    clock.ms += 2 * HOUR_MS;
    await sweepSignIn(context);
    expect(await findRequest(database.db.read, accountId, 'name')).toMatchObject({ reason: 'Not yours.' });
  });

  /** A pending first listing of a new account. */
  const submitted = async () => {
    const accountId = await newAccount();
    const actor = `account:${accountId}` as const;
    const slug = `first-${accounts}`;
    const app = { account: accountId, slug, name: 'App', url: 'https://app.example.com', actor };
    const { id: listing } = await createListing(context, app);
    await createOffer(context, { listing, offer: 'Half off', kind: 'discount', code: 'HALF', actor });
    const { version } = await submitListing(context, { listing, actor });
    return { accountId, listing, version };
  };

  test('a first listing can’t be approved with a name that the operator didn’t see', async () => {
    const { accountId, listing, version } = await submitted();
    await rename(accountId, 'PayPal');
    const approval = approveListing(context, { listing, version, actor: OPERATOR });
    expect(await refusalOf(approval)).toContain('has changed since');
  });

  test('a first approval and a new name at the same time never publish a name that nobody saw', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { accountId, listing, version } = await submitted();
      const [approval] = await Promise.allSettled([
        approveListing(context, { listing, version, actor: OPERATOR }),
        rename(accountId, 'PayPal'),
      ]);
      const isLive = (await findDeskListing(database.db.read, listing))!.listing.state === 'approved';
      expect(isLive).toBe(approval.status === 'fulfilled');
      expect(await nameOf(accountId)).toBe(isLive ? 'Ada' : 'PayPal');
    }
  });
});
