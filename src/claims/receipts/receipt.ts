/** Receipts: signed statements of a redemption that can be verified without this service. */
import type { Mode } from '../../keys/key.ts';

/** `alg` of the signature: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export const RECEIPT_ALGORITHM = 'ES256';
/** `typ`, so that no other token is accepted as a receipt (RFC 8725 section 3.11). */
export const RECEIPT_TYPE = 'claim-receipt+jwt';

/** A redeemed claim as its receipt shows it. Times are ISO 8601 UTC. */
export interface RedeemedClaim {
  readonly id: string;
  readonly mode: Mode;
  readonly offer_id: string;
  /** As at the redemption; unset if unknown. */
  readonly offer?: string | undefined;
  readonly kind?: string | undefined;
  readonly listing: string;
  readonly via: string | null;
  readonly claimed_at: string;
  readonly redeemed_at: string;
}

/** The payload. `issuer`: base URL; `at`: seconds since the epoch. */
export const receiptOf = ({ id, mode, ...claim }: RedeemedClaim, issuer: string, at: number) => ({
  iss: issuer,
  iat: at,
  /** The claim. */
  sub: id,
  mode,
  status: 'redeemed',
  ...claim,
});

/** Encryption purpose of the private key. */
export const purposeOfKey = (kid: string): string => `receipt:${kid}`;
