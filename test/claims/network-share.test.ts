/** Accounts in one network, or with one mail domain, can’t drain a limited offer; a crowd behind one address can claim. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/base/context.ts';
import { claimOffer, claimOffers } from '../../src/claims/creation/claim-offer.ts';
import { listClaimantEmails } from '../../src/claims/networks/queries.ts';
import { countsByDomain, countsByNetwork, mayClaim, networkKey } from '../../src/claims/networks/share.ts';
import { readClaimSources, sweepNetworkClaims } from '../../src/claims/networks/sources.ts';
import { addCodes } from '../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { defaultPolicy, type Policy, setPolicy } from '../../src/people/accounts/policy.ts';
import { readAccountNumber } from '../../src/platform/store/numbers.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { toIso } from '../../src/platform/text/time-text.ts';
import { type AccountSite, openAccountSite } from '../people/sign-in/support.ts';
import { countDeletions } from '../support/deletions.ts';
import { ENGINES } from '../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';

const HOUR_MS = 3_600_000;
/** Fewer than the connections to PostgreSQL. */
const PARALLEL = 8;

test('the share is a part of what was left an hour ago, and at least 20', () => {
  const upTo = (percent: number, atStart: number, others = 0): number => {
    let counted = 0;
    for (let left = atStart - others; left > 0; left -= 1) {
      if (!mayClaim(percent, left, { claims: others + counted, counted, since: null })) break;
      counted += 1;
    }
    return counted;
  };
  expect([upTo(50, 60), upTo(50, 30), upTo(50, 10), upTo(10, 1_000)]).toEqual([30, 20, 10, 100]);
  // Claims by other people in the network don't make its share smaller.
  expect(upTo(50, 500, 250)).toBe(250);
});

const CATCH_ALL = {
  mailbox: 'ada@catch-all.example',
  createdAt: '2026-11-20T11:00:00.000Z',
  isConfirmed: true,
};
const AGED = '2026-11-12T11:00:00.000Z';
const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['a new account', true, {}],
  ['an older account', false, { createdAt: AGED }],
  ['an older account whose address nobody confirmed', true, { createdAt: AGED, isConfirmed: false }],
  ['an account at a large provider', false, { mailbox: 'ada@gmail.com' }],
  ['one that nobody confirmed', true, { mailbox: 'ada@gmail.com', isConfirmed: false }],
  ['a domain that looks like a large provider', true, { mailbox: 'ada@gmail.com.evil.example' }],
])('%s counts in its network: %s', (_, counts, person) => {
  expect(countsByNetwork({ ...CATCH_ALL, ...person }, { signUp: 'open' }, now)).toBe(counts);
});

test('accounts of any age count in their mail domain, unless it is a large provider’s or an allowed one', () => {
  const counts = (mailbox: string, domains: readonly string[] = []) =>
    countsByDomain({ mailbox }, { signUp: 'open', domains });
  expect(counts('ada@catch-all.example')).toBe(true);
  expect(counts('ada@gmail.com')).toBe(false);
  expect(counts('ada@firm.example', ['firm.example'])).toBe(false);
});

test.each(['domains', 'invited'] as const)('with sign-up “%s”, nobody counts', (signUp) => {
  expect(countsByNetwork({ ...CATCH_ALL, isConfirmed: false }, { signUp }, now)).toBe(false);
  expect(countsByDomain(CATCH_ALL, { signUp, domains: [] })).toBe(false);
});

describe.each(ENGINES)('shares of networks on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let owner: Owner;
  let clock = Date.parse('2026-11-20T12:00:00Z');
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, () => (clock += 1));
    context = site.context;
    owner = await createOwner(context);
  });
  afterAll(() => site?.close());

  const set = (change: Partial<Policy>) =>
    setPolicy(context, {
      policy: { ...defaultPolicy(false), ...change },
      ...{ hasProvider: false, operatorId: owner.accountId, actor: 'operator' as const },
    });
  let people = 0;
  const newPeople = async (
    amount: number,
    domainOf: (at: number) => string,
    { ageMs = 0, isConfirmed = true } = {},
  ): Promise<string[]> => {
    const rows = Array.from({ length: amount }, (_, at) => {
      people += 1;
      const email = `p${people}@${domainOf(at)}`;
      return { id: uuidv7(context), email, mailbox: email, name: 'P', plan: 'starter' as const };
    });
    const created_at = new Date(clock - ageMs).toISOString();
    const email_verified_at = isConfirmed ? created_at : null;
    await context.db.transaction((tx) =>
      tx
        .insertInto('accounts')
        .values(rows.map((row) => ({ ...row, created_at, email_verified_at })))
        .execute(),
    );
    return rows.map(({ id }) => id);
  };
  const limitedOffer = async (claimLimit: number) => {
    const offer = await createOffer(context, {
      listing: owner.slug,
      offer: `Limited to ${claimLimit}`,
      kind: 'gift',
      redemption_link: 'https://acme.example/welcome?claim={claim}',
      claim_limit: String(claimLimit),
      actor: 'operator',
    });
    return offer.id;
  };
  const claimBy = (offerId: string, address: string | null) => (claimantAccountId: string) => ({
    claimantAccountId,
    listing: owner.slug,
    offerId,
    rules: { hasMail: false, address },
  });
  const summary = (outcomes: readonly unknown[]) => {
    const refusals = outcomes.filter((one) => one instanceof Error).map(String);
    // A database that is too busy would hide what this test is about.
    expect(
      refusals.filter((text) => !/Many (?:new accounts in your network|accounts with an address)/.test(text)),
    ).toEqual([]);
    return { claims: outcomes.length - refusals.length, refusal: refusals[0] };
  };
  type Claims = readonly Parameters<typeof claimOffer>[1][];
  /** Returns the number of claims and the first refusal. */
  const claimAll = async (claims: Claims) => summary(await claimOffers(context, claims));
  /** Like `claimAll`, with a transaction for each claim and several in parallel. */
  async function claimInParallel(claims: Claims) {
    const outcomes: unknown[] = [];
    for (let at = 0; at < claims.length; at += PARALLEL) {
      const some = claims.slice(at, at + PARALLEL).map((one) => claimOffer(context, one));
      outcomes.push(...(await Promise.all(some.map((one) => one.catch((error: Error) => error)))));
    }
    return summary(outcomes);
  }

  test('a catch-all domain behind one address gets half of a limited offer an hour, exactly', async () => {
    const offerId = await limitedOffer(60);
    const eves = await newPeople(60, () => 'catch-all.example');
    const first = await claimInParallel(eves.slice(0, 40).map(claimBy(offerId, '203.0.113.5')));
    expect(first.claims).toBe(30);
    expect(first.refusal).toMatch(/in \d+ minutes, or now from another network/);
    // The same in one batch, after the others.
    const batch = await claimOffers(context, eves.slice(40).map(claimBy(offerId, '203.0.113.5')));
    expect(batch.every((one) => one instanceof Error)).toBe(true);
    const [ada] = await newPeople(1, () => 'elsewhere.example');
    expect((await claimAll([claimBy(offerId, '198.51.100.9')(ada!)])).claims).toBe(1);
    clock += HOUR_MS;
    expect((await claimAll(eves.map(claimBy(offerId, '203.0.113.5')))).claims).toBe(30 + 20);
  });

  test('one mail domain gets half of a limited offer an hour from ten networks, also with its subdomains', async () => {
    const offerId = await limitedOffer(60);
    const eves = await newPeople(60, (at) => `${at % 2 === 0 ? '' : `s${at}.`}wide.example`);
    const spread = eves.map((id, at) => claimBy(offerId, `203.0.113.${100 + (at % 10)}`)(id));
    const { claims, refusal } = await claimInParallel(spread);
    expect(claims).toBe(30);
    expect(refusal).toMatch(/with an address at (?:s\d+\.)?wide\.example .* in \d+ minutes/);
    // An unknown network doesn't help.
    expect((await claimAll(eves.slice(50).map(claimBy(offerId, null)))).claims).toBe(0);
    const others = await newPeople(10, (at) => `other-${at}.example`);
    expect((await claimAll(others.map(claimBy(offerId, '203.0.113.100')))).claims).toBe(10);
    const sources = await readClaimSources(context, { id: offerId, account_id: owner.accountId });
    expect(sources.networks.reduce((sum, { claims }) => sum + claims, 0)).toBeLessThanOrEqual(40);
  });

  test('rotating addresses within an IPv6 /48 doesn’t help; retries of a claim count once', async () => {
    const offerId = await limitedOffer(50);
    const eves = await newPeople(40, (at) => `six-${at % 20}.example`);
    const spread = eves.map((id, at) => claimBy(offerId, `2001:db8:7:${(at * 777).toString(16)}::${at}`)(id));
    expect((await claimAll(spread)).claims).toBe(25);
    const again = await claimOffers(context, spread);
    expect(again.filter((one) => !(one instanceof Error) && !one.created)).toHaveLength(25);
    const mapped = eves.slice(25).map(claimBy(offerId, '::ffff:198.51.100.77'));
    expect((await claimAll(mapped)).claims).toBe(15);
  });

  test('a crowd of 500 behind one address claims an offer for 500', async () => {
    const offerId = await limitedOffer(500);
    const domain = (at: number) =>
      at % 5 < 3 ? ['gmail.com', 'gmx.de', 'icloud.com'][at % 5]! : `firm-${at % 40}.example`;
    const crowd = await newPeople(500, domain);
    const claims = crowd.map(claimBy(offerId, '192.0.2.1'));
    const outcomes = [];
    for (let at = 0; at < 500; at += 100)
      outcomes.push(...(await claimOffers(context, claims.slice(at, at + 100))));
    expect(outcomes.filter((one) => one instanceof Error)).toEqual([]);
  });

  test('accounts of a catch-all domain that are older than a week cannot drain an offer either', async () => {
    const eves = await newPeople(60, () => 'aged.example', { ageMs: 8 * 24 * HOUR_MS });
    const offerId = await limitedOffer(60);
    const spread = eves.map((id, at) => claimBy(offerId, `203.0.113.${150 + at}`)(id));
    const { claims, refusal } = await claimInParallel(spread);
    expect(claims).toBe(30);
    expect(refusal).toContain('Many accounts with an address at aged.example');
  });

  test('addresses at a large provider count if nobody confirmed them, so they can be made up in advance', async () => {
    const made = { ageMs: 8 * 24 * HOUR_MS, isConfirmed: false };
    const eves = await newPeople(60, () => 'gmail.com', made);
    expect((await claimAll(eves.map(claimBy(await limitedOffer(60), '203.0.113.10')))).claims).toBe(30);
  });

  test('the turn of an hour gives no second share', async () => {
    clock = Math.ceil(clock / HOUR_MS) * HOUR_MS - 60_000;
    const offerId = await limitedOffer(100);
    const eves = await newPeople(100, () => 'turn.example');
    const claims = eves.map(claimBy(offerId, '203.0.113.11'));
    expect((await claimAll(claims)).claims).toBe(50);
    clock += 2 * 60_000;
    const { refusal } = await claimAll(claims.slice(50));
    expect(refusal).toMatch(/in 5[0-9] minutes/);
    expect((await claimAll(claims.slice(50))).claims).toBe(0);
    clock += HOUR_MS;
    expect((await claimAll(claims.slice(50))).claims).toBe(25);
  });

  test('older accounts, an unknown address, an unlimited offer and the operator’s 100% are not held up', async () => {
    const ageMs = 8 * 24 * HOUR_MS;
    const eves = await newPeople(30, (at) => `old-${at % 10}.example`, { ageMs });
    expect((await claimAll(eves.map(claimBy(await limitedOffer(30), '203.0.113.9')))).claims).toBe(30);
    const news = await newPeople(30, (at) => `new-${at % 10}.example`);
    expect((await claimAll(news.map(claimBy(await limitedOffer(30), null)))).claims).toBe(30);
    expect((await claimAll(news.map(claimBy(owner.offerId, '203.0.113.9')))).claims).toBe(30);
    await set({ shareByNetwork: 100 });
    expect((await claimAll(news.map(claimBy(await limitedOffer(30), '203.0.113.9')))).claims).toBe(30);
    await set({});
  });

  test('claims beyond the share don’t use up the claims that a network has in a day', async () => {
    await set({ claimsByNetwork: 25 });
    const claim = claimBy(await limitedOffer(30), '203.0.113.50');
    const eves = await newPeople(30, () => 'refused.example');
    expect((await claimAll(eves.map(claim))).claims).toBe(20);
    const neighbours = await newPeople(5, () => 'gmail.com');
    expect((await claimAll(neighbours.map(claim))).claims).toBe(5);
    await set({});
  });

  test('a code list limits an offer until it is empty', async () => {
    const offer = await createOffer(context, {
      listing: owner.slug,
      offer: 'Codes first',
      kind: 'gift',
      code_list: 'shared_code',
      code: 'SHARED',
      actor: 'operator',
    });
    const lines = Array.from({ length: 25 }, (_, at) => ({ line: at + 1, text: `code-${at}` }));
    await addCodes(context, { offerId: offer.id, lines, actor: 'operator' });
    const eves = await newPeople(30, () => 'codes.example');
    expect((await claimAll(eves.map(claimBy(offer.id, '203.0.113.20')))).claims).toBe(20);
    const others = await newPeople(5, () => 'gmail.com');
    expect((await claimAll(others.map(claimBy(offer.id, '203.0.113.20')))).claims).toBe(5);
    expect((await claimAll(eves.map(claimBy(offer.id, '203.0.113.20')))).claims).toBe(30);
  });

  test('mail domains are read from the newest claims, which may have been issued without a person', async () => {
    const offerId = await limitedOffer(200);
    await claimAll((await newPeople(2, () => 'early.example')).map(claimBy(offerId, '203.0.113.40')));
    clock += 1_000;
    await issueTokens(context, { offerId }, 3);
    const offer = { id: offerId, account_id: owner.accountId };
    const emails = (limit: number) => listClaimantEmails(context.db, offer, toIso(clock - HOUR_MS), limit);
    expect(await emails(3)).toEqual([]);
    expect(await emails(5)).toHaveLength(2);
  });

  test('the owner sees mail domains and networks with five claims, and can pause; nothing names a network', async () => {
    const offerId = await limitedOffer(200);
    const claim = async (amount: number, domain: string, address: string) =>
      claimAll((await newPeople(amount, () => domain)).map(claimBy(offerId, address)));
    await claim(20, 'drain.example', '203.0.113.30');
    await claim(6, 'gmail.com', '203.0.113.31');
    await claim(4, 'few.example', '203.0.113.32');
    const sources = await readClaimSources(context, { id: offerId, account_id: owner.accountId });
    expect(sources.domains.map(({ name, claims }) => [name, claims])).toEqual([
      ['drain.example', 20],
      ['gmail.com', 6],
    ]);
    expect(sources.networks.map(({ name, claims }) => [name, claims])).toEqual([
      ['A', 20],
      ['B', 6],
    ]);
    expect(sources.dominant).toEqual({ kind: 'network', source: sources.networks[0] });
    const rows = await context.db.read.selectFrom('claim_networks').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001:db8|192\.0\.2/);
    expect(networkKey(context.secretBox, offerId, '203.0.113.30')).not.toBe(
      networkKey(context.secretBox, owner.offerId, '203.0.113.30'),
    );
    clock += 26 * HOUR_MS;
    await sweepNetworkClaims(context);
    expect(await context.db.read.selectFrom('claim_networks').selectAll().execute()).toEqual([]);
  });

  test('old counts are deleted in short transactions, because an offer can have claims from many networks', async () => {
    const { db } = context;
    const account_number = await readAccountNumber(db.read, owner.accountId);
    const offers = [await limitedOffer(200), await limitedOffer(200)];
    const rows = Array.from({ length: 500 }, (_, at) => ({
      ...{ account_number, offer_id: offers[at % 2]!, network: `network-${at}`, claims: 1, counted: 1 },
      since: toIso(clock - 48 * HOUR_MS),
    }));
    await db.transaction((tx) => tx.insertInto('claim_networks').values(rows).execute());
    const counted = countDeletions(context, 'claim_networks');
    await sweepNetworkClaims(counted.context);
    expect(await db.read.selectFrom('claim_networks').selectAll().execute()).toEqual([]);
    expect(counted.most()).toBe(200);
  });
});
