/**
 * On Citus, redemptions of all shards on a node share a transaction, which uses the shards directly. The transaction is
 * atomic even if the node stops, and never writes to a shard that has moved. Skipped unless TEST_DATABASE_URL names a
 * Citus coordinator.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/base/context.ts';
import {
  type KeyLocation,
  type LocatedBatch,
  locateKeys,
  ShardMoved,
  verifyOnCitus,
} from '../../src/claims/verify/citus/verify-citus.ts';
import { hashText } from '../../src/claims/verify/decision/batch.ts';
import type { Verification } from '../../src/claims/verify/decision/verification.ts';
import { createVerifier, type Verifier } from '../../src/claims/verify/verifier.ts';
import { hashKey } from '../../src/people/keys/key.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { nodesOf } from '../../src/platform/store/citus/database.ts';
import { DatabaseUnavailable, monotonicMs } from '../../src/platform/store/database.ts';
import { nodeServer } from '../support/node-server.ts';
import { onDatabase, urlOf } from '../support/nodes.ts';
import { outcomeIn, verificationOf } from '../support/verify.ts';
import { distributed, nodes, open, TOKENS_PER_OWNER } from './support.ts';

const SHARDS = 8;
/** Enough owners for several shards on each worker. */
const OWNERS = 16;
const WITHIN_MS = 20_000;

type Installation = Parameters<Parameters<typeof distributed>[0]>[0];

const verifierOf = ({ db }: Context): Verifier => createVerifier(db, Date.now, { batch: () => {} });

/** Submits verifications at the same time. */
const submitTogether = (verifier: Verifier, verifications: readonly Verification[]): Promise<string[]> =>
  Promise.all(
    verifications.map((one) =>
      ask(verifier, one).then(outcomeIn, (error: Error) => `${error.name}: ${error.message}`),
    ),
  );

/** Returns one redemption per owner with the token at `index`. */
const redemptionsOf = ({ owners, tokens }: Installation, index: number): Verification[] =>
  owners.map(({ liveKey: key }, at) => {
    const token = tokens[at * TOKENS_PER_OWNER + index]!;
    return verificationOf({ key, token, idempotencyKey: token });
  });

/** Returns the location of each owner, in the order of `owners`. */
async function locationsOf({ context, owners }: Installation): Promise<KeyLocation[]> {
  const hashes = owners.map(({ liveKey }) => hashKey(liveKey));
  const located = await nodesOf(context.db).run(null, locateKeys, hashes, monotonicMs() + WITHIN_MS);
  return hashes.map((hash) => located.find(({ keyHash }) => hashText(keyHash) === hashText(hash))!);
}

/** Returns the number of transactions that have redeemed claims, summed over all nodes. */
const redeemingTransactions = ({ databaseUrl }: Installation): Promise<number> =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select count(distinct (nodeport, xid)) from citus_shards
        join run_command_on_shards('claim_rows', 'select string_agg(distinct xmin::text, '','') from %s where redeemed_at is not null') r
          on r.shardid = citus_shards.shardid
        cross join unnest(string_to_array(r.result, ',')) as xid
        where table_name = 'claim_rows'::regclass and xid <> ''`,
    );
    return Number(rows[0].count);
  });

const redeemedCount = async ({ context }: Installation): Promise<number> => {
  const rows = await context.db.read.selectFrom('claims').select('redeemed_at').execute();
  return rows.filter(({ redeemed_at }) => redeemed_at !== null).length;
};

/** Moves the shard, and the shards with the same owners, to the other worker. */
const moveShard = ({ databaseUrl }: Installation, { shard, node }: KeyLocation): Promise<unknown> =>
  onDatabase(databaseUrl, (client) => {
    const to = new URL(nodes.slice(1).find((url) => Number(new URL(url).port) !== node.port)!);
    return client.query("select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')", [
      shard.id,
      node.host,
      node.port,
      to.hostname,
      Number(to.port),
    ]);
  });

/** Redeems a claim in a shard on the given node, even if the shard has moved. Returns the number of updated rows. */
const redeemUnchecked = (
  { databaseUrl }: Installation,
  { shard, node }: KeyLocation,
  { tokenHash }: Verification,
): Promise<number | null> => {
  const worker = nodes.find((url) => Number(new URL(url).port) === node.port)!;
  return onDatabase(urlOf(worker, new URL(databaseUrl).pathname.slice(1)), async (client) => {
    const text = `update claim_rows_${shard.id} set redeemed_at = now() where token_hash = $1`;
    return (await client.query(text, [tokenHash])).rowCount;
  });
};

/**
 * Calls `submit`, kills the node of the first location while the batch is waiting for its last shard, and restarts the
 * node. The batch writes to its shards in order, so it has then written to all other shards.
 */
async function killInLastShard<T>(
  { databaseUrl }: Installation,
  locations: readonly KeyLocation[],
  submit: () => Promise<T>,
): Promise<T> {
  const { port } = locations[0]!.node;
  const here = locations.filter(({ node }) => node.port === port);
  const last = Math.max(...here.map(({ shard }) => shard.id));
  const worker = nodes.find((url) => Number(new URL(url).port) === port)!;
  const server = await nodeServer(worker);
  let submitted: Promise<T> | undefined;
  await onDatabase(urlOf(worker, new URL(databaseUrl).pathname.slice(1)), async (client) => {
    await client.query(`begin; select 1 from claim_rows_${last} for update`);
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
    submitted = submit();
    const isWaiting = async () => {
      const { rows } = await client.query(
        'select 1 from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))',
        [pid],
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting, { interval: 5 }).toBe(true);
    await server.kill();
  });
  const result = await submitted!;
  await server.start();
  return result;
}

const onShards = (work: (installation: Installation) => Promise<void>) =>
  distributed(work, { ownerCount: OWNERS, shards: SHARDS });

describe.skipIf(nodes.length < 3)('batches on Citus', () => {
  afterAll(async () => {
    for (const url of nodes) await (await nodeServer(url)).start().catch(() => {});
  });

  test('redemptions of all shards on a node are committed by one transaction', () =>
    onShards(async (installation) => {
      const locations = await locationsOf(installation);
      const workers = new Set(locations.map(({ node }) => node.port)).size;
      const shards = new Set(locations.map(({ shard }) => shard.id)).size;
      expect(shards).toBeGreaterThan(2 * workers);
      const verifier = verifierOf(installation.context);
      // The first call of each key looks up its location.
      const keyChecks = installation.owners.map(({ liveKey: key }) => verificationOf({ key, token: null }));
      expect(new Set(await submitTogether(verifier, keyChecks))).toEqual(new Set(['authorized']));
      const redemptions = redemptionsOf(installation, 0);
      expect(new Set(await submitTogether(verifier, redemptions))).toEqual(new Set(['redeemed']));
      expect(await redeemingTransactions(installation)).toBe(workers);

      // Control: with a verifier per shard, there is a transaction per shard.
      const byShard = Map.groupBy(redemptionsOf(installation, 1).entries(), ([at]) => locations[at]!.shard);
      await Promise.all(
        [...byShard.values()].map((ofShard) =>
          submitTogether(
            verifierOf(installation.context),
            ofShard.map(([, one]) => one),
          ),
        ),
      );
      expect(await redeemingTransactions(installation)).toBe(workers + shards);
    }));

  test('a batch that spans shards redeems nothing if its node is killed before the commit', () =>
    onShards(async (installation) => {
      const locations = await locationsOf(installation);
      const { node } = locations[0]!;
      const here = [...locations.keys()].filter((at) => locations[at]!.node.port === node.port);
      expect(new Set(here.map((at) => locations[at]!.shard)).size).toBeGreaterThan(1);
      const redemptions = (index: number) => here.map((at) => redemptionsOf(installation, index)[at]!);
      const verifier = verifierOf(installation.context);
      // The first call of each key looks up its location.
      const keyChecks = installation.owners.map(({ liveKey: key }) => verificationOf({ key, token: null }));
      await submitTogether(verifier, keyChecks);
      const outcomes = await killInLastShard(installation, locations, () =>
        submitTogether(verifier, redemptions(0)),
      );
      expect(outcomes.every((outcome) => outcome.startsWith('DatabaseUnavailable'))).toBe(true);
      expect(await redeemedCount(installation)).toBe(0);
      const other = await open(installation.databaseUrl);
      const retried = await submitTogether(verifierOf(other.context), redemptions(0));
      expect(retried).toEqual(here.map(() => 'redeemed'));
      expect(await redeemedCount(installation)).toBe(here.length);

      // Control: without a transaction, the redemptions in the other shards are committed, although the batch fails.
      const owners: LocatedBatch['owners'] = new Map(
        here.map((at) => [hashText(locations[at]!.keyHash), locations[at]!]),
      );
      const batch: LocatedBatch = { nowMs: Date.now(), verifications: redemptions(1), owners };
      const program = { ...verifyOnCitus, hasOneWrite: true };
      const deadlineMs = monotonicMs() + WITHIN_MS;
      const failure = await killInLastShard(installation, locations, () =>
        nodesOf(other.context.db)
          .run(node, program, batch, deadlineMs)
          .catch((error: Error) => error),
      );
      expect(failure).toBeInstanceOf(DatabaseUnavailable);
      expect(await redeemedCount(installation)).toBeGreaterThan(here.length);
      await other.close();
    }));

  test('redemptions wait while the distributed table of events is locked', () =>
    onShards(async (installation) => {
      const verifier = verifierOf(installation.context);
      const redemptions = redemptionsOf(installation, 0);
      await onDatabase(installation.databaseUrl, async (client) => {
        // For example, partitions are created under this lock.
        await client.query('begin; lock table only event_rows in share mode');
        const outcomes = await submitTogether(verifier, redemptions);
        expect(outcomes.every((outcome) => outcome.startsWith('DatabaseUnavailable'))).toBe(true);
        await client.query('rollback');
      });
      expect(await redeemedCount(installation)).toBe(0);
      expect(new Set(await submitTogether(verifier, redemptions))).toEqual(new Set(['redeemed']));
    }));

  test('a batch for a node that a shard has left writes nothing, and the verifier finds the new node', () =>
    onShards(async (installation) => {
      const { context } = installation;
      const [location] = await locationsOf(installation);
      const verifier = verifierOf(context);
      const [first, second, third] = [0, 1, 2].map((index) => redemptionsOf(installation, index)[0]!);
      expect(await submitTogether(verifier, [first!])).toEqual(['redeemed']);
      await moveShard(installation, location!);

      const { node, account, shard } = location!;
      // Control: without the check, the redemption would be written to the old shard and lost.
      expect(await redeemUnchecked(installation, location!, third!)).toBe(1);
      expect(await redeemedCount(installation)).toBe(1);

      const stale = async (verifications: readonly Verification[], target = shard) => {
        const owners: LocatedBatch['owners'] = new Map([
          [hashText(verifications[0]!.keyHash), { account, shard: target }],
        ]);
        const batch: LocatedBatch = { nowMs: Date.now(), verifications, owners };
        return await nodesOf(context.db).run(node, verifyOnCitus, batch, monotonicMs() + WITHIN_MS);
      };
      await expect(stale([second!])).rejects.toThrow(ShardMoved);
      // A batch that was queued for the old node when its key was located again.
      const [relocated] = await locationsOf(installation);
      await expect(stale([second!], relocated!.shard)).rejects.toThrow(ShardMoved);
      await expect(stale([{ ...second!, redeem: false }])).rejects.toThrow(ShardMoved);
      await onDatabase(installation.databaseUrl, (client) =>
        client.query('call citus_cleanup_orphaned_resources()'),
      );
      await expect(stale([second!])).rejects.toThrow(ShardMoved);
      expect(await submitTogether(verifier, [first!, second!])).toEqual(['redeemed', 'redeemed']);
      expect(await redeemedCount(installation)).toBe(2);
    }));
});
