/** Distributes the tables of a database that is new or in use on one server. */
import type pg from 'pg';
import { HOUR_MS } from '../../text/durations.ts';
import { DatabaseUnusable } from '../database.ts';
import { withoutPassword } from '../postgres/connection-options.ts';
import { isRetryable } from '../postgres/errors.ts';
import { readEngineMark } from '../postgres/event-numbers.ts';
import { runSeparately } from '../postgres/separate-connection.ts';
import { distribute, hasCitus, isDistributed, lockAll } from './distribution.ts';

const READ_TIMEOUT_MS = 10_000;
/** Millions of claims are copied in one transaction. */
const DISTRIBUTION_TIMEOUT_MS = 6 * HOUR_MS;
/** Tries if the table locks cause a deadlock. */
const TRIES = 5;

/** For `MigrateOptions.onNew`: distributes the tables if the database has the extension. */
export const distributeNew =
  (shards?: number) =>
  async (client: pg.Client): Promise<void> => {
    if (await hasCitus(client)) await distribute(client, shards);
  };

/** Reads whether the tables are distributed, and the engine mark. Throws like `openPostgres`. */
export async function readDistribution(
  url: string,
): Promise<{ readonly areDistributed: boolean; readonly mark: string | null }> {
  return await runSeparately(
    url,
    { name: 'claimcheck start', timeoutMs: READ_TIMEOUT_MS },
    async (client) => {
      // In this order: if the tables are distributed in between, the mark is the old one.
      const mark = await readEngineMark(client);
      return { areDistributed: await isDistributed(client), mark };
    },
  );
}

/**
 * Distributes existing tables. Until all rows are copied, reads continue and writes get 503. Throws `DatabaseUnusable`
 * if the database has no Citus or is already distributed.
 */
export async function distributeDatabase(url: string, shards?: number): Promise<void> {
  const options = { name: 'claimcheck distribute', timeoutMs: DISTRIBUTION_TIMEOUT_MS };
  await runSeparately(url, options, async (client) => {
    if (!(await hasCitus(client))) {
      throw new DatabaseUnusable(
        `The database at DATABASE_URL ${withoutPassword(url)} lacks the extension citus; add it with create extension citus.`,
      );
    }
    if (await isDistributed(client)) {
      throw new DatabaseUnusable(
        `The tables at DATABASE_URL ${withoutPassword(url)} are already distributed.`,
      );
    }
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query('begin');
        await lockAll(client);
        await distribute(client, shards);
        await client.query('commit');
        return;
      } catch (error) {
        await client.query('rollback');
        if (!isRetryable(error) || tries === TRIES) throw error;
      }
    }
  });
}
