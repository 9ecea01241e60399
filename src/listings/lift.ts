import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/** Lets a suspended listing take claims again, in its approved version. */
export const liftSuspension = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'lift');
