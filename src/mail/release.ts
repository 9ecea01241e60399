/** Releases the mail that a restore held back, because it may have been sent after the backup was made. */
import type { Context } from '../context.ts';
import { releaseHeldMails } from './queries.ts';

/** It is sent from now on. Returns how many mails there were. */
export const releaseMail = ({ db }: Pick<Context, 'db'>): Promise<number> => db.transaction(releaseHeldMails);
