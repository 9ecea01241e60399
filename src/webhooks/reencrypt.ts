/** Encrypts secrets of endpoints under the first secret key, so that an earlier one can be removed. */
import type { Context } from '../context.ts';
import { readSecretsOfOtherKeys, replaceSealed } from './endpoint-queries.ts';
import { purposeOfWebhookSecret } from './secrets.ts';

const PAGE_SIZE = 100;
/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

export const webhookSecretsNeedReencryption = async (context: Context): Promise<boolean> =>
  (await readPage(context, FIRST, 1)).length > 0;

/** Skips secrets that no configured key can decrypt. */
export async function reencryptWebhookSecrets(context: Context, signal?: AbortSignal): Promise<void> {
  const { db, secretBox } = context;
  for (let after = FIRST, more = true; more && signal?.aborted !== true; ) {
    const page = await readPage(context, after, PAGE_SIZE);
    for (const { id, endpoint_id, sealed: from } of page) {
      const purpose = purposeOfWebhookSecret(endpoint_id);
      const secret = secretBox.decrypt(from, purpose);
      if (secret === null) continue;
      const to = secretBox.encrypt(secret, purpose);
      await db.transaction((tx) => replaceSealed(tx, id, { from, to }));
    }
    after = page.at(-1)?.id ?? after;
    more = page.length === PAGE_SIZE;
  }
}

const readPage = ({ db, secretBox }: Context, afterId: string, limit: number) =>
  readSecretsOfOtherKeys(db.read, secretBox.fingerprint, { afterId, limit });
