/** Checks and preparation at startup, before the first request. */
import { prepareSigningKey } from '../claims/receipts/signing.ts';
import type { Logger } from '../http/server/log.ts';
import { needRoom } from '../store/partitions.ts';
import { examineAtStart } from '../system/checks.ts';
import { deploymentOf, type OpenContext } from './open-context.ts';

const LOST_RECEIPT_KEY_WARNING =
  'no secret key opens the key of receipts: they are not signed until `claimcheck receipts rotate-key` makes a new one, or the former secret key is added behind the first';

/** Problems are only logged: a database that can't be written, for example on a full disk, must not prevent startup. */
export async function prepareToServe(context: OpenContext, log: Logger): Promise<void> {
  if (!context.secretKeyFits) {
    log.warn('this database was filled under another secret key: claim links shown again would not work');
  }
  for (const { check, detail } of await examineAtStart(deploymentOf(context))) log.warn({ check }, detail);
  await makeRoom(context).catch((error) =>
    log.warn({ err: error }, 'partitions for the next months were not made; a job tries it again every hour'),
  );
  const canSign = await prepareSigningKey(context).catch((error) => {
    log.warn({ err: error }, 'the key of receipts was not prepared');
    return true;
  });
  if (!canSign) log.warn(LOST_RECEIPT_KEY_WARNING);
}

/** A service that was down for months may have no partition for the current month. */
async function makeRoom({ db, now }: OpenContext): Promise<void> {
  if (await needRoom(db.partitions, now())) await db.partitions?.makeRoom(now());
}
