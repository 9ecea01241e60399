/** Plan requests, permission to publish, terms, plan limits, edits by operators, and reports. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPersonData } from '../../../src/background/personal-data/data.ts';
import { type Brand, DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { FIRST_PLANS, type PlanTerms } from '../../../src/base/brand/plans.ts';
import { changeBrand, changePlans } from '../../../src/base/settings/change-brand.ts';
import { changeCategories, readCategories } from '../../../src/marketplace/listings/categories.ts';
import { addCategory } from '../../../src/marketplace/listings/category.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { submitListing, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { type ChangeBy, findListing } from '../../../src/marketplace/listings/queries.ts';
import { MAX_OPEN_REPORTS, REPORTS_KEPT_DAYS } from '../../../src/marketplace/listings/report.ts';
import { listOpenReports } from '../../../src/marketplace/listings/report-queries.ts';
import {
  dismissReports,
  reportListing,
  reportsNeedSweep,
  sweepReports,
} from '../../../src/marketplace/listings/reports.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { readPublishing } from '../../../src/pages/dashboard/publishing.tsx';
import { listQueue } from '../../../src/pages/desk/review/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { setPlan, setPublisher } from '../../../src/people/accounts/edit.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { findAccount, setSince } from '../../../src/people/accounts/queries.ts';
import { listRequests } from '../../../src/people/accounts/request-queries.ts';
import {
  ASK_AGAIN_MS,
  askForPlan,
  askToPublish,
  declineRequest,
} from '../../../src/people/accounts/requests.ts';
import { acceptTerms } from '../../../src/people/accounts/terms.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { invite } from '../../support/members.ts';
import { shareDatabase } from '../../support/shared.ts';

const OPERATOR = 'operator' as const;

describe.each(ENGINES)('policies, plans and reports on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: Date.parse('2026-11-20T10:00:00.000Z') };
  let owner: Owner;
  let actor: `account:${string}`;
  let operatorId: string;

  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    const olga = { email: 'olga@claims.example', name: 'Olga', operator: true, actor: OPERATOR };
    operatorId = (await createAccount(context, olga)).id;
  });
  beforeEach(async () => {
    clock.ms += 2 * DAY_MS;
    owner = await createOwner(context);
    actor = `account:${owner.accountId}`;
  });

  const queueOf = async (accountId: string) =>
    (await listQueue(context.db.read, { limit: 100 })).items.flatMap((item) =>
      'account' in item && item.account.id === accountId ? [item.request] : [],
    );
  const reported = async () =>
    (await listQueue(context.db.read, { limit: 100 })).items.flatMap((item) =>
      'reports' in item && item.listing.id === owner.listingId ? [item.reports.length] : [],
    );
  const lastEvent = async (id: string) => (await eventsOf(database.db, id)).at(-1)!;
  const create = (slug: string, by: ChangeBy = { actor }) =>
    createListing(context, {
      account: owner.accountId,
      slug: `${owner.slug}-${slug}`,
      name: 'App',
      url: 'https://acme.example/app',
      ...by,
    });

  describe('plan requests', () => {
    const ask = (plan = 'everything', words = 'For our server.') =>
      askForPlan(context, { accountId: owner.accountId, actor, plan, message: words });

    test('are limited to one open request per account, even if made concurrently', async () => {
      // The same form may be sent twice.
      await Promise.all([ask(), ask(), ask()]);
      expect(await refusalOf(ask('everything', 'For two servers.'))).toContain('already asked');
      const asked = (await eventsOf(database.db, owner.accountId)).filter(
        ({ type }) => type === 'account.asked',
      );
      expect(asked).toHaveLength(1);
      expect(await queueOf(owner.accountId)).toMatchObject([
        { wish: 'plan', plan: 'everything', message: 'For our server.', asked_by_id: owner.accountId },
      ]);
      expect(await lastEvent(owner.accountId)).toMatchObject({
        type: 'account.asked',
        data: { plan: 'everything' },
      });
    });

    test('are closed when an operator changes the plan of the account', async () => {
      await ask();
      await setPlan(context, { account: owner.accountId, plan: 'everything', actor: OPERATOR });
      expect(await listRequests(context.db.read, owner.accountId)).toEqual([]);
      expect(await refusalOf(ask())).toContain('already');
    });

    test('can be declined once, and made again a day later', async () => {
      await ask();
      const decline = () =>
        declineRequest(context, { account: owner.accountId, actor: OPERATOR, wish: 'plan', reason: 'No.' });
      await decline();
      expect(await refusalOf(decline())).toContain('already been answered');
      expect(await queueOf(owner.accountId)).toEqual([]);
      expect(await refusalOf(ask())).toContain('a day after the last answer');
      clock.ms += ASK_AGAIN_MS;
      await ask();
      expect(await queueOf(owner.accountId)).toHaveLength(1);
    });

    test('are rejected if the plan is hidden, or if the person is not an owner of the account', async () => {
      await plansWith({ everything: { isHidden: true } });
      expect(await refusalOf(ask())).toContain('is not offered');
      await plansWith({});
      const member = await createAccount(context, {
        email: `member-${owner.slug}@example.com`,
        name: 'Milo',
        actor: OPERATOR,
      });
      const asked = askForPlan(context, {
        accountId: owner.accountId,
        actor: `account:${member.id}`,
        plan: 'everything',
      });
      expect(await refusalOf(asked)).toContain('Only owners');
    });
  });

  describe('publishing', () => {
    const policyOf = (publishing: 'everyone' | 'allowed') =>
      setPolicy(context, {
        policy: { ...defaultPolicy(false), publishing },
        hasProvider: false,
        operatorId,
        actor: OPERATOR,
      });

    test('can require permission from an operator, but listings that are already live stay live', async () => {
      const draft = await create('draft');
      await createOffer(context, { listing: draft.id, offer: 'Free', kind: 'gift', code: 'FREE', actor });
      await policyOf('allowed');
      try {
        expect(await refusalOf(create('new'))).toContain('needs the approval');
        expect(await refusalOf(submitListing(context, { listing: draft.id, actor }))).toContain('approval');
        expect((await findListing(context.db.read, owner.slug)).state).toBe('approved');
        await askToPublish(context, { accountId: owner.accountId, actor });
        expect(await queueOf(owner.accountId)).toMatchObject([{ wish: 'publish' }]);
        await setPublisher(context, { account: owner.accountId, actor: OPERATOR, isAllowed: true });
        expect(await queueOf(owner.accountId)).toEqual([]);
        await create('new');
        expect((await submitListing(context, { listing: draft.id, actor })).state).toBe('pending');
        await setPublisher(context, { account: owner.accountId, actor: OPERATOR, isAllowed: false });
        expect(await refusalOf(create('newer'))).toContain('needs the approval');
      } finally {
        await policyOf('everyone');
      }
    });
  });

  describe('settings that several operators change together', () => {
    const by = () => ({ operatorId, actor: OPERATOR });

    test('keep each category that was added', async () => {
      const names = ['Design', 'Writing', 'Music', 'Maps', 'Games'];
      const add = (name: string) =>
        changeCategories(context, { ...by(), categories: (stored) => addCategory(stored, name) });
      await Promise.all(names.map(add));
      const stored = async () => (await readCategories(context.db.read)).map(({ name }) => name);
      expect((await stored()).toSorted()).toEqual(names.toSorted());
      // Control: lists that were read before lose the others' change.
      const before = await readCategories(context.db.read);
      for (const name of ['Food', 'Travel']) {
        await changeCategories(context, { ...by(), categories: addCategory(before, name) });
      }
      expect(await stored()).not.toContain('Food');
      await changeCategories(context, { ...by(), categories: [] });
    });

    test('keep changes of different fields of the brand', async () => {
      const change = (changed: Partial<Brand>) =>
        changeBrand(context, { ...by(), brand: (stored) => ({ ...stored, ...changed }) });
      await Promise.all([
        change({ headline: 'Hello' }),
        change({ footer: 'Ada Ltd' }),
        change({ lead: 'Hi' }),
      ]);
      expect(context.marketplace.brand).toMatchObject({ headline: 'Hello', footer: 'Ada Ltd', lead: 'Hi' });
      await changeBrand(context, { ...by(), brand: DEFAULT_BRAND });
    });
  });

  describe('terms', () => {
    const brandWith = (brand: Partial<Brand>) =>
      changeBrand(context, { brand: { ...DEFAULT_BRAND, ...brand }, operatorId, actor: OPERATOR });
    const terms = 'https://claims.example/terms';
    const accepted = async () => (await findAccount(context.db.read, owner.accountId)).terms_version;
    afterEach(() => brandWith({}));

    test('are accepted by publishing, and must be accepted again after a change', async () => {
      await brandWith({ terms });
      await create('one');
      const hashed = await accepted();
      expect(hashed).toMatch(/^[\w-]{12}$/);
      expect(await lastEvent(owner.accountId)).toMatchObject({
        type: 'account.terms_accepted',
        data: { version: hashed },
      });
      expect(await readPublishing(context, owner.accountId)).toBeNull();
      await brandWith({ terms, termsChangedOn: '2026-11-01' });
      expect(await readPublishing(context, owner.accountId)).toMatchObject({
        terms: { version: '2026-11-01', haveChanged: true },
      });
      const accept = (version: string) =>
        acceptTerms(context, { accountId: owner.accountId, actor, version });
      expect(await refusalOf(accept('2026-10-01'))).toContain('changed again');
      await accept('2026-11-01');
      expect(await accepted()).toBe('2026-11-01');
      const { records } = await readPersonData(context, owner.accountId, null);
      expect(records[0]!.data).toMatchObject({ terms_version: '2026-11-01' });
    });

    test('must be accepted before publishing if the operator requires explicit consent', async () => {
      await brandWith({ terms, asksConsent: true });
      expect(await refusalOf(create('two'))).toContain('accepted first');
      const { terms: due } = (await readPublishing(context, owner.accountId))!;
      await acceptTerms(context, { accountId: owner.accountId, actor, version: due!.version });
      await create('two');
    });
  });

  const plansWith = (changed: { readonly [plan in keyof typeof FIRST_PLANS]?: Partial<PlanTerms> }) =>
    changePlans(context, {
      plans: {
        starter: { ...FIRST_PLANS.starter, ...changed.starter },
        studio: { ...FIRST_PLANS.studio, ...changed.studio },
        everything: { ...FIRST_PLANS.everything, ...changed.everything },
      },
      operatorId,
      actor: OPERATOR,
    });

  test('plan limits apply to what accounts add, not to what operators add for them', async () => {
    await plansWith({ studio: { name: 'Pro', listings: 1, offersOfListing: 1, members: 1 } });
    try {
      expect(await refusalOf(create('two'))).toContain('at most 1 listing.');
      const offer = { listing: owner.slug, offer: 'More', kind: 'gift', code: 'MORE' };
      expect(await refusalOf(createOffer(context, { ...offer, actor }))).toContain(
        'at most 1 offer per listing',
      );
      const byOperator = { actor: `account:${operatorId}`, asOperator: true } as const;
      await create('two', byOperator);
      await createOffer(context, { ...offer, ...byOperator });
      await plansWith({ studio: { members: 0 } });
      expect(await refusalOf(invite(context, { accountId: owner.accountId }))).toContain('at most 0 members');
    } finally {
      await plansWith({});
    }
  });

  test('edits by an operator are live immediately, and their events name the operator as the actor', async () => {
    const byOperator = { actor: `account:${operatorId}`, asOperator: true } as const;
    const url = 'https://moved.example/app';
    const edited = await editListing(context, { listing: owner.slug, url, ...byOperator });
    expect(edited).toMatchObject({
      state: 'approved',
      url,
      proposed_url: null,
      origin: 'https://moved.example',
    });
    expect(await lastEvent(owner.listingId)).toMatchObject({
      actor: `account:${operatorId}`,
      data: { by: 'operator' },
    });
    const redemption_link = 'https://elsewhere.example/?c={claim}';
    const offer = await editOffer(context, { offerId: owner.offerId, redemption_link, ...byOperator });
    expect(offer).toMatchObject({ redemption_link, proposed_link: null });
    // Without `asOperator`, an operator can't edit the listing of another account.
    const stranger = { listing: owner.slug, url, actor: byOperator.actor };
    expect(await refusalOf(editListing(context, stranger))).toContain('nothing at this address');
  });

  describe('reports', () => {
    const report = (more: object = {}) =>
      reportListing(context, {
        listing: owner.slug,
        cause: 'scam',
        words: '',
        reporterId: null,
        address: `192.0.2.${owner.slug.split('-').at(-1)}`,
        ...more,
      });
    const open = () => listOpenReports(context.db.read, owner.listingId);

    test('that are sent twice by one form, from two networks, are stored once', async () => {
      const formId = uuidv7(context);
      const networks = ['198.51.100.1', '203.0.113.1'];
      await Promise.all(networks.map((address) => report({ address, formId })));
      expect(await open()).toHaveLength(1);
      await report({ cause: 'broken', address: networks[1], formId });
      expect(await open()).toHaveLength(2);
      // Control: without the form's id, these are reports by two people.
      await Promise.all(networks.map((address) => report({ cause: 'illegal', address })));
      expect(await open()).toHaveLength(4);
    });

    test('form one queue item, are anonymous to the owner, and are dismissed only if the operator has seen them', async () => {
      await report();
      clock.ms += 1;
      await report({ cause: 'other', words: 'It is a copy.', reporterId: operatorId });
      expect(await refusalOf(report({ cause: 'other' }))).toContain('Say what is wrong');
      expect(await reported()).toEqual([2]);
      expect(await lastEvent(owner.listingId)).toMatchObject({
        type: 'listing.reported',
        actor: 'unknown',
        data: { slug: owner.slug },
      });
      expect(JSON.stringify(await lastEvent(owner.listingId))).not.toContain(operatorId);
      const [first] = await open();
      await dismissReports(context, { listing: owner.slug, upTo: first!.created_at, actor: OPERATOR });
      expect(await reported()).toEqual([1]);
      expect(
        await refusalOf(dismissReports(context, { listing: owner.slug, upTo: 'x', actor: OPERATOR })),
      ).toContain('Open the listing again');
    });

    test('are closed when the listing is suspended, and deleted after 30 days', async () => {
      await report();
      await suspendListing(context, { listing: owner.slug, actor: OPERATOR });
      expect(await open()).toEqual([]);
      expect(await refusalOf(report())).toContain('nothing at this address');
      clock.ms += REPORTS_KEPT_DAYS * DAY_MS + 1;
      expect(await reportsNeedSweep(context)).toBe(true);
      await sweepReports(context);
      expect(await reportsNeedSweep(context)).toBe(false);
    });

    test('are limited per signed-in person, network and listing', async () => {
      await report({ reporterId: operatorId });
      await report({ reporterId: operatorId });
      expect(await open()).toHaveLength(1);
      await report({ reporterId: operatorId, words: 'More about it' });
      expect((await open()).map(({ words }) => words)).toEqual(['More about it']);
      const fromOne = { address: '2001:db8:9::7' };
      await report(fromOne);
      // The same words from the same /48 are one report.
      await report({ address: '2001:db8:9:8::1' });
      expect(await open()).toHaveLength(2);
      for (const words of ['a', 'b']) await report({ ...fromOne, words });
      for (const words of ['c', 'd'])
        expect(await refusalOf(report({ ...fromOne, words }))).toContain('from your network');
      expect(await open()).toHaveLength(4);
      expect(await refusalOf(report({ ...fromOne, words: 'e' }))).toContain('Try again in');
    });

    test('by people with a confirmed address replace those by strangers; nobody is thanked for a report that isn’t stored', async () => {
      for (let sent = 0; sent < MAX_OPEN_REPORTS; sent += 1) await report({ address: `203.0.113.${sent}` });
      expect(await refusalOf(report({ address: '203.0.113.200' }))).toContain(
        'already has many open reports',
      );
      const personOf = async (isConfirmed: boolean) => {
        const { id } = await createAccount(context, {
          email: `reporter-${isConfirmed}-${owner.slug}@example.com`,
          name: 'Rita',
          actor: OPERATOR,
        });
        const at = isConfirmed ? context.at() : null;
        await context.db.transaction((tx) => setSince(tx, id, 'email_verified_at', at));
        return id;
      };
      const address = '198.51.100.8';
      expect(await refusalOf(report({ reporterId: await personOf(false), address }))).toContain('not added');
      clock.ms += 1;
      await report({ reporterId: await personOf(true), words: 'It is real', address });
      const reports = await open();
      expect(reports).toHaveLength(MAX_OPEN_REPORTS);
      expect(reports.at(-1)).toMatchObject({ words: 'It is real', is_confirmed: 1 });
      expect(JSON.stringify(reports)).not.toMatch(/203\.0\.113|198\.51/);
    });
  });
});
