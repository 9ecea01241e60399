/** Counts the claims of a listing for each campaign label. */
import type { Context } from '../context.ts';
import { findListing } from '../listings/queries.ts';
import { sumLabels } from './queries.ts';

export interface LabelCount {
  /** `null` for claims without a label. */
  readonly via: string | null;
  readonly claims: number;
  readonly redeemed: number;
  /** Redeemed claims to claims, from 0 to 1. */
  readonly rate: number;
}

/**
 * Exact at the moment of the call; live claims only. A claim counts for the label it was made with, even
 * if it was replaced later. Most claims first. `listing`: slug or id; throws `invalid_request` for an unknown one.
 */
export async function countLabels(
  context: Pick<Context, 'db'>,
  input: { readonly listing: string },
): Promise<LabelCount[]> {
  const listing = await findListing(context.db.read, input.listing);
  const totals = await sumLabels(context.db.read, listing.account_id, listing.id);
  return totals.map(({ via, claims, redeemed }) => ({
    via: via === '' ? null : via,
    claims,
    redeemed,
    rate: claims === 0 ? 0 : redeemed / claims,
  }));
}
