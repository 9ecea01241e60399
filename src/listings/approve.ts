import type { Context } from '../context.ts';
import { type Decision, decideListing } from './move.ts';
import type { Listing } from './queries.ts';

/**
 * Lets a pending listing take claims, pins the origin of its url and publishes the links of its offers; a suspended
 * listing takes claims again.
 */
export const approveListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, ({ state }) => (state === 'suspended' ? 'lift' : 'approve'));
