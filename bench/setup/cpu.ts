/** CPU time that processes have used, read from /proc (Linux). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { NotMeasured } from '../bench.ts';
import { query } from './postgres.ts';
import { processTree } from './processes.ts';

/** Microseconds of the unit in which Linux gives CPU time to programs (`USER_HZ`). */
const TICK_US = 10_000;

/** The numbers of a `stat` file behind the name of the program, which may hold spaces; the first is field 4 of proc(5). */
function statNumbers(file: string): number[] {
  const text = readFileSync(file, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 4)
    .split(' ')
    .map(Number);
}

/**
 * CPU time of a process or thread, and of the children it has waited for, in microseconds. 0 for one that has just
 * ended: its parent has its time.
 */
function timesOf(file: string): { own: number; ofEnded: number } {
  if (!existsSync(file)) return { own: 0, ofEnded: 0 };
  // utime, stime, cutime, cstime: fields 14 to 17.
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statNumbers(file).slice(10, 14);
  return { own: (user + system) * TICK_US, ofEnded: (endedUser + endedSystem) * TICK_US };
}

/** A process and its descendants, ended ones included. */
export const cpuOfTree = (pid: number): number =>
  processTree(pid).reduce((sum, one) => {
    const { own, ofEnded } = timesOf(`/proc/${one}/stat`);
    return sum + own + ofEnded;
  }, 0);

/** Each thread of a process. */
export const cpuOfThreads = (pid: number): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => [
      thread,
      timesOf(`/proc/${pid}/task/${thread}/stat`).own,
    ]),
  );

/** All processors together, since the start of the machine. */
export function cpuOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * TICK_US;
}

/** The first process of the PostgreSQL server of a database. Throws `NotMeasured` where it runs on another machine. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const [row] = await query(databaseUrl, 'show data_directory');
  try {
    return Number(readFileSync(`${row?.['data_directory']}/postmaster.pid`, 'utf8').split('\n')[0]);
  } catch {
    throw new NotMeasured('the processes of the PostgreSQL server cannot be seen from here');
  }
}
