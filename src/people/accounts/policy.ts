import { domainToASCII } from 'node:url';
import type { Context } from '../../base/context.ts';
import { loggedChanges } from '../../base/events/logged-changes.ts';
import {
  changeSettings,
  type SettingsChange,
  type SettingsUpdate,
} from '../../base/settings/change-settings.ts';
import { invalid, type Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { ACCOUNT_POLICY, readJsonSetting } from '../../platform/store/settings.ts';
import type { AccountsTable } from '../../platform/store/tables/accounts.ts';
import {
  choice,
  count,
  initialOf,
  loggedNames,
  optionalCount,
  type Setting,
  type Settings,
  toggle,
  type ValuesOf,
} from '../../platform/text/setting.ts';
import { quote } from '../../platform/text/text.ts';
import { mailDomainOf, SUBDOMAINS } from './mail-domains.ts';

const MAX_DOMAINS = 1_000;
/** Before the conversion to ASCII. */
const MAX_TYPED_DOMAIN_LENGTH = 300;

const signUp = (hasProvider: boolean) =>
  choice({
    label: message('Who may sign up'),
    loggedAs: message('Sign-up'),
    choices: [
      { value: 'open', label: message('Anyone'), hint: message('Anyone with an email address.') },
      {
        value: 'domains',
        label: message('People with certain addresses'),
        hint: message(
          'Only people with an address at one of the allowed email domains below, such as your company’s.',
        ),
      },
      {
        value: 'invited',
        label: message('Nobody'),
        hint: hasProvider
          ? message('Only operators and the identity provider can create accounts.')
          : message('Only operators can create accounts.'),
      },
    ],
    refusal: message('Choose who may sign up.'),
    // With an identity provider, self-service sign-up is closed by default.
    initial: hasProvider ? 'invited' : 'open',
  });

const SETTINGS = {
  /** `invited`: accounts are created only by operators and by sign-ins through the identity provider. */
  signUp: signUp(false),
  /** In ASCII. */
  domains: {
    label: message('Allowed email domains'),
    hint: message(
      'Required if only people with certain addresses may sign up. These domains are also exempt from the limits on new accounts per domain. One per line, such as example.com. List each subdomain separately.',
    ),
    control: 'text',
    optional: 'depends',
    parse: (text, textOf) => parseAllowed(text, textOf('signUp')),
    initial: [],
  },
  /** In ASCII. */
  blockedDomains: {
    label: message('Blocked email domains'),
    hint: message(
      'Nobody can sign up with an address at one of these domains or their subdomains, or change to such an address. Existing accounts are kept.',
    ),
    control: 'text',
    optional: true,
    parse: parseDomains,
    initial: [],
  },
  /** `members`: strangers get a page that says who may see the marketplace. */
  visibility: choice({
    label: message('Who may see the marketplace'),
    loggedAs: message('Visibility of the marketplace'),
    choices: [
      {
        value: 'everyone',
        label: message('Everyone'),
        hint: message('Owners can still limit each of their listings to members.'),
      },
      {
        value: 'members',
        label: message('Members only'),
        hint: message(
          'Other people see a page that says who may see the marketplace. The feed, the catalogue for other sites, badges and previews of links are empty.',
        ),
      },
    ],
    refusal: message('Choose who may see the marketplace.'),
    initial: 'everyone',
  }),
  /** In ASCII. `*.` at the start stands for all subdomains. */
  memberDomains: {
    label: message('Email domains of members'),
    hint: message(
      'People with a confirmed address at one of these domains are members. One per line, such as example.com. *.example.com matches all subdomains of example.com, but not example.com itself.',
    ),
    control: 'text',
    optional: true,
    parse: parseMemberDomains,
    initial: [],
  },
  memberIdentities: toggle({
    label: message('People who sign in through the identity provider are members'),
    loggedAs: message('Members through the identity provider'),
    hint: message('Also accounts that were connected to the identity provider later.'),
    needsProvider: true,
    initial: false,
  }),
  /** `allowed`: only operators and the accounts that an operator has approved may publish. */
  publishing: choice({
    label: message('Who may publish'),
    loggedAs: message('Publishing'),
    choices: [
      {
        value: 'everyone',
        label: message('Everyone with an account'),
        hint: message('Each new listing is reviewed before it is live.'),
      },
      {
        value: 'allowed',
        label: message('Accounts that you allow'),
        hint: message(
          'Other people can request permission on the dashboard. Requests appear in the queue. Existing listings stay as they are.',
        ),
      },
    ],
    refusal: message('Choose who may publish.'),
    initial: 'everyone',
  }),
  texts: choice({
    label: message('Changed texts of approved listings'),
    loggedAs: message('Changed texts'),
    hint: message('New names of listings and accounts always wait for your approval.'),
    choices: [
      {
        value: 'wait',
        label: message('Wait for your approval'),
        hint: message('Also new offers. People see the approved texts until you decide.'),
      },
      {
        value: 'standing',
        label: message('Wait, unless the owner is in good standing'),
        hint: message(
          'An owner is in good standing once 30 days have passed since the first approval, and since you last rejected or suspended one of their listings or restored its texts.',
        ),
      },
      {
        value: 'list',
        label: message('Go live, and appear in the queue'),
        hint: message(
          'As “Changed since you approved”, with the difference. You can restore the approved texts.',
        ),
      },
    ],
    refusal: message('Choose what happens to changed texts.'),
    initial: 'standing',
  }),
  /** Ignored without a mail server. */
  mustConfirm: toggle({
    label: message('Require a confirmed email address before the first claim'),
    loggedAs: message('Confirmation before the first claim'),
    hint: message('Signing in with an emailed code or through the identity provider confirms the address.'),
    needsMail: true,
    initial: true,
  }),
  claimsByAccount: count({
    label: message('Claims per account in 24 hours'),
    hint: message(
      'How many offers one person can claim. Regardless of this limit, each offer can be claimed only once per mailbox.',
    ),
    max: 1_000,
    initial: 100,
  }),
  /** `null`: no limit. */
  claimsByNetwork: optionalCount({
    label: message('Claims per network in 24 hours'),
    hint: message(
      'Leave it empty for no limit. A low limit can block people in an office or at a conference, because they share one network.',
    ),
    max: 100_000,
  }),
  shareByNetwork: count({
    label: message('Share of a limited offer per network and hour, in percent'),
    loggedAs: message('Share of a limited offer per network and hour'),
    hint: message(
      'The largest share of an offer’s remaining claims or codes that new accounts in one network, or all accounts with one mail domain, can claim within an hour. 20 claims are always possible. Accounts that are older than a week or at large mail providers don’t count for the network. Large providers and the domains that you allow don’t count for the mail domain. 100 turns the limit off.',
    ),
    max: 100,
    initial: 50,
  }),
  unusedMails: count({
    label: message('Unused emails an hour until a challenge'),
    hint: message(
      'If at least this many sign-in and password emails of the last hour, and more than half of them, were not used, browsers must solve a challenge for a few seconds before another one is sent. Browsers in which the person has signed in before are exempt. Raise the number before a rush of new people.',
    ),
    needsMail: true,
    min: 10,
    max: 100_000,
    initial: 50,
  }),
  mailsCodes: toggle({
    label: message('Include the code in emails about claims'),
    loggedAs: message('Codes in mail'),
    hint: message('If off, people see the code only on the claim’s page, after signing in.'),
    needsMail: true,
    initial: false,
  }),
  remindAfterDays: optionalCount({
    label: message('Days until a reminder of an unused claim'),
    hint: message('One reminder per claim. Leave it empty for no reminders.'),
    needsMail: true,
    max: 365,
  }),
} satisfies Readonly<Record<string, Setting>>;

export type Policy = ValuesOf<typeof SETTINGS>;

export interface PolicyServices {
  readonly hasMail: boolean;
  readonly hasProvider: boolean;
  /** Only the identity provider creates accounts then, so there is nothing to choose. */
  readonly isOidcOnly?: boolean;
}

const OF_SIGN_UP: ReadonlySet<string> = new Set(['signUp', 'domains'] satisfies (keyof Policy)[]);

export const policySettings = ({
  hasMail,
  hasProvider,
  isOidcOnly = false,
}: PolicyServices): Partial<Settings<Policy>> =>
  Object.fromEntries(
    Object.entries<Setting>({ ...SETTINGS, signUp: signUp(hasProvider) }).filter(
      ([name, { needsMail = false, needsProvider = false }]) =>
        (hasMail || !needsMail) && (hasProvider || !needsProvider) && !(isOidcOnly && OF_SIGN_UP.has(name)),
    ),
  );

const OPEN_POLICY = initialOf<Policy>(SETTINGS);
const INVITED_POLICY: Policy = { ...OPEN_POLICY, signUp: signUp(true).initial };

export const defaultPolicy = (hasProvider: boolean): Policy => (hasProvider ? INVITED_POLICY : OPEN_POLICY);

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Domains are separated by white space, commas or semicolons. A leading `@` and a trailing dot are ignored. */
export function parseDomains(text: string): readonly string[] {
  return parseList(text, parseDomain);
}

function parseMemberDomains(text: string): readonly string[] {
  return parseList(text, (word) =>
    word.startsWith(SUBDOMAINS) ? SUBDOMAINS + parseDomain(word.slice(SUBDOMAINS.length)) : parseDomain(word),
  );
}

function parseList(text: string, parse: (word: string) => string): readonly string[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > MAX_DOMAINS)
    throw invalid(
      message('The list has {count, number} domains; at most {max, number} are allowed.', {
        count: words.length,
        max: MAX_DOMAINS,
      }),
    );
  return [...new Set(words.map(parse))];
}

function parseDomain(word: string): string {
  const isShort = word.length <= MAX_TYPED_DOMAIN_LENGTH;
  const domain = isShort
    ? domainToASCII(word.replace(/^@/, '').normalize('NFC')).toLowerCase().replace(/\.$/, '')
    : '';
  if (domain.length > 253 || !DOMAIN.test(domain)) {
    throw invalid(
      message('An email domain must look like example.com; found {text}.', { text: quote(word) }),
    );
  }
  return domain;
}

function parseAllowed(text: string, signUpRule: string): readonly string[] {
  const domains = parseDomains(text);
  if (signUpRule === 'domains' && domains.length === 0)
    throw invalid(message('Enter at least one email domain.'));
  return domains;
}

/** Subdomains are included, because the owner of a domain can receive mail at all of them. */
const isBlocked = (blocked: readonly string[], domain: string): boolean =>
  blocked.some((one) => domain === one || domain.endsWith(`.${one}`));

/**
 * Throws `invalid_request`. Call before looking up the account, or after the person has confirmed that they receive mail
 * at the address. Otherwise, the error reveals to strangers that the address has no account.
 */
export function refuseNewcomer({ signUp, domains, blockedDomains }: Policy, email: string): void {
  const domain = mailDomainOf(email);
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
  const domain = mailDomainOf(email);
  if (policy.signUp === 'domains' && !policy.domains.includes(domain)) throw notUsable(domain);
}

/** Applies to every new account that no operator creates, including accounts of the identity provider. */
export function refuseBlockedAddress(
  { blockedDomains }: Pick<Policy, 'blockedDomains'>,
  email: string,
): void {
  const domain = mailDomainOf(email);
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

/** Not cached, so a change applies immediately in every process. The default of `signUp` depends on `hasProvider`. */
export async function readPolicy(db: Queryable): Promise<Omit<Policy, 'signUp'>>;
export async function readPolicy(db: Queryable, hasProvider: boolean): Promise<Policy>;
export async function readPolicy(db: Queryable, hasProvider = false): Promise<Policy> {
  return { ...defaultPolicy(hasProvider), ...(await readJsonSetting<Partial<Policy>>(db, ACCOUNT_POLICY)) };
}

export async function setPolicy(
  context: Context,
  input: SettingsChange & { readonly policy: SettingsUpdate<Policy>; readonly hasProvider: boolean },
): Promise<void> {
  const read = (db: Queryable) => readPolicy(db, input.hasProvider);
  await changeSettings(context, input, {
    key: ACCOUNT_POLICY,
    read,
    to: input.policy,
    changes: loggedChanges(loggedNames<Policy>(SETTINGS)),
  });
}
