/** The JSON body of a request: I-JSON (RFC 7493), so UTF-8, no member twice, no half characters. */
import { invalid } from '../errors.ts';
import { decodeBody, sayName } from '../request-text.ts';

/** Throws `invalid_request`; no sentence repeats a value. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decodeBody(bytes, 'JSON');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The body is not JSON.');
  }
  refuseWhatIsLost(text);
  return value;
}

/** A string (with the colon after it if it names a member), or a bracket. */
const TOKEN = /("(?:[^"\\]|\\.)*")([ \t\n\r]*:)?|[{}[\]]/g;

/** Refuses members that `JSON.parse` drops, and text that a database cannot store. `text` is valid JSON. */
function refuseWhatIsLost(text: string): void {
  /** The names seen in each open object; an open array has an empty set. */
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (string === undefined) {
      if (token === '{' || token === '[') open.push(new Set());
      else open.pop();
      continue;
    }
    const value: string = JSON.parse(string);
    if (!value.isWellFormed()) throw invalid('The body holds half a character (a lone surrogate).');
    if (value.includes('\0')) throw invalid('The body holds the character U+0000.');
    if (colon === undefined) continue;
    const names = open.at(-1)!;
    if (names.has(value)) throw invalid(`The body has the member ${sayName(value)} more than once.`);
    names.add(value);
  }
}
