/** Signs the receipt of a redemption. */
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { type ClaimScope, findClaimForReceipt } from '../queries.ts';
import { prepareSigningKey } from './keys.ts';
import { findSigningKey } from './queries.ts';
import { purposeOfKey, RECEIPT_ALGORITHM, RECEIPT_TYPE, receiptOf } from './receipt.ts';

/**
 * A compact JWS (RFC 7515 section 3.1); `null` where the account and mode have no claim with this id. Throws
 * `claim_not_redeemed` if it is not redeemed. `issuer`: the base URL. Offer and kind are as redeemed: stored with
 * the claim if the request had an Idempotency-Key, current if the offer was never reworded, omitted otherwise.
 */
export async function signReceipt(
  context: Context,
  input: ClaimScope & { readonly id: string; readonly issuer: string },
): Promise<string | null> {
  const found = await findClaimForReceipt(context.db, input, input.id);
  if (found === undefined) return null;
  const { redeemed_offer, redeemed_kind, wordings, ...claim } = found;
  const { redeemed_at } = claim;
  if (redeemed_at === null) throw new Refusal('claim_not_redeemed', 'This claim is not redeemed.');
  const isKnown = Number(wordings) === 1;
  const offer = redeemed_offer ?? (isKnown ? claim.offer : undefined);
  const kind = redeemed_kind ?? (isKnown ? claim.kind : undefined);
  const { kid, key } = await openSigningKey(context);
  const redeemed = { ...claim, mode: input.mode, redeemed_at, offer, kind };
  return await new SignJWT(receiptOf(redeemed, input.issuer, Math.floor(context.now() / 1_000)))
    .setProtectedHeader({ alg: RECEIPT_ALGORITHM, typ: RECEIPT_TYPE, kid })
    .sign(key);
}

/** Read for each receipt, so that a rotation takes effect in every process immediately. */
async function openSigningKey(context: Context) {
  let found = await findSigningKey(context.db.read);
  if (found === null) {
    await prepareSigningKey(context);
    found = await findSigningKey(context.db.read);
  }
  const secret = found && context.secretBox.decrypt(found.privateKey, purposeOfKey(found.kid));
  if (!found || secret === null) {
    throw new Error(
      'no secret key decrypts the signing key of receipts; `claimcheck receipts rotate-key` creates a new one',
    );
  }
  return { kid: found.kid, key: await importJWK(JSON.parse(secret) as JWK, RECEIPT_ALGORITHM) };
}
