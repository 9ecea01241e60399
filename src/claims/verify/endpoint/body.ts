/**
 * The body must be I-JSON (RFC 7493): UTF-8, without a byte order mark or duplicate members. A regular expression
 * parses the usual form; `parseAnyBody` handles all other input and explains errors. Error messages must not contain
 * the token.
 */
import { Refusal, tried } from '../../../platform/errors.ts';
import { decodeBody, describeName, describeType, stringsOf } from '../../../platform/text/request-text.ts';
import type { Cause } from '../../attempts/cause.ts';
import { MAX_REFERENCE_LENGTH, parseReference } from '../../claim.ts';
import { MAX_TOKEN_LENGTH } from '../../token.ts';

export interface VerificationBody {
  readonly token: string;
  /** Defaults to `false`, so that a forgotten member redeems nothing. */
  readonly redeem: boolean;
  readonly reference: string | null;
}

export class RefusedInput extends Refusal {
  readonly why: Cause;

  constructor(why: Cause, detail: string) {
    super('invalid_request', detail);
    this.why = why;
  }
}

const refused = (why: Cause, detail: string): RefusedInput => new RefusedInput(why, detail);

export const parseVerificationBody = (bytes: Uint8Array): VerificationBody =>
  parseUsualBody(bytes) ?? parseAnyBody(bytes);

/** `token`, then optionally `redeem` and `reference`; token and reference are printable ASCII without escapes. */
const USUAL_BODY = new RegExp(
  String.raw`^_\{_"token"_:_"([ !#-[\]-~]{1,${MAX_TOKEN_LENGTH}})"_(?:,_"redeem"_:_(true|false)_)?(?:,_"reference"_:_"([ !#-[\]-~]{1,${MAX_REFERENCE_LENGTH}})"_)?\}_$`.replaceAll(
    '_',
    '[ \\t\\n\\r]*',
  ),
);

/**
 * Returns `null` if the body does not have the usual form. Latin-1 maps non-ASCII bytes to characters that never match.
 */
export function parseUsualBody(bytes: Uint8Array): VerificationBody | null {
  const match = USUAL_BODY.exec(asBuffer(bytes).toString('latin1'));
  if (match === null) return null;
  return { token: match[1]!, redeem: match[2] === 'true', reference: readReference(match[3]) };
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Tests compare `parseUsualBody` with this parser. */
export function parseAnyBody(bytes: Uint8Array): VerificationBody {
  const text = decodeBody(bytes, 'a JSON object with the member `token`');
  const { token, redeem = false, reference, ...others } = parseObject(text);
  for (const name of Object.keys(others)) {
    throw refused(
      'member_unknown',
      `The body has an unknown member, ${describeName(name)}; the allowed members are \`token\`, \`redeem\` and \`reference\`.`,
    );
  }
  for (const { value, isRepeated } of stringsOf(text)) {
    if (isRepeated)
      throw refused('member_twice', `The member ${describeName(value)} appears more than once.`);
  }
  if (token === undefined) throw refused('token_missing', 'The member `token` is missing.');
  return { token: parseToken(token), redeem: parseRedeem(redeem), reference: readReference(reference) };
}

/** The error omits the message of `JSON.parse`, which quotes the body and could leak the token. */
function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('body_not_json', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('body_not_object', `The body must be a JSON object; found ${describeType(value)}.`);
  }
  return value as Record<string, unknown>;
}

function parseToken(value: unknown): string {
  if (typeof value !== 'string') {
    throw refused('token_malformed', `The member \`token\` must be a string; found ${describeType(value)}.`);
  }
  if (value === '') throw refused('token_malformed', 'The member `token` is empty.');
  if (!value.isWellFormed())
    throw refused('token_malformed', 'The member `token` contains invalid Unicode (a lone surrogate).');
  const length = [...value].length;
  if (length > MAX_TOKEN_LENGTH) {
    throw refused(
      'token_malformed',
      `The member \`token\` has ${length} characters; at most ${MAX_TOKEN_LENGTH} are allowed.`,
    );
  }
  return value;
}

function parseRedeem(value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw refused(
      'redeem_malformed',
      `The member \`redeem\` must be true or false; found ${describeType(value)}.`,
    );
  }
  return value;
}

function readReference(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') {
    throw refused(
      'reference_malformed',
      `The member \`reference\` must be a string; found ${describeType(value)}.`,
    );
  }
  const reference = tried(() => parseReference(value, 'The member `reference`'));
  if (reference instanceof Refusal) throw refused('reference_malformed', reference.message);
  return reference;
}
