/**
 * A job for Citus: draws the numbers of nodes with few events up to those of the others, also while nobody reads the log.
 * Without it such a node would give this year's events numbers that the others used years ago: the sweep would keep old
 * months because of them, and the next reader would wait until all the missing numbers are drawn.
 */
import type { Context } from '../context.ts';
import { lastDrawnOnNodes } from './queries.ts';

type Drawing = Pick<Context, 'db'>;

/** Whether the tables are distributed over nodes. */
export const numbersMayDiffer = async ({ db }: Drawing): Promise<boolean> => db.nodes() !== null;

/** Throws `DatabaseUnavailable` while one of the nodes is away. */
export async function drawTogether({ db }: Drawing): Promise<void> {
  const nodes = db.nodes();
  if (nodes !== null) await lastDrawnOnNodes(nodes);
}
