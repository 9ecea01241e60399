/** Compares the service with the durable floor and the bare server, in alternating rounds. */
import { type Bench, type Goal, inTurns, type Result } from '../bench.ts';
import { bareTarget, floorTarget, serviceOf, type Target } from '../load/redeeming.ts';
import { startBareHttp, startDurableFloor } from '../setup/baselines.ts';
import type { Stock } from '../setup/stock.ts';

type Targets = Readonly<Record<'service' | 'floor' | 'bare', Target>>;

export async function withBaselines<T>(
  bench: Bench,
  stock: Stock,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const service = await serviceOf(stock);
  const floor = await startDurableFloor(bench.scratch);
  const bare = await startBareHttp(bench.scratch);
  try {
    return await work({
      service,
      floor: floorTarget(floor, service.apiKey),
      bare: bareTarget(bare, service.apiKey),
    });
  } finally {
    await Promise.all([floor.stop(), bare.stop()]);
  }
}

/** Returns one result for each baseline. The goal applies only to the comparison with the durable floor. */
export async function compare(
  bench: Bench,
  { service, floor, bare }: Targets,
  measure: (target: Target) => Promise<number>,
  { goal, notes = [], ...shared }: Pick<Result, 'what' | 'unit' | 'notes'> & { readonly goal: Goal },
): Promise<readonly Result[]> {
  const measured = await inTurns(bench, {
    service: () => measure(service),
    floor: () => measure(floor),
    bare: () => measure(bare),
  });
  const result = { ...shared, subject: measured.service };
  return [
    { ...result, baseline: { name: 'durable floor', values: measured.floor }, goal, notes },
    { ...result, baseline: { name: 'bare node:http', values: measured.bare } },
  ];
}
