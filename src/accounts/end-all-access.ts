/** What a database needs after it was put back: it holds sessions and codes that have ended since, and mail that was sent. */
import type { Context } from '../context.ts';
import { holdWaitingMails } from '../mail/queries.ts';
import { ACCESS_TABLES, type EndedAccess } from '../store/tables/accounts.ts';
import { emptyTable } from './credential-queries.ts';

interface SettledRestore {
  readonly ended: EndedAccess;
  readonly heldMails: number;
}

/** Everyone has to sign in again, and links that were sent stop working; waiting mail is held back. Keys keep working. */
export const endAllAccess = ({ db, now }: Pick<Context, 'db' | 'now'>): Promise<SettledRestore> =>
  db.transaction(async (tx) => {
    const ended: [string, number][] = [];
    for (const table of ACCESS_TABLES) ended.push([table, await emptyTable(tx, table)]);
    const heldMails = await holdWaitingMails(tx, new Date(now()).toISOString());
    return { ended: Object.fromEntries(ended) as EndedAccess, heldMails };
  });
