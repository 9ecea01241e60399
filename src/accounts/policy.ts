/** What the operator decides about people: who may sign up, and how many offers one person may claim. */
import { domainToASCII } from 'node:url';
import { invalid } from '../errors.ts';
import { quote } from '../text/text.ts';

/** `invited`: nobody by themselves; operators create accounts, and an identity provider does. */
export const SIGN_UPS = ['open', 'domains', 'invited'] as const;
export type SignUpRule = (typeof SIGN_UPS)[number];

export interface Policy {
  readonly signUp: SignUpRule;
  /** The only mail domains of new accounts where `signUp` is `domains`, in ASCII. */
  readonly domains: readonly string[];
  /** Mail domains that no new account may have, in ASCII. */
  readonly blockedDomains: readonly string[];
  /** Whether an email address must be confirmed before the first claim; means nothing without a mail server. */
  readonly mustConfirm: boolean;
  /** New claims of an account in 24 hours. */
  readonly claimsByAccount: number;
  /** New claims of a network in 24 hours; `null`: any number, since a crowd behind one network is normal. */
  readonly claimsByNetwork: number | null;
  /** Whether the mail about a claim contains its code. */
  readonly mailsCodes: boolean;
  /** Days until a claim that is not redeemed is mailed about once; `null`: never. */
  readonly remindAfterDays: number | null;
}

export const MAX_DOMAINS = 1_000;
export const MAX_CLAIMS_BY_ACCOUNT = 1_000;
export const MAX_CLAIMS_BY_NETWORK = 100_000;
export const MAX_REMIND_DAYS = 365;

/** Until an operator decides. With an identity provider, strangers don't sign up. */
export const defaultPolicy = (hasProvider: boolean): Policy => ({
  signUp: hasProvider ? 'invited' : 'open',
  domains: [],
  blockedDomains: [],
  mustConfirm: true,
  claimsByAccount: 100,
  claimsByNetwork: null,
  mailsCodes: false,
  remindAfterDays: null,
});

export function parseSignUp(text: string): SignUpRule {
  const rule = SIGN_UPS.find((known) => known === text);
  if (rule === undefined) throw invalid('Choose who may sign up.');
  return rule;
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Mail domains, separated by white space or commas, perhaps with an `@` before them. */
export function parseDomains(text: string): readonly string[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > MAX_DOMAINS)
    throw invalid(`The list has ${words.length} domains; at most ${MAX_DOMAINS} are allowed.`);
  return [...new Set(words.map(parseDomain))];
}

function parseDomain(word: string): string {
  const domain = domainToASCII(word.replace(/^@/, '').normalize('NFC')).toLowerCase();
  if (domain.length > 253 || !DOMAIN.test(domain)) {
    throw invalid(`An email domain must look like example.com; found ${quote(word)}.`);
  }
  return domain;
}

/** A whole number from 1 to `max`, such as of claims in 24 hours, in the field `label`. */
export function parseCount(text: string, label: string, max: number): number {
  const typed = text.trim();
  const claims = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  if (claims < 1 || claims > max) throw invalid(`“${label}” must be a whole number from 1 to ${max}.`);
  return claims;
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Throws `invalid_request` if no account with this address may be made by its person. Say so only to that person. */
export function refuseNewcomer({ signUp, domains, blockedDomains }: Policy, email: string): void {
  const domain = domainOf(email);
  if (signUp === 'invited') {
    throw invalid(
      'There is no account with this address, and this marketplace is by invitation. Ask its operator.',
    );
  }
  if ((signUp === 'domains' && !domains.includes(domain)) || blockedDomains.includes(domain)) {
    throw invalid(
      `People with an address at ${domain} can’t sign up here. Use another address, or ask the operator of this marketplace.`,
    );
  }
}

/** Throws `invalid_request` if no account may move to this address. */
export function refuseBlockedAddress({ blockedDomains }: Policy, email: string): void {
  const domain = domainOf(email);
  if (blockedDomains.includes(domain)) {
    throw invalid(`Addresses at ${domain} can’t be used here. Use another one.`);
  }
}
