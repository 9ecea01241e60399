import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/** Rejects a pending listing for good, with a reason. */
export const rejectListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'reject');
