/** Invitations to the marketplace: the roles that operators give, the limits, and the list of people in the form. */
import { invalid } from '../../platform/errors.ts';
import { languageCodes, parseLanguage } from '../../platform/languages/language.ts';
import { message } from '../../platform/languages/translate.ts';
import { parseLine, parseOneOf, quote } from '../../platform/text/text.ts';
import { mailboxOf, parseAccountName, parseEmail } from '../accounts/account.ts';

/** `owner`: publishes apps in a separate account. */
export const INVITED_ROLES = ['owner', 'operator'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** Addresses in one form. */
export const MAX_PEOPLE = 100;
/** Invitations by all operators together in a day, including those that are sent again. */
export const MAX_INVITED_A_DAY = 500;
/** Open invitations to the marketplace. */
export const MAX_OPEN = 1_000;
export const MAX_NOTE_LENGTH = 300;

export interface InvitedPerson {
  readonly email: string;
  /** `null`: only the address was entered. */
  readonly name: string | null;
}

export const parseInvitedRole = (text: string): InvitedRole =>
  parseOneOf(INVITED_ROLES, text, (values) =>
    message('The role must be one of {choices}; found {text}.', values),
  );

export const parseNote = (text: string): string => parseLine(text, message('The message'), MAX_NOTE_LENGTH);

export function parseMailLanguage(text: string): string {
  const language = parseLanguage(text);
  if (language === null) {
    throw invalid(
      message('The language must be {codes}; found {text}.', {
        codes: languageCodes(),
        text: quote(text),
      }),
    );
  }
  return language;
}

/** Enough for addresses and names of usual length. */
const MAX_LIST_LENGTH = MAX_PEOPLE * 300;

/**
 * Parses a pasted list, separated by line breaks, commas or semicolons: `ada@example.com`, `Ada <ada@example.com>`,
 * `"Lovelace, Ada" <ada@example.com>`, `Lovelace, Ada <ada@example.com>`, or the cells of a spreadsheet with a name and an
 * address. Each mailbox occurs once in the result.
 */
export function parsePeople(text: string): readonly InvitedPerson[] {
  const count = text.split('@').length - 1;
  if (count > MAX_PEOPLE) {
    throw invalid(
      message('The list has {count, number} addresses; at most {max} people can be invited at a time.', {
        count,
        max: MAX_PEOPLE,
      }),
    );
  }
  if (text.length > MAX_LIST_LENGTH) {
    throw invalid(
      message('The list has {count, number} characters; at most {max, number} are allowed.', {
        count: text.length,
        max: MAX_LIST_LENGTH,
      }),
    );
  }
  const people = new Map<string, InvitedPerson>();
  for (const person of text
    .split(/[\r\n;]+/)
    .flatMap(entriesOf)
    .flatMap(parseEntry)) {
    const mailbox = mailboxOf(person.email);
    if (people.get(mailbox)?.name == null) people.set(mailbox, person);
  }
  if (people.size === 0) throw invalid(message('Enter at least one email address.'));
  return [...people.values()];
}

/**
 * Splits at commas outside of quotes. A part without an address is the surname of the next one with a name, or, in a row
 * of a table (`ada@example.com, Ada`), the name.
 */
function entriesOf(line: string): readonly string[] {
  const entries: string[] = [];
  let surname = '';
  for (const part of line.match(/"[^"]*"[^,]*|[^,]+/g) ?? []) {
    const entry = surname + part;
    surname = '';
    if (part.trim() === '') continue;
    if (part.includes('@')) entries.push(entry);
    else surname = `${entry},`;
  }
  if (surname === '') return entries;
  const name = surname.slice(0, -1);
  const [only] = entries;
  return only !== undefined && entries.length === 1 && !only.includes('<')
    ? [`${name} ${only}`]
    : [...entries, name];
}

function parseEntry(entry: string): readonly InvitedPerson[] {
  const [, before, address] = /^([^<>]*)<([^<>]*)>\s*$/.exec(entry) ?? [];
  if (address !== undefined) return [{ email: parseAddress(address), name: nameIn(before!) }];
  const words = entry.trim().split(/\s+/);
  const addresses = words.filter((word) => word.includes('@'));
  const others = words.filter((word) => !word.includes('@'));
  if (addresses.length === 0) return [{ email: parseAddress(entry), name: null }];
  if (addresses.length > 1) {
    // Nothing says to whom of several people a name belongs.
    if (others.length > 0) {
      throw invalid(
        message('Put each person on a line: {entry} is unclear.', { entry: quote(entry.trim()) }),
      );
    }
    return addresses.map((one) => ({ email: parseAddress(one), name: null }));
  }
  return [{ email: parseAddress(addresses[0]!), name: nameIn(others.join(' ')) }];
}

const parseAddress = (text: string): string => parseEmail(text.trim().replace(/^mailto:/i, ''));

function nameIn(text: string): string | null {
  const name = text.replaceAll('"', '').trim().replace(/^,|,$/g, '').trim();
  return name === '' ? null : parseAccountName(name);
}
