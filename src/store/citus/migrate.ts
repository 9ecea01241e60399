/** Distributes the tables of a database, new or already in use on one server. */
import type pg from 'pg';
import { HOUR_MS } from '../../text/durations.ts';
import { DatabaseUnfit } from '../database.ts';
import { runAlone } from '../postgres/alone.ts';
import { withoutPassword } from '../postgres/connection-options.ts';
import { isRetryable } from '../postgres/errors.ts';
import { readEngineMark } from '../postgres/event-numbers.ts';
import { distribute, hasCitus, isDistributed, lockAll } from './distribution.ts';

const LOOK_TIMEOUT_MS = 10_000;
/** Millions of claims are copied in one transaction. */
const DISTRIBUTION_TIMEOUT_MS = 6 * HOUR_MS;
/** How often distributing is tried where the locks of the tables make a deadlock. */
const TRIES = 5;

/** For `MigrateOptions.onNew`: distributes the tables if the database has the extension. `shards`: see `distribute`. */
export const distributeNew =
  (shards?: number) =>
  async (client: pg.Client): Promise<void> => {
    if (await hasCitus(client)) await distribute(client, shards);
  };

/** Whether the tables are distributed, and the engine mark. Throws like `openPostgres`. */
export async function lookAtTables(
  url: string,
): Promise<{ readonly areDistributed: boolean; readonly mark: string | null }> {
  return await runAlone(url, { name: 'claimcheck look', timeoutMs: LOOK_TIMEOUT_MS }, async (client) => {
    // In this order: if the tables are distributed in between, the mark is an old one.
    const mark = await readEngineMark(client);
    return { areDistributed: await isDistributed(client), mark };
  });
}

/**
 * Distributes the tables of a database that has them on one server. Writes wait until all rows are copied, and their
 * callers get 503 until then; reads go on. Throws `DatabaseUnfit` where the database has no Citus, or is distributed.
 */
export async function distributeDatabase(url: string, shards?: number): Promise<void> {
  const options = { name: 'claimcheck distribute', timeoutMs: DISTRIBUTION_TIMEOUT_MS };
  await runAlone(url, options, async (client) => {
    if (!(await hasCitus(client))) {
      throw new DatabaseUnfit(
        `The database at DATABASE_URL ${withoutPassword(url)} has no extension citus; make it there with create extension citus.`,
      );
    }
    if (await isDistributed(client)) {
      throw new DatabaseUnfit(`The tables at DATABASE_URL ${withoutPassword(url)} are distributed already.`);
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
