/**
 * A process that opened the database before Citus distributed the tables must not miss events or redeem a claim twice.
 * Skipped unless TEST_DATABASE_URL names a Citus coordinator.
 */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { settledSeq } from '../../src/base/events/settled.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import { ENGINE_MARK } from '../../src/platform/store/postgres/event-numbers.ts';
import { issueTokens } from '../support/marketplace.ts';
import { distributed, lastRedemption, nodes, redeem } from './support.ts';

describe.skipIf(nodes.length < 3)('a process started before the tables were distributed', () => {
  test('rejects log reads and health checks if the engine mark exists, and misses an event without the mark', () =>
    distributed(async ({ before, context, owners, tokens }) => {
      await expect(settledSeq(before.db, Date.now)).rejects.toThrow('restart the process');
      await expect(before.db.checkWritable()).rejects.toThrow('restart the process');
      // The owner's node draws one event number, then the coordinator draws many.
      expect(await redeem(context, owners[0]!, tokens[1]!)).toBe('redeemed');
      await issueTokens(context, owners[0]!, 50);

      await sql`delete from settings where name = ${ENGINE_MARK}`.execute(context.db.read);
      const passed = await settledSeq(before.db, Date.now);
      expect(await redeem(context, owners[0]!, tokens[0]!)).toBe('redeemed');
      expect(await lastRedemption(context)).toBeLessThan(passed);
    }));

  test('creates no partitions if the engine mark exists, and creates partitions without the mark', () =>
    distributed(async ({ before, context }) => {
      const createPartitions = () => before.db.partitions!.create(Date.now());
      await expect(createPartitions()).rejects.toThrow('restart the process');
      await sql`delete from settings where name = ${ENGINE_MARK}`.execute(context.db.read);
      await createPartitions();
    }));

  test('never causes a second redemption when a newer process redeems the same claims', () =>
    distributed(async ({ before, context, owners, tokens }) => {
      for (const [at, token] of tokens.entries()) {
        const owner = owners[at < 3 ? 0 : 1]!;
        const first = await redeem(before, owner, token).catch((error: unknown) => error);
        if (!(first instanceof DatabaseUnavailable)) expect(first).toBe('redeemed');
        expect(await redeem(context, owner, token)).toBe('redeemed');
      }
      const events = await context.db.read
        .selectFrom('events')
        .select('seq')
        .where('type', '=', 'claim.redeemed')
        .execute();
      expect(events).toHaveLength(tokens.length);
    }));
});
