/** The filter of an owner's list of claims, as written in an address. */
import { parseLabel } from '../campaigns/label.ts';
import { invalid } from '../errors.ts';
import type { Mode } from '../keys/key.ts';
import { quote } from '../text.ts';
import { parseBound } from '../time-zone.ts';
import { parseClaimantRef } from './claimant.ts';

/** The filter text for "claims without a label"; no label has parentheses. */
export const NO_LABEL_FILTER = '(none)';

export interface ClaimFilter {
  /** Slug or id of a listing of the account. */
  readonly listing?: string | undefined;
  readonly offerId?: string | undefined;
  /** `null`: claims without a label. */
  readonly via?: string | null | undefined;
  readonly state?: 'redeemed' | 'not_redeemed' | undefined;
  readonly mode?: Mode | undefined;
  /** Claimed from `since` on and before `until`; ISO 8601 UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The same of the redemption; a claim that is not redeemed has none. */
  readonly redeemedSince?: string | undefined;
  readonly redeemedUntil?: string | undefined;
  /** The whole outside reference. */
  readonly claimant?: string | undefined;
}

export const FILTER_FIELDS = [
  'listing',
  'offer',
  'via',
  'state',
  'mode',
  'since',
  'until',
  'claimant',
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** A filter as in a URL; empty texts are left out. */
export type FilterTexts = Readonly<Partial<Record<FilterField, string | undefined>>>;

/**
 * Throws `invalid_request` with the fault. `since` and `until` are days of the zone (`2026-11-20`, both inclusive) or times. A
 * listing or an offer of another account finds nothing.
 */
export function parseClaimFilter(texts: FilterTexts, timeZone: string): ClaimFilter {
  const text = (field: FilterField): string | undefined => texts[field]?.trim() || undefined;
  const via = text('via');
  const state = text('state');
  const mode = text('mode');
  const since = text('since');
  const until = text('until');
  const claimant = text('claimant');
  if (state !== undefined && state !== 'redeemed' && state !== 'not_redeemed') {
    throw invalid(`The state is "redeemed" or "not_redeemed"; found ${quote(state)}.`);
  }
  if (mode !== undefined && mode !== 'live' && mode !== 'test') {
    throw invalid(`The mode is "live" or "test"; found ${quote(mode)}.`);
  }
  return {
    listing: text('listing')?.toLowerCase(),
    offerId: text('offer')?.toLowerCase(),
    via: via === undefined ? undefined : via === NO_LABEL_FILTER ? null : parseLabel(via),
    state,
    mode,
    since:
      since === undefined
        ? undefined
        : parseBound(timeZone, since, 'since', 'The first day is written like 2026-11-20'),
    until:
      until === undefined
        ? undefined
        : parseBound(timeZone, until, 'until', 'The last day is written like 2026-11-20'),
    claimant: claimant === undefined ? undefined : parseClaimantRef(claimant),
  };
}
