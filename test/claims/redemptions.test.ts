/** Readers of the redemptions feed get each redemption exactly once, despite concurrent transactions and restores. */
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../src/base/context.ts';
import { parseCursor } from '../../src/base/events/feed.ts';
import { createReadSettled, type ReadSettled } from '../../src/base/events/settled.ts';
import type { Claim } from '../../src/claims/claim.ts';
import { LAG_MS, readRedemptions } from '../../src/claims/redemptions.ts';
import type { Transaction } from '../../src/platform/store/database.ts';
import { changeClaimsIn } from '../support/claims.ts';
import {
  createDbLocation,
  ENGINES,
  openDatabaseAt,
  openTestDatabase,
  type TestDatabase,
  type TestEngine,
} from '../support/engines.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { eventStepOf } from '../support/nodes.ts';
import { recordStatements } from '../support/plans.ts';
import { shareDatabase, shareOwner } from '../support/shared.ts';
import { redeemAll } from '../support/verify.ts';

/** Number of concurrent transactions; on PostgreSQL, they are divided between two processes. */
const OPEN_AT_ONCE: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 4 };
const RUNS = 4;
const STEPS = 40;
/** How far the clock advances with each step. Two steps exceed `LAG_MS`. */
const STEP_MS = (LAG_MS * 2) / 3;

interface Reader {
  readonly readSettled: ReadSettled;
  readonly context: Context;
  cursor: string | null;
  readonly seen: string[];
}

/** Reads the next page. */
async function read(
  reader: Reader,
  owner: Owner,
  options: { limit?: number; numbers?: number; mode?: 'live' | 'test' } = {},
): ReturnType<typeof readRedemptions> {
  const { context, readSettled, cursor } = reader;
  const after = cursor === null ? null : parseCursor(cursor);
  const input = { accountId: owner.accountId, mode: 'live', after, ...options } as const;
  const page = await readRedemptions({ db: context.db, readSettled }, input);
  reader.cursor = page.next;
  reader.seen.push(...page.redemptions.map(({ id }) => id));
  return page;
}

async function readOn(reader: Reader, owner: Owner, options: { limit?: number; numbers?: number } = {}) {
  for (;;) if (!(await read(reader, owner, options)).hasMore) return;
}

const createReader = (
  context: Context,
  readSettled = createReadSettled(context.db, context.now),
  cursor: string | null = null,
): Reader => ({ context, readSettled, cursor, seen: [] });

async function redeem(context: Context, owner: Owner, tokens: readonly string[], key = owner.liveKey) {
  expect(await redeemAll(context, key, tokens)).toEqual(tokens.map(() => 'redeemed'));
}

/** Ids of the redeemed live claims, in log order. */
async function logged({ db }: Context, owner: Owner): Promise<string[]> {
  const rows = await db.read
    .selectFrom('events')
    .innerJoin('claims', 'claims.id', 'events.subject_id')
    .select('events.subject_id')
    .where('events.account_id', '=', owner.accountId)
    .where('events.type', '=', 'claim.redeemed')
    .where('claims.mode', '=', 'live')
    .orderBy('events.seq')
    .execute();
  return rows.map(({ subject_id }) => subject_id);
}

/** Opens a transaction and keeps it open until `end` is called. */
async function hold({ db }: Context) {
  const opened = Promise.withResolvers<Transaction>();
  const ended = Promise.withResolvers<boolean>();
  const done = db
    .transaction(async (tx) => {
      opened.resolve(tx);
      if (!(await ended.promise)) throw new Error('rolled back');
    })
    .catch(() => {});
  const end = async (commits: boolean) => {
    ended.resolve(commits);
    await done;
  };
  return { tx: await opened.promise, end };
}

type Held = Awaited<ReturnType<typeof hold>>;

describe.each(ENGINES)('redemptions feed on %s', (engine) => {
  const numberStep = eventStepOf(engine);
  const first = shareDatabase(engine);
  const owner = shareOwner(first.context);
  let second: TestDatabase;
  beforeAll(async () => {
    second = await openDatabaseAt(first);
    return () => second.db.close();
  });

  test('returns each redemption exactly once and in log order for any interleaving of transactions', async () => {
    let clockMs = Date.now() + 3_600_000;
    const now = () => clockMs;
    const processes = [first.context, second.context].map((context) => ({ ...context, now }));
    // As in the service, all readers in a process share one `ReadSettled`.
    const known = processes.map(({ db }) => createReadSettled(db, now));
    const slots = OPEN_AT_ONCE[engine];
    const step = fc.record({
      slot: fc.nat(slots - 1),
      act: fc.constantFrom('redeem', 'redeem', 'commit', 'commit', 'rollback', 'wait'),
      readers: fc.subarray([0, 1, 2, 3]),
    });
    const start = createReader(processes[0]!, known[0]);
    await readOn(start, owner);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        await issueTokens(first.context, owner, STEPS);
        const unused = (await claimsOf(first.context, owner)).filter(
          ({ redeemed_at }) => redeemed_at === null,
        );
        const held: (Held | null)[] = Array.from({ length: slots }, () => null);
        const readers = [0, 1, 0, 1].map((at) => createReader(processes[at]!, known[at]!, start.cursor));
        const promises: { reader: Reader; until: string; seen: number }[] = [];
        const before = (await logged(first.context, owner)).length;
        for (const { slot, act, readers: reading } of steps) {
          clockMs += STEP_MS;
          if (act === 'redeem') {
            const holder = held[slot] ?? (await hold(processes[slot % 2]!));
            held[slot] = holder;
            await redeemIn(holder.tx, unused.pop()!, clockMs);
          } else if (act !== 'wait' && held[slot] !== null) {
            await held[slot]!.end(act === 'commit');
            held[slot] = null;
          }
          // On SQLite, a real call first checks its API key, and that check waits for open transactions. While a
          // transaction is open, no real call can return this page, so the test ignores the page's `completeUntil`.
          const isAnswered = engine !== 'sqlite' || held.every((open) => open === null);
          await Promise.all(
            reading.map(async (at) => {
              const reader = readers[at]!;
              const page = await read(reader, owner, { limit: 2, numbers: 7 * numberStep });
              if (page.completeUntil === null || !isAnswered) return;
              promises.push({ reader, until: page.completeUntil, seen: reader.seen.length });
            }),
          );
        }
        for (const open of held) await open?.end(true);
        for (const reader of readers) await readOn(reader, owner, { limit: 3, numbers: 11 * numberStep });
        const expected = (await logged(first.context, owner)).slice(before);
        for (const reader of readers) expect(reader.seen).toEqual(expected);
        await expectComplete(promises);
        start.cursor = readers[0]!.cursor;
      }),
      { numRuns: RUNS, seed: 20_261_122, endOnFailure: true },
    );
  });

  const redeemIn = async (tx: Transaction, { id, account_number, seq: claim_seq }: Claim, atMs: number) => {
    const at = new Date(atMs).toISOString();
    await changeClaimsIn(tx, engine, { account_id: owner.accountId, id }, { redeemed_at: at });
    const event = { account_number, type: 'claim.redeemed', at, claim_seq };
    await tx.insertInto('event_rows').values(event).execute();
  };

  /** Checks `completeUntil` of each page: later pages must not contain redemptions from before that time. */
  const expectComplete = async (promises: readonly { reader: Reader; until: string; seen: number }[]) => {
    expect(promises.length).toBeGreaterThan(0);
    const redeemedAt = new Map(
      (await claimsOf(first.context, owner)).map(({ id, redeemed_at }) => [id, redeemed_at!]),
    );
    for (const { reader, until, seen } of promises) {
      const late = reader.seen.slice(seen).filter((id) => redeemedAt.get(id)! < until);
      expect(late).toEqual([]);
    }
  };

  test('returns completeUntil only on the last page, 30 seconds behind the clock', async () => {
    const live = await issueTokens(first.context, owner, 3);
    const trial = await issueTokens(first.context, owner, 2, { mode: 'test' });
    await redeem(first.context, owner, live);
    await redeem(first.context, owner, trial, owner.testKey);
    const reader = createReader(first.context);
    const page = await read(reader, owner, { limit: 2 });
    expect([page.hasMore, page.completeUntil]).toEqual([true, null]);
    await readOn(reader, owner);
    const before = Date.now();
    const last = await read(reader, owner);
    const until = Date.parse(last.completeUntil!);
    expect(until).toBeGreaterThanOrEqual(before - LAG_MS);
    expect(until).toBeLessThanOrEqual(Date.now() - LAG_MS);
    const tests = createReader(first.context);
    const ofTests = { mode: 'test', limit: 1, numbers: 1_000_000 } as const;
    // Redemptions of live claims do not count toward the limit.
    expect((await read(tests, owner, ofTests)).redemptions).toHaveLength(1);
    while ((await read(tests, owner, ofTests)).hasMore);
    expect(tests.seen).toHaveLength(2);
    expect(reader.seen.filter((id) => tests.seen.includes(id))).toEqual([]);
  });

  test('after a restore, accepts cursors from before the backup and rejects later cursors', async () => {
    const dbLocation = await createDbLocation(engine);
    const original = await openDatabaseAt(dbLocation);
    const of = await createOwner(original.context);
    const tokens = await issueTokens(original.context, of, 12);
    await redeem(original.context, of, tokens.slice(0, 4));
    const kept = createReader(original.context);
    await readOn(kept, of);
    await original.db.close();
    const copy = await openDatabaseAt(await createDbLocation(engine, { copyOf: dbLocation }));
    onTestFinished(() => copy.close());
    const later = await openDatabaseAt(dbLocation);
    onTestFinished(() => later.close());
    await redeem(later.context, of, tokens.slice(4, 7));
    const lost = createReader(later.context);
    await readOn(lost, of);
    expect(lost.seen).toHaveLength(7);

    const onCopy = (cursor: string | null): Reader => createReader(copy.context, undefined, cursor);
    await expect(read(onCopy(lost.cursor), of)).rejects.toMatchObject({ code: 'cursor_gone' });
    // New redemptions reuse the event numbers that the restore lost, and then continue with higher numbers.
    await redeem(copy.context, of, tokens.slice(5));
    await expect(read(onCopy(lost.cursor), of)).rejects.toMatchObject({ code: 'cursor_gone' });
    const after = onCopy(kept.cursor);
    await readOn(after, of);
    const whole = onCopy(null);
    await readOn(whole, of);
    expect(whole.seen).toEqual(await logged(copy.context, of));
    expect([...kept.seen, ...after.seen]).toEqual(whole.seen);
    expect(whole.seen).toHaveLength(11);
  });
});

test('on SQLite, reading a page of redemptions does not scan tables', async () => {
  const { context, db, dataDir, close } = await openTestDatabase('sqlite');
  const owner = await createOwner(context);
  await redeem(context, owner, await issueTokens(context, owner, 30));
  const { plugin, steps: stepsIn } = recordStatements();
  const readSettled = createReadSettled(db, context.now);
  const recorded = { ...db, read: db.read.withPlugin(plugin) };
  const page = await readRedemptions(
    { db: recorded, readSettled },
    { accountId: owner.accountId, mode: 'live', after: null },
  );
  expect(page.redemptions).toHaveLength(30);
  const steps = stepsIn(dataDir);
  await close();
  expect(steps.filter((step) => step.startsWith('SCAN '))).toEqual([]);
  expect(steps).toContain('SEARCH event_rows USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(steps).toContain('SEARCH claim_rows USING COVERING INDEX claims_by_id (id=?)');
});
