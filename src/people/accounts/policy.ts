import { domainToASCII } from 'node:url';
import type { Context } from '../../base/context.ts';
import {
  changeSettings,
  type SettingsChange,
  type SettingsUpdate,
} from '../../base/events/change-settings.ts';
import { invalid, type Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { readSetting } from '../../platform/store/settings.ts';
import type { AccountsTable } from '../../platform/store/tables/accounts.ts';
import { parseOneOf, quote } from '../../platform/text/text.ts';

/** `invited`: accounts are created only by operators and by sign-ins through the identity provider. */
const SIGN_UPS = ['open', 'domains', 'invited'] as const;
type SignUpRule = (typeof SIGN_UPS)[number];

/** `allowed`: only operators and the accounts that an operator has approved may publish. */
const PUBLISHING = ['everyone', 'allowed'] as const;
type PublishingRule = (typeof PUBLISHING)[number];

/**
 * What happens to changed texts of approved listings. `wait`: they wait for review. `standing`: they wait unless the
 * account is in good standing. `list`: they go live and appear in the queue. Names of listings always wait.
 */
const TEXT_POLICIES = ['wait', 'standing', 'list'] as const;
type TextPolicy = (typeof TEXT_POLICIES)[number];

export interface Policy {
  readonly signUp: SignUpRule;
  /**
   * In ASCII. The mail domains allowed for new accounts and changes of address if `signUp` is `domains`. Doesn't include
   * their subdomains.
   */
  readonly domains: readonly string[];
  /** In ASCII. The mail domains blocked for new accounts and changes of address, with all their subdomains. */
  readonly blockedDomains: readonly string[];
  /** Who may create and submit listings. A change of the rule doesn't affect existing listings. */
  readonly publishing: PublishingRule;
  readonly texts: TextPolicy;
  /** Whether the first claim requires a confirmed email address. Ignored without a mail server. */
  readonly mustConfirm: boolean;
  /** Maximum number of new claims per account in 24 hours. */
  readonly claimsByAccount: number;
  /** Maximum number of new claims per network in 24 hours; `null`: no limit. Many people may share a network. */
  readonly claimsByNetwork: number | null;
  /**
   * Share of the claims left on a limited offer that new accounts in one network can take within an hour, in percent.
   * 100: no limit.
   */
  readonly shareByNetwork: number;
  /**
   * Sign-ins by mail need a solved challenge if at least this many mails of the last hour, and more than half of them,
   * were not used.
   */
  readonly unusedMails: number;
  /** Whether mails about claims contain the claim's code. */
  readonly mailsCodes: boolean;
  /** Days between a claim and the only reminder to redeem it; `null`: no reminder. */
  readonly remindAfterDays: number | null;
}

const MAX_DOMAINS = 1_000;
/** Before the conversion to ASCII. */
const MAX_TYPED_DOMAIN_LENGTH = 300;
export const MAX_CLAIMS_BY_ACCOUNT = 1_000;
export const MAX_CLAIMS_BY_NETWORK = 100_000;
export const MAX_REMIND_DAYS = 365;
export const MIN_UNUSED_MAILS = 10;
export const MAX_UNUSED_MAILS = 100_000;

/** With an identity provider, self-service sign-up is closed by default. */
export const defaultPolicy = (hasProvider: boolean): Policy => ({
  signUp: hasProvider ? 'invited' : 'open',
  domains: [],
  blockedDomains: [],
  publishing: 'everyone',
  texts: 'standing',
  mustConfirm: true,
  claimsByAccount: 100,
  claimsByNetwork: null,
  shareByNetwork: 50,
  unusedMails: 50,
  mailsCodes: false,
  remindAfterDays: null,
});

export const parseSignUp = (text: string): SignUpRule =>
  parseOneOf(SIGN_UPS, text, () => 'Choose who may sign up.');

export const parsePublishing = (text: string): PublishingRule =>
  parseOneOf(PUBLISHING, text, () => 'Choose who may publish.');

export const parseTextPolicy = (text: string): TextPolicy =>
  parseOneOf(TEXT_POLICIES, text, () => 'Choose what happens to changed texts.');

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Domains are separated by white space, commas or semicolons. A leading `@` and a trailing dot are ignored. */
export function parseDomains(text: string): readonly string[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > MAX_DOMAINS)
    throw invalid(`The list has ${words.length} domains; at most ${MAX_DOMAINS} are allowed.`);
  return [...new Set(words.map(parseDomain))];
}

function parseDomain(word: string): string {
  const isShort = word.length <= MAX_TYPED_DOMAIN_LENGTH;
  const domain = isShort
    ? domainToASCII(word.replace(/^@/, '').normalize('NFC')).toLowerCase().replace(/\.$/, '')
    : '';
  if (domain.length > 253 || !DOMAIN.test(domain)) {
    throw invalid(`An email domain must look like example.com; found ${quote(word)}.`);
  }
  return domain;
}

export function parseCount(
  text: string,
  { label, min = 1, max }: { readonly label: string; readonly min?: number; readonly max: number },
): number {
  const typed = text.trim();
  const count = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  if (count < min || count > max) throw invalid(`“${label}” must be a whole number from ${min} to ${max}.`);
  return count;
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Subdomains are included, because the owner of a domain can receive mail at all of them. */
const isBlocked = (blocked: readonly string[], domain: string): boolean =>
  blocked.some((one) => domain === one || domain.endsWith(`.${one}`));

/**
 * Throws `invalid_request`. Call before looking up the account, or after the person has proved that they receive mail
 * at the address. Otherwise, the error reveals to strangers that the address has no account.
 */
export function refuseNewcomer({ signUp, domains, blockedDomains }: Policy, email: string): void {
  const domain = domainOf(email);
  if (signUp === 'invited') {
    throw invalid(
      message(
        'No account was created, because sign-up is closed. Ask <operator>the operator of this marketplace</operator>.',
      ),
    );
  }
  if ((signUp === 'domains' && !domains.includes(domain)) || isBlocked(blockedDomains, domain)) {
    throw invalid(
      message(
        'People with an address at {domain} can’t sign up here. Use another address, or ask <operator>the operator of this marketplace</operator>.',
        { domain },
      ),
    );
  }
}

/** Otherwise, a person could move the account away and sign up again with the same allowed address. */
export function refuseNewAddress(policy: Policy, email: string): void {
  refuseBlockedAddress(policy, email);
  const domain = domainOf(email);
  if (policy.signUp === 'domains' && !policy.domains.includes(domain)) throw notUsable(domain);
}

/** Applies to every new account that no operator creates, also to those of the identity provider. */
export function refuseBlockedAddress(
  { blockedDomains }: Pick<Policy, 'blockedDomains'>,
  email: string,
): void {
  const domain = domainOf(email);
  if (isBlocked(blockedDomains, domain)) throw notUsable(domain);
}

const notUsable = (domain: string): Refusal =>
  invalid(message('Addresses at {domain} can’t be used here. Use another one.', { domain }));

type Publisher = Pick<AccountsTable, 'operator_since' | 'publisher_since'>;

export const isPublisher = ({ operator_since, publisher_since }: Publisher): boolean =>
  operator_since !== null || publisher_since !== null;

export const mayPublish = async (db: Queryable, account: Publisher): Promise<boolean> =>
  isPublisher(account) || (await readPolicy(db)).publishing === 'everyone';

/** Call in the transaction that publishes. */
export async function requirePublisher(tx: Transaction, account: Publisher): Promise<void> {
  if (await mayPublish(tx, account)) return;
  throw invalid(
    message(
      'Publishing needs the approval of <operator>the operator of this marketplace</operator>. Ask for it on your dashboard.',
    ),
  );
}

const POLICY = 'policy';

/**
 * Not cached, so that a change applies to the next request in every process. To read `signUp`, pass `hasProvider`: the
 * default of `signUp` depends on `hasProvider`.
 */
export async function readPolicy(db: Queryable): Promise<Omit<Policy, 'signUp'>>;
export async function readPolicy(db: Queryable, hasProvider: boolean): Promise<Policy>;
export async function readPolicy(db: Queryable, hasProvider = false): Promise<Policy> {
  const stored = await readSetting(db, POLICY);
  return { ...defaultPolicy(hasProvider), ...(stored !== null && (JSON.parse(stored) as Partial<Policy>)) };
}

export async function setPolicy(
  context: Context,
  input: SettingsChange & { readonly policy: SettingsUpdate<Policy>; readonly hasProvider: boolean },
): Promise<void> {
  const read = (db: Queryable) => readPolicy(db, input.hasProvider);
  await changeSettings(context, input, { key: POLICY, names: NAMES, read, to: input.policy });
}

const NAMES: Readonly<Record<keyof Policy, string>> = {
  signUp: 'Sign-up',
  domains: 'Allowed email domains',
  blockedDomains: 'Blocked email domains',
  publishing: 'Publishing',
  texts: 'Changed texts',
  mustConfirm: 'Confirmation before the first claim',
  claimsByAccount: 'Claims per account in 24 hours',
  claimsByNetwork: 'Claims per network in 24 hours',
  shareByNetwork: 'Share of a limited offer per network and hour',
  unusedMails: 'Unused emails an hour until a challenge',
  mailsCodes: 'Codes in mail',
  remindAfterDays: 'Days until a reminder of an unused claim',
};
