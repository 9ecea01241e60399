/** The stored sums of an account's days are used only while they equal the counts per label. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  areClosedDaysDue,
  sumAllLabels,
  sumClosedDays,
} from '../../../src/marketplace/campaigns/closed-days.ts';
import { aggregateLabelDeltas } from '../../../src/marketplace/campaigns/count.ts';
import { sumDays } from '../../../src/marketplace/campaigns/period-queries.ts';
import { appendLabelDeltas } from '../../../src/marketplace/campaigns/queries.ts';
import { numberOfAccount } from '../../../src/platform/store/numbers.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { lastDays } from '../../../src/platform/text/time-zone.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const LABELS = 600;
const DAYS = 60;

describe.each(ENGINES)('sums of closed days on %s', (engine) => {
  const { context } = shareDatabase(engine);

  /** Adds `claims` claims with each of the labels, so many days ago. */
  const add = async ({ accountId, listingId }: Owner, daysAgo: number, claims: number, labels = LABELS) => {
    const deltas = Array.from({ length: labels }, (_, n) => ({
      accountId,
      listingId,
      via: `l${n}`,
      claims,
      redeemed: 0,
    }));
    const at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    await context.db.transaction((tx) => appendLabelDeltas(tx, context.db.engine, at, deltas));
  };

  const period = { days: lastDays('UTC', Date.now(), DAYS), end: null };

  /** `areExact`: for the account and for its only listing. */
  const read = async ({ accountId, listingId }: Owner) => {
    const stored = await sumAllLabels(context.db.read, { accountId }, period);
    const all = [stored, await sumAllLabels(context.db.read, { accountId, listingId }, period)];
    const summed = await sumDays(context.db.read, { accountId }, period);
    const areExact = all.map((days) => JSON.stringify(days) === JSON.stringify(summed));
    return { claims: stored.map((day) => day.claims), areExact };
  };

  test('late counts of a closed day, open days and waiting deltas are exact', async () => {
    const owner = await createOwner(context);
    for (const daysAgo of [90, 40, 2, 1, 0]) await add(owner, daysAgo, 1);
    await aggregateLabelDeltas(context);
    expect(await areClosedDaysDue(context)).toBe(true);
    await sumClosedDays(context);
    expect(await areClosedDaysDue(context)).toBe(false);
    await add(owner, 0, 2, 10);
    expect(await read(owner)).toEqual({ claims: [600, 600, 600, 620], areExact: [true, true] });
    await aggregateLabelDeltas(context);
    expect(await read(owner)).toEqual({ claims: [600, 600, 600, 620], areExact: [true, true] });
    expect(await areClosedDaysDue(context)).toBe(false);
    // A delta of a closed day arrives late.
    await add(owner, 40, 1, 1);
    expect(await read(owner)).toEqual({ claims: [601, 600, 600, 620], areExact: [true, true] });
    await aggregateLabelDeltas(context);
    expect(await read(owner)).toEqual({ claims: [601, 600, 600, 620], areExact: [true, true] });
    expect(await areClosedDaysDue(context)).toBe(true);
    await sumClosedDays(context);
    expect(await read(owner)).toEqual({ claims: [601, 600, 600, 620], areExact: [true, true] });
  });

  test('a read does not read the rows of closed days', async () => {
    const owner = await createOwner(context);
    await add(owner, 40, 1);
    await add(owner, 0, 1);
    await aggregateLabelDeltas(context);
    await sumClosedDays(context);
    const today = new Date().toISOString().slice(0, 10);
    await context.db.transaction((tx) =>
      sql`delete from label_days where account_number = ${numberOfAccount(owner.accountId)} and day < ${today}`.execute(
        tx,
      ),
    );
    expect(await read(owner)).toEqual({ claims: [600, 600], areExact: [false, false] });
  });

  test('the sums of an account and a listing that no longer have many labels are deleted', async () => {
    const owner = await createOwner(context);
    await add(owner, 40, 1);
    await aggregateLabelDeltas(context);
    await sumClosedDays(context);
    const stored = async () =>
      (
        await context.db.read
          .selectFrom('settings')
          .select('name')
          .where('name', 'like', 'closed_days:%')
          .execute()
      ).length;
    const before = await stored();
    await context.db.transaction((tx) =>
      sql`delete from label_counts where account_number = ${numberOfAccount(owner.accountId)}`.execute(tx),
    );
    await sumClosedDays(context);
    expect(await stored()).toBe(before - 2);
  });

  test('an account with few labels has no stored sums', async () => {
    const owner = await createOwner(context);
    await add(owner, 40, 1, 20);
    await aggregateLabelDeltas(context);
    expect(await areClosedDaysDue(context)).toBe(false);
    expect(await read(owner)).toEqual({ claims: [20], areExact: [true, true] });
  });
});
