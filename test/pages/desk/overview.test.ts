/** The desk's overview: figures compared with the previous period, items that need attention, and the empty state. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateEndpoint } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import { toRow } from '../../../src/claims/attempts/attempt.ts';
import { ALL_CAUSES, type Cause, FAILURES } from '../../../src/claims/attempts/cause.ts';
import { insertAttempts } from '../../../src/claims/attempts/queries.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { issueClaimFor } from '../../../src/claims/creation/issue.ts';
import { aggregateLabelDeltas } from '../../../src/marketplace/campaigns/count.ts';
import { appendLabelDeltas } from '../../../src/marketplace/campaigns/queries.ts';
import { areRankingsDue, rankMarket } from '../../../src/marketplace/campaigns/rankings.ts';
import { approveListing, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { isLow } from '../../../src/marketplace/offers/code.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { listOffers } from '../../../src/marketplace/offers/queries.ts';
import { READ } from '../../../src/pages/desk/overview/queries.ts';
import type { Mode } from '../../../src/people/keys/key.ts';
import { FAILED_CALLS, LOW_ON_CODES } from '../../../src/platform/store/partial-indexes.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { attemptOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { type Desk, openDesk, pendingListing } from './support.ts';

describe.each(ENGINES)('the overview on %s', (engine) => {
  let desk: Desk;
  let listing: Awaited<ReturnType<typeof pendingListing>>;
  let offerId: string;
  beforeAll(async () => {
    desk = await openDesk(engine);
  });
  afterAll(() => desk.close());

  const figure = async (name: string, query = ''): Promise<string> => {
    const html = await desk.html(`/desk${query}`);
    const [, notes, value] = new RegExp(`<dt>${name}((?:(?!</dt>).)*)</dt><dd>([^<]*)</dd>`).exec(html) ?? [];
    return `${value} ${notes?.replaceAll(/<[^>]+>/g, ' ').trim()}`;
  };

  test('shows first steps instead of figures on a new installation', async () => {
    const first = await desk.text('/desk');
    for (const words of ['First steps', 'Publish an app', 'Example']) expect(first).toContain(words);
    for (const words of ['30 days', 'Redemption rate', 'Needs attention']) expect(first).not.toContain(words);
    listing = await pendingListing(desk, 'calm-notes', 'Calm Notes');
    expect(await desk.text('/desk')).toContain('First steps');
    desk.clock.ms = Date.parse(listing.submitted_at!) + 3 * HOUR_MS;
    await approveListing(desk.context, { listing: 'calm-notes', actor: 'operator' });
    expect(await desk.text('/desk')).toContain('1 app is live, but there have been no visitors yet');
    const [offer] = await listOffers(desk.db.read, listing);
    offerId = offer!.id;
  });

  test('compares claims, redemptions and visitors with the previous period', async () => {
    const at = desk.context.now();
    const count = (daysAgo: number, counts: object) =>
      desk.db.transaction((tx) =>
        appendLabelDeltas(tx, desk.db.engine, toIso(at - daysAgo * DAY_MS), [
          { accountId: desk.owner.accountId, listingId: listing.id, via: 'spring', ...counts },
        ]),
      );
    await count(40, { claims: 10, redeemed: 4, code_claims: 2, visitors: 40, visits: 50 });
    await aggregateLabelDeltas(desk.context);
    await count(2, { claims: 8, redeemed: 6, code_claims: 0 });
    await aggregateLabelDeltas(desk.context);
    // These counts are not folded yet; the figures must include them.
    await count(1, { claims: 4, redeemed: 0, code_claims: 4, visitors: 60, visits: 70 });
    expect(await figure('Claims')).toBe('12 20.0% of visitors  +20.0% from 10');
    expect(await figure('Redeemed')).toBe('6 +50.0% from 4');
    expect(await figure('Redemption rate')).toBe('75.0% of 8 claims with a link  +25.0 points from 50.0%');
    expect(await figure('Visitors')).toBe('60 +50.0% from 40');
    expect(await figure('Claims', '?range=7')).toContain('12');
    const day = toIso(at - 40 * DAY_MS).slice(0, 10);
    expect(await figure('Claims', `?range=custom&from=${day}&to=${day}`)).toContain('10');
    expect(await desk.text(`/desk?range=custom&from=${day}&to=${day}`)).toContain(
      'Top offers and labels are ranked only for the ranges above',
    );
    expect(await desk.text('/desk?range=custom&from=x')).toContain('The first day must be between');
  });

  test('excludes test claims', async () => {
    const before = await figure('Claims');
    await issueClaimFor(desk.context, {
      offerId,
      claimantRef: 'tester',
      mode: 'test',
      via: 'spring',
      replace: false,
    });
    await aggregateLabelDeltas(desk.context);
    expect(await figure('Claims')).toBe(before);
  });

  test('shows new accounts and owners, live listings, and the median time to review', async () => {
    expect(await figure('New accounts')).toBe('3 none before');
    expect(await figure('New owners')).toBe('1 none before');
    expect(await figure('Live listings')).toBe('1 1 approved in this period');
    expect(await figure('Time to review')).toBe('3 h median of 1 review');
    // A suspension does not count as a review.
    desk.clock.ms! += 40 * HOUR_MS;
    const other = await pendingListing(desk, 'other-app', 'Other App');
    desk.clock.ms! += 5 * HOUR_MS;
    await approveListing(desk.context, { listing: 'other-app', actor: 'operator' });
    desk.clock.ms! += 9 * HOUR_MS;
    await suspendListing(desk.context, { listing: other.id, actor: 'operator', reason: null });
    expect(await figure('Time to review')).toBe('4 h median of 2 reviews');
    expect(await figure('New owners')).toBe('1 none before');
    expect(await figure('Live listings')).toBe('1 1 approved in this period');
  });

  test('ranks offers and campaign labels by their claims in the selected range', async () => {
    await claimOffer(desk.context, {
      claimantAccountId: desk.otherOperator.accountId,
      listing: 'calm-notes',
      offerId,
    });
    // Sets the clock to noon, so that it is still the same day one hour later.
    desk.clock.ms = (Math.ceil(desk.clock.ms! / DAY_MS) + 0.5) * DAY_MS;
    expect(await areRankingsDue(desk.context)).toBe(true);
    await rankMarket(desk.context);
    expect(await areRankingsDue(desk.context)).toBe(false);
    // If a listing has only one offer, the ranking uses the listing's counters. If a listing has several offers, the
    // ranking counts individual claims.
    expect(await desk.text('/desk?range=7')).toMatch(/20% off the first year 13 claims/);
    await createOffer(desk.context, {
      ...{ listing: 'calm-notes', offer: 'A month', kind: 'trial', code: 'MONTH' },
      actor: 'operator',
    });
    await rankMarket(desk.context);
    const page = await desk.text('/desk?range=7');
    expect(page).toMatch(/Top offers\s+Calm Notes 20% off the first year 1 claim/);
    expect(page).toMatch(/Top campaign labels\s+spring 6 redeemed 12 claims/);
    desk.clock.ms! += HOUR_MS;
    expect(await areRankingsDue(desk.context)).toBe(false);
    desk.clock.ms! += DAY_MS;
    expect(await areRankingsDue(desk.context)).toBe(true);
  });

  test('lists pending reviews, failing calls, failing webhooks and offers that are low on codes', async () => {
    await pendingListing(desk, 'waiting-app', 'Waiting App');
    desk.clock.ms! += 2 * DAY_MS;
    expect(await desk.text('/desk')).toMatch(
      /1 review Waiting for your decision: 1 submitted listing\. for 2 days/,
    );
    const call = (cause: Cause, mode: Mode = 'live') => {
      const { accountId } = desk.owner;
      return toRow(attemptOf({ accountId, keyId: null, atMs: desk.context.now(), cause, mode }));
    };
    const write = (rows: ReturnType<typeof call>[]) =>
      desk.db.transaction((tx) => insertAttempts(tx, desk.db.engine, rows));
    await write([call('token_unknown'), call('token_unknown'), call('token_unknown')]);
    await write([call('body_not_json', 'test'), call('body_not_json'), call('body_not_json')]);
    expect(await desk.text('/desk')).not.toContain('1 owner with failing calls');
    await write([call('invalid_api_key')]);
    expect(await desk.text('/desk')).toMatch(/1 owner with failing calls\s+Ada Acme \(3 calls\)/);
    const { id } = await createEndpoint(desk.context, localOutgoing(), {
      accountId: desk.owner.accountId,
      actor: `account:${desk.owner.accountId}`,
      url: 'http://127.0.0.1:9999/hooks',
      eventTypes: ['claim.created'],
    });
    expect(await desk.text('/desk')).not.toContain('webhook is failing');
    await desk.db.transaction((tx) => updateEndpoint(tx, id, { failing_since: desk.context.at() }));
    expect(await desk.text('/desk')).toMatch(/1 webhook is failing\s+Ada Acme/);
    await desk.db.transaction(async (tx) => {
      await tx.updateTable('offers').set({ code_list: 'close' }).where('id', '=', offerId).execute();
      await tx
        .updateTable('offer_claims')
        .set({ codes_given: 30, codes_left: 4 })
        .where('offer_id', '=', offerId)
        .execute();
    });
    expect(await desk.text('/desk')).toMatch(/1 offer is running out of codes\s+Calm Notes \(4 left\)/);
  });

  test('lists an owner with failing calls even if many suspended accounts have failing calls', async () => {
    const at = desk.context.at();
    const suspended = Array.from({ length: READ + 1 }, (_, index) => ({
      id: uuidv7(desk.context),
      email: `suspended-${index}@example.org`,
      mailbox: 'suspended',
      name: 'Suspended',
      plan: 'studio' as const,
      created_at: at,
      suspended_at: at,
    }));
    const calls = suspended.flatMap(({ id: accountId }) => {
      const call = { accountId, keyId: null, atMs: Date.parse(at), cause: 'invalid_api_key' } as const;
      return Array.from({ length: 4 }, () => toRow(attemptOf(call)));
    });
    await desk.db.transaction(async (tx) => {
      await tx.insertInto('accounts').values(suspended).execute();
      await insertAttempts(tx, desk.db.engine, calls);
    });
    expect(await desk.text('/desk')).toMatch(/1 owner with failing calls\s+Ada Acme \(3 calls\)/);
  });

  test('lists an open offer that is low on codes, even if many ended offers are low on codes', async () => {
    await desk.db.transaction(async (tx) => {
      const { number: _, ...offer } = await tx
        .selectFrom('offers')
        .selectAll()
        .where('id', '=', offerId)
        .executeTakeFirstOrThrow();
      const { offer_id: __, ...counts } = await tx
        .selectFrom('offer_claims')
        .selectAll()
        .where('offer_id', '=', offerId)
        .executeTakeFirstOrThrow();
      const ended = Array.from({ length: READ + 1 }, () => ({
        ...offer,
        id: uuidv7(desk.context),
        ends_at: offer.created_at,
      }));
      await tx.insertInto('offers').values(ended).execute();
      await tx
        .insertInto('offer_claims')
        .values(ended.map(({ id }) => ({ ...counts, offer_id: id, codes_left: 0 })))
        .execute();
    });
    expect(await desk.text('/desk')).toMatch(/1 offer is running out of codes\s+Calm Notes \(4 left\)/);
  });

  test('uses partial indexes whose conditions match the rules for failed calls and for offers that are low on codes', async () => {
    const failed = async (cause: string) =>
      (
        await sql<{
          cause: string;
        }>`select cause from (select cast(${cause} as text) as cause) c where ${sql.raw(FAILED_CALLS)}`.execute(
          desk.db.read,
        )
      ).rows.length > 0;
    for (const cause of ALL_CAUSES) {
      expect(await failed(cause), cause).toBe(cause !== 'token_unknown' && FAILURES.includes(cause));
    }
    for (const [codes_given, codes_left] of [
      [1, 0],
      [1, 20],
      [1, 21],
      [189, 21],
      [188, 21],
      [900, 100],
      [899, 100],
      [500, 20],
    ] as const) {
      const counts = sql`select cast(${codes_given} as integer) as codes_given, cast(${codes_left} as integer) as codes_left`;
      const { rows } = await sql`select 1 from (${counts}) c where ${sql.raw(LOW_ON_CODES)}`.execute(
        desk.db.read,
      );
      expect(rows.length > 0, `${codes_given} ${codes_left}`).toBe(isLow({ codes_given, codes_left }));
    }
  });
});
