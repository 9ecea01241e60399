import {
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
function openTransactions({ execute = async (_: string) => {}, duringRollback = async () => {} }) {
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
  const transaction = createTransaction({
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () =>
      Object.assign(driver, {
        acquireConnection: async () => connection,
        beginTransaction: async () => void sent.push('begin'),
        commitTransaction: async () => void sent.push('commit'),
        rollbackTransaction: async () => {
          sent.push('rollback');
          await duringRollback();
        },
      }),
  });
  return { transaction, sent };
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
