/** Decides which claims on offers are allowed: the limits of the offer, of the person and of the network. */
import type { Context } from '../../base/context.ts';
import { labelOrNone, unreadableLabel } from '../../marketplace/campaigns/label.ts';
import { markOf, readMarkKey } from '../../people/accounts/mailbox-mark.ts';
import { type Policy, readPolicy } from '../../people/accounts/policy.ts';
import { byNetwork, type Limit } from '../../people/sign-in/limits/limits.ts';
import { countIn, isReached } from '../../people/sign-in/limits/throttle.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { currentTrace, type Trace } from '../../platform/process/trace.ts';
import type { DataKey } from '../../platform/secrets/secret-keys.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { addToHour, type NetworkClaims, readHourOfSources } from '../networks/queries.ts';
import { lastHour, periodOf, requireShare, type Source, sourcesOfClaim } from '../networks/share.ts';
import {
  type Candidate,
  type Person,
  pairOf,
  readEarlierClaims,
  readMarked,
  readPeople,
} from './claimant-queries.ts';
import type { NewClaim } from './insert-queries.ts';
import { readFacts, requireVisible } from './members-only.ts';
import { claimsLeft, deriveClaim, NO_COUNTS, requireClaimsLeft } from './new-claims.ts';
import { type ClaimableOffer, type OfferCounts, readCountsOf, readOffers } from './offer-queries.ts';

export interface ClaimOffer {
  readonly claimantAccountId: string;
  /** The listing's slug. */
  readonly listing: string;
  readonly offerId: string;
  /** Label of the share link, as received. An invalid label counts as no label and is reported to the owner. */
  readonly via?: string | null | undefined;
  /** Omit to skip the operator's limits for claimants. */
  readonly rules?: ClaimRules | undefined;
  /** The trace of the request, because a batch is run for several requests. */
  readonly trace?: Trace | null;
}

interface ClaimRules {
  /** Whether the service sends mail. Without mail, nobody can confirm an address, so claims require no confirmation. */
  readonly hasMail: boolean;
  readonly address: string | null;
  /** Whether people can sign in with the identity provider. */
  readonly hasProvider?: boolean | undefined;
}

interface RepeatedClaim {
  readonly claimId: string;
  /** Of the offer's owner. */
  readonly accountNumber: number;
}

export interface Decided {
  readonly claim: NewClaim;
  readonly offer: ClaimableOffer;
  /** What the claim adds to the counts of its network and mail domain. */
  readonly networkClaims: readonly NetworkClaims[];
  readonly unreadable: string | null;
  readonly trace: Trace | null;
}

const SAME_MAILBOX = message(
  'This offer was already claimed with your mailbox: under a different spelling of your address, or by an account that has since been deleted or moved to a different address. If the claim belongs to another account that you still have, sign in to that account to use it.',
);

/** The operator's limits for a claim. */
interface ClaimLimits extends ClaimRules {
  readonly policy: Policy;
}

/** `policy`: `null` if the limits apply to no claim of the batch. */
const limitsOf = ({ rules }: ClaimOffer, policy: Policy | null): ClaimLimits | null =>
  rules === undefined || policy === null ? null : { ...rules, policy };

/** Always locks people before offers, to avoid deadlocks. */
export async function readClaimRows(context: Context, tx: Transaction, batch: readonly ClaimOffer[]) {
  const { engine } = context.db;
  const offerIds = [...new Set(batch.map(({ offerId }) => offerId.toLowerCase()).filter(isUuid))];
  const claimantIds = [...new Set(batch.map((one) => one.claimantAccountId))];
  const limited = batch.filter(({ rules }) => rules !== undefined);
  // The lock on a person serializes the person's claims, so their count stays exact. The lock also blocks a concurrent
  // deletion of the account.
  const limitedIds = [...new Set(limited.map((one) => one.claimantAccountId))];
  const hasProvider = limited.some(({ rules }) => rules?.hasProvider === true);
  // Sent together to save round trips. The database takes the locks before it reads.
  const [, , offers, counts, people, policy, markKey] = await Promise.all([
    DIALECTS[engine].takeLocks(tx, limitedIds),
    DIALECTS[engine].takeLocks(tx, offerIds),
    readOffers(tx, offerIds),
    readCountsOf(tx, offerIds),
    readPeople(tx, engine, claimantIds),
    limited.length === 0 ? null : readPolicy(tx, hasProvider),
    readMarkKey(context, tx),
  ]);
  const candidates = batch.flatMap((one) => {
    const offer = offers.get(one.offerId.toLowerCase());
    const person = people.get(one.claimantAccountId);
    if (offer === undefined || person === undefined) return [];
    return [{ offer, claimantId: one.claimantAccountId, person, limits: limitsOf(one, policy) }];
  });
  const sources = candidates.flatMap((candidate) =>
    sourcesOf(context, candidate, counts.get(candidate.offer.id) ?? NO_COUNTS),
  );
  const [earlier, hours, facts] = await Promise.all([
    readEarlierClaims(tx, engine, candidates, context.now()),
    readHourOfSources(tx, engine, sources, lastHour(context.now())),
    readFacts(tx, { offers, policy }, limitedIds),
  ]);
  // Read marks after claims, because a concurrent deletion replaces claims with marks.
  const marked = markKey === null ? [] : await readMarked(tx, engine, withMarks(candidates, markKey));
  const ofMailbox = new Set([...earlier.ofMailbox, ...marked]);
  return { ...earlier, ofMailbox, offers, people, counts, policy, hours, facts };
}

interface LimitedCandidate {
  readonly offer: ClaimableOffer;
  readonly person: Person;
  readonly limits: ClaimLimits | null;
}

/** What the claim is counted by, for the share of a network; empty if the offer isn't limited. */
const sourcesOf = (
  context: Pick<Context, 'secretBox' | 'now'>,
  { offer, person, limits }: LimitedCandidate,
  counts: OfferCounts,
): readonly Source[] =>
  limits === null || claimsLeft(offer, counts) === null
    ? []
    : sourcesOfClaim(context, offer, { person, policy: limits.policy, address: limits.address });

const withMarks = (candidates: readonly Candidate[], key: DataKey) =>
  candidates.map(({ offer, claimantId, person }) => ({
    offerId: offer.id,
    claimantId,
    mark: markOf(key, offer.id, person.mailbox),
  }));

type Rows = Awaited<ReturnType<typeof readClaimRows>>;

/** The returned function gives a person's existing or new claim. Later claims of the batch see the earlier ones. */
export function createDecider(context: Context, tx: Transaction, rows: Rows) {
  const { ofMailbox, standing, recent, hours } = rows;
  const counts = new Map(rows.counts);
  /** Offer and mailbox of each claim accepted in this batch. */
  const mailboxes = new Set<string>();
  return async (one: ClaimOffer): Promise<RepeatedClaim | Decided> => {
    const { claimantAccountId: claimantId, via } = one;
    const offer = requireOffer(rows, one);
    const pair = pairOf({ offerId: offer.id, claimantId });
    const existingClaimId = standing.get(pair);
    if (existingClaimId !== undefined) {
      return { claimId: existingClaimId, accountNumber: offer.account_number };
    }
    const limits = limitsOf(one, rows.policy);
    if (limits !== null) requireVisible(offer, rows.facts.get(claimantId), limits);
    const offerCounts = counts.get(offer.id) ?? NO_COUNTS;
    requireClaimsLeft(context, offer, offerCounts, 1);
    const person = requirePerson(rows, claimantId, limits);
    const mailbox = `${offer.id} ${person.mailbox}`;
    if (ofMailbox.has(pair) || mailboxes.has(mailbox)) throw invalid(SAME_MAILBOX);
    const claimsOfPerson = recent.get(claimantId) ?? 0;
    if (limits !== null) requireBelowLimit(claimsOfPerson, limits.policy);
    const sources = sourcesOf(context, { offer, person, limits }, offerCounts);
    if (limits !== null) {
      const left = claimsLeft(offer, offerCounts) ?? 0;
      for (const source of sources) {
        requireShare(hours, limits.policy, { source, left, person, now: context.now() });
      }
      // Last, so that refused claims use up nothing of what the network's other people may claim.
      await countForNetwork(context, tx, limits);
    }
    const since = periodOf(context.now());
    const networkClaims = sources.map(({ isDomain: _, isCounted, ...of }) => ({
      ...of,
      ...{ since, claims: 1, counted: isCounted ? 1 : 0 },
    }));
    const { claim } = deriveClaim(context, offer, {
      mode: 'live',
      via: labelOrNone(via),
      claimant_ref: null,
      claimant_id: claimantId,
      at: context.at(),
    });
    for (const counted of networkClaims) addToHour(hours, counted);
    counts.set(offer.id, { claims: offerCounts.claims + 1, codes_left: offerCounts.codes_left - 1 });
    standing.set(pair, claim.id);
    mailboxes.add(mailbox);
    recent.set(claimantId, claimsOfPerson + 1);
    const trace = one.trace === undefined ? currentTrace() : one.trace;
    return { claim, offer, networkClaims, unreadable: unreadableLabel(via), trace };
  };
}

function requireOffer({ offers }: Pick<Rows, 'offers'>, { listing, offerId }: ClaimOffer): ClaimableOffer {
  const offer = offers.get(offerId.toLowerCase());
  if (offer === undefined || offer.listing_slug !== listing || isHidden(offer)) {
    throw invalid(message('This offer does not exist.'));
  }
  return offer;
}

function requirePerson(
  { people }: Pick<Rows, 'people'>,
  claimantId: string,
  limits: ClaimLimits | null,
): Person {
  const person = people.get(claimantId);
  if (person === undefined) throw invalid(message('This account has been deleted.'));
  if (limits?.policy.mustConfirm && limits.hasMail && !person.isConfirmed) {
    throw invalid(message('Confirm your email address first: sign out, then sign in with an emailed code.'));
  }
  return person;
}

function requireBelowLimit(claims: number, { claimsByAccount }: Policy): void {
  if (claims < claimsByAccount) return;
  throw invalid(
    message(
      'You have claimed {count, plural, one {# offer} other {# offers}} in 24 hours, the limit for one person. Try again tomorrow.',
      { count: claimsByAccount },
    ),
  );
}

async function countForNetwork(
  context: Context,
  tx: Transaction,
  { policy: { claimsByNetwork: attempts }, address }: ClaimLimits,
): Promise<void> {
  if (attempts === null) return;
  const limit: Limit = { name: 'claims-network', attempts, windowMs: DAY_MS };
  if (!isReached(await countIn(context, tx, byNetwork(limit, address)))) return;
  throw invalid(
    message(
      'Too many offers were claimed from your network today. Try again tomorrow, or from another network.',
    ),
  );
}

/** Listings in these states are hidden from claimants. */
const NEVER_PUBLIC: readonly string[] = ['draft', 'pending', 'changes_requested', 'rejected'];

const isHidden = (offer: ClaimableOffer): boolean => NEVER_PUBLIC.includes(offer.listing_state);
