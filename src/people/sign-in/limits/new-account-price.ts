/**
 * The price of new accounts when mail confirms addresses. Above a free number per network or mail domain, a challenge;
 * above a pace per domain (500 people of one company in ten minutes), a delay. Exempt are known domains: large
 * providers, domains with accounts older than a week, and those that the operator allows.
 */
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { isPersonalMailDomain, mailDomainOf, registrableDomainOf } from '../../accounts/mail-domains.ts';
import type { Policy } from '../../accounts/policy.ts';
import { countAccountsOfDomain } from '../../accounts/queries.ts';
import type { Caller, SignInServices } from '../services.ts';
import { requireSolution } from './challenge.ts';
import { byNetwork, type Charge, type Limit } from './limits.ts';
import { countIn, isReached, type ReachedLimit, refuseCounted } from './throttle.ts';

const FREE_BY_NETWORK: Limit = { name: 'accounts-network', attempts: 20, windowMs: HOUR_MS };
const FREE_BY_DOMAIN: Limit = { name: 'accounts-domain', attempts: 5, windowMs: HOUR_MS };
export const PACES_BY_DOMAIN: readonly Limit[] = [
  { name: 'accounts-domain-minute', attempts: 60, windowMs: MINUTE_MS },
  { name: 'accounts-domain-hour', attempts: 600, windowMs: HOUR_MS },
];
const ESTABLISHED_ACCOUNTS = 20;
const ESTABLISHED_AGE_MS = 7 * DAY_MS;

interface Established {
  readonly isEstablished: boolean;
  readonly untilMs: number;
}

/**
 * The count reads all accounts, so its result is cached, and requests that need it share it. A full cache is cleared.
 */
const established = new WeakMap<Queryable, Domains>();
const CACHED_MS = 10 * MINUTE_MS;
const MAX_CACHED = 1_000;

interface Domains {
  readonly cached: Map<string, Established>;
  readonly pending: Map<string, Promise<void>>;
}

const domainsOf = (db: Queryable): Domains =>
  established.getOrInsertComputed(db, () => ({ cached: new Map(), pending: new Map() }));

/** Thrown in a transaction, which must not wait for the count: others wait for the transaction. */
class UncountedDomain extends Error {
  readonly domain: string;
  constructor(domain: string) {
    super(`the accounts of ${domain} have not been counted`);
    this.domain = domain;
  }
}

/** `null`: the accounts of the domain have not been counted lately. */
function findCount(db: Queryable, domain: string, nowMs: number): Established | null {
  const cached = domainsOf(db).cached.get(domain);
  // A later end comes from a clock that was ahead.
  const isCurrent = cached !== undefined && Math.abs(cached.untilMs - CACHED_MS - nowMs) < CACHED_MS;
  return isCurrent ? cached : null;
}

function isEstablished(db: Queryable, domain: string, nowMs: number): boolean {
  const count = findCount(db, domain, nowMs);
  if (count === null) throw new UncountedDomain(domain);
  return count.isEstablished;
}

async function countDomain(db: Queryable, domain: string, nowMs: number): Promise<void> {
  const { cached, pending } = domainsOf(db);
  const count = async () => {
    const before = toIso(nowMs - ESTABLISHED_AGE_MS);
    const accounts = await countAccountsOfDomain(db, domain, { before, limit: ESTABLISHED_ACCOUNTS });
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(domain, { isEstablished: accounts >= ESTABLISHED_ACCOUNTS, untilMs: nowMs + CACHED_MS });
  };
  // Another request may have counted them during the rollback.
  if (findCount(db, domain, nowMs) !== null) return;
  await pending.getOrInsertComputed(domain, () => count().finally(() => pending.delete(domain)));
}

/** Thrown in a transaction, which may be repeated: the refusal is logged only once. */
class PaceReached extends Error {
  readonly reached: ReachedLimit;
  constructor(reached: ReachedLimit) {
    super('too many new accounts of a domain');
    this.reached = reached;
  }
}

/**
 * Runs a transaction that calls `chargeNewAccount`. Counts the accounts of a domain outside of it, then repeats it. Also
 * logs a refusal (429) outside of it.
 */
export async function chargingNewAccounts<T>(
  services: SignInServices,
  caller: Caller,
  transaction: () => Promise<T>,
): Promise<T> {
  const { db, now } = services.context;
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (error instanceof PaceReached) refuseCounted(services, caller, error.reached);
      if (!(error instanceof UncountedDomain)) throw error;
      await countDomain(db.read, error.domain, now());
    }
  }
}

/**
 * Throws `ChallengeNeeded`, or when to try again (429); the caller must roll back, so that the mailed code stays valid.
 * Call in `chargingNewAccounts`.
 */
export async function chargeNewAccount(
  services: SignInServices,
  tx: Transaction,
  { email, caller, policy }: { readonly email: string; readonly caller: Caller; readonly policy: Policy },
): Promise<void> {
  const { context } = services;
  const isWithin = async (...counted: readonly Charge[]) => !isReached(await countIn(context, tx, counted));
  const isFree = await isWithin(...byNetwork(FREE_BY_NETWORK, caller.address));
  const domain = registrableDomainOf(mailDomainOf(email));
  // Not the registrable domain: a customer may get mail for all of a provider’s subdomain.
  const isKnown = isPersonalMailDomain(mailDomainOf(email)) || policy.domains.includes(mailDomainOf(email));
  const isPriced =
    !isKnown &&
    !(await isWithin([FREE_BY_DOMAIN, domain])) &&
    !isEstablished(context.db.read, domain, context.now());
  if (isFree && !isPriced) return;
  if (isPriced) {
    const paced = await countIn(
      context,
      tx,
      PACES_BY_DOMAIN.map((pace): Charge => [pace, domain]),
    );
    if (isReached(paced)) throw new PaceReached(paced);
  }
  await requireSolution(context, 'account', caller.solution ?? '', tx);
}
