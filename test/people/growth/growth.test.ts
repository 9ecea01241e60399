/** Accounts can add only so many bytes a day, and accounts that no operator has approved only little. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import type { PersonActor } from '../../../src/base/events/queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import {
  approveListing,
  submitListing,
  suspendListing,
} from '../../../src/marketplace/listings/decisions.ts';
import {
  MAX_LISTINGS_OF_NEWCOMER,
  MAX_PENDING_OF_NEWCOMER,
} from '../../../src/marketplace/listings/listing.ts';
import { MAX_CODES_OF_CALL, MAX_CODES_OF_NEWCOMER } from '../../../src/marketplace/offers/code.ts';
import { addCodes, withdrawCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import {
  chargeGrowth,
  GROWTH_A_DAY,
  NEWCOMER_BASE_A_DAY,
  NEWCOMER_GROWTH_A_DAY,
  NEWCOMERS_GROWTH_AN_HOUR,
} from '../../../src/people/growth/growth.ts';
import { ENGINES } from '../../support/engines.ts';
import { type AccountSite, openAccountSite, unescaped } from '../sign-in/support.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const PARALLEL = 6;

describe.each(ENGINES)('growth of accounts on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let clock = Date.parse('2026-11-20T12:00:00Z');
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, () => (clock += 1));
    context = site.context;
  });
  afterAll(() => site?.close());

  const charge = (accountId: string, bytes: number) => chargeGrowth(context, { accountId, bytes });
  /** Runs the tasks, several in parallel, but fewer than PostgreSQL has connections. */
  async function settleAll<T>(tasks: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    const results: PromiseSettledResult<T>[] = [];
    for (let at = 0; at < tasks.length; at += PARALLEL) {
      results.push(...(await Promise.allSettled(tasks.slice(at, at + PARALLEL).map((task) => task()))));
    }
    return results;
  }
  /** How many of `amount` charges of 1 MiB succeed. */
  const chargeInParallel = async (accountId: string, amount: number): Promise<number> => {
    const charges = await settleAll(Array.from({ length: amount }, () => () => charge(accountId, MIB)));
    return charges.filter(({ status }) => status === 'fulfilled').length;
  };

  let drafts = 0;
  async function draft(accountId: string, options: { upTo?: 'approved'; codeList?: true } = {}) {
    drafts += 1;
    const actor: PersonActor = options.upTo === undefined ? `account:${accountId}` : 'operator';
    const slug = `draft-${drafts}`;
    const values = { slug, name: slug, url: 'https://acme.example', account: accountId, actor };
    const listing = await createListing(context, { ...values, ...(options.upTo && { upTo: options.upTo }) });
    const offer = await createOffer(context, {
      listing: slug,
      offer: 'One free coffee',
      kind: 'gift',
      ...(options.codeList
        ? { code_list: 'close' }
        : { redemption_link: 'https://acme.example/?claim={claim}' }),
      actor,
    });
    return { slug, listingId: listing.id, offerId: offer.id, actor };
  }
  const newCodes = (amount: number, prefix: string) =>
    Array.from({ length: amount }, (_, at) => ({ line: at + 1, text: `${prefix}-${at}` }));

  test('parallel changes of a new account can’t exceed its budget, which is free again after a day', async () => {
    const { accountId } = await site.signedIn();
    const mib = (NEWCOMER_BASE_A_DAY.attempts + NEWCOMER_GROWTH_A_DAY.attempts) / MIB;
    expect(await chargeInParallel(accountId, mib + 8)).toBe(mib);
    await expect(charge(accountId, MIB)).rejects.toThrow(
      `An account without an approved listing can store ${mib} MiB a day. Nothing was changed. Try again in 24 hours.`,
    );
    clock += 24 * HOUR_MS;
    await charge(accountId, MIB);
  });

  test('an approved listing raises the budget, a suspended one doesn’t, and operators have no budget', async () => {
    const { accountId } = await site.signedIn();
    const { slug } = await draft(accountId, { upTo: 'approved' });
    await charge(accountId, 100 * MIB);
    await expect(charge(accountId, GROWTH_A_DAY.attempts)).rejects.toThrow('which is the limit');
    await suspendListing(context, { listing: slug, reason: 'spam', actor: 'operator' });
    await expect(charge(accountId, 100 * MIB)).rejects.toThrow('without an approved listing');
    const operator = await site.signedIn({ operator: true });
    await charge(operator.accountId, 2 * GROWTH_A_DAY.attempts);
  });

  test('many new accounts share a budget an hour, above a base that each of them always has', async () => {
    clock += HOUR_MS;
    const accounts = await Promise.all(Array.from({ length: 10 }, () => site.signedIn()));
    let sum = 0;
    for (const { accountId } of accounts) sum += await chargeInParallel(accountId, 16);
    expect(sum).toBe(NEWCOMERS_GROWTH_AN_HOUR.attempts / MIB + accounts.length);
    const { accountId } = await site.signedIn();
    await charge(accountId, MIB / 2);
    await expect(charge(accountId, MIB)).rejects.toThrow(/New accounts have stored too much.*in 60 minutes/);
    clock += HOUR_MS;
    await charge(accountId, MIB);
  });

  test('codes count by what they store, also if they are withdrawn and added again', async () => {
    const { accountId } = await site.signedIn();
    const { offerId, actor } = await draft(accountId, { codeList: true });
    const lines = newCodes(MAX_CODES_OF_CALL, 'again-and-again-'.repeat(10));
    await charge(accountId, 12 * MIB);
    const refusal = await (async () => {
      for (let round = 0; round < 8; round += 1) {
        try {
          await addCodes(context, { offerId, lines, actor });
        } catch (error) {
          return { round, error: String(error) };
        }
        await withdrawCodes(context, { offerId, lines: null, actor });
      }
      return null;
    })();
    expect(refusal?.error).toContain('16 MiB a day');
    expect(refusal?.round).toBeGreaterThan(1);
    // Operators at the desk are not limited.
    await addCodes(context, { offerId, lines, actor: 'operator' });
  });

  test('parallel additions to two drafts can’t exceed the limit on codes; a stranger’s offer costs nothing', async () => {
    const { accountId } = await site.signedIn();
    const offers = [
      await draft(accountId, { codeList: true }),
      await draft(accountId, { codeList: true }),
    ] as const;
    const add = (at: number) =>
      addCodes(context, { ...offers[at % 2]!, lines: newCodes(MAX_CODES_OF_CALL, `part-${at}`) });
    const added = await settleAll(Array.from({ length: 13 }, (_, at) => () => add(at)));
    const refusals = added.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    expect(refusals).toEqual(
      Array(3).fill(expect.stringContaining('at most 10,000 codes until the operator has approved')),
    );
    expect(added.length - refusals.length).toBe(MAX_CODES_OF_NEWCOMER / MAX_CODES_OF_CALL);
    const stranger = await site.signedIn();
    const actor = `account:${stranger.accountId}` as const;
    for (let at = 0; at < 30; at += 1) {
      const lines = newCodes(MAX_CODES_OF_CALL, 'foreign');
      await expect(addCodes(context, { offerId: offers[0].offerId, lines, actor })).rejects.toThrow(
        'There is nothing',
      );
    }
    await charge(stranger.accountId, MIB);
  });

  test('a new account has at most 5 listings and 3 in review, also in parallel, until one is approved', async () => {
    const { accountId } = await site.signedIn();
    const made = await settleAll(Array.from({ length: 8 }, () => () => draft(accountId)));
    const listings = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(listings).toHaveLength(MAX_LISTINGS_OF_NEWCOMER);
    await expect(draft(accountId)).rejects.toThrow('at most 5 listings until the operator has approved');
    const submit = (at: number) =>
      submitListing(context, { listing: listings[at]!.slug, actor: listings[at]!.actor });
    const submitted = await Promise.allSettled(listings.map((_, at) => submit(at)));
    const isPending = submitted.map(({ status }) => status === 'fulfilled');
    expect(isPending.filter(Boolean)).toHaveLength(MAX_PENDING_OF_NEWCOMER);
    const left = isPending.indexOf(false);
    await expect(submit(left)).rejects.toThrow('At most 3 listings can wait for review');
    const approved = listings[isPending.indexOf(true)]!;
    await approveListing(context, { listing: approved.slug, actor: 'operator' });
    await submit(left);
    await draft(accountId);
  });

  test('a change over the budget keeps what was typed, and webhook endpoints make changes dearer', async () => {
    const { accountId, person } = await site.signedIn({ plan: 'studio' });
    const { listingId } = await draft(accountId);
    const path = `/dashboard/listings/${listingId}`;
    const points = async () =>
      (
        await context.db.read
          .selectFrom('throttles')
          .select('points')
          .where('key', 'like', 'growth-base:%')
          .execute()
      ).reduce((sum, row) => sum + Number(row.points), 0);
    const costOf = async (change: () => Promise<unknown>) => {
      const before = await points();
      await change();
      return (await points()) - before;
    };
    const edit = () => person.post(path, { name: 'A new name', summary: 's'.repeat(150) });
    const withoutEndpoints = await costOf(edit);
    expect(withoutEndpoints).toBeGreaterThan(2 * 1024 + 300);
    await context.db.transaction((tx) =>
      tx
        .insertInto('webhook_endpoints')
        .values({
          ...{ id: accountId, account_id: accountId, format: 'standard', url: 'https://hooks.acme.example' },
          ...{
            event_types: '[]',
            secret: '',
            secret_made_at: context.at(),
            created_at: context.at(),
            cursor: 0,
          },
        })
        .execute(),
    );
    expect(await costOf(edit)).toBe(withoutEndpoints + 3 * 1024);
    await charge(accountId, NEWCOMER_GROWTH_A_DAY.attempts);
    // Fills the base, too.
    for (let bytes = MIB / 2; bytes >= 1024; bytes /= 2) await charge(accountId, bytes).catch(() => {});
    const refused = await person.post(path, { name: 'A precious name', summary: 'x'.repeat(MIB / 32) });
    expect(refused.status).toBe(429);
    expect(unescaped(refused.text)).toContain('can store 16 MiB a day. Nothing was changed.');
    expect(refused.text).toContain('value="A precious name"');
  });
});
