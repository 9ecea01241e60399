/** The keys of receipts: one signs, the public halves of all stay published. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../store/database.ts';
import { toIso } from '../../text/time-text.ts';
import { findSigningKey, insertSigningKey, listPublicKeys, retireSigningKey } from './queries.ts';
import { purposeOfKey, RECEIPT_ALGORITHM } from './receipt.ts';

/** Makes the first key where there is none. `false`: no secret key decrypts it, so nothing is signed until it is rotated. */
export async function prepareSigningKey(context: Context): Promise<boolean> {
  const found = await findSigningKey(context.db.read);
  if (found === null) {
    await makeSigningKey(context, async () => {});
    return true;
  }
  return context.secretBox.decrypt(found.privateKey, purposeOfKey(found.kid)) !== null;
}

/**
 * From now on a new key signs, and the private half of the one before is gone. Returns the `kid` of the new one; two
 * concurrent calls return the same.
 */
export const rotateSigningKey = (context: Context): Promise<string> =>
  makeSigningKey(context, (tx) => retireSigningKey(tx));

async function makeSigningKey(
  { db, now, secretBox }: Context,
  before: (tx: Transaction) => Promise<void>,
): Promise<string> {
  const pair = await generateKeyPair(RECEIPT_ALGORITHM, { extractable: true });
  const publicKey = await exportJWK(pair.publicKey);
  // RFC 7638: the name of a key is a hash of it.
  const kid = await calculateJwkThumbprint(publicKey);
  const published: JWK = { kid, use: 'sig', alg: RECEIPT_ALGORITHM, ...publicKey };
  const secret = JSON.stringify(await exportJWK(pair.privateKey));
  return db.transaction(async (tx) => {
    await before(tx);
    await insertSigningKey(tx, {
      kid,
      public_key: JSON.stringify(published),
      private_key: secretBox.encrypt(secret, purposeOfKey(kid)),
      created_at: toIso(now()),
    });
    return (await findSigningKey(tx))?.kid ?? kid;
  });
}

/** A JSON Web Key Set (RFC 7517 section 5) with every key that ever signed. */
export const readKeySet = async ({
  db,
}: Pick<Context, 'db'>): Promise<{ readonly keys: readonly JWK[] }> => ({
  keys: (await listPublicKeys(db.read)).map((key) => JSON.parse(key) as JWK),
});
