/**
 * What is kept of a claim whose person was deleted: a keyed hash of the offer and the mailbox, so that a new account of
 * the same person gets no second claim. Its key is stored encrypted, so that the hashes survive a new secret key.
 */
import type { Context } from '../context.ts';
import { type DataKey, newDataKey, openDataKey } from '../secrets/secret-keys.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { MAILBOX_MARK_KEY, moveSetting, readSetting } from '../store/settings.ts';
import { MARK_PURPOSE } from './deletion.ts';

/** Makes the key unless there is one: long before it is used, so that no claim misses a mark of a deletion under way. */
export const makeMarkKey = (
  { secretBox, random }: Pick<Context, 'secretBox' | 'random'>,
  tx: Transaction,
): Promise<boolean> =>
  moveSetting(tx, MAILBOX_MARK_KEY, null, secretBox.encrypt(newDataKey(random), MARK_PURPOSE));

/** `null`: no account was ever to be deleted, or no configured secret key decrypts the key. */
export async function readMarkKey(
  { secretBox, random }: Pick<Context, 'secretBox' | 'random'>,
  db: Queryable,
): Promise<DataKey | null> {
  const stored = await readSetting(db, MAILBOX_MARK_KEY);
  const key = stored === null ? null : secretBox.decrypt(stored, MARK_PURPOSE);
  return key === null ? null : openDataKey(key, MARK_PURPOSE, random);
}

/** Hexadecimal. */
export const markOf = (key: DataKey, offerId: string, mailbox: string): string =>
  key.hash(`${offerId} ${mailbox}`);
