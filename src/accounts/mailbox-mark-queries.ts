/**
 * What is kept of a claim whose person was deleted or has left the mailbox: a keyed hash of the offer and the mailbox, so
 * that another account with it gets no second claim. Its key is stored encrypted, so that the hashes survive a new secret
 * key.
 */
import type { Context } from '../context.ts';
import { type DataKey, newDataKey, openDataKey } from '../secrets/secret-keys.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { numberOfAccount } from '../store/numbers.ts';
import { MAILBOX_MARK_KEY, moveSetting, readSetting } from '../store/settings.ts';
import { MARK_PURPOSE } from './account.ts';

type Secrets = Pick<Context, 'secretBox' | 'random'>;

/** Makes the key unless there is one: long before it is used, so that no claim misses a mark of a deletion under way. */
export const makeMarkKey = ({ secretBox, random }: Secrets, tx: Transaction): Promise<boolean> =>
  moveSetting(tx, MAILBOX_MARK_KEY, null, secretBox.encrypt(newDataKey(random), MARK_PURPOSE));

/** `null`: there was never a reason for a mark, or no configured secret key decrypts the key. */
export async function readMarkKey({ secretBox, random }: Secrets, db: Queryable): Promise<DataKey | null> {
  const stored = await readSetting(db, MAILBOX_MARK_KEY);
  const key = stored === null ? null : secretBox.decrypt(stored, MARK_PURPOSE);
  return key === null ? null : openDataKey(key, MARK_PURPOSE, random);
}

/** Hexadecimal. */
export const markOf = (key: DataKey, offerId: string, mailbox: string): string =>
  key.hash(`${offerId} ${mailbox}`);

const MARKS_A_STATEMENT = 500;

interface ClaimOnOffer {
  readonly account_number: number;
  readonly offer_id: string;
}

export async function insertMarks(
  tx: Transaction,
  key: DataKey,
  mailbox: string,
  claims: readonly ClaimOnOffer[],
): Promise<void> {
  for (let from = 0; from < claims.length; from += MARKS_A_STATEMENT) {
    const marks = claims.slice(from, from + MARKS_A_STATEMENT).map(({ account_number, offer_id }) => ({
      account_number,
      offer_id,
      mark: Buffer.from(markOf(key, offer_id, mailbox), 'hex'),
    }));
    await tx
      .insertInto('mailbox_marks')
      .values(marks)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The account leaves this mailbox: all its claims leave marks. The caller holds the account's lock. */
export async function markClaims(
  secrets: Secrets,
  tx: Transaction,
  accountId: string,
  mailbox: string,
): Promise<void> {
  const claims = await tx
    .selectFrom('claim_rows')
    .innerJoin('offers', 'offers.number', 'claim_rows.offer_number')
    .select(['claim_rows.account_number', 'offers.id as offer_id'])
    .distinct()
    .where('claim_rows.claimant_number', '=', numberOfAccount(accountId))
    .where('claim_rows.mode', '=', 'live')
    .execute();
  if (claims.length === 0) return;
  await makeMarkKey(secrets, tx);
  const key = await readMarkKey(secrets, tx);
  // Without the secret key of the marks they could never be compared.
  if (key !== null) await insertMarks(tx, key, mailbox, claims);
}
