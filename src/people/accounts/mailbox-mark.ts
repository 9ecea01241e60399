/**
 * When a claimant's account is deleted or moves to another mailbox, a mark is stored for each of its live claims: a
 * keyed hash of the offer and the old mailbox, so that another account with this mailbox can't claim the offer again.
 * The key is random and stored encrypted, so marks stay valid when the secret key changes.
 */
import type { Context } from '../../base/context.ts';
import { type DataKey, newDataKey, openDataKey } from '../../platform/secrets/secret-keys.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { MAILBOX_MARK_KEY, moveSetting, readSetting } from '../../platform/store/settings.ts';
import { MARK_PURPOSE } from './account.ts';
import { findClaimedOffers, insertMailboxMarks, type MailboxMark } from './queries.ts';

type Secrets = Pick<Context, 'secretBox' | 'random'>;

/** `planDeletion` creates the hash key long before marks are stored, so that concurrent claims find it. */
export const makeMarkKey = ({ secretBox, random }: Secrets, tx: Transaction): Promise<boolean> =>
  moveSetting(tx, MAILBOX_MARK_KEY, null, secretBox.encrypt(newDataKey(random), MARK_PURPOSE));

/** `null`: there is no key, or no configured secret key decrypts it. */
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

/** Stores marks for an account that moves away from `mailbox`. The caller must hold the account's lock. */
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
