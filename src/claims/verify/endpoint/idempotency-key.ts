/**
 * The quoted form is a Structured Fields String (RFC 9651 section 3.3.3) without spaces; inside it, `\"` means a
 * quotation mark and `\\` a backslash. In the bare form a backslash is literal and a quotation mark is not allowed. The
 * same text is the same key in both forms.
 */
import { codePoint } from '../../../text/text.ts';
import { RefusedInput } from './body.ts';

/** Characters of a key, without its quotation marks and escapes. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

const NAME = 'The Idempotency-Key';
const INVISIBLE = /[^!-~]/;

const invalid = (detail: string): RefusedInput => new RefusedInput('idempotency_key_malformed', detail);

export function parseIdempotencyKey(header: string): string {
  if (header === '') throw invalid(`${NAME} is empty.`);
  const invisible = INVISIBLE.exec(header);
  if (invisible) {
    throw invalid(
      `${NAME} must contain visible ASCII characters only; found ${codePoint(invisible[0])} at position ${invisible.index + 1}.`,
    );
  }
  const text = header.startsWith('"') ? unquote(header) : header;
  if (!header.startsWith('"') && header.includes('"')) {
    throw invalid(`${NAME} must be quoted as a whole or contain no quotation mark; found one inside.`);
  }
  if (text === '') throw invalid(`${NAME} is empty: there is nothing between its quotation marks.`);
  if (text.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw invalid(
      `${NAME} has ${text.length} characters; at most ${MAX_IDEMPOTENCY_KEY_LENGTH} are allowed.`,
    );
  }
  return text;
}

function unquote(header: string): string {
  let text = '';
  for (let i = 1; i < header.length; i++) {
    const character = header[i]!;
    if (character === '"') {
      if (i === header.length - 1) return text;
      throw invalid(`${NAME} has characters after its closing quotation mark.`);
    }
    if (character !== '\\') {
      text += character;
      continue;
    }
    const escaped = header[++i];
    if (escaped !== '"' && escaped !== '\\') {
      throw invalid(`${NAME} contains a backslash that escapes neither a quotation mark nor a backslash.`);
    }
    text += escaped;
  }
  throw invalid(`${NAME} has no closing quotation mark.`);
}
