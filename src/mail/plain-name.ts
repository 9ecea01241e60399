/** Names and texts of strangers, made safe to mail: short, on one line, and without links or addresses. */

/** Maximum length, in code points. */
export const MAX_MAILED_LENGTH = 80;
/** Longer text is cut before anything else, so that the cost has a bound. */
const MAX_READ_LENGTH = 500;
const OMITTED = '…';

/** Line breaks, other separators and control characters. */
const GAPS = /[\p{Z}\p{Cc}\p{Co}\p{Cn}]+/gu;
/** Characters without a shape, which can hide a link from the patterns below. Joiners stay, because scripts need them. */
const INVISIBLE = /[\p{Cf}--[\u200c\u200d]]/gv;
const JOINER_IN_ASCII = /(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])/g;

/** Characters that mail programs or address bars read as the ASCII character. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[．｡․﹒]|。(?=[!-~])/g, '.'],
  [/[＠﹫]/g, '@'],
  [/：|﹕/g, ':'],
  [/／/g, '/'],
];

/** A scheme with or without slashes, an email address, or a host name as it is often typed. */
const LINK = /:\/|^\W*(?:https?|mailto|tel|sms|javascript|data|ftp):|[^@]@[^@]|^\W*www\d?\./i;
/** A host name such as `example.com`, unlike `2.0` or `e.g.` */
const HOST = /[\p{L}\p{N}_-]\.[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]/u;
const INNER_DOT = /(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}_-])/gu;

function plainWord(word: string): string {
  if (LINK.test(word) || hasPath(word)) return OMITTED;
  return HOST.test(word) ? word.replace(INNER_DOT, ' ') : word;
}

/** Whether a slash follows a dot, as in `example.com/x`. */
function hasPath(word: string): boolean {
  const dot = word.indexOf('.');
  return dot !== -1 && /[/\\]/.test(word.slice(dot));
}

/** `Save 20% at https://example.com` becomes `Save 20% at …`, and `Booking.com` becomes `Booking com`. */
export function plainName(text: string): string {
  let plain = text.slice(0, MAX_READ_LENGTH).toWellFormed();
  plain = plain.replace(INVISIBLE, '').replace(JOINER_IN_ASCII, '').replace(GAPS, ' ').trim();
  for (const [lookalike, ascii] of LOOKALIKES) plain = plain.replace(lookalike, ascii);
  const characters = [...plain.split(' ').map(plainWord).join(' ')];
  const isCut = characters.length > MAX_MAILED_LENGTH;
  return isCut
    ? `${characters.slice(0, MAX_MAILED_LENGTH).join('').trimEnd()}${OMITTED}`
    : characters.join('');
}
