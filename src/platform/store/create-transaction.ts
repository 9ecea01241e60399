import { type Dialect, Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * In Kysely's own transactions, a statement is sent only once the previous one has its result. Here, statements that
 * don't wait for each other share a round trip, also with `begin`. Every engine runs them in the order in which they
 * are sent.
 */
export function createTransaction(
  dialect: Dialect,
): <T>(work: (tx: Transaction) => Promise<T>) => Promise<T> {
  const pool = new Kysely<Schema>({ dialect }).getExecutor();
  const driver = dialect.createDriver();
  return (work) =>
    pool.provideConnection(async (connection) => {
      let hasEnded = false;
      const executor = pool.withConnectionProvider({
        provideConnection: async (use) => {
          // A statement after the end would be committed on its own, or with the connection's next transaction.
          if (hasEnded) throw new Error('The transaction has already ended.');
          return use(connection);
        },
      });
      const tx = new KyselyTransaction<Schema>({ config: { dialect }, dialect, driver, executor });
      const begun = driver.beginTransaction(connection, {});
      const hasBegun = begun.then(
        () => true,
        () => false,
      );
      try {
        // If `begin` fails, so do the statements after it.
        const [, result] = await Promise.all([begun, work(tx)]);
        hasEnded = true;
        await driver.commitTransaction(connection);
        return result;
      } catch (error) {
        hasEnded = true;
        if (await hasBegun) await driver.rollbackTransaction(connection);
        throw error;
      }
    });
}
