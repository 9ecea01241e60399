/** Retention of the event log: old events are deleted, and a reader that missed deleted events gets an error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examineEventLog } from '../../../src/background/system/event-log.ts';
import { findLastEndpoint } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint, disableEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import { createFanOut } from '../../../src/background/webhooks/fan-out.ts';
import type { Context } from '../../../src/base/context.ts';
import { parseCursor } from '../../../src/base/events/feed.ts';
import { appendEvent } from '../../../src/base/events/queries.ts';
import { createReadSettled } from '../../../src/base/events/settled.ts';
import {
  type EventSweep,
  eventsKeptFrom,
  eventsNeedSweep,
  sweepEvents,
} from '../../../src/base/events/sweep.ts';
import { readDeletedEvents } from '../../../src/base/events/sweep-queries.ts';
import { readRedemptions } from '../../../src/claims/redemptions.ts';
import { createPace } from '../../../src/platform/store/pace.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import {
  createDbLocation,
  type DbLocation,
  ENGINES,
  openDatabaseAt,
  type TestDatabase,
} from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { eventStepOf } from '../../support/nodes.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { redeemAll } from '../../support/verify.ts';

const DAY_MS = 86_400_000;
/** Number of months that have events. */
const MONTHS = 6;
/** Retention period in months. */
const KEPT = 3;
const CLAIMS_A_MONTH = 4;
const NOW = Date.UTC(2026, MONTHS - 1, 25);

test('retention counts calendar months and clamps the day to the end of shorter months', () => {
  const from = (now: string, months: number) => eventsKeptFrom({ months }, Date.parse(now));
  expect(from('2026-11-23T10:00:00.000Z', 13)).toBe('2025-10-23T10:00:00.000Z');
  expect(from('2026-03-31T10:00:00.000Z', 1)).toBe('2026-02-28T10:00:00.000Z');
  expect(eventsKeptFrom({ months: null }, 0)).toBeNull();
});

const PAUSED = { change: 'paused', offer: 'An offer' } as const;

describe.each(ENGINES)('old events on %s', (engine) => {
  /** A database with the events of all months. Each test uses a copy. */
  let filled: TestDatabase;
  let database: TestDatabase;
  let context: Context;
  let owner: Owner;
  let nowMs: number;
  /** For each month, the event number of the last event. */
  const lastOf: number[] = [];

  const open = async (dbLocation: DbLocation) => {
    const opened = await openDatabaseAt(dbLocation);
    context = { ...opened.context, now: () => nowMs };
    return opened;
  };
  beforeAll(async () => {
    nowMs = Date.UTC(2026, 0, 20);
    filled = await open(await createDbLocation(engine));
    await context.db.partitions?.create(nowMs);
    owner = await createOwner(context);
    for (let month = 0; month < MONTHS; month += 1) {
      await passTo(Date.UTC(2026, month, 20));
      await redeem(await issueTokens(context, owner, CLAIMS_A_MONTH));
      lastOf.push((await events()).at(-1)!.seq);
    }
    await filled.db.close();
    return () => filled.remove();
  });
  beforeEach(async () => {
    nowMs = NOW;
    database = await open(await createDbLocation(engine, { copyOf: filled }));
  });
  afterEach(() => database.close());

  const passTo = async (ms: number) => {
    nowMs = ms;
    await context.db.partitions?.create(ms);
  };
  const redeem = async (tokens: readonly string[]) => {
    // The service runs the upkeep every minute, so the test also runs the upkeep. On Citus, the upkeep also advances
    // the event numbers on nodes that are behind.
    await context.db.upkeep?.run();
    expect(await redeemAll(context, owner.liveKey, tokens)).toEqual(tokens.map(() => 'redeemed'));
    await context.db.upkeep?.run();
  };
  const events = () => context.db.read.selectFrom('events').select(['seq', 'at']).orderBy('seq').execute();
  const sweepOf = (months: number | null = KEPT): EventSweep => ({
    limits: { months },
    readCursor: async () => (await findLastEndpoint(context.db.read))?.cursor ?? null,
    pace: createPace(context.db),
  });
  const sweep = async (months: number | null = KEPT) => {
    await sweepEvents(context, sweepOf(months), new AbortController().signal);
    return await events();
  };
  /**
   * Returns whether a sweep keeps an event because its date is in the future. Only PostgreSQL keeps such events,
   * because PostgreSQL drops only partitions of past months.
   */
  const isKept = ({ at }: { readonly at: string }) => context.db.partitions !== null && at.startsWith('2999');
  const feed = (after: string | null) =>
    readRedemptions(
      { db: context.db, readSettled: createReadSettled(context.db, context.now) },
      {
        accountId: owner.accountId,
        mode: 'live',
        after: after === null ? null : parseCursor(after),
        numbers: 10 * eventStepOf(engine),
      },
    );
  /** Reads all pages. Returns the cursor after each page, and the number of redemptions. */
  const follow = async (after: string | null) => {
    const cursors: string[] = [];
    let redemptions = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await feed(cursors.at(-1) ?? after);
      cursors.push(page.next);
      redemptions += page.redemptions.length;
      hasMore = page.hasMore;
    }
    return { cursors, redemptions };
  };

  test('are deleted after the retention period, but not while the clock is set back', async () => {
    const before = await events();
    for (const earlier of [Date.UTC(2000, 0, 1), Date.UTC(2026, KEPT, 10)]) {
      nowMs = earlier;
      expect(await eventsNeedSweep(context, sweepOf())).toBe(false);
      expect(await sweep()).toEqual(before);
    }
    nowMs = NOW;
    const claims = await context.db.read.selectFrom('claims').selectAll().orderBy('seq').execute();
    expect(await eventsNeedSweep(context, sweepOf(null))).toBe(false);
    expect(await sweep(null)).toEqual(before);
    expect(await eventsNeedSweep(context, sweepOf())).toBe(true);
    const left = await sweep();
    // The retention period starts within the third month. PostgreSQL drops only whole months, so it keeps this month.
    const kept = lastOf[engine === 'postgres' ? 1 : 2]!;
    expect(left).toEqual(before.filter(({ seq }) => seq > kept));
    expect(await eventsNeedSweep(context, sweepOf())).toBe(false);
    expect(await context.db.read.selectFrom('claims').selectAll().orderBy('seq').execute()).toEqual(claims);
    const deleted = (await readDeletedEvents(context.db.read))!;
    expect(deleted.seq).toBe(kept);
    expect(left.every(({ at }) => at >= deleted.until)).toBe(true);
    // Event numbers are not reused.
    await redeem(await issueTokens(context, owner, 1));
    expect((await events()).at(-1)!.seq).toBeGreaterThan(before.at(-1)!.seq);
  });

  test('the redemption feed starts at the first kept event and rejects cursors that precede deleted events', async () => {
    const { cursors, redemptions } = await follow(null);
    expect(redemptions).toBe(MONTHS * CLAIMS_A_MONTH);
    await sweep();
    const { seq } = (await readDeletedEvents(context.db.read))!;
    for (const cursor of cursors) {
      if (parseCursor(cursor)!.seq < seq) {
        await expect(feed(cursor)).rejects.toMatchObject({
          code: 'cursor_gone',
          message: expect.stringContaining('deleted because of their age'),
        });
      } else await feed(cursor);
    }
    const keptMonths = engine === 'postgres' ? 4 : 3;
    expect((await follow(null)).redemptions).toBe(keptMonths * CLAIMS_A_MONTH);
  });

  test('a feed page is rejected if events after its cursor are deleted during the read', async () => {
    const { cursors } = await follow(null);
    const after = parseCursor(cursors[0]!)!;
    let queries = 0;
    const read = context.db.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries += 1;
        // The first two queries have checked the cursor; the events have not been read yet.
        if (queries === 2) await sweep();
        return result;
      },
    });
    const page = readRedemptions(
      { db: { ...context.db, read }, readSettled: createReadSettled(context.db, context.now) },
      { accountId: owner.accountId, mode: 'live', after },
    );
    await expect(page).rejects.toMatchObject({ code: 'cursor_gone' });
  });

  test('a cursor at the end of the log stays valid after the old events are deleted', async () => {
    const { cursors } = await follow(null);
    await passTo(Date.UTC(2027, 11, 1));
    const left = await sweep();
    expect(left).toHaveLength(engine === 'postgres' ? 0 : 1);
    expect(await follow(cursors.at(-1)!)).toMatchObject({ redemptions: 0 });
    await redeem(await issueTokens(context, owner, 2));
    expect((await follow(cursors.at(-1)!)).redemptions).toBe(2);
  });

  test('are kept until they are queued for every webhook endpoint, even a disabled one', async () => {
    nowMs += DAY_MS;
    const outgoing = localOutgoing();
    const { accountId } = owner;
    const own = { accountId, actor: `account:${accountId}` } as const;
    const { id } = await createEndpoint(context, outgoing, {
      ...{ ...own, url: 'http://127.0.0.1:9009/hooks', eventTypes: ['claim.redeemed'] },
    });
    await outgoing.close();
    await disableEndpoint(context, { ...own, endpointId: id });
    await redeem(await issueTokens(context, owner, 2));
    const waiting = await events();
    await passTo(Date.UTC(2027, 11, 1));
    const left = await sweep();
    const { cursor } = (await findLastEndpoint(context.db.read))!;
    expect(left.filter(({ seq }) => seq > cursor)).toEqual(waiting.filter(({ seq }) => seq > cursor));
    expect(left.filter(({ seq }) => seq > cursor).length).toBeGreaterThan(2);
    const [check] = await examineEventLog(context.db, { months: KEPT }, nowMs);
    expect(check).toMatchObject({ ok: true, note: true });
    expect(String(check!.detail)).toContain(id);

    await context.db.transaction((tx) =>
      tx.updateTable('webhook_endpoints').set({ disabled_at: null, disabled_reason: null }).execute(),
    );
    const spread = createFanOut(context, 'https://claims.example');
    while (
      (await spread.step()) !== 'none' &&
      (await findLastEndpoint(context.db.read))!.cursor < left.at(-1)!.seq
    );
    expect(await context.db.read.selectFrom('deliveries').select('id').execute()).toHaveLength(2);
    expect((await sweep()).length).toBeLessThanOrEqual(1);
  });

  test('an event with a wrong timestamp has no effect on the retention of the events around it', async () => {
    const append = (at: string) =>
      context.db.transaction((tx) =>
        appendEvent(tx, {
          ...{ accountId: owner.accountId, type: 'offer.changed', actor: 'operator', data: PAUSED },
          at,
          subjectId: uuidv7(context),
        }),
      );
    await append('1999-01-01T00:00:00.000Z');
    await append('2999-01-01T00:00:00.000Z');
    await redeem(await issueTokens(context, owner, 1));
    await context.db.partitions?.create(nowMs);
    const before = await events();
    const left = await sweep();
    expect(left).toEqual(before.filter(({ seq }) => seq > lastOf[engine === 'postgres' ? 1 : 2]!));

    await passTo(Date.UTC(2026, MONTHS + KEPT + 1, 20));
    await redeem(await issueTokens(context, owner, 1));
    const later = (await sweep()).filter((event) => !isKept(event));
    expect(later.map(({ at }) => at)).toEqual([nowMs, nowMs].map((ms) => new Date(ms).toISOString()));
  });

  test('an event that a clock wrote which was set back across a month deletes no earlier events that are kept', async () => {
    await passTo(Date.UTC(2026, MONTHS + 2, 10));
    const before = await events();
    const kept = before.filter(({ seq }) => seq > lastOf[MONTHS - 2]!);
    await context.db.transaction((tx) =>
      appendEvent(tx, {
        ...{ accountId: owner.accountId, type: 'offer.changed', actor: 'operator', data: PAUSED },
        at: toIso(Date.UTC(2026, MONTHS - 2, 31)),
        subjectId: uuidv7(context),
      }),
    );
    const left = await sweep();
    expect(left.length).toBeLessThan(before.length);
    expect(left).toEqual(expect.arrayContaining(kept));
    expect((await readDeletedEvents(context.db.read))!.seq).toBeLessThan(kept[0]!.seq);
  });

  test('events dated in the future do not block the deletion of old events after them', async () => {
    const before = await events();
    const firstKept = before.find(({ seq }) => seq > lastOf[engine === 'postgres' ? 1 : 2]!)!.seq;
    await context.db.transaction((tx) =>
      tx
        .updateTable('event_rows')
        .set({ at: '2999-01-01T00:00:00.000Z' })
        .where('seq', '<=', before[2]!.seq)
        .execute(),
    );
    const steps: number[] = [];
    const pace = { rows: () => 1, done: async (rows: number) => void steps.push(rows) };
    await sweepEvents(context, { ...sweepOf(), pace }, new AbortController().signal);
    const left = (await events()).filter((event) => !isKept(event));
    expect(left[0]!.seq).toBe(firstKept);
    if (context.db.partitions === null) expect(steps.length).toBeGreaterThan(3);
  });

  test('redemptions take less than a second while old events are being deleted', async () => {
    const tokens = await issueTokens(context, owner, 60);
    await passTo(Date.UTC(2027, 11, 1));
    let done = false;
    const sweeping = sweep().finally(() => {
      done = true;
    });
    let slowestMs = 0;
    for (const [n, token] of tokens.entries()) {
      if (done && n > 20) break;
      const startedMs = performance.now();
      await redeem([token]);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      await sleep(1);
    }
    await sweeping;
    expect(slowestMs).toBeLessThan(1_000);
  });
});
