/** The JSON body of a request: I-JSON (RFC 7493), so UTF-8, no member twice, no half characters. */
import { invalid } from '../../errors.ts';
import { decodeBody, sayName, stringsOf } from '../../text/request-text.ts';

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

/** Refuses members that `JSON.parse` drops, and text that a database cannot store. `text` is valid JSON. */
function refuseWhatIsLost(text: string): void {
  for (const { value, isRepeated } of stringsOf(text)) {
    if (!value.isWellFormed()) throw invalid('The body contains invalid Unicode (a lone surrogate).');
    if (value.includes('\0')) throw invalid('The body holds the character U+0000.');
    if (isRepeated) throw invalid(`The body has the member ${sayName(value)} more than once.`);
  }
}
