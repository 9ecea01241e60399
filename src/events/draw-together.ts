/**
 * Citus: draws the nodes that are behind up to the foremost one, also while nobody reads the log. Otherwise a node with few
 * events would number those of this year like others theirs of years ago: a sweep would keep old months for these, and
 * the next reader would wait for all the numbers.
 */
import type { Context } from '../context.ts';
import { lastDrawnOnNodes } from './queries.ts';

type Drawing = Pick<Context, 'db'>;

/** Whether there are several nodes. */
export const numbersMayDiffer = async ({ db }: Drawing): Promise<boolean> => db.nodes() !== null;

/** Throws `DatabaseUnavailable` while one of the nodes is away. */
export async function drawTogether({ db }: Drawing): Promise<void> {
  const nodes = db.nodes();
  if (nodes !== null) await lastDrawnOnNodes(nodes);
}
