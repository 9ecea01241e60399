/** Re-encrypts everything with the first secret key, so that the older keys are needed only for claim links. */
import type { Context } from '../context.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  fingerprintsIn,
  readEncrypted,
  replaceEncrypted,
} from './secret-key-queries.ts';

const PAGE_SIZE = 100;

export async function needsReencryption(context: Context): Promise<boolean> {
  for (const column of ENCRYPTED_COLUMNS) {
    if ((await otherKeysOf(context, column)).length > 0) return true;
  }
  return false;
}

/** Skips what no configured key decrypts. */
export async function reencrypt(context: Context, signal?: AbortSignal): Promise<void> {
  for (const column of ENCRYPTED_COLUMNS) {
    for (const fingerprint of await otherKeysOf(context, column)) {
      while (signal?.aborted !== true && (await reencryptPage(context, column, fingerprint)));
    }
  }
}

/** Whether there may be more to do. */
async function reencryptPage(
  { db, secretBox }: Context,
  column: EncryptedColumn,
  fingerprint: string,
): Promise<boolean> {
  let decrypted = 0;
  const page = await readEncrypted(db.read, column, { fingerprint, limit: PAGE_SIZE });
  for (const { id, encrypted: from } of page) {
    const purpose = column.purposeOf(id);
    const secret = secretBox.decrypt(from, purpose);
    if (secret === null) continue;
    decrypted++;
    const to = secretBox.encrypt(secret, purpose);
    await db.transaction((tx) => replaceEncrypted(tx, column, id, { from, to }));
  }
  return decrypted > 0 && page.length === PAGE_SIZE;
}

const otherKeysOf = async ({ db, secretBox }: Context, column: EncryptedColumn): Promise<readonly string[]> =>
  (await fingerprintsIn(db.read, column)).filter((fingerprint) => fingerprint !== secretBox.fingerprint);
