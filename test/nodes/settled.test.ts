/**
 * On Citus, each node draws event numbers. Readers of the event log must not miss an event from any node. Skipped
 * unless TEST_DATABASE_URL names a Citus coordinator.
 */
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createReadSettled, settledSeq } from '../../src/base/events/settled.ts';
import { issueTokens, type Owner } from '../support/marketplace.ts';
import { onDatabase, urlOf } from '../support/nodes.ts';
import { distributed, lastRedemption, nodes, open, redeem } from './support.ts';

const PREPARED = 'claimcheck_test_writer';

/** Returns the name of an events table shard that is stored on `worker`. */
async function shardAt(client: pg.Client, worker: URL): Promise<string> {
  const { rows } = await client.query(
    "select shard_name from citus_shards where table_name = 'event_rows'::regclass and nodeport = $1",
    [Number(worker.port)],
  );
  return rows[0].shard_name;
}

/** Redeems `token` through another process, closes that process, and returns the redemption's event number. */
async function numberOfRedemption(
  { context, close }: Awaited<ReturnType<typeof open>>,
  owner: Owner,
  token: string,
): Promise<number> {
  try {
    expect(await redeem(context, owner, token)).toBe('redeemed');
    return await lastRedemption(context);
  } finally {
    await close();
  }
}

describe.skipIf(nodes.length < 3)('settled event numbers on Citus', () => {
  test('are lower than any number that a node may still draw', () =>
    distributed(async ({ context, owners, tokens, databaseUrl, passed }) => {
      const other = await open(databaseUrl);
      await issueTokens(other.context, owners[0]!, 1);
      const { seq: first } = await other.context.db.read
        .selectFrom('event_rows')
        .select('seq')
        .where('type', '=', 'claim.created')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow();
      expect(first).toBeGreaterThan(passed);
      // The owner's node draws one event number, then the coordinator draws many.
      await redeem(other.context, owners[0]!, tokens[1]!);
      await issueTokens(other.context, owners[0]!, 50);
      const passedSince = await settledSeq(context.db, Date.now);
      expect(await numberOfRedemption(other, owners[0]!, tokens[0]!)).toBeGreaterThan(passedSince);
    }));

  test('are lower than the first number of a node that has not drawn any yet', () =>
    distributed(async ({ context, owners, tokens, databaseUrl }) => {
      // The coordinator draws these event numbers.
      await issueTokens(context, owners[0]!, 50);
      const passed = await settledSeq(context.db, Date.now);
      const other = await open(databaseUrl);
      expect(await numberOfRedemption(other, owners[0]!, tokens[0]!)).toBeGreaterThan(passed);
    }));

  test('do not advance while a pending writer has a prepared transaction on a worker', () =>
    distributed(async ({ context, owners, databaseUrl }) => {
      const readSettled = createReadSettled(context.db, Date.now);
      const before = await readSettled();
      const name = new URL(databaseUrl).pathname.slice(1);
      const worker = urlOf(nodes[1]!, name);
      await onDatabase(databaseUrl, async (coordinator) => {
        const shard = await shardAt(coordinator, new URL(worker));
        await coordinator.query('begin; lock table event_rows in row exclusive mode');
        await issueTokens(context, owners[0]!, 10);
        expect(await readSettled()).toEqual(before);
        await onDatabase(worker, async (client) => {
          await client.query('set citus.enable_manual_changes_to_shards to on');
          await client.query(`begin; lock table ${shard} in row exclusive mode`);
          await client.query(`prepare transaction '${PREPARED}'`);
          await coordinator.query('rollback');
          const meanwhile = await readSettled();
          await client.query(`rollback prepared '${PREPARED}'`);
          expect(meanwhile).toEqual(before);
        });
      });
      expect(await settledSeq(context.db, Date.now)).toBeGreaterThan(before!.seq);
    }));
});
