/** Addresses of an owner's claims. */
import type { ClaimFilterTexts } from '../../claims/claim-filter.ts';
import { pathWithQuery } from '../../ui/filter-bar.tsx';

export const OWNER_CLAIMS_PATH = '/dashboard/claims';

export const ownerClaimPath = (id: string): string => `${OWNER_CLAIMS_PATH}/${id}`;

export function ownerClaimsPath(texts: ClaimFilterTexts, after?: string | undefined): string {
  return pathWithQuery(OWNER_CLAIMS_PATH, { ...texts, after });
}

export const ownerExportPath = (format: string, texts: ClaimFilterTexts): string =>
  pathWithQuery(`${OWNER_CLAIMS_PATH}/export.${format}`, texts);
