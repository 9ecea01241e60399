/**
 * Limits how much of a limited offer new accounts of one network or mail domain can claim within an hour. An attacker
 * with an own mail domain has few networks, and one with many networks has few domains. Many people behind one address
 * stay within the share, or have personal mailboxes, which don't count.
 */
import type { Context } from '../../base/context.ts';
import {
  isPersonalMailDomain,
  mailDomainOf,
  registrableDomainOf,
} from '../../people/accounts/mail-domains.ts';
import type { Policy } from '../../people/accounts/policy.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { networkOf, widestNetworkOf } from '../../platform/network/network.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import type { OffersTable } from '../../platform/store/tables/listings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { type Iso, toIso } from '../../platform/text/time-text.ts';
import {
  DOMAIN_MARK,
  type HourOfSource,
  type NetworkClaims,
  type NetworkOfOffer,
  NO_CLAIMS,
  networkPair,
} from './queries.ts';

/** New accounts in one network, or accounts with one mail domain, can always claim this often within an hour. */
const CLAIMS_OF_NETWORK = 20;
/** An account counts as new for this long. */
const NEW_FOR_MS = 7 * DAY_MS;

/** `left`: claims left now. The share is of what was left an hour ago, without the claims from elsewhere. */
export const mayClaim = (percent: number, left: number, { claims, counted }: HourOfSource): boolean =>
  counted < Math.max(CLAIMS_OF_NETWORK, Math.floor((percent / 100) * (left + claims)));

interface Person {
  readonly mailbox: string;
  readonly createdAt: string;
  readonly isConfirmed: boolean;
}

/**
 * Whether a claim counts towards the share of the person's network. Only if everybody may sign up: otherwise the operator
 * or the identity provider knows each person. An address that nobody confirmed says nothing about its mailbox.
 */
export const countsByNetwork = (person: Person, { signUp }: Pick<Policy, 'signUp'>, now: number): boolean => {
  if (signUp !== 'open') return false;
  if (!person.isConfirmed) return true;
  return (
    Date.parse(person.createdAt) > now - NEW_FOR_MS && !isPersonalMailDomain(mailDomainOf(person.mailbox))
  );
};

/** Whether a claim counts towards the share of the person's mail domain, however old the account is. */
export function countsByDomain(
  { mailbox }: Pick<Person, 'mailbox'>,
  { signUp, domains }: Pick<Policy, 'signUp' | 'domains'>,
): boolean {
  const domain = mailDomainOf(mailbox);
  return signUp === 'open' && !isPersonalMailDomain(domain) && !domains.includes(domain);
}

/** A keyed hash of the network for one offer, so that the networks of two offers can't be compared. */
export const networkKey = (
  secretBox: Pick<SecretBox, 'hashOfSubject'>,
  offerId: string,
  address: string,
): string => secretBox.hashOfSubject(`claims ${offerId} ${widestNetworkOf(networkOf(address))}`);

/** Like `networkKey`, for a mail domain with all its subdomains. */
const domainKey = (secretBox: Pick<SecretBox, 'hashOfSubject'>, offerId: string, mailbox: string): string =>
  DOMAIN_MARK + secretBox.hashOfSubject(`claims ${offerId} @${registrableDomainOf(mailDomainOf(mailbox))}`);

/** Claims are counted by periods of five minutes, so that an hour of claims is known at any time. */
const PERIOD_MS = 5 * MINUTE_MS;

export const periodOf = (now: number): Iso => toIso(Math.floor(now / PERIOD_MS) * PERIOD_MS);

/** The beginnings of the periods that count as the last hour. A later one comes from a clock that was ahead. */
export const lastHour = (now: number) => ({ after: toIso(now - HOUR_MS), upTo: toIso(now) });

/** How long claims of the period count. */
const minutesUntilUncounted = (since: Iso, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(since) + HOUR_MS - now) / MINUTE_MS));

export interface Source extends NetworkOfOffer {
  readonly isDomain: boolean;
  /** Whether the claim counts towards the share. */
  readonly isCounted: boolean;
}

interface ClaimOnLimitedOffer {
  readonly person: Person;
  readonly policy: Pick<Policy, 'signUp' | 'domains'>;
  readonly address: string | null;
}

/** What a claim is counted by: the network and, unless it is a large provider's, the mail domain. */
export function sourcesOfClaim(
  { secretBox, now }: Pick<Context, 'secretBox' | 'now'>,
  { id: offer_id, account_number }: Pick<OffersTable, 'id' | 'account_number'>,
  { person, policy, address }: ClaimOnLimitedOffer,
): readonly Source[] {
  const of = { account_number, offer_id };
  const sources: Source[] = [];
  if (address !== null) {
    const network = networkKey(secretBox, offer_id, address);
    sources.push({ ...of, network, isDomain: false, isCounted: countsByNetwork(person, policy, now()) });
  }
  if (countsByDomain(person, policy)) {
    const network = domainKey(secretBox, offer_id, person.mailbox);
    sources.push({ ...of, network, isDomain: true, isCounted: true });
  }
  return sources;
}

interface ClaimOfSource {
  readonly source: Source;
  /** Claims left now. */
  readonly left: number;
  readonly person: Pick<Person, 'mailbox'>;
  readonly now: number;
}

/** Throws if the claim counts, and the accounts that count have claimed their share within the hour. */
export function requireShare(
  hours: ReadonlyMap<string, HourOfSource>,
  { shareByNetwork }: Pick<Policy, 'shareByNetwork'>,
  { source, left, person, now }: ClaimOfSource,
): void {
  const hour = hours.get(networkPair(source)) ?? NO_CLAIMS;
  if (!source.isCounted || shareByNetwork >= 100 || mayClaim(shareByNetwork, left, hour)) return;
  const minutes = minutesUntilUncounted(hour.since!, now);
  throw invalid(
    source.isDomain
      ? message(
          'Many accounts with an address at {domain} have just claimed this offer. You can claim it in {minutes, plural, =1 {a minute} other {# minutes}}.',
          { domain: mailDomainOf(person.mailbox), minutes },
        )
      : message(
          'Many new accounts in your network have just claimed this offer. You can claim it in {minutes, plural, =1 {a minute} other {# minutes}}, or now from another network.',
          { minutes },
        ),
  );
}

/** One row for each period, offer and source. */
export function mergeNetworkClaims(claims: readonly NetworkClaims[]): readonly NetworkClaims[] {
  const sums = new Map<string, NetworkClaims>();
  for (const one of claims) {
    const key = `${networkPair(one)} ${one.since}`;
    const before = sums.get(key) ?? { claims: 0, counted: 0 };
    const counted = before.counted + one.counted;
    sums.set(key, { ...one, claims: before.claims + one.claims, counted });
  }
  return [...sums.values()];
}
