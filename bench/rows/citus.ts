/**
 * CPU time of all Citus nodes for a redemption, by number of shards. Baseline: the same with a verifier per shard, so
 * that a batch has redemptions of only one shard. Needs the URL of a Citus coordinator.
 */
import { randomBytes } from 'node:crypto';
import { createVerifier, type Verifier } from '../../src/claims/verify/verifier.ts';
import { distributeNew } from '../../src/platform/store/citus/distribution.ts';
import { migratePostgres } from '../../src/platform/store/postgres/migrate.ts';
import { openDatabaseAt, TEST_SECRET_KEY } from '../../test/support/engines.ts';
import { createOwner, issueTokens } from '../../test/support/marketplace.ts';
import { createDatabase, dropDatabase, joinNodes, readNodeUrls, urlOf } from '../../test/support/nodes.ts';
import { answerFrom, outcomeIn, verificationOf } from '../../test/support/verify.ts';
import { alternate, type Bench, NotMeasured, type Result, type Row } from '../bench.ts';
import { cpuOfTree, postmasterOf } from '../setup/cpu.ts';
import { query } from '../setup/postgres.ts';
import { shuffle } from '../setup/tokens.ts';

const SHARDS = [1, 4, 16, 32] as const;
const OWNERS = 64;
/** Redemptions in a round, and how many of them are pending at any time. */
const ROUND = 6_400;
const PENDING = 256;

interface Redemption {
  readonly key: string;
  readonly token: string;
  readonly shard: number;
}

async function measureShards(
  bench: Bench,
  nodes: readonly string[],
  shards: number,
  half: boolean,
): Promise<Result> {
  const name = `claimcheck_bench_${randomBytes(6).toString('hex')}`;
  await createDatabase(nodes, name, null);
  await joinNodes(nodes, name);
  const databaseUrl = urlOf(nodes[0]!, name);
  await migratePostgres(databaseUrl, { onNew: distributeNew(shards), now: Date.now });
  const env = { DATA_DIR: bench.scratch, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
  const { context, close } = await openDatabaseAt({
    ...{ engine: 'postgres', dataDir: bench.scratch, databaseUrl, env },
    remove: () => dropDatabase(nodes, name),
  });
  try {
    const stock: Redemption[] = [];
    // One round warms up.
    const claims = (2 * bench.rounds + 2) * ROUND;
    for (let at = 0; at < OWNERS; at += 1) {
      const owner = await createOwner(context);
      const count = half && at === 0 ? claims / 2 : Math.ceil(claims / (half ? 2 * (OWNERS - 1) : OWNERS));
      const [row] = await query(
        databaseUrl,
        "select get_shard_id_for_distribution_column('claim_rows', number) as shard from accounts where id = $1",
        [owner.accountId],
      );
      const tokens = await issueTokens(context, owner, count);
      for (const token of tokens) stock.push({ key: owner.liveKey, token, shard: Number(row!['shard']) });
    }
    shuffle(stock);
    const postmasters = await Promise.all(nodes.map((node) => postmasterOf(node)));
    const cpuUs = () => postmasters.reduce((sum, pid) => sum + cpuOfTree(pid), 0);
    const batches: number[] = [];
    const observer = { batch: (size: number) => void batches.push(size) };
    const newVerifier = () => createVerifier(context.db, Date.now, observer);
    const together = newVerifier();
    const perShard = new Map<number, Verifier>();
    const ofShard = (shard: number): Verifier => {
      const verifier = perShard.get(shard) ?? newVerifier();
      perShard.set(shard, verifier);
      return verifier;
    };
    const batchSizes = { together: [] as number[], perShard: [] as number[] };
    const round = async (verifierOf: (shard: number) => Verifier, sizes: number[]): Promise<number> => {
      const redemptions = stock.splice(0, ROUND);
      batches.length = 0;
      const before = cpuUs();
      await Promise.all(
        Array.from({ length: PENDING }, async (_, first) => {
          for (let at = first; at < redemptions.length; at += PENDING) {
            const { shard, ...wanted } = redemptions[at]!;
            const outcome = outcomeIn(await answerFrom(verifierOf(shard), verificationOf(wanted)));
            if (outcome !== 'redeemed') throw new Error(`A redemption was ${outcome}.`);
          }
        }),
      );
      sizes.push(redemptions.length / batches.length);
      return (cpuUs() - before) / redemptions.length;
    };
    const byNode = () => round(() => together, batchSizes.together);
    const byShard = () => round(ofShard, batchSizes.perShard);
    await byNode();
    await byShard();
    const { subject, baseline } = await alternate(bench, byNode, byShard);
    const owners = half ? `${OWNERS} owners, one with half of the claims` : `${OWNERS} owners`;
    const what = `CPU time of a redemption, ${nodes.length - 1} workers, ${shards} shards, ${owners}`;
    const mean = (sizes: readonly number[]) =>
      (sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(0);
    const note = `${what}: ${mean(batchSizes.together)} redemptions per transaction, ${mean(batchSizes.perShard)} with a batch per shard`;
    bench.say(`  ${note}`);
    return {
      ...{ what, unit: 'µs', subject, notes: [note] },
      baseline: { name: 'a batch per shard', values: baseline },
    };
  } finally {
    await close();
  }
}

const citusShards: Row = {
  name: 'postgresql-citus',
  engine: 'postgresql',
  about: 'CPU time of a redemption on Citus with 1 to 32 shards; needs BENCH_CITUS_URL',
  run: async (bench) => {
    const url = process.env['BENCH_CITUS_URL'];
    if (url === undefined) throw new NotMeasured('BENCH_CITUS_URL is not set');
    const nodes = await readNodeUrls(url);
    if (nodes.length < 2) throw new NotMeasured('BENCH_CITUS_URL is not a Citus coordinator with workers');
    const results: Result[] = [];
    for (const half of [false, true]) {
      for (const shards of SHARDS) results.push(await measureShards(bench, nodes, shards, half));
    }
    return results;
  },
};

export const citusRows: readonly Row[] = [citusShards];
