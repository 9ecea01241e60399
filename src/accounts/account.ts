/** Accounts and their plans. Owners and claimants have the same kind of account; operator is a flag. */

import { domainToASCII } from 'node:url';
import { invalid } from '../errors.ts';
import { message } from '../languages/translate.ts';
import type { AccountsTable } from '../store/tables/accounts.ts';
import { DAY_MS } from '../text/durations.ts';
import { parseLine, quote } from '../text/text.ts';

export const PLANS = ['starter', 'studio', 'everything'] as const;
export type Plan = (typeof PLANS)[number];

/** Characters of an email address (RFC 5321 section 4.5.3.1.3, without the angle brackets of a path). */
export const MAX_EMAIL_LENGTH = 254;
/** Characters before the @ (RFC 5321 section 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64;
export const MAX_ACCOUNT_NAME_LENGTH = 100;

/** API keys come with the Everything and Studio plans. */
export const planHasApiKeys = (plan: Plan): boolean => plan !== 'starter';

export const isPlan = (text: string): text is Plan => PLANS.some((known) => known === text);

export function parsePlan(text: string): Plan {
  const plan = PLANS.find((known) => known === text);
  if (!plan) throw invalid(`The plan must be one of ${PLANS.join(', ')}; found ${quote(text)}.`);
  return plan;
}

/** A dot-atom on either side of the @, with a dot in the domain unless it is `localhost`. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** A word in another character set (RFC 2047), which some programs would decode to another address. */
const ENCODED_WORD = /=\?[^?@]*\?[bq]\?/;

/** The spelling by which an address is stored and found; what isn't an address stays as it is. */
export function spelledEmail(text: string): string {
  const typed = text.normalize('NFC').trim().toLowerCase();
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  // Only then: of digits and dots, `domainToASCII` makes an IP address.
  if (at < 0 || !/[^\0-\x7f]|(?:^|\.)xn--/.test(domain)) return typed;
  const ascii = domainToASCII(domain);
  return ascii === '' ? typed : typed.slice(0, at + 1) + ascii;
}

/** Both are one mail service, which ignores dots before the @. */
const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox of a spelled address: without a `+tag`, and without dots at Gmail. Only for comparing people; mail goes
 * to the address itself.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const name = /^[^+]*/.exec(email.slice(0, at))![0] || email.slice(0, at);
  return GMAIL.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
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
  const foreign = /^[^@]*?([^@\0-\x7f])[^@]*@[^@]+$/u.exec(email)?.[1];
  if (foreign !== undefined) {
    throw invalid(
      message(
        'The part before the @ has {foreign}, which many mail servers do not accept. Use an address with only unaccented Latin letters, digits and signs before the @.',
        { foreign: quote(foreign) },
      ),
    );
  }
  if (!EMAIL.test(email) || ENCODED_WORD.test(email) || email.indexOf('@') > MAX_LOCAL_PART_LENGTH) {
    throw invalid(
      message('The email address must look like ada@example.com; found {text}.', { text: quote(text) }),
    );
  }
  return email;
}

export const parseAccountName = (text: string): string =>
  parseLine(text, message('The name of the account'), MAX_ACCOUNT_NAME_LENGTH);

/** The name of a new account until its person gives another one: what is before the `@`, without a tag. */
export const nameOfEmail = (email: string): string => /^[^@+]+/.exec(email)?.[0] ?? email;

/** How long the deletion of an account can be undone; `docs/guide/privacy.md` says so to people. */
export const UNDO_DAYS = 7;
export const UNDO_MS = UNDO_DAYS * DAY_MS;

/** How long claims on the offers of a deleted account can still be redeemed: its API keys end then. */
export const KEYS_KEPT_DAYS = 90;
export const KEYS_KEPT_MS = KEYS_KEPT_DAYS * DAY_MS;

/** The name of a deleted account, and the text that replaces addresses and names in its events. */
export const DELETED_NAME = 'Deleted account';
export const DELETED_TEXT = '(deleted)';

/** What the key of the marks of mailboxes is encrypted for, and what its hashes are of. */
export const MARK_PURPOSE = 'mailbox marks';

export function refuseDeleted({ deleted_at }: Pick<AccountsTable, 'deleted_at'>): void {
  if (deleted_at !== null) throw invalid(message('This account has been deleted.'));
}

/** When an account will be deleted; `null`: it won't, or it has been. */
export const plannedDeletion = ({
  delete_at,
  deleted_at,
}: Pick<AccountsTable, 'delete_at' | 'deleted_at'>): string | null =>
  deleted_at === null ? delete_at : null;
