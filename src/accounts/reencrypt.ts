/** Encrypts second factors under the first secret key, so that an earlier one can be removed. */
import type { Context } from '../context.ts';
import { purposeOfSecret } from './authenticator.ts';
import { readTwoFactorsOfOtherKeys, replaceTwoFactorSecret } from './two-factor-queries.ts';

const PAGE_SIZE = 100;
/** Before the id of every account. */
const FIRST = '00000000-0000-0000-0000-000000000000';

export const needReencryption = async (context: Context): Promise<boolean> =>
  (await readPage(context, FIRST, 1)).length > 0;

/** Skips secrets that no configured key can decrypt. */
export async function reencryptSecondFactors(context: Context, signal?: AbortSignal): Promise<void> {
  const { db, secretBox } = context;
  for (let after = FIRST, more = true; more && signal?.aborted !== true; ) {
    const factors = await readPage(context, after, PAGE_SIZE);
    for (const { account_id, secret: from } of factors) {
      const purpose = purposeOfSecret(account_id);
      const secret = secretBox.decrypt(from, purpose);
      if (secret === null) continue;
      const to = secretBox.encrypt(secret, purpose);
      await db.transaction((tx) => replaceTwoFactorSecret(tx, account_id, { from, to }));
    }
    after = factors.at(-1)?.account_id ?? after;
    more = factors.length === PAGE_SIZE;
  }
}

const readPage = ({ db, secretBox }: Context, afterAccountId: string, limit: number) =>
  readTwoFactorsOfOtherKeys(db.read, secretBox.fingerprint, { afterAccountId, limit });
