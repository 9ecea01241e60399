/** Peak memory of the server under load, and its startup time on an existing database. */
import { MEGABYTE, NotMeasured, onBothEngines } from '../bench.ts';
import { loadRound, serviceOf } from '../load/redeeming.ts';
import { peakMemory } from '../setup/processes.ts';

const STARTS = 5;

const memoryRows = onBothEngines('memory', 'peak memory of the server under load', async (bench, engine) => {
  const stock = await bench.stock(engine);
  const service = await serviceOf(stock);
  await loadRound(stock, service, bench.seconds);
  const peak = peakMemory((await stock.server()).pid);
  if (peak === 0) throw new NotMeasured('the peak memory of a process cannot be read on this system');
  return [
    {
      what: 'peak resident memory of the server since its start, including the load of the earlier rows',
      unit: 'MB',
      subject: [peak / MEGABYTE],
      goal: { of: 'value', at: 'most', value: 200 },
    },
  ];
});

const startRows = onBothEngines(
  'start',
  'time from the start of the process until it is ready, on an existing database',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    const subject: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      await stock.stopServer();
      subject.push((await stock.server()).secondsToReady);
    }
    return [
      {
        what: 'time from start to ready, on an existing database',
        unit: 's',
        subject,
        goal: { of: 'value', at: 'most', value: 0.6 },
        notes: [
          `${STARTS} starts, with at least ${bench.claims.toLocaleString('en')} claims in the database`,
        ],
      },
    ];
  },
);

export const footprintRows = [...memoryRows, ...startRows];
