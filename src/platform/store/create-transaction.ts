import { type DatabaseConnection, type Dialect, Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

interface TransactionOptions {
  /** Whether the engine would run, and commit, a statement that was sent with a `begin` that failed. */
  readonly canRunWithoutBegin: boolean;
}

/**
 * In Kysely's own transactions, a statement is sent only once the previous one has its result. Here, statements that
 * don't wait for each other share a round trip, also with `begin`. Every engine runs them in the order in which they
 * are sent.
 */
export function createTransaction(
  dialect: Dialect,
  { canRunWithoutBegin }: TransactionOptions,
): <T>(work: (tx: Transaction) => Promise<T>) => Promise<T> {
  const pool = new Kysely<Schema>({ dialect }).getExecutor();
  const driver = dialect.createDriver();
  return (work) =>
    pool.provideConnection(async (connection) => {
      const failures: unknown[] = [];
      const recordFailure = <T>(sent: Promise<T>): Promise<T> =>
        sent.catch((error) => {
          failures.push(error);
          throw error;
        });
      const begun = recordFailure(driver.beginTransaction(connection, {}));
      const hasBegun = begun.then(
        () => true,
        () => false,
      );
      let hasEnded = false;
      let mayChange = false;
      const open: DatabaseConnection = {
        executeQuery: async (query) => {
          // From the first statement that may change rows on, statements wait for `begin`.
          mayChange ||= !query.sql.startsWith('select ');
          if (mayChange && canRunWithoutBegin) await begun;
          // A statement after the end would be committed on its own, or with the connection's next transaction.
          if (hasEnded) throw new Error('The transaction has already ended.');
          return await recordFailure(connection.executeQuery(query));
        },
        streamQuery: () => {
          throw new Error('Streaming is not supported in transactions.');
        },
      };
      const executor = pool.withConnectionProvider({ provideConnection: async (use) => use(open) });
      const tx = new KyselyTransaction<Schema>({ config: { dialect }, dialect, driver, executor });
      try {
        const [, result] = await Promise.all([begun, work(tx)]);
        hasEnded = true;
        await driver.commitTransaction(connection);
        return result;
      } catch (error) {
        hasEnded = true;
        if (await hasBegun) await driver.rollbackTransaction(connection);
        // The first failure may have caused the others, but can arrive at the end of `work` after them.
        throw failures.includes(error) ? failures[0] : error;
      }
    });
}
