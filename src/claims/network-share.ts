/**
 * Limits how much of a limited offer new accounts in one network, or with one mail domain, can claim within an hour. An
 * attacker with an own mail domain can create any number of accounts, but has few networks; one with many networks has
 * few domains. Many people behind one address, such as visitors of a conference, stay within the share, or have personal
 * mailboxes, which don't count.
 */
import { isPersonalMailDomain, mailDomainOf, registrableDomainOf } from '../accounts/mail-domains.ts';
import type { Policy } from '../accounts/policy.ts';
import { networkOf, widestNetworkOf } from '../network/network.ts';
import type { SecretBox } from '../secrets/secret-keys.ts';
import { DAY_MS, HOUR_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import { DOMAIN_MARK, type HourOfNetwork } from './network-queries.ts';

/** New accounts in one network, or with one mail domain, can always claim this often within an hour. */
export const CLAIMS_OF_NETWORK = 20;
/** An account counts as new for this long. */
const NEW_FOR_MS = 7 * DAY_MS;

interface CountedOffer {
  readonly claim_limit: number | null;
  readonly code_list: 'close' | 'shared_code' | null;
}

interface Counts {
  readonly claims: number;
  readonly codes_left: number;
}

/** How many claims or codes are left; `null` if the offer is not limited. */
export function claimsLeft({ claim_limit, code_list }: CountedOffer, counts: Counts): number | null {
  const ofLimit = claim_limit === null ? null : claim_limit - counts.claims;
  // A list that is followed by a shared code ends the limit when it is empty.
  const hasCodes = code_list === 'close' || (code_list === 'shared_code' && counts.codes_left > 0);
  if (!hasCodes) return ofLimit;
  return ofLimit === null ? counts.codes_left : Math.min(ofLimit, counts.codes_left);
}

/**
 * Whether a new account may claim. `left`: claims left now. The share is a part of what the network has found at the
 * start of the hour.
 */
export const mayClaim = (percent: number, left: number, { claims, newClaims }: HourOfNetwork): boolean =>
  newClaims < Math.max(CLAIMS_OF_NETWORK, Math.floor((percent / 100) * (left + claims)));

/** Only if everybody may sign up: otherwise the operator or the identity provider knows each person. */
export const isNewAccount = (
  person: { readonly mailbox: string; readonly createdAt: string },
  { signUp }: Pick<Policy, 'signUp'>,
  now: number,
): boolean =>
  signUp === 'open' &&
  Date.parse(person.createdAt) > now - NEW_FOR_MS &&
  !isPersonalMailDomain(mailDomainOf(person.mailbox));

/** A keyed hash of the network for one offer, so that the networks of two offers can't be compared. */
export const networkKey = (
  secretBox: Pick<SecretBox, 'hashOfSubject'>,
  offerId: string,
  address: string,
): string => secretBox.hashOfSubject(`claims ${offerId} ${widestNetworkOf(networkOf(address))}`);

/** Like `networkKey`, for a mail domain with all its subdomains. */
export const domainKey = (
  secretBox: Pick<SecretBox, 'hashOfSubject'>,
  offerId: string,
  mailbox: string,
): string =>
  DOMAIN_MARK + secretBox.hashOfSubject(`claims ${offerId} @${registrableDomainOf(mailDomainOf(mailbox))}`);

export const hourOf = (now: number): string => toIso(Math.floor(now / HOUR_MS) * HOUR_MS);
export const minutesToNextHour = (now: number): number =>
  Math.max(1, Math.ceil((HOUR_MS - (now % HOUR_MS)) / 60_000));
