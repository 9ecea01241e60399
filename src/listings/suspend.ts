import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/** Stops new claims on an approved listing. Claims already made stay redeemable. */
export const suspendListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'suspend');
