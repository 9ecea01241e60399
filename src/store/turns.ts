/** Lets a bounded number of callers into the database at a time; the others wait here, where waiting costs nothing. */
import { type DatabaseReader, DatabaseUnavailable } from './database.ts';

/** As many as there are connections for claims, or for exports. */
const AT_A_TIME = 4;
/** Who waits; one more is told that the service is overloaded. */
const MAX_WAITING = 5_000;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

const turnsOf = new WeakMap<DatabaseReader, Turns>();

/** Runs `work` when its turn comes, first come first served. Throws `DatabaseUnavailable` where too many wait. */
export async function inTurn<T>(db: DatabaseReader, work: () => Promise<T>): Promise<T> {
  let turns = turnsOf.get(db);
  if (turns === undefined) {
    turns = { running: 0, waiting: [] };
    turnsOf.set(db, turns);
  }
  const { waiting } = turns;
  if (turns.running < AT_A_TIME) turns.running += 1;
  else {
    if (waiting.length >= MAX_WAITING)
      throw new DatabaseUnavailable('Too many wait for the database at the moment.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) turns.running -= 1;
    else next();
  }
}
