import { LOW_STOCK } from '../offers/code.ts';
import type { PublicOffer } from './queries.ts';

/** The number of claims left is shown once this share of the limit is used. */
const SCARCE_FROM = 0.5;

/** The claims left, if the limit or the end of the code list is near; otherwise `null`. */
export function scarceClaims({ claims, claimLimit, codesLeft }: PublicOffer): number | null {
  const left = Math.min(
    claimLimit !== null && claims >= claimLimit * SCARCE_FROM
      ? claimLimit - claims
      : Number.POSITIVE_INFINITY,
    codesLeft !== null && codesLeft <= LOW_STOCK ? codesLeft : Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(left) ? left : null;
}
