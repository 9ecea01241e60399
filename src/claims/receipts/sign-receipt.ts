/** Signs the receipt of a redemption. */
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import type { Mode } from '../../keys/key.ts';
import { prepareSigningKey } from './keys.ts';
import { findClaimForReceipt, findSigningKey } from './queries.ts';
import { purposeOfKey, RECEIPT_ALGORITHM, RECEIPT_TYPE, receiptOf } from './receipt.ts';

/**
 * A compact JWS (RFC 7515 section 3.1); `null` where the account and mode have no claim with this id. Throws
 * `claim_not_redeemed` for one that is not redeemed. `issuer`: the base URL.
 */
export async function signReceipt(
  context: Context,
  input: { readonly accountId: string; readonly mode: Mode; readonly id: string; readonly issuer: string },
): Promise<string | null> {
  const claim = await findClaimForReceipt(context.db, input);
  if (claim === undefined) return null;
  const { redeemed_at, offer, kind } = claim;
  if (redeemed_at === null) throw new Refusal('claim_not_redeemed', 'This claim is not redeemed.');
  const { kid, key } = await openSigningKey(context);
  return await new SignJWT(
    receiptOf(
      { ...claim, redeemed_at, offer: offer ?? undefined, kind: kind ?? undefined },
      input.issuer,
      Math.floor(context.now() / 1_000),
    ),
  )
    .setProtectedHeader({ alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE, kid })
    .sign(key);
}

/** Read anew for each receipt, so that a rotation holds for every process at once. */
async function openSigningKey(context: Context) {
  let found = await findSigningKey(context.db.read);
  if (found === null) {
    await prepareSigningKey(context);
    found = await findSigningKey(context.db.read);
  }
  const secret = found && context.secretBox.decrypt(found.privateKey, purposeOfKey(found.kid));
  if (!found || secret === null) {
    throw new Error(
      'no secret key opens the key of receipts; `claimcheck receipts rotate-key` makes a new one',
    );
  }
  return { kid: found.kid, key: await importJWK(JSON.parse(secret) as JWK, RECEIPT_ALGORITHM) };
}
