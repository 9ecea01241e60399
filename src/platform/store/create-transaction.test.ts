import {
  type Dialect,
  DummyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { expect, test } from 'vitest';
import { createTransaction } from './create-transaction.ts';
import type { Transaction } from './database.ts';

/** Returns what was sent, in order. */
function openTransactions({
  begin = async () => {},
  execute = async (_: string) => {},
  duringRollback = async () => {},
  canRunWithoutBegin = false,
}) {
  const sent: string[] = [];
  const connection = {
    executeQuery: async <R>({ sql: text }: { readonly sql: string }): Promise<QueryResult<R>> => {
      sent.push(text);
      await execute(text);
      return { rows: [] };
    },
    streamQuery: () => {
      throw new Error('not used');
    },
  };
  const driver = new DummyDriver();
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () =>
      Object.assign(driver, {
        acquireConnection: async () => connection,
        beginTransaction: async () => {
          sent.push('begin');
          await begin();
        },
        commitTransaction: async () => void sent.push('commit'),
        rollbackTransaction: async () => {
          sent.push('rollback');
          await duringRollback();
        },
      }),
  };
  return { transaction: createTransaction(dialect, { canRunWithoutBegin }), sent };
}

test('a transaction sends a statement without waiting for the result of another one', async () => {
  const second = Promise.withResolvers<void>();
  const { transaction, sent } = openTransactions({
    execute: async (text) => {
      if (text === 'first') await second.promise;
      else second.resolve();
    },
  });
  await transaction((tx) => Promise.all([sql`first`.execute(tx), sql`second`.execute(tx)]));
  expect(sent).toEqual(['begin', 'first', 'second', 'commit']);
});

test('no statement is sent after the work of a transaction has failed', async () => {
  let failed: Transaction | undefined;
  let late: Promise<unknown> | undefined;
  const { transaction, sent } = openTransactions({
    duringRollback: async () => {
      late = sql`late`.execute(failed!).catch((error) => error.message);
    },
  });
  const work = async (tx: Transaction) => {
    failed = tx;
    throw new Error('the work has failed');
  };
  await expect(transaction(work)).rejects.toThrow('the work has failed');
  expect(await late).toBe('The transaction has already ended.');
  expect(sent).toEqual(['begin', 'rollback']);
});

test('a statement that may change rows is not sent if `begin` fails', async () => {
  const begin = async () => {
    throw new Error('canceled');
  };
  const { transaction, sent } = openTransactions({ begin, canRunWithoutBegin: true });
  const work = (tx: Transaction) =>
    Promise.all([sql`select 1`.execute(tx), sql`insert`.execute(tx), sql`select 2`.execute(tx)]);
  await expect(transaction(work)).rejects.toThrow('canceled');
  expect(sent).toEqual(['begin', 'select 1']);
});

test('a statement that waited for `begin` is not sent after the work has failed', async () => {
  const begun = Promise.withResolvers<void>();
  const { transaction, sent } = openTransactions({ begin: () => begun.promise, canRunWithoutBegin: true });
  const waiting: Promise<unknown>[] = [];
  const result = transaction(async (tx) => {
    const insertion = sql`insert`.execute(tx).catch((error) => error.message);
    waiting.push(insertion);
    setImmediate(begun.resolve);
    throw new Error('the work has failed');
  });
  await expect(result).rejects.toThrow('the work has failed');
  expect(await Promise.all(waiting)).toEqual(['The transaction has already ended.']);
  expect(sent).toEqual(['begin', 'rollback']);
});

test('a transaction fails with the error of the statement that failed first', async () => {
  const failed = Promise.withResolvers<void>();
  const { transaction } = openTransactions({
    execute: async (text) => {
      if (text === 'last') failed.resolve();
      await failed.promise;
      throw new Error(text === 'first' ? 'deadlock' : 'the transaction is aborted');
    },
  });
  const later = async <T>(statement: () => Promise<T>, calls: number): Promise<T> =>
    calls === 0 ? statement() : await later(statement, calls - 1);
  const work = (tx: Transaction) =>
    Promise.all([later(() => sql`first`.execute(tx), 10), sql`last`.execute(tx)]);
  await expect(transaction(work)).rejects.toThrow('deadlock');
});
