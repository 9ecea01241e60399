import { type Dialect, Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Transaction } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * In Kysely's own transactions, a statement is sent only once the previous one has its result. Here, statements that
 * don't wait for each other share a round trip. Every engine runs them in the order in which they are sent.
 */
export function createTransaction(
  dialect: Dialect,
): <T>(work: (tx: Transaction) => Promise<T>) => Promise<T> {
  const db = new Kysely<Schema>({ dialect });
  const driver = dialect.createDriver();
  return (work) =>
    db.transaction().execute((serial) =>
      serial.getExecutor().provideConnection(async (connection) => {
        let hasEnded = false;
        const executor = db.getExecutor().withConnectionProvider({
          provideConnection: async (use) => {
            // A statement after the end would be committed on its own, or with the connection's next transaction.
            if (hasEnded) throw new Error('The transaction has already ended.');
            return use(connection);
          },
        });
        try {
          return await work(new KyselyTransaction({ config: { dialect }, dialect, driver, executor }));
        } finally {
          hasEnded = true;
        }
      }),
    );
}
