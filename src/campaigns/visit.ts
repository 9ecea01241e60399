/** A visit: a view of a listing's page by a person who may claim an offer of it. */
import { isbot } from 'isbot';
import { networkOf } from '../network/network.ts';
import { labelOrNone, NO_LABEL, unreadableLabel } from './label.ts';

/** What was visited, and through which label. */
export interface Visit {
  /** The owner of the listing. */
  readonly accountId: string;
  readonly listingId: string;
  readonly via: string;
  /** An unreadable label as it came, shortened; '' for none. */
  readonly found: string;
}

/** `arrived`: the label of the share link, or what arrived in its place. */
export const visitOf = (
  listing: { readonly id: string; readonly account_id: string },
  arrived: string | null,
): Visit => ({
  accountId: listing.account_id,
  listingId: listing.id,
  via: labelOrNone(arrived) ?? NO_LABEL,
  found: unreadableLabel(arrived) ?? '',
});

/** What a request says about who made it. */
export interface Caller {
  /** The client's IP address; `null`: not known. */
  readonly address: string | null;
  readonly userAgent: string | undefined;
  /** The headers with which browsers and previews announce that nobody may ever see the page. */
  readonly purposes: readonly (string | string[] | undefined)[];
}

const AHEAD_OF_A_PERSON = /prefetch|prerender|preview/i;

export const isAheadOfPerson = ({ purposes }: Caller): boolean =>
  purposes.some((purpose) => purpose !== undefined && AHEAD_OF_A_PERSON.test(String(purpose)));

/** Also without a user agent, which every browser sends. */
export const isProgram = ({ userAgent }: Caller): boolean => !userAgent || isbot(userAgent);

const MAX_USER_AGENT_LENGTH = 400;

/** What makes a visitor the same one, for a hash. An IPv6 address changes often, its network does not. */
export const traitsOf = ({ address, userAgent }: Caller): string =>
  `${networkOf(address)}\n${(userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH)}`;
