/**
 * If the account of a claimant is deleted or moved to a different mailbox, a mark of each claim is kept: a keyed hash
 * of offer and mailbox. It keeps another account with that mailbox from claiming the same offer again. The key is
 * stored encrypted, so that it survives a change of the secret key.
 */
import type { Context } from '../context.ts';
import { type DataKey, newDataKey, openDataKey } from '../secrets/secret-keys.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { MAILBOX_MARK_KEY, moveSetting, readSetting } from '../store/settings.ts';
import { MARK_PURPOSE } from './account.ts';
import { findClaimedOffers, insertMailboxMarks, type MailboxMark } from './queries.ts';

type Secrets = Pick<Context, 'secretBox' | 'random'>;

/**
 * Creates the key if there is none. It is called as soon as a deletion is scheduled, long before the deletion stores
 * marks, because a claim that is made while the deletion runs needs the key to exist already.
 */
export const makeMarkKey = ({ secretBox, random }: Secrets, tx: Transaction): Promise<boolean> =>
  moveSetting(tx, MAILBOX_MARK_KEY, null, secretBox.encrypt(newDataKey(random), MARK_PURPOSE));

/** `null`: the key was never created, or no configured secret key decrypts it. */
export async function readMarkKey({ secretBox, random }: Secrets, db: Queryable): Promise<DataKey | null> {
  const stored = await readSetting(db, MAILBOX_MARK_KEY);
  const key = stored === null ? null : secretBox.decrypt(stored, MARK_PURPOSE);
  return key === null ? null : openDataKey(key, MARK_PURPOSE, random);
}

export const markOf = (key: DataKey, offerId: string, mailbox: string): string =>
  key.hash(`${offerId} ${mailbox}`);

export async function insertMarks(
  secrets: Secrets,
  tx: Transaction,
  mailbox: string,
  claims: readonly Pick<MailboxMark, 'account_number' | 'offer_id'>[],
): Promise<void> {
  const key = await readMarkKey(secrets, tx);
  if (key === null) return;
  const marks = claims.map(({ account_number, offer_id }) => ({
    account_number,
    offer_id,
    mark: Buffer.from(markOf(key, offer_id, mailbox), 'hex'),
  }));
  await insertMailboxMarks(tx, marks);
}

/** For an account that gives up this mailbox: marks each claimed offer. The caller must hold the account's lock. */
export async function markClaims(
  secrets: Secrets,
  tx: Transaction,
  accountId: string,
  mailbox: string,
): Promise<void> {
  const claims = await findClaimedOffers(tx, accountId);
  if (claims.length === 0) return;
  await makeMarkKey(secrets, tx);
  await insertMarks(secrets, tx, mailbox, claims);
}
