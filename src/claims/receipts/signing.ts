/** Receipts prove redemptions offline. Only the newest key signs; retired public keys stay published. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { Context } from '../../base/context.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { type ClaimScope, findClaimForReceipt } from '../queries.ts';
import { shortClaimId } from '../short-id.ts';
import {
  findSigningKey,
  insertSigningKey,
  listPublicKeys,
  purposeOfKey,
  retireSigningKey,
} from './queries.ts';

/** `alg` of the signature: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export const RECEIPT_ALGORITHM = 'ES256';
/** `typ` of the receipt. Prevents other tokens from being accepted as receipts (RFC 8725 section 3.11). */
export const RECEIPT_TYPE = 'claim-receipt+jwt';

/**
 * Creates a signing key if none exists. Returns false if no configured secret key decrypts the signing key. Receipts
 * then fail until the signing key is rotated or the former secret key is configured again.
 */
export const prepareSigningKey = async (context: Context): Promise<boolean> =>
  (await readSigningKey(context)).secret !== null;

/** The key is not cached, so that a rotation takes effect immediately in every process. */
async function readSigningKey(context: Context) {
  const storedKey = await findSigningKey(context.db.read);
  if (storedKey === undefined) await makeSigningKey(context);
  const { kid, privateKey } = storedKey ?? (await findSigningKey(context.db.read))!;
  return { kid, secret: context.secretBox.decrypt(privateKey, purposeOfKey(kid)) };
}

/** Deletes the old private key. Concurrent calls leave a single signing key. Returns the `kid` of the new key. */
export const rotateSigningKey = (context: Context): Promise<string> =>
  makeSigningKey(context, retireSigningKey);

async function makeSigningKey(
  { db, now, secretBox }: Context,
  retire?: (tx: Transaction) => Promise<void>,
): Promise<string> {
  const pair = await generateKeyPair(RECEIPT_ALGORITHM, { extractable: true });
  const publicKey = await exportJWK(pair.publicKey);
  // The key id is the key's thumbprint (RFC 7638).
  const kid = await calculateJwkThumbprint(publicKey);
  const published: JWK = { kid, use: 'sig', alg: RECEIPT_ALGORITHM, ...publicKey };
  const secret = JSON.stringify(await exportJWK(pair.privateKey));
  return db.transaction(async (tx) => {
    await retire?.(tx);
    await insertSigningKey(tx, {
      kid,
      public_key: JSON.stringify(published),
      private_key: secretBox.encrypt(secret, purposeOfKey(kid)),
      created_at: toIso(now()),
    });
    return (await findSigningKey(tx))?.kid ?? kid;
  });
}

/** A JSON Web Key Set (RFC 7517 section 5) of all signing keys, including retired keys. */
export const readKeySet = async ({
  db,
}: Pick<Context, 'db'>): Promise<{ readonly keys: readonly JWK[] }> => ({
  keys: (await listPublicKeys(db.read)).map((key) => JSON.parse(key) as JWK),
});

/**
 * A compact JWS (RFC 7515 section 3.1); `null` if the account has no such claim in this mode. Throws
 * `claim_not_redeemed`. Omits the offer's text at redemption if it isn't known: no Idempotency-Key, and reworded since.
 */
export async function signReceipt(
  context: Context,
  input: ClaimScope & { readonly id: string; readonly issuer: string },
): Promise<string | null> {
  const claimRow = await findClaimForReceipt(context.db, input, input.id);
  if (claimRow === undefined) return null;
  const { id, redeemed_offer, redeemed_kind, wordings, ...claim } = claimRow;
  if (claim.redeemed_at === null) throw new Refusal('claim_not_redeemed', 'This claim is not redeemed.');
  const isKnown = Number(wordings) === 1;
  const offer = redeemed_offer ?? (isKnown ? claim.offer : undefined);
  const kind = redeemed_kind ?? (isKnown ? claim.kind : undefined);
  const { kid, key } = await openSigningKey(context);
  const receipt = {
    iss: input.issuer,
    iat: Math.floor(context.now() / 1_000),
    sub: id,
    short_id: shortClaimId(id),
    mode: input.mode,
    status: 'redeemed',
    ...claim,
    offer,
    kind,
  };
  return await new SignJWT(receipt)
    .setProtectedHeader({ alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE, kid })
    .sign(key);
}

async function openSigningKey(context: Context) {
  const { kid, secret } = await readSigningKey(context);
  if (secret === null) {
    throw new Error(
      'no configured secret key can decrypt the key that signs receipts; `claimcheck receipts rotate-key` creates a new signing key',
    );
  }
  return { kid, key: await importJWK(JSON.parse(secret) as JWK, RECEIPT_ALGORITHM) };
}
