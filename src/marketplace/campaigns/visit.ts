/** A visit is a person's view of an approved listing's page. Views by the owner and by operators don't count. */
import { isbot } from 'isbot';
import { networkOf } from '../../platform/network/network.ts';
import { labelOrNone, NO_LABEL, unreadableLabel } from './label.ts';

export interface Visit {
  /** The owner of the listing. */
  readonly accountId: string;
  readonly listingId: string;
  readonly via: string;
  /** An invalid label, escaped and truncated; '' if there is none. */
  readonly unreadable: string;
}

/** `arrived`: the result of `arrivedLabel`. */
export const visitOf = (
  listing: { readonly id: string; readonly account_id: string },
  arrived: string | null,
): Visit => ({
  accountId: listing.account_id,
  listingId: listing.id,
  via: labelOrNone(arrived) ?? NO_LABEL,
  unreadable: unreadableLabel(arrived) ?? '',
});

export interface Caller {
  readonly address: string | null;
  readonly userAgent: string | undefined;
  /** Values of the headers that mark prefetches and link previews, such as `Sec-Purpose`. */
  readonly purposes: readonly (string | string[] | undefined)[];
}

const AHEAD_OF_A_PERSON = /prefetch|prerender|preview/i;

export const isAheadOfPerson = ({ purposes }: Caller): boolean =>
  purposes.some((purpose) => purpose !== undefined && AHEAD_OF_A_PERSON.test(String(purpose)));

const MAX_USER_AGENT_LENGTH = 400;

/** A missing user agent means a program, because every browser sends one. */
export const isProgram = ({ userAgent }: Caller): boolean =>
  !userAgent || isbot(userAgent.slice(0, MAX_USER_AGENT_LENGTH));

/** Hashed to recognize a visitor. The network instead of the address, because IPv6 addresses change often. */
export const traitsOf = ({ address, userAgent }: Caller): string =>
  `${networkOf(address)}\n${(userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH)}`;

/** The network in the result of `traitsOf`. */
export const networkIn = (traits: string): string => traits.split('\n', 1)[0]!;
