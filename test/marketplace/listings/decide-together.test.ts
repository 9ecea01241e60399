/** Several decisions made together are as many separate decisions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { decideTogether } from '../../../src/marketplace/listings/decide-together.ts';
import { approveListing, submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { findOpenQuestion } from '../../../src/marketplace/listings/question-queries.ts';
import { listOpenReports } from '../../../src/marketplace/listings/report-queries.ts';
import { dismissReports, reportListing } from '../../../src/marketplace/listings/reports.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import { renameAccount } from '../../../src/people/accounts/rename.ts';
import { findRequest } from '../../../src/people/accounts/request-queries.ts';
import { askForPlan, askToPublish, declineRequest, seenOf } from '../../../src/people/accounts/requests.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { typesOf } from '../../support/events.ts';

const ACTOR = 'operator' as const;

describe.each(ENGINES)('entries decided together on %s', (engine) => {
  let database: TestDatabase;
  let account: string;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const email = 'ada@acme.example';
    account = (await createAccount(database.context, { email, name: 'Ada', plan: 'studio', actor: ACTOR }))
      .id;
  });
  afterAll(() => database.close());

  const pending = async (slug: string) => {
    const { context } = database;
    await createListing(context, {
      account,
      slug,
      name: slug,
      url: `https://${slug}.example/app`,
      actor: ACTOR,
    });
    const offer = {
      offer: '20% off',
      kind: 'discount',
      redemption_link: `https://${slug}.example/?claim={claim}`,
    };
    const { id: offerId } = await createOffer(context, { listing: slug, ...offer, actor: ACTOR });
    await submitListing(context, { listing: slug, actor: ACTOR });
    const { id, version } = await findListing(context.db.read, slug);
    return { kind: 'listing', listing: id, offerId: undefined, version, itsOffer: offerId } as const;
  };
  const stateOf = async (id: string) => (await findListing(database.db.read, id)).state;

  test('one that another operator has changed is refused, and the others are decided', async () => {
    const { context } = database;
    const [first, changed, last] = [await pending('first'), await pending('changed'), await pending('last')];
    await editListing(context, { listing: changed.listing, summary: 'New.', actor: ACTOR });
    const outcomes = await decideTogether(context, [first, changed, last], {
      ruling: 'decline',
      reason: 'Add a price.',
      actor: ACTOR,
    });
    expect(outcomes.map(({ result }) => Object.keys(result)[0])).toEqual(['decided', 'refusal', 'decided']);
    expect(String('refusal' in outcomes[1]!.result && outcomes[1]!.result.refusal)).toContain(
      'has changed since',
    );
    const ids = [first, changed, last].map(({ listing }) => listing);
    expect(await Promise.all(ids.map(stateOf))).toEqual([
      'changes_requested',
      'pending',
      'changes_requested',
    ]);
    expect((await findListing(context.db.read, first.listing)).reason).toBe('Add a price.');
    expect(await typesOf(context.db, last.listing)).toContain('listing.changes_requested');
    // Each decision can be undone separately.
    const { version } = await findListing(context.db.read, last.listing);
    await undoDecision(context, { listing: last.listing, version, actor: ACTOR });
    expect(await stateOf(last.listing)).toBe('pending');
  });

  test('several proposals of one listing are decided, although each decision changes the listing', async () => {
    const { context } = database;
    const { listing, itsOffer } = await pending('both');
    await approveListing(context, { listing, actor: ACTOR });
    const owner = `account:${account}` as const;
    await editOffer(context, {
      offerId: itsOffer,
      redemption_link: 'https://shop.elsewhere.example/?claim={claim}',
      actor: owner,
    });
    await editListing(context, { listing, url: 'https://elsewhere.example/app', actor: owner });
    const { version } = await findListing(context.db.read, listing);
    const outcomes = await decideTogether(
      context,
      [
        { kind: 'link', listing, offerId: itsOffer, version },
        { kind: 'url', listing, offerId: undefined, version },
      ],
      { ruling: 'reject', reason: 'Keep the site.', actor: ACTOR },
    );
    expect(outcomes.map(({ result }) => Object.keys(result)[0])).toEqual(['decided', 'decided']);
    expect(await stateOf(listing)).toBe('approved');
  });

  const resultsOf = (outcomes: Awaited<ReturnType<typeof decideTogether>>) =>
    outcomes.map(({ result }) => ('refusal' in result ? String(result.refusal) : 'decided'));
  const newAsker = async (name: string) => {
    const email = `${name}@ask.example`;
    const { id } = await createAccount(database.context, { email, name, plan: 'starter', actor: ACTOR });
    return { accountId: id, actor: `account:${id}` } as const;
  };
  const requestOf = async (accountId: string, kind: 'plan' | 'publish' | 'name') => ({
    kind,
    account: accountId,
    seen: seenOf((await findRequest(database.db.read, accountId, kind))!),
  });

  test('requests are granted as they were seen, and not if they were answered or replaced since', async () => {
    const { context } = database;
    const [granted, declined, replaced, publisher] = [
      await newAsker('granted'),
      await newAsker('declined'),
      await newAsker('replaced'),
      await newAsker('publisher'),
    ];
    for (const asker of [granted, declined, replaced])
      await askForPlan(context, { ...asker, plan: 'studio' });
    await askToPublish(context, publisher);
    await renameAccount(context, { accountId: account, name: 'Ada Lovelace' });
    const entries = [
      await requestOf(granted.accountId, 'plan'),
      await requestOf(declined.accountId, 'plan'),
      { ...(await requestOf(replaced.accountId, 'plan')), seen: crypto.randomUUID() },
      await requestOf(publisher.accountId, 'publish'),
      await requestOf(account, 'name'),
    ];
    await renameAccount(context, { accountId: account, name: 'Ada King' });
    await declineRequest(context, { account: declined.accountId, wish: 'plan', reason: 'No.', actor: ACTOR });
    const outcomes = await decideTogether(context, entries, {
      ruling: 'approve',
      reason: null,
      actor: ACTOR,
    });
    expect(resultsOf(outcomes)).toEqual([
      'decided',
      expect.stringContaining('already been answered'),
      expect.stringContaining('another request since'),
      'decided',
      expect.stringContaining('a different name since'),
    ]);
    const read = (id: string) => findAccount(context.db.read, id);
    expect((await read(granted.accountId)).plan).toBe('studio');
    expect((await read(declined.accountId)).plan).toBe('starter');
    expect((await read(replaced.accountId)).plan).toBe('starter');
    expect((await read(publisher.accountId)).publisher_since).not.toBeNull();
    expect((await read(account)).name).toBe('Ada');
    const late = [await requestOf(replaced.accountId, 'plan'), await requestOf(account, 'name')];
    const reason = 'Not now.';
    const refused = await decideTogether(context, late, { ruling: 'reject', reason, actor: ACTOR });
    expect(resultsOf(refused)).toEqual(['decided', 'decided']);
    expect(await findRequest(context.db.read, replaced.accountId, 'plan')).toMatchObject({ reason });
    expect((await read(account)).name).toBe('Ada');
  });

  test('reports are dismissed, passed on as a question, or end in a suspension, unless they were closed since', async () => {
    const { context } = database;
    const reported = async (slug: string) => {
      const { listing } = await pending(slug);
      await approveListing(context, { listing, actor: ACTOR });
      await reportListing(context, { listing, cause: 'scam', words: null, reporterId: null, address: null });
      const upTo = (await listOpenReports(context.db.read, listing)).at(-1)!.created_at;
      return { kind: 'report', listing, upTo } as const;
    };
    const [dismissed, closed, questioned, suspended] = [
      await reported('dismissed'),
      await reported('closed'),
      await reported('questioned'),
      await reported('suspended'),
    ];
    await dismissReports(context, { ...closed, actor: ACTOR });
    const rule = async (
      entries: Parameters<typeof decideTogether>[1],
      ruling: 'approve' | 'decline' | 'reject',
    ) => resultsOf(await decideTogether(context, entries, { ruling, reason: 'Is it yours?', actor: ACTOR }));
    for (const ruling of ['approve', 'decline', 'reject'] as const) {
      expect(await rule([closed], ruling)).toEqual([expect.stringContaining('already been dismissed')]);
    }
    expect(await rule([dismissed], 'approve')).toEqual(['decided']);
    expect(await listOpenReports(context.db.read, dismissed.listing)).toEqual([]);
    expect(await rule([questioned], 'decline')).toEqual(['decided']);
    expect(await findOpenQuestion(context.db.read, questioned.listing)).toMatchObject({
      question: 'Is it yours?',
    });
    // The suspension comes last, because it changes the version that the other entry was seen with.
    const owner = `account:${account}` as const;
    await editListing(context, { listing: suspended.listing, url: 'https://moved.example/', actor: owner });
    const { version } = await findListing(context.db.read, suspended.listing);
    const url = { kind: 'url', listing: suspended.listing, offerId: undefined, version } as const;
    expect(await rule([suspended, url], 'reject')).toEqual(['decided', 'decided']);
    expect(
      await Promise.all([dismissed, closed, questioned, suspended].map(({ listing }) => stateOf(listing))),
    ).toEqual(['approved', 'approved', 'approved', 'suspended']);
  });
});
