/** Reads CPU times from /proc (Linux). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { NotMeasured } from '../bench.ts';
import { query } from './postgres.ts';
import { processTree } from './processes.ts';

/** Duration of a tick, the unit of CPU times in /proc. Linux counts 100 ticks per second (`USER_HZ`). */
const TICK_US = 10_000;

/**
 * Returns the fields of a `stat` file from field 4 on (see proc(5)). All of these fields are numbers. Field 2 is a name
 * in parentheses and may contain spaces.
 */
function statNumbers(file: string): number[] {
  const text = readFileSync(file, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 4)
    .split(' ')
    .map(Number);
}

/**
 * Returns CPU times in microseconds. `own` is the time of the process or thread. `ofEnded` is the time of the process's
 * exited children. Both are 0 if the process has exited, because the parent's `ofEnded` then contains its time.
 */
function timesOf(file: string): { own: number; ofEnded: number } {
  if (!existsSync(file)) return { own: 0, ofEnded: 0 };
  // utime, stime, cutime, cstime: fields 14 to 17.
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statNumbers(file).slice(10, 14);
  return { own: (user + system) * TICK_US, ofEnded: (endedUser + endedSystem) * TICK_US };
}

/** CPU time in microseconds of a process and its descendants, including descendants that have exited. */
export const cpuOfTree = (pid: number): number =>
  processTree(pid).reduce((sum, one) => {
    const { own, ofEnded } = timesOf(`/proc/${one}/stat`);
    return sum + own + ofEnded;
  }, 0);

export const cpuOfThreads = (pid: number): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => [
      thread,
      timesOf(`/proc/${pid}/task/${thread}/stat`).own,
    ]),
  );

/** Busy time of all processors since boot, in microseconds. */
export function cpuOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * TICK_US;
}

/** Process ID of the PostgreSQL server. Throws `NotMeasured` if the server's data directory can't be read. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const [row] = await query(databaseUrl, 'show data_directory');
  try {
    return Number(readFileSync(`${row?.['data_directory']}/postmaster.pid`, 'utf8').split('\n')[0]);
  } catch {
    throw new NotMeasured('the data directory of the PostgreSQL server cannot be read');
  }
}
