/** The deployments in `docs/guide/scale.md`. */
import { batchOf, type CostModel, type Deployment, type Prediction, predict } from './model.ts';

/** Concurrent batches per queue. Must match `PACE.postgres.concurrency` in `src/claims/verify/verifier.ts`. */
const BATCHES_AT_ONCE = 2;
/** Round trips to the database per batch. Must match `src/claims/verify/engines/postgres-batch.ts`. */
const ROUND_TRIPS = 2;
/** Duration of a round trip between machines in one data centre. */
const NETWORK_MS = 0.2;
/** Duration of a flush on a fast disk. */
const FLUSH_MS = 1;
const WAITS = { roundTrips: ROUND_TRIPS, roundTripMs: NETWORK_MS };
/** Concurrent callers per service process. */
const CONNECTIONS_A_PROCESS = 256;

interface Named {
  readonly name: string;
  readonly deployment: Deployment;
}

export const embeddedDeployments = (batch: number): readonly Named[] => [
  { name: 'a machine with 2 processors', deployment: embedded(2, batch) },
  { name: 'a machine with 8 processors', deployment: embedded(8, batch) },
];

const embedded = (processors: number, batch: number): Deployment => ({
  processes: 1,
  batch,
  processors: { shared: processors, withLoad: false },
  waits: null,
});

export const postgresqlDeployments: readonly Named[] = [
  { name: 'one process on 2 processors, PostgreSQL with 4', deployment: onPostgresql(1, 2, 4, FLUSH_MS) },
  { name: '4 processes on 4 processors, PostgreSQL with 8', deployment: onPostgresql(4, 4, 8, FLUSH_MS) },
  { name: '8 processes on 8 processors, PostgreSQL with 8', deployment: onPostgresql(8, 8, 8, FLUSH_MS) },
  {
    name: '16 processes on 16 processors, PostgreSQL with 32',
    deployment: onPostgresql(16, 16, 32, FLUSH_MS),
  },
];

/**
 * Costs on Citus with up to two shards per batch, derived from the measurements in `docs/decisions/0018-citus.md`:
 * batches of 253 redemptions of one shard, and batches of 46 redemptions of two shards. The figures are scaled to an
 * idle machine, with the costs of the earlier version, which was measured on both. `databaseUs` covers all nodes.
 */
const CITUS_PARTS: CostModel['parts'] = {
  busiestThreadUs: { each: 30, perBatch: 1_040 },
  serviceUs: { each: 30, perBatch: 1_040 },
  databaseUs: { each: 43, perBatch: 1_440 },
  standbyUs: { each: 0, perBatch: 0 },
  restUs: { each: 0, perBatch: 0 },
  walBytes: { each: 700, perBatch: 0 },
};

/** Returns the model for Citus. `reached` comes from the given model for plain PostgreSQL. */
export const citusModel = ({ reached }: CostModel): CostModel => ({ parts: CITUS_PARTS, reached });

const CITUS_PROCESSES = 16;
const PROCESSORS_A_WORKER = 8;

export const citusDeployments: readonly Named[] = [onCitus(2), onCitus(4), onCitus(8)];

/** Each process has a queue per worker, so its callers are divided among the workers. */
function onCitus(workers: number): Named {
  return {
    name: `Citus, ${workers} workers with ${PROCESSORS_A_WORKER} processors each, ${CITUS_PROCESSES} processes on ${CITUS_PROCESSES} processors`,
    deployment: {
      processes: CITUS_PROCESSES,
      batch: batchOf(CONNECTIONS_A_PROCESS, workers, BATCHES_AT_ONCE),
      processors: { service: CITUS_PROCESSES, database: workers * PROCESSORS_A_WORKER },
      waits: { ...WAITS, batchesAtOnce: BATCHES_AT_ONCE * workers, commitMs: FLUSH_MS },
    },
  };
}

export const pairDeployments: readonly Named[] = [
  {
    name: '4 processes on 4 processors, PostgreSQL with 8 and a synchronous standby',
    deployment: onPostgresql(4, 4, 8, 2 * FLUSH_MS + NETWORK_MS),
  },
];

function onPostgresql(processes: number, service: number, database: number, commitMs: number): Deployment {
  return {
    processes,
    batch: batchOf(CONNECTIONS_A_PROCESS * processes, processes, BATCHES_AT_ONCE),
    processors: { service, database },
    waits: { ...WAITS, batchesAtOnce: BATCHES_AT_ONCE, commitMs },
  };
}

export const describe = (model: CostModel, deployments: readonly Named[]): readonly string[] =>
  deployments.map(({ name, deployment }) => {
    const { perSecond, limit }: Prediction = predict(model, deployment);
    return `model, ${name}: ${(Math.round(perSecond / 1000) * 1000).toLocaleString('en')} a second; limited by ${limit}`;
  });

/** A deployment on the benchmark machine, which also generates the load. */
export const onThisMachine = (
  processors: number,
  processes: number,
  batch: number,
  commitMs: number | null,
): Deployment => ({
  processes,
  batch,
  processors: { shared: processors, withLoad: true },
  waits:
    commitMs === null
      ? null
      : { batchesAtOnce: BATCHES_AT_ONCE, roundTrips: ROUND_TRIPS, roundTripMs: 0, commitMs },
});

export const batchHere = (connections: number, processes: number): number =>
  batchOf(connections, processes, BATCHES_AT_ONCE);
