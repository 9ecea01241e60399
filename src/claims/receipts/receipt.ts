/** Receipts: a redemption as a signed statement, which can be checked without asking this service. */
import type { Mode } from '../../keys/key.ts';

/** `alg` of the signature: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export const RECEIPT_ALGORITHM = 'ES256';
/** `typ`: no other token may be taken for a receipt (RFC 8725 section 3.11). */
export const RECEIPT_TYPE = 'claim-receipt+jwt';

/** A redeemed claim as its receipt shows it. Times are ISO 8601 UTC. */
export interface RedeemedClaim {
  readonly id: string;
  readonly mode: Mode;
  readonly offer_id: string;
  /** As they were at the redemption; unset where that is not known. */
  readonly offer?: string | undefined;
  readonly kind?: string | undefined;
  readonly listing: string;
  readonly via: string | null;
  readonly claimed_at: string;
  readonly redeemed_at: string;
}

/** What is signed. `issuer`: the base URL of this service; `at`: seconds since the epoch. */
export const receiptOf = ({ id, mode, ...claim }: RedeemedClaim, issuer: string, at: number) => ({
  iss: issuer,
  iat: at,
  /** The claim. */
  sub: id,
  mode,
  status: 'redeemed',
  ...claim,
});

/** The purpose under which the private key is encrypted. */
export const purposeOfKey = (kid: string): string => `receipt:${kid}`;
