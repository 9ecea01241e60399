/** Ends everybody's access after a backup was put back: it holds sessions and codes that have ended since. */
import type { Context } from '../context.ts';
import { ACCESS_TABLES, type EndedAccess } from '../store/after-restore.ts';
import { emptyTable } from './credential-queries.ts';

/** Everyone has to sign in again, and links that were sent stop working. Keys keep working. */
export const endAllAccess = ({ db }: Pick<Context, 'db'>): Promise<EndedAccess> =>
  db.transaction(async (tx) => {
    const ended: [string, number][] = [];
    for (const table of ACCESS_TABLES) ended.push([table, await emptyTable(tx, table)]);
    return Object.fromEntries(ended) as EndedAccess;
  });
