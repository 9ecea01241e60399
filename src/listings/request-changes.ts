import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/** Sends a pending listing back to its owner, with a reason. */
export const requestChanges = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'request_changes');
