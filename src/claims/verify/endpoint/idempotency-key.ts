/**
 * A key may be quoted or bare; both forms identify the same key. The quoted form is a Structured Fields String (RFC
 * 9651 section 3.3.3) without spaces, in which a backslash escapes quotation marks and backslashes. In the bare form,
 * backslashes are literal and quotation marks are invalid.
 */
import { codePoint } from '../../../platform/text/text.ts';
import { RefusedInput } from './body.ts';

/** In characters, after unquoting. */
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
