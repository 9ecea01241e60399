/**
 * CPU time of the Citus workers for a redemption, by number of shards and of pending redemptions. Baseline: the same on
 * one server without Citus, which is the coordinator's. Needs the URL of a Citus coordinator.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Context } from '../../src/base/context.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { distributeNew } from '../../src/platform/store/citus/distribution.ts';
import { migratePostgres } from '../../src/platform/store/postgres/migrate.ts';
import { openDatabaseAt, TEST_SECRET_KEY } from '../../test/support/engines.ts';
import { createOwner, issueTokens } from '../../test/support/marketplace.ts';
import { createDatabase, dropDatabase, joinNodes, readNodeUrls, urlOf } from '../../test/support/nodes.ts';
import { outcomeIn, verificationOf } from '../../test/support/verify.ts';
import { alternate, type Bench, NotMeasured, type Result, type Row } from '../bench.ts';
import { cpuOfTree, postmasterOf } from '../setup/cpu.ts';
import { query } from '../setup/postgres.ts';
import { shuffle } from '../setup/tokens.ts';

const SHARDS = [1, 4, 16, 32] as const;
const OWNERS = 64;
/** Redemptions in a round, and how many of them are pending at any time. */
const ROUND = 6_400;
const PENDING = [64, 256, 1_024] as const;
/** PostgreSQL adds the statistics of an idle connection to its views after at most this time. */
const STATISTICS_MS = 11_000;

interface Redemption {
  readonly key: string;
  readonly token: string;
}

/** Totals of some rounds. */
interface Totals {
  readonly redemptions: number;
  readonly batches: number;
  readonly statements: number;
  /** CPU time of this process, which runs the verifier and its callers. */
  readonly verifierUs: number;
  /** CPU time of each server. */
  readonly serverUs: readonly number[];
}

interface Side {
  /** Redeems `ROUND` claims. Adds the costs to the totals of `pending`. Returns the servers' CPU time per redemption. */
  round(pending: number): Promise<number>;
  describe(pending: number): string;
  close(): Promise<void>;
}

/** `nodes`: the coordinator and the workers, or one server. `servers`: the nodes that redemptions use. */
async function openSide(
  bench: Bench,
  { nodes, servers }: { readonly nodes: readonly string[]; readonly servers: readonly string[] },
  { shards, half, claims }: { readonly shards: number; readonly half: boolean; readonly claims: number },
): Promise<Side> {
  const name = `claimcheck_bench_${randomBytes(6).toString('hex')}`;
  await createDatabase(nodes, name, null);
  if (nodes.length > 1) await joinNodes(nodes, name);
  const databaseUrl = urlOf(nodes[0]!, name);
  await migratePostgres(databaseUrl, { onNew: distributeNew(shards), now: Date.now });
  const env = { DATA_DIR: bench.scratch, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
  const { context, close } = await openDatabaseAt({
    ...{ engine: 'postgres', dataDir: bench.scratch, databaseUrl, env },
    remove: () => dropDatabase(nodes, name),
  });
  // One round warms up.
  const stock = await issueStock(context, claims + ROUND, half);
  for (const url of servers) await query(urlOf(url, name), 'vacuum analyze');
  const postmasters = await Promise.all(servers.map((server) => postmasterOf(server)));
  let batches = 0;
  const verifier = createVerifier(context.db, Date.now, {
    batch: () => {
      batches += 1;
    },
  });
  const now = (redemptions: number): Totals => {
    const { user, system } = process.cpuUsage();
    return {
      ...{ redemptions, batches, statements: statementsSent },
      ...{ verifierUs: user + system, serverUs: postmasters.map(cpuOfTree) },
    };
  };
  const totals = new Map<number, Totals>();
  const round = async (pending: number) => {
    const redemptions = stock.splice(0, ROUND);
    const before = now(0);
    await Promise.all(
      Array.from({ length: pending }, async (_, first) => {
        for (let at = first; at < redemptions.length; at += pending) {
          const outcome = outcomeIn(await ask(verifier, verificationOf(redemptions[at]!)));
          if (outcome !== 'redeemed') throw new Error(`A redemption was ${outcome}.`);
        }
      }),
    );
    const ofRound = combined(now(redemptions.length), before, -1);
    const earlier = totals.get(pending);
    totals.set(pending, earlier === undefined ? ofRound : combined(ofRound, earlier, 1));
    return ofRound.serverUs.reduce((sum, us) => sum + us, 0) / redemptions.length;
  };
  await round(PENDING[0]);
  totals.clear();
  return { round, describe: (pending) => described(totals.get(pending)!), close };
}

async function issueStock(context: Context, claims: number, half: boolean): Promise<Redemption[]> {
  const stock: Redemption[] = [];
  for (let at = 0; at < OWNERS; at += 1) {
    const owner = await createOwner(context);
    const count = half && at === 0 ? claims / 2 : Math.ceil(claims / (half ? 2 * (OWNERS - 1) : OWNERS));
    const tokens = await issueTokens(context, owner, count);
    for (const token of tokens) stock.push({ key: owner.liveKey, token });
  }
  shuffle(stock);
  return stock;
}

/** Adds `sign` times the values of `other`. */
const combined = (one: Totals, other: Totals, sign: 1 | -1): Totals => ({
  redemptions: one.redemptions + sign * other.redemptions,
  batches: one.batches + sign * other.batches,
  statements: one.statements + sign * other.statements,
  verifierUs: one.verifierUs + sign * other.verifierUs,
  serverUs: one.serverUs.map((us, index) => us + sign * other.serverUs[index]!),
});

function described({ redemptions, batches, statements, verifierUs, serverUs }: Totals): string {
  const batch = (value: number) => (value / batches).toFixed(1);
  const each = (value: number) => (value / redemptions).toFixed(1);
  return `${batch(redemptions)} redemptions and ${batch(statements)} statements per batch; ${serverUs.map(each).join(' + ')} µs in the servers, ${each(verifierUs)} µs in the service without HTTP`;
}

let statementsSent = 0;
/** From now on, counts the statements that this process sends. */
function countStatements(): void {
  const send = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  const counting = function (this: pg.Client, ...values: unknown[]) {
    statementsSent += 1;
    return send.apply(this, values);
  };
  pg.Client.prototype.query = counting as typeof pg.Client.prototype.query;
}

/** Flushes and bytes of WAL of all servers. PostgreSQL 18 counts flushes in another view than earlier versions. */
async function readWal(servers: readonly string[]) {
  await sleep(STATISTICS_MS);
  let [flushes, bytes] = [0, 0];
  for (const server of servers) {
    const [row] = await query(server, 'select to_jsonb(w) as wal from pg_stat_wal w');
    const wal = row!['wal'] as { readonly wal_bytes: number; readonly wal_sync?: number };
    bytes += wal.wal_bytes;
    if (wal.wal_sync !== undefined) flushes += wal.wal_sync;
    else {
      const [io] = await query(server, "select sum(fsyncs) as fsyncs from pg_stat_io where object = 'wal'");
      flushes += Number(io!['fsyncs']);
    }
  }
  return { flushes, bytes };
}

async function measureShards(
  bench: Bench,
  nodes: readonly string[],
  plain: Side,
  { shards, half }: { readonly shards: number; readonly half: boolean },
): Promise<Result[]> {
  const workers = nodes.slice(1);
  const claims = bench.rounds * PENDING.length * ROUND;
  const citus = await openSide(bench, { nodes, servers: workers }, { shards, half, claims });
  try {
    const before = await readWal(workers);
    const owners = half ? `${OWNERS} owners, one with half of the claims` : `${OWNERS} owners`;
    const results: Result[] = [];
    for (const pending of PENDING) {
      const what = `CPU time of a redemption, ${workers.length} workers, ${shards} shards, ${owners}, ${pending} pending`;
      bench.say(what);
      const { subject, baseline } = await alternate(
        bench,
        () => citus.round(pending),
        () => plain.round(pending),
      );
      const notes = [`${what}: ${citus.describe(pending)}`, `without Citus: ${plain.describe(pending)}`];
      for (const note of notes) bench.say(`  ${note}`);
      results.push({
        ...{ what, unit: 'µs', subject, notes },
        baseline: { name: 'without Citus', values: baseline },
      });
    }
    const after = await readWal(workers);
    const flushes = ((after.flushes - before.flushes) / claims) * 1_000;
    const bytes = (after.bytes - before.bytes) / claims;
    const note = `${workers.length} workers, ${shards} shards, ${owners}: ${flushes.toFixed(1)} flushes per 1,000 redemptions, ${bytes.toFixed(0)} bytes of WAL per redemption`;
    bench.say(`  ${note}`);
    return results.map((result, at) =>
      at === 0 ? { ...result, notes: [...(result.notes ?? []), note] } : result,
    );
  } finally {
    await citus.close();
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
    countStatements();
    const installations = [false, true].flatMap((half) => SHARDS.map((shards) => ({ half, shards })));
    const one = nodes.slice(0, 1);
    const claims = installations.length * bench.rounds * PENDING.length * ROUND;
    const plain = await openSide(bench, { nodes: one, servers: one }, { shards: 1, half: false, claims });
    try {
      const results: Result[] = [];
      for (const each of installations) results.push(...(await measureShards(bench, nodes, plain, each)));
      return results;
    } finally {
      await plain.close();
    }
  },
};

export const citusRows: readonly Row[] = [citusShards];
