/** Names and texts of strangers, made safe to mail: short, on one line, and without links, addresses and phone numbers. */

/** Maximum length, in code points. */
export const MAX_MAILED_LENGTH = 80;
/** Longer text is cut before anything else, so that the cost has a bound. */
const MAX_READ_LENGTH = 500;
const OMITTED = '…';

/** Line breaks, other separators and control characters. */
const GAPS = /[\p{Z}\p{Cc}\p{Co}\p{Cn}]+/gu;
/**
 * Characters without a shape, which can hide a link from the patterns below. Joiners and the emoji selector stay, because
 * scripts and emoji need them, but not next to ASCII.
 */
const INVISIBLE = /[[\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0f]]/gv;
const JOINER_IN_ASCII = /(?<=[!-~])(?:[\u200c\u200d]|\ufe0f)|(?:[\u200c\u200d]|\ufe0f)(?=[!-~])/g;

/** Text in which a phone number may be: digits of any script with the usual separators. */
const DIGITS = /[\p{Nd}\p{Pd} ().+/]+/gu;
const DATE = /\d{4}-\d\d-\d\d/g;
const MIN_PHONE_DIGITS = 10;
/** After a plus sign, as in `+49 30 1234`. */
const MIN_INTERNATIONAL_DIGITS = 7;

/** Characters that mail programs or address bars read as the ASCII character. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[．｡․﹒]|。(?=[!-~])/g, '.'],
  [/[＠﹫]/g, '@'],
  [/＋|﹢/g, '+'],
  [/：|﹕/g, ':'],
  [/／/g, '/'],
];

/** A scheme with or without slashes, an email address, or a host name as it is often typed. */
const LINK = /:\/|^\W*(?:https?|mailto|tel|sms|javascript|data|ftp):|[^@]@[^@]|^\W*www\d?\./i;
/** A host name such as `example.com`, unlike `2.0` or `e.g.` Some scripts write vowels as combining marks. */
const HOST = /[^.]\.[\p{L}\p{M}\p{N}\p{Cf}_-]*\p{L}[\p{L}\p{M}\p{N}\p{Cf}_-]/u;
const INNER_DOT = /(?<=[^.])\.(?=[\p{L}\p{M}\p{N}_-])/gu;

function plainWord(word: string): string {
  if (LINK.test(word) || hasPath(word)) return OMITTED;
  return HOST.test(word) ? word.replace(INNER_DOT, ' ') : word;
}

/** Whether a slash follows a dot, as in `example.com/x`. */
function hasPath(word: string): boolean {
  const dot = word.indexOf('.');
  return dot !== -1 && /[/\\]/.test(word.slice(dot));
}

function withoutPhoneNumber(text: string): string {
  const count = text.replace(DATE, '').match(/\p{Nd}/gu)?.length ?? 0;
  const min = text.includes('+') ? MIN_INTERNATIONAL_DIGITS : MIN_PHONE_DIGITS;
  return count < min ? text : ` ${OMITTED} `;
}

/** Real addresses are shorter, in most cases. */
const MAX_MAILED_LOCAL_PART = 40;

/**
 * The email address of a person in a mail to somebody else. Its owner chose the part before the @, which could be a
 * sentence or a phone number; the domain stays, because the recipient may know it.
 */
export function mailedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const digits = email.slice(0, at).match(/\d/g)?.length ?? 0;
  return at <= MAX_MAILED_LOCAL_PART && digits < MIN_PHONE_DIGITS ? email : `${OMITTED}${email.slice(at)}`;
}

/** `Save 20% at https://example.com` becomes `Save 20% at …`, and `Booking.com` becomes `Booking com`. */
export function plainName(text: string, maxLength: number = MAX_MAILED_LENGTH): string {
  let plain = text.slice(0, MAX_READ_LENGTH).toWellFormed();
  plain = plain.replace(INVISIBLE, '').replace(JOINER_IN_ASCII, '').replace(GAPS, ' ').trim();
  for (const [lookalike, ascii] of LOOKALIKES) plain = plain.replace(lookalike, ascii);
  plain = plain.replace(DIGITS, withoutPhoneNumber).replace(GAPS, ' ').trim();
  const characters = [...plain.split(' ').map(plainWord).join(' ')];
  const isCut = characters.length > maxLength;
  return isCut ? `${characters.slice(0, maxLength).join('').trimEnd()}${OMITTED}` : characters.join('');
}
