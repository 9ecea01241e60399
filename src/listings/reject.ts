import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/** Turns a pending listing down for good, with the reason. */
export const rejectListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'reject');
