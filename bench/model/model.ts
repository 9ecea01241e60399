/**
 * Predicts how many redemptions per second an installation can handle. Each resource sets an upper bound, computed from
 * the measured cost of a redemption. The lowest bound is the limit. Part of a cost is paid once per batch. Two
 * measurements with different batch sizes separate this part from the rest.
 */

/** Average costs of a redemption, and figures of the measured round. `…Us`: microseconds of CPU time. */
export interface Costs {
  readonly connections: number;
  readonly perSecond: number;
  /** Average number of redemptions in a batch. */
  readonly batch: number;
  /** The busiest thread of the service. A thread can use at most one processor. */
  readonly busiestThreadUs: number;
  readonly serviceUs: number;
  /** 0 with the embedded database, which runs in the service. */
  readonly databaseUs: number;
  readonly standbyUs: number;
  /** Everything else on the machine: the load program and the operating system. */
  readonly restUs: number;
  /** Bytes written to PostgreSQL's write-ahead log. */
  readonly walBytes: number;
}

/** Cost of a redemption in a batch of size `b`: `each + perBatch / b`. */
interface Part {
  readonly each: number;
  readonly perBatch: number;
}

const FIGURES = [
  'busiestThreadUs',
  'serviceUs',
  'databaseUs',
  'standbyUs',
  'restUs',
  'walBytes',
] as const satisfies readonly (keyof Costs)[];
type Figure = (typeof FIGURES)[number];

export interface CostModel {
  readonly parts: Readonly<Record<Figure, Part>>;
  /** Measured throughput divided by the lowest bound. Usually below 1, because no resource is busy all the time. */
  readonly reached: number;
}

export interface Deployment {
  readonly processes: number;
  readonly batch: number;
  /**
   * Processors of the service and of PostgreSQL. `shared`: one machine runs both. `withLoad`: the machine also
   * generates the load.
   */
  readonly processors:
    | { readonly service: number; readonly database: number }
    | { readonly shared: number; readonly withLoad: boolean };
  /**
   * Waits of a batch, in addition to its CPU time. `null` for the embedded database: other batches run while a batch
   * waits, so waits don't limit throughput.
   */
  readonly waits: {
    readonly batchesAtOnce: number;
    /** Round trips to the database per batch. */
    readonly roundTrips: number;
    readonly roundTripMs: number;
    /** Duration of a commit: one flush. A synchronous standby adds a network round trip and a second flush. */
    readonly commitMs: number;
  } | null;
}

export interface Prediction {
  readonly perSecond: number;
  readonly limit: Limit;
}

type Limit =
  | 'threads of the service'
  | 'processors of the service'
  | 'processors of the database'
  | 'processors'
  | 'waiting for commits';

const MOST_IN_A_BATCH = 256;
const SECOND_US = 1e6;
const SECOND_MS = 1_000;

/** Derives a model from two rounds on one machine, which also generated the load. */
export function modelOf(few: Costs, many: Costs, processors: number): CostModel {
  const parts = Object.fromEntries(FIGURES.map((figure) => [figure, partsOf(few, many, figure)])) as Record<
    Figure,
    Part
  >;
  const share = ({ batch, perSecond }: Costs): number =>
    perSecond /
    lowest(cpuBounds({ parts, reached: 1 }, batch, 1, { shared: processors, withLoad: true })).perSecond;
  return { parts, reached: (share(few) + share(many)) / 2 };
}

function partsOf(few: Costs, many: Costs, figure: Figure): Part {
  const perBatch = (few[figure] - many[figure]) / (1 / few.batch - 1 / many.batch);
  // Due to noise, a redemption can seem more expensive in a large batch. If so, the model assumes no cost per batch.
  if (!(perBatch > 0)) return { each: (few[figure] + many[figure]) / 2, perBatch: 0 };
  const each = many[figure] - perBatch / many.batch;
  return each > 0 ? { each, perBatch } : { each: 0, perBatch: many[figure] * many.batch };
}

const costIn = ({ each, perBatch }: Part, batch: number): number => each + perBatch / batch;

type Bound = Pick<Prediction, 'perSecond' | 'limit'>;

const lowest = (bounds: readonly Bound[]): Bound =>
  bounds.reduce((least, bound) => (bound.perSecond < least.perSecond ? bound : least));

function cpuBounds(
  { parts }: CostModel,
  batch: number,
  processes: number,
  processors: Deployment['processors'],
): Bound[] {
  const cost = (figure: Figure): number => costIn(parts[figure], batch);
  const bounds: Bound[] = [
    { limit: 'threads of the service', perSecond: (processes * SECOND_US) / cost('busiestThreadUs') },
  ];
  const bound = (limit: Limit, count: number, cpuUs: number): void => {
    if (cpuUs > 0) bounds.push({ limit, perSecond: (count * SECOND_US) / cpuUs });
  };
  if ('shared' in processors) {
    const rest = processors.withLoad ? cost('restUs') : 0;
    bound('processors', processors.shared, cost('serviceUs') + cost('databaseUs') + cost('standbyUs') + rest);
  } else {
    bound('processors of the service', processors.service, cost('serviceUs'));
    bound('processors of the database', processors.database, cost('databaseUs'));
  }
  return bounds;
}

export function predict(model: CostModel, deployment: Deployment): Prediction {
  const { processes, batch, processors, waits } = deployment;
  const bounds = cpuBounds(model, batch, processes, processors);
  if (waits !== null) {
    const { databaseUs, busiestThreadUs } = model.parts;
    const workMs = (batch * (costIn(databaseUs, batch) + costIn(busiestThreadUs, batch))) / SECOND_MS;
    const batchMs = waits.roundTrips * waits.roundTripMs + waits.commitMs + workMs;
    const batchesASecond = (processes * waits.batchesAtOnce * SECOND_MS) / batchMs;
    bounds.push({ limit: 'waiting for commits', perSecond: batchesASecond * batch });
  }
  const { perSecond, limit } = lowest(bounds);
  return { perSecond: perSecond * model.reached, limit };
}

/** Batch size on PostgreSQL when all callers are waiting for a response. */
export const batchOf = (connections: number, processes: number, batchesAtOnce: number): number =>
  Math.max(1, Math.min(MOST_IN_A_BATCH, connections / (processes * batchesAtOnce)));
