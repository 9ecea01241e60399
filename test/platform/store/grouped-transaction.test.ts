/** Concurrent calls that share a database transaction. */
import { describe, expect, test } from 'vitest';
import { currentTrace, inTrace } from '../../../src/platform/process/trace.ts';
import type { Database, Transaction } from '../../../src/platform/store/database.ts';
import { createGroupedTransaction } from '../../../src/platform/store/grouped-transaction.ts';
import { readSetting, writeSetting } from '../../../src/platform/store/settings.ts';
import { ENGINES } from '../../support/engines.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDatabase } from '../../support/shared.ts';

describe.each(ENGINES)('grouped transactions on %s', (engine) => {
  const { context } = shareDatabase(engine);
  /** On Citus, each call has a transaction, and calls with the same key run at the same time. */
  const isGrouped = engine === 'sqlite' || nodeUrls().length === 1;

  /** A grouped transaction that counts its database transactions. */
  function newGroup() {
    let transactions = 0;
    const { db } = context;
    const countedIn =
      ({ transaction }: Pick<Database, 'transaction'>): Database['transaction'] =>
      (work) => {
        // PostgreSQL's engine repeats the work after a deadlock.
        return transaction((tx) => {
          transactions += 1;
          return work(tx);
        });
      };
    const byKey = { ...db.byKey, transaction: countedIn(db.byKey) };
    const grouped = createGroupedTransaction({ ...db, transaction: countedIn(db), byKey });
    return { grouped, transactions: () => transactions };
  }
  const add = async (tx: Transaction, name: string): Promise<number> => {
    const value = Number((await readSetting(tx, name)) ?? 0) + 1;
    await writeSetting(tx, name, String(value));
    return value;
  };
  const read = (name: string) => readSetting(context.db.read, name);

  test('give each caller its own result, and share a database transaction', async () => {
    const { grouped, transactions } = newGroup();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, n) => grouped(`person-${n}`, (tx) => add(tx, `shared-${n}`))),
    );
    expect(results).toEqual(Array.from({ length: 100 }, () => 1));
    expect(await read('shared-99')).toBe('1');
    if (isGrouped) expect(transactions()).toBeLessThan(10);
    else expect(transactions()).toBeGreaterThanOrEqual(100);
  });

  test('run each call in the trace of its request, even if another request starts the transaction', async () => {
    const { grouped } = newGroup();
    const traces = await Promise.all(
      ['a', null, 'b'].map((trace, n) =>
        inTrace(trace, () => grouped(`traced-${n}`, async () => currentTrace())),
      ),
    );
    expect(traces).toEqual(['a', null, 'b']);
  });

  test.skipIf(!isGrouped)('run sequentially if they have the same key', async () => {
    const { grouped } = newGroup();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => grouped('ada', (tx) => add(tx, 'same-key'))),
    );
    expect(results).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await read('same-key')).toBe('20');
  });

  test.skipIf(!isGrouped)('don’t wait for many calls with another key', async () => {
    const { grouped } = newGroup();
    const ended: string[] = [];
    const call = (key: string) =>
      grouped(key, (tx) => add(tx, `of-${key}`)).then((value) => ended.push(`${key} ${value}`));
    const calls = [...Array.from({ length: 50 }, () => call('ada')), call('ben')];
    await Promise.all(calls);
    expect(ended.indexOf('ben 1')).toBeLessThan(5);
  });

  // Each locks the rows in another order.
  test('of several processes do not deadlock', async () => {
    const groups = [newGroup(), newGroup(), newGroup()];
    const names = Array.from({ length: 20 }, (_, n) => `common-${n}`);
    const calls = groups.flatMap(({ grouped }, process) =>
      names.map((_, n) =>
        grouped(`caller-${n}`, async (tx) => {
          for (const at of [n, (n + 7 + process) % names.length]) await add(tx, names[at]!);
        }),
      ),
    );
    await Promise.all(calls);
    // Separate transactions may overwrite each other's values.
    if (!isGrouped) return;
    expect(groups.map(({ transactions }) => transactions() < 10)).toEqual([true, true, true]);
    expect(await Promise.all(names.map(read))).toEqual(names.map(() => '6'));
  });

  test.skipIf(engine === 'sqlite')('wait only for the calls whose rows are locked', async () => {
    const { grouped } = newGroup();
    const unlock = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const holder = context.db.transaction(async (tx) => {
      await writeSetting(tx, 'locked', '1');
      isLocked.resolve();
      await unlock.promise;
    });
    await isLocked.promise;
    const blocked = grouped('blocked', (tx) => writeSetting(tx, 'locked', '2'));
    const others = Array.from({ length: 5 }, (_, n) => grouped(`free-${n}`, (tx) => add(tx, `free-${n}`)));
    expect(await Promise.all(others)).toEqual([1, 1, 1, 1, 1]);
    unlock.resolve();
    await holder;
    await blocked;
    expect(await read('locked')).toBe('2');
  });

  test('roll back only the call that failed', async () => {
    const { grouped } = newGroup();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        grouped(`person-${n}`, async (tx) => {
          await add(tx, `failing-${n}`);
          if (n === 4) throw new Error('no');
          return n;
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(results[4]).toMatchObject({ status: 'rejected', reason: { message: 'no' } });
    const kept = await Promise.all(Array.from({ length: 10 }, (_, n) => read(`failing-${n}`)));
    expect(kept).toEqual(Array.from({ length: 10 }, (_, n) => (n === 4 ? null : '1')));
  });
});
