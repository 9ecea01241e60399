/** A visit: a view of an approved listing's page by a person who is neither its owner nor an operator. */
import { isbot } from 'isbot';
import { networkOf } from '../network/network.ts';
import { labelOrNone, NO_LABEL, unreadableLabel } from './label.ts';

export interface Visit {
  /** The owner of the listing. */
  readonly accountId: string;
  readonly listingId: string;
  readonly via: string;
  /** An unreadable label as it arrived, shortened; '' if there is none. */
  readonly found: string;
}

/** `arrived`: the label of the share link, or the text that arrived if it is not a valid label. */
export const visitOf = (
  listing: { readonly id: string; readonly account_id: string },
  arrived: string | null,
): Visit => ({
  accountId: listing.account_id,
  listingId: listing.id,
  via: labelOrNone(arrived) ?? NO_LABEL,
  found: unreadableLabel(arrived) ?? '',
});

export interface Caller {
  /** IP address; `null` if unknown. */
  readonly address: string | null;
  readonly userAgent: string | undefined;
  /** Headers in which browsers and link previews say that perhaps no person will see the page. */
  readonly purposes: readonly (string | string[] | undefined)[];
}

const AHEAD_OF_A_PERSON = /prefetch|prerender|preview/i;

export const isAheadOfPerson = ({ purposes }: Caller): boolean =>
  purposes.some((purpose) => purpose !== undefined && AHEAD_OF_A_PERSON.test(String(purpose)));

/** True without a user agent too, because every browser sends one. */
export const isProgram = ({ userAgent }: Caller): boolean => !userAgent || isbot(userAgent);

const MAX_USER_AGENT_LENGTH = 400;

/** The traits by which a visitor is recognized, to be hashed. An IPv6 address changes often, its network doesn't. */
export const traitsOf = ({ address, userAgent }: Caller): string =>
  `${networkOf(address)}\n${(userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH)}`;
