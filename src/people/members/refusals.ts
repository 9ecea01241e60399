/** People who want no invitations by mail: keyed hashes of mailboxes, as such a person may have no account. */

import type { Context } from '../../base/context.ts';
import { STOP_INVITATIONS_PATH } from '../../base/paths.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { makeMarkKey, readMarkKey } from '../accounts/mailbox-mark.ts';
import { deleteRefusal, insertRefusal } from './queries.ts';

const PURPOSE = 'stop invitations';

/** Creates the hash key if there is none. */
export async function hashOfInvited(
  context: Pick<Context, 'secretBox' | 'random'>,
  tx: Transaction,
  mailbox: string,
): Promise<string> {
  await makeMarkKey(context, tx);
  const key = await readMarkKey(context, tx);
  // If no configured secret key decrypts the hash key, refusals can't be recognized.
  return key === null ? context.secretBox.hashOfSubject(mailbox) : key.hash(`${PURPOSE} ${mailbox}`);
}

export const stopInvitationsUrl = (box: SecretBox, baseUrl: string, mailboxHash: string): string =>
  `${baseUrl}${STOP_INVITATIONS_PATH}/${box.seal(mailboxHash, PURPOSE)}`;

/** Returns the hash of the mailbox; `null` if the code was altered or comes from another installation. */
export const parseStopInvitations = (box: SecretBox, code: string): string | null =>
  box.unseal(code, PURPOSE);

export const refuseInvitations = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  mailboxHash: string,
): Promise<unknown> =>
  db.transaction((tx) => insertRefusal(tx, { mailbox_hash: mailboxHash, created_at: toIso(now()) }));

export const acceptInvitationsAgain = ({ db }: Pick<Context, 'db'>, mailboxHash: string): Promise<unknown> =>
  db.transaction((tx) => deleteRefusal(tx, mailboxHash));
