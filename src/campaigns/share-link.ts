/** Share links: the listing's public page with a campaign label. */
import { parseLabel } from './label.ts';

export interface ShareLink {
  readonly baseUrl: string;
  /** Slug of the listing. */
  readonly listing: string;
  /** `null` or empty for a link without a label. */
  readonly via: string | null;
}

/** Throws `invalid_request` for a label that would be recorded as none. */
export function buildShareLink({ baseUrl, listing, via }: ShareLink): string {
  const page = `${baseUrl}/l/${listing}`;
  return via === null || via === '' ? page : `${page}?via=${parseLabel(via)}`;
}
