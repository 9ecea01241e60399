/**
 * Computes how many redemptions per second an installation can handle, from the measured cost of one redemption: a
 * bound for each resource, of which the lowest counts. Part of a cost is paid once per batch, so the cost of a
 * redemption falls as batches grow. The model derives both parts from two measurements with different numbers of
 * connections.
 */

/** What one redemption cost in a measured round: microseconds of CPU time, unless the name says otherwise. */
export interface Costs {
  readonly connections: number;
  readonly perSecond: number;
  readonly batch: number;
  /** The busiest thread of the service, which can use at most one processor. */
  readonly busiestThreadUs: number;
  readonly serviceUs: number;
  /** PostgreSQL; 0 with the embedded database, which is part of the service. */
  readonly databaseUs: number;
  readonly standbyUs: number;
  /** What else kept the machine busy: the load program and the system. */
  readonly restUs: number;
  /** Bytes of PostgreSQL's write-ahead log. */
  readonly walBytes: number;
}

/** A cost of a redemption in a batch of `b`: `each + perBatch / b`. */
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
  /** Share of the bound that the measured rounds reached: less than 1, because no resource is busy all the time. */
  readonly reached: number;
}

export interface Deployment {
  readonly processes: number;
  readonly batch: number;
  /**
   * Processors of the machines that serve, and of those with PostgreSQL. `shared`: one machine does both, and with
   * `withLoad` it also generates the load.
   */
  readonly processors:
    | { readonly service: number; readonly database: number }
    | { readonly shared: number; readonly withLoad: boolean };
  /** What a batch waits for besides CPU time. `null` with the embedded database, where other batches fill this time. */
  readonly waits: {
    readonly batchesAtOnce: number;
    /** Round trips to the database per batch, and how long each takes on the network. */
    readonly roundTrips: number;
    readonly roundTripMs: number;
    /** Time of a flush; a synchronous standby adds the time of its network and disk. */
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

/** Makes a model from two rounds on one machine of `processors` processors, which also ran the load. */
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
  // Noise can make the larger batch more expensive per redemption; then no cost can be attributed to the batch.
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

/** Number of redemptions in a batch on PostgreSQL if all callers are waiting for a response. */
export const batchOf = (connections: number, processes: number, batchesAtOnce: number): number =>
  Math.max(1, Math.min(MOST_IN_A_BATCH, connections / (processes * batchesAtOnce)));
