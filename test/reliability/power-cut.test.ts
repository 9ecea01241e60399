/** A machine that loses its power at any moment loses no acknowledged redemption and redeems no claim twice. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { retryUnknown, type SentOperation, startLoad, untilAnswered } from '../support/load.ts';
import { execute, startPostgres } from '../support/postgres-server.ts';
import { createCalls, reconcile } from '../support/reconcile.ts';
import { shareProcesses, sized, startServer, stock, withContext } from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';
import { createVolatileDisk, type VolatileDisk, whyNoVolatileDisk } from '../support/volatile-disk.ts';

const CUTS = sized(2, 30);
const CLIENTS = 16;
/** Minimum number of calls answered before each cut. */
const ANSWERED = 100;
/** Added to the delay before each successive cut, so that the cuts hit different moments. */
const LATER_MS = 71;
/** Enough for the load of all cuts. */
const TOKENS = sized(5_000, 100_000);

const { cleanups, dbLocationOn, newDbLocation, unguarded } = shareProcesses();

/** A database on a volatile disk. */
interface Machine {
  readonly dbLocation: DbLocation;
  /** Stops the database server from flushing its commits. */
  stopFlushes(): Promise<void>;
  killDatabase(): void;
  /** Starts the database server, which flushes its commits. */
  startDatabase(): Promise<void>;
}

const MACHINES: Readonly<Record<TestEngine, (disk: VolatileDisk) => Promise<Machine>>> = {
  sqlite: async ({ folder }) => ({
    dbLocation: await newDbLocation('sqlite', { folder }),
    stopFlushes: async () => {},
    killDatabase: () => {},
    startDatabase: async () => {},
  }),
  postgres: async ({ folder }) => {
    const postgres = await startPostgres({ folder });
    cleanups.push(() => postgres.remove());
    const setFsync = async (value: 'on' | 'off') => {
      await execute(postgres, `alter system set fsync = ${value}`);
      await execute(postgres, 'select pg_reload_conf()');
    };
    const pidFile = join(postgres.dataDir, 'postmaster.pid');
    const readPid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    let pid = readPid();
    return {
      dbLocation: dbLocationOn(postgres.url),
      stopFlushes: async () => {
        await setFsync('off');
        // Recovery needs a checkpoint that is on disk.
        await execute(postgres, 'checkpoint');
      },
      killDatabase: () => {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The server has already exited, because a flush failed.
        }
      },
      startDatabase: async () => {
        // After a real power cut, no process has the ID in this file. Here, the killed process may still be a zombie.
        rmSync(pidFile);
        await postgres.start();
        await setFsync('on');
        pid = readPid();
      },
    };
  },
};

const isUnknown = ({ answer }: SentOperation): boolean => answer === null || answer.status === 503;

interface CutOptions {
  readonly cuts: number;
  readonly program?: string;
  readonly isUnflushed?: boolean;
}

/** Repeatedly cuts the power under load. Returns the faults in the history and in the final database. */
async function cutUnderLoad(
  engine: TestEngine,
  { cuts, program, isUnflushed = false }: CutOptions,
): Promise<string[]> {
  const disk = createVolatileDisk();
  cleanups.push(disk.remove);
  const machine = await MACHINES[engine](disk);
  const { dbLocation } = machine;
  const calls = createCalls(await stock(dbLocation, TOKENS));
  if (isUnflushed) await machine.stopFlushes();
  disk.flush();
  const start = () => startServer(dbLocation, { program });
  const history: SentOperation[] = [];
  let server = await start();
  for (let cut = 0; cut < cuts; cut += 1) {
    const load = startLoad({ clients: CLIENTS, port: () => server.port, next: calls.next });
    await untilAnswered(load, ANSWERED);
    await sleep(cut * LATER_MS);
    disk.cutPower();
    machine.killDatabase();
    await server.kill('SIGKILL');
    await load.stop();
    await disk.restorePower();
    await machine.startDatabase();
    server = await start();
    history.push(...load.history, ...(await retryUnknown(load.history.filter(isUnknown), server.port)));
  }
  await server.stop();
  expect(calls.next(), 'tokens ran out before the load ended').not.toBeNull();
  return withContext(dbLocation, (context) => reconcile(context, history));
}

/** Matches the fault that `reconcile` reports if the database lacks an acknowledged redemption. */
const LOST = /redeemed_at is .* in the answer, but .* in the database/;

/** Makes the service commit without a flush. */
const WITHOUT_FLUSHES: Readonly<Record<TestEngine, readonly Replacement[]>> = {
  sqlite: [
    [/(?<=pragma synchronous = )full/, 'off'],
    [/if \(settings\["synchronous"\] !== "2"/, 'if (false'],
  ],
  postgres: [[/if \(settings\[name\] === "off"\)/, 'if (false)']],
};

const whyNot = await whyNoVolatileDisk();
if (whyNot !== null) console.log(`The power cannot be cut (${whyNot}): the tests of power cuts are skipped.`);

describe.skipIf(whyNot !== null).each(ENGINES)('power cuts on %s', (engine) => {
  test(`${CUTS} power cuts under load lose no acknowledged redemption and redeem no claim twice`, async () => {
    expect(await cutUnderLoad(engine, { cuts: CUTS })).toEqual([]);
  });

  test('control: detects lost redemptions if commits are not flushed', async () => {
    const faults = await cutUnderLoad(engine, {
      cuts: 1,
      program: unguarded(...WITHOUT_FLUSHES[engine]),
      isUnflushed: true,
    });
    expect(faults).toContainEqual(expect.stringMatching(LOST));
  });
});
