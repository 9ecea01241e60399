/** Decodes request bodies, and names their members in error messages without repeating secrets. */
import { invalid } from '../errors.ts';
import { startsAsSecret } from '../secrets/secrets.ts';
import { amountOf } from './text.ts';

export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** Names a member or parameter in an error message. An unusual name may be a secret, so only its length is shown. */
export const describeName = (name: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$-]{0,39}$/.test(name) && !startsAsSecret(name)
    ? `\`${name}\``
    : `whose name has ${amountOf([...name].length, 'character')}`;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a JSON body. `expected` says what the body must be, for example "a JSON object". */
export function decodeBody(bytes: Uint8Array, expected: string): string {
  if (bytes.length === 0) throw invalid(`The body is empty; it must be ${expected}.`);
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw invalid('The body is not UTF-8.');
  }
  if (text.startsWith('\ufeff')) {
    throw invalid('The body starts with a byte order mark; send JSON without one.');
  }
  return text;
}

/** A bracket, or a string. If the string is a member name, the match includes the colon after it. */
const STRING_OR_BRACKET = /("(?:[^"\\]|\\.)*"?)([ \t\n\r]*:)?|[{}[\]]/g;

/** All strings of a JSON text, including member names. `isRepeated`: a duplicate name, which `JSON.parse` drops. */
export function* stringsOf(json: string): Generator<{ value: string; isRepeated: boolean }> {
  /** Member names seen in each open object. An open array has an empty set. */
  const open: Set<string>[] = [];
  for (const [token, string, colon] of json.matchAll(STRING_OR_BRACKET)) {
    if (string !== undefined) {
      const value: string = JSON.parse(string);
      const names = colon === undefined ? null : open.at(-1)!;
      yield { value, isRepeated: names?.has(value) ?? false };
      names?.add(value);
    } else if (token === '{' || token === '[') open.push(new Set());
    else open.pop();
  }
}
