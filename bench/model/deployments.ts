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

/** The default number of shards per worker. */
const SHARDS_A_WORKER = 4;
/**
 * Costs on Citus, fitted to runs of the row `postgresql-citus` with 4 and 16 shards on two workers. In these runs, the
 * costs of one server were measured at the same time, so they could be scaled to an idle machine. `databaseUs` covers
 * all workers. The service was measured without HTTP.
 */
const CITUS_BATCH_US = { service: 970, database: 667, databaseShard: 125 } as const;
const CITUS_DATABASE_US = 15;

/** Returns the model for Citus. What is not known from the row `postgresql-citus` comes from the model for one server. */
export const citusModel = ({ parts, reached }: CostModel): CostModel => ({
  parts: {
    ...parts,
    busiestThreadUs: { each: parts.busiestThreadUs.each, perBatch: CITUS_BATCH_US.service },
    serviceUs: { each: parts.serviceUs.each, perBatch: CITUS_BATCH_US.service },
    databaseUs: {
      each: CITUS_DATABASE_US,
      perBatch: CITUS_BATCH_US.database + SHARDS_A_WORKER * CITUS_BATCH_US.databaseShard,
    },
  },
  reached,
});

/** Processes of the service per worker, each with a processor. */
const PROCESSES_A_WORKER = 8;
const PROCESSORS_A_WORKER = 8;

export const citusDeployments: readonly Named[] = [onCitus(2), onCitus(4), onCitus(8)];

/**
 * Each process has a queue per worker, so its callers are divided among the workers. A queue runs one batch at a time.
 * As measured, a batch has half of the callers of its queue.
 */
function onCitus(workers: number): Named {
  const processes = PROCESSES_A_WORKER * workers;
  return {
    name: `Citus, ${workers} workers with ${PROCESSORS_A_WORKER} processors each, ${processes} processes on ${processes} processors`,
    deployment: {
      processes,
      batch: batchOf(CONNECTIONS_A_PROCESS, workers, 2),
      processors: { service: processes, database: workers * PROCESSORS_A_WORKER },
      waits: { ...WAITS, batchesAtOnce: workers, commitMs: FLUSH_MS },
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
