/** Who may see a listing and claim its offers. Every public route and every claim decides with `mayView`. */
import type { ListingsTable } from '../../platform/store/tables/listings.ts';
import { isListedDomain, mailDomainOf } from '../accounts/mail-domains.ts';

/** Which listings a person may see. */
export interface ViewRights {
  /** Whether the person is an operator or a member of the marketplace, who may see everything. */
  readonly all: boolean;
  /** Whether the person may see listings that aren't for members only. False: the marketplace is for members only. */
  readonly unrestricted: boolean;
  /** Ids of listings that an access link opened for the person. */
  readonly listings: readonly string[];
  /** Ids of the accounts that the person works in, which see their own listings. */
  readonly accounts: readonly string[];
}

export type ViewedListing = Pick<ListingsTable, 'id' | 'account_id' | 'visibility'>;

export const mayView = (
  { all, unrestricted, listings, accounts }: ViewRights,
  { id, account_id, visibility }: ViewedListing,
): boolean =>
  all || (unrestricted && visibility === null) || accounts.includes(account_id) || listings.includes(id);

/** Whether the person may browse the marketplace, and not only follow links to single listings. */
export const mayBrowse = ({ all, unrestricted, listings }: ViewRights): boolean =>
  all || unrestricted || listings.length > 0;

/** The operator's policy (`src/people/accounts/policy.ts`). */
interface MemberPolicy {
  readonly visibility: 'everyone' | 'members';
  readonly memberDomains: readonly string[];
  readonly memberIdentities: boolean;
}

/** What decides whether a person is a member. */
export interface PersonFacts {
  readonly id: string;
  readonly email: string;
  readonly isConfirmed: boolean;
  readonly isOperator: boolean;
  /** Whether an identity at the identity provider belongs to the account. */
  readonly hasIdentity: boolean;
  /** For each access link that the person used, the id of its listing; `null`: the marketplace. */
  readonly grants: readonly (string | null)[];
  /** Ids of the accounts that the person works in, without their own. */
  readonly workAccounts: readonly string[];
}

/** `person`: `null` without a session. `hasProvider`: whether people can sign in through the identity provider. */
export function rightsOf(person: PersonFacts | null, policy: MemberPolicy, hasProvider: boolean): ViewRights {
  const unrestricted = policy.visibility === 'everyone';
  if (person === null) return { all: false, unrestricted, listings: [], accounts: [] };
  return {
    all: person.isOperator || isMember(person, policy, hasProvider),
    unrestricted,
    listings: person.grants.filter((listing) => listing !== null),
    accounts: [person.id, ...person.workAccounts],
  };
}

const isMember = (
  { email, isConfirmed, hasIdentity, grants }: PersonFacts,
  policy: MemberPolicy,
  hasProvider: boolean,
): boolean =>
  grants.includes(null) ||
  (hasProvider && policy.memberIdentities && hasIdentity) ||
  // Anybody can sign up with an address that they don't own.
  (isConfirmed && isListedDomain(policy.memberDomains, mailDomainOf(email)));

/** Whether a claim of the offer needs `PersonFacts`. */
export const isForMembers = (
  { visibility }: Pick<ViewedListing, 'visibility'>,
  policy: Pick<MemberPolicy, 'visibility'>,
): boolean => visibility !== null || policy.visibility === 'members';
