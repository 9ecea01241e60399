/** The cost model of the benchmark, with costs that can be computed by hand. */
import { describe, expect, test } from 'vitest';
import { batchOf, type Costs, type Deployment, modelOf, predict } from '../../bench/model/model.ts';

/** The service takes 20 µs per redemption plus 200 µs per batch; PostgreSQL takes 30 µs plus 300 µs. */
const costs = (batch: number): Costs => {
  const serviceUs = 20 + 200 / batch;
  const databaseUs = 30 + 300 / batch;
  const restUs = 10;
  return {
    connections: batch * 2,
    perSecond: 2e6 / (serviceUs + databaseUs + restUs),
    batch,
    busiestThreadUs: serviceUs,
    serviceUs,
    databaseUs,
    standbyUs: 0,
    restUs,
    walBytes: 400,
  };
};

const model = modelOf(costs(10), costs(100), 2);

const deployment = (changes: Partial<Deployment>): Deployment => ({
  processes: 1,
  batch: 100,
  processors: { service: 1, database: 4 },
  waits: null,
  ...changes,
});

const on = (processes: number, processors: Deployment['processors']) => deployment({ processes, processors });

describe('the cost model', () => {
  test('splits each cost into a part per redemption and a part per batch', () => {
    expect(model.parts.serviceUs).toEqual({ each: expect.closeTo(20), perBatch: expect.closeTo(200) });
    expect(model.parts.databaseUs).toEqual({ each: expect.closeTo(30), perBatch: expect.closeTo(300) });
    expect(model.parts.walBytes).toEqual({ each: 400, perBatch: 0 });
  });

  test('reproduces the measurements and interpolates between the measured batch sizes', () => {
    expect(model.reached).toBeCloseTo(1);
    const here = { shared: 2, withLoad: true };
    for (const batch of [10, 50, 100]) {
      const said = predict(model, deployment({ batch, processors: here })).perSecond;
      expect(said).toBeCloseTo(costs(batch).perSecond);
    }
  });

  test.each([
    ['threads of the service', on(1, { service: 4, database: 4 }), 1e6 / 22],
    ['processors of the service', on(4, { service: 2, database: 8 }), 2e6 / 22],
    ['processors of the database', on(8, { service: 8, database: 4 }), 4e6 / 33],
    ['processors', on(4, { shared: 2, withLoad: false }), 2e6 / 55],
    [
      'waiting for commits',
      // A batch takes 10 ms: 5.5 ms of work, two round trips of 1 ms and a flush of 2.5 ms. Two batches of 100 run
      // concurrently, so 200 redemptions take 10 ms.
      deployment({ waits: { batchesAtOnce: 2, roundTrips: 2, roundTripMs: 1, commitMs: 2.5 } }),
      20_000,
    ],
  ])('predicts the throughput and the limiting resource: %s', (limit, described, perSecond) => {
    const said = predict(model, described);
    expect(said.limit).toBe(limit);
    expect(said.perSecond).toBeCloseTo(perSecond, -1);
  });

  test('scales predictions by the ratio of the measured throughput to the computed bound', () => {
    const half = (one: Costs): Costs => ({ ...one, perSecond: one.perSecond / 2 });
    const slower = modelOf(half(costs(10)), half(costs(100)), 2);
    expect(predict(slower, deployment({})).perSecond).toBeCloseTo(
      predict(model, deployment({})).perSecond / 2,
    );
  });

  test('derives a batch size between 1 and 256 from the number of connections', () => {
    expect(batchOf(256, 2, 2)).toBe(64);
    expect(batchOf(4_096, 2, 2)).toBe(256);
    expect(batchOf(1, 2, 2)).toBe(1);
  });
});
