import { domainToASCII } from 'node:url';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { AccountsTable } from '../../platform/store/tables/accounts.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseLine, parseOneOf, quote } from '../../platform/text/text.ts';

export const PLANS = ['starter', 'studio', 'everything'] as const;
export type Plan = (typeof PLANS)[number];

export const DEFAULT_PLAN: Plan = 'starter';

/** RFC 5321 (section 4.5.3.1.3) allows 256 characters for the address and its two angle brackets. */
export const MAX_EMAIL_LENGTH = 254;
/** Maximum length of the part before the @ (RFC 5321 section 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64;
/** Before normalization, which may shorten an address. */
const MAX_TYPED_EMAIL_LENGTH = 1_000;
export const MAX_ACCOUNT_NAME_LENGTH = 100;

export const planHasApiKeys = (plan: Plan): boolean => plan !== 'starter';

export const isPlan = (text: string): text is Plan => PLANS.some((plan) => plan === text);

export const parsePlan = (text: string): Plan =>
  parseOneOf(PLANS, text, (values) => message('The plan must be one of {choices}; found {text}.', values));

/** A dot-atom (RFC 5322) on each side of the @. The domain has a dot unless it is `localhost`. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** An encoded word (RFC 2047), which some programs would decode into a different address. */
const ENCODED_WORD = /=\?[^?@]*\?[bq]\?/;

/** Doesn't validate. Text longer than any address stays unchanged, because normalizing takes quadratic time. */
export function spelledEmail(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TYPED_EMAIL_LENGTH) return trimmed;
  const typed = trimmed.normalize('NFC').toLowerCase();
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  // Converts only international domains: `domainToASCII` would turn a numeric domain into an IP address.
  if (at < 0 || !/[^\0-\x7f]|(?:^|\.)xn--/.test(domain)) return typed;
  const ascii = domainToASCII(domain);
  return ascii === '' ? typed : typed.slice(0, at + 1) + ascii;
}

/** Providers with several domains per mailbox; the first represents all. `normalize` removes what they ignore. */
const SPELLINGS: readonly {
  readonly domains: readonly string[];
  readonly normalize: (name: string) => string;
}[] = [
  { domains: ['gmail.com', 'googlemail.com'], normalize: (name) => name.replaceAll('.', '') },
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    normalize: (name) => name.replace(/[._-]/g, ''),
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'], normalize: (name) => name },
  {
    domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'ya.ru'],
    normalize: (name) => name.replaceAll('.', '-'),
  },
];

/** Fastmail delivers `anything@ada.fastmail.com` to `ada@fastmail.com`. */
const NAME_IN_DOMAIN = /^([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * Returns the mailbox of a normalized address: the address without its `+tag`, in one of the spellings that its provider
 * delivers to the same mailbox. Use the mailbox only to recognize a person. Send mail to the address itself.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [, nameInDomain, ownDomain] = NAME_IN_DOMAIN.exec(domain) ?? [];
  if (nameInDomain !== undefined) return `${nameInDomain}@${ownDomain}`;
  const name = /^[^+]*/.exec(email.slice(0, at))![0] || email.slice(0, at);
  const provider = SPELLINGS.find(({ domains }) => domains.includes(domain));
  return provider === undefined
    ? `${name}@${domain}`
    : `${provider.normalize(name) || name}@${provider.domains[0]}`;
}

export function parseEmail(text: string): string {
  const email = spelledEmail(text);
  if (email === '') throw invalid(message('The email address is empty.'));
  if (email.length > MAX_EMAIL_LENGTH) {
    throw invalid(
      message('The email address has {length, number} characters; at most {max, number} are allowed.', {
        length: email.length,
        max: MAX_EMAIL_LENGTH,
      }),
    );
  }
  const foreign = foreignCharacter(email);
  if (foreign !== undefined) {
    throw invalid(
      message(
        'The part before the @ contains {foreign}, which many mail servers don’t accept. Use an address with only unaccented Latin letters, digits and symbols before the @.',
        { foreign: quote(foreign) },
      ),
    );
  }
  if (!EMAIL.test(email) || ENCODED_WORD.test(email) || email.indexOf('@') > MAX_LOCAL_PART_LENGTH) {
    throw invalid(
      message('{text} is not an email address. It must look like ada@example.com.', { text: quote(text) }),
    );
  }
  return email;
}

/** The first non-ASCII character before the @, if there is exactly one @. */
function foreignCharacter(email: string): string | undefined {
  const [local = '', domain = '', ...others] = email.split('@');
  return domain === '' || others.length > 0 ? undefined : /[^\0-\x7f]/u.exec(local)?.[0];
}

export const parseAccountName = (text: string): string =>
  parseLine(text, message('The name of the account'), MAX_ACCOUNT_NAME_LENGTH);

/** The name of the account, as the form of the first listing calls it. */
export const parsePublisher = (text: string): string =>
  parseLine(text, message('The publisher’s name'), MAX_ACCOUNT_NAME_LENGTH);

export const nameOfEmail = (email: string): string => /^[^@+]+/.exec(email)?.[0] ?? email;

/** How long an account's deletion can be undone. `docs/guide/privacy.md` also states this period. */
export const UNDO_DAYS = 7;
export const UNDO_MS = UNDO_DAYS * DAY_MS;

/** How long a deleted account's API keys keep working, so that claims on its offers can still be redeemed. */
export const KEYS_KEPT_DAYS = 90;
export const KEYS_KEPT_MS = KEYS_KEPT_DAYS * DAY_MS;

export const DELETED_NAME = 'Deleted account';
/** Text that replaces the names and addresses in a deleted account's events, and the names of its API keys. */
export const DELETED_TEXT = '(deleted)';

export const MARK_PURPOSE = 'mailbox marks';

export function refuseDeleted({ deleted_at }: Pick<AccountsTable, 'deleted_at'>): void {
  if (deleted_at !== null) throw invalid(message('This account has been deleted.'));
}

/** Returns when an account will be deleted; `null` if no deletion is planned or the account is already deleted. */
export const plannedDeletion = ({
  delete_at,
  deleted_at,
}: Pick<AccountsTable, 'delete_at' | 'deleted_at'>): string | null =>
  deleted_at === null ? delete_at : null;

/** Time since an owner's first approval, or since the last decision against the owner. */
const GOOD_STANDING_MS = 30 * DAY_MS;

type Standing = Pick<AccountsTable, 'standing_since'>;

export const isInGoodStanding = ({ standing_since }: Standing, now: number): boolean =>
  standing_since !== null && now - Date.parse(standing_since) >= GOOD_STANDING_MS;

/** The first approval begins the standing; a decision against the owner begins it again. */
export const standingAfter = (
  before: string | null,
  event: 'approved' | 'sanctioned',
  at: string,
): string | null => (event === 'approved' ? (before ?? at) : before === null ? null : at);
