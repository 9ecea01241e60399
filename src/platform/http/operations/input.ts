import { z } from '@hono/zod-openapi';
import { invalid } from '../../errors.ts';
import { decodeBody, describeName, describeType, stringsOf } from '../../text/request-text.ts';
import { readBytes } from '../server/bodies.ts';
import { lengthDetail } from '../server/request-checks.ts';
import type { OperationContext, OperationInput } from './operation.ts';

export type ParsedInput = Readonly<Record<keyof OperationInput, unknown>>;

/** How error sentences begin for each part of a request: for an invalid member, and for an unknown member. */
const PARTS = {
  path: ['The path parameter', 'The path has'],
  query: ['The query parameter', 'The query has'],
  headers: ['The header', 'The request has'],
  body: ['The member', 'The body has'],
} as const;

const NOTHING = z.strictObject({});

/** Reads and checks the parts of a request. Throws `invalid_request` if a part is invalid. */
export async function readInput(c: OperationContext, input: OperationInput): Promise<ParsedInput> {
  const { pathname, search, searchParams } = new URL(c.req.url);
  // PostgreSQL rejects the character U+0000.
  if (`${pathname}${search}`.includes('%00')) throw invalid('The address contains the character U+0000.');
  const headerNames = Object.keys(input.headers?.shape ?? {});
  return {
    path: parse('path', input.path ?? NOTHING, c.req.param()),
    query: parse('query', (input.query ?? NOTHING).strict(), onceEach(searchParams)),
    headers: parse(
      'headers',
      input.headers ?? NOTHING,
      Object.fromEntries(headerNames.map((name) => [name, c.req.header(name)])),
    ),
    body: input.body && (await readBody(c.req.raw, input.body)),
  };
}

async function readBody(request: Request, { schema, maxBytes }: NonNullable<OperationInput['body']>) {
  const bytes = await readBytes(request, maxBytes, lengthDetail(maxBytes));
  return parse('body', schema, parseJsonBody(bytes));
}

function onceEach(parameters: URLSearchParams): Record<string, string> {
  const names = new Set<string>();
  for (const name of parameters.keys()) {
    if (names.has(name)) throw invalid(`The query has the parameter ${describeName(name)} more than once.`);
    names.add(name);
  }
  return Object.fromEntries(parameters);
}

function parse(part: keyof OperationInput, schema: z.ZodType, value: unknown): unknown {
  refuseLongText(part, [], schema, value);
  const result = schema.safeParse(value, { error: predicateOf });
  if (result.success) return result.data;
  throw invalid(sentenceOf(part, result.error.issues[0]!));
}

/** Maximum length of text whose schema has no maximum, such as cursors and choices. */
const DEFAULT_MAX_LENGTH = 300;
/** As in forms (`form-state.ts`): the domain counts code points and names its own limit. */
const UNITS_A_CHARACTER = 2;

/** Checks all lengths before the schema, because its patterns and transforms and the domain read the whole text. */
function refuseLongText(
  part: keyof OperationInput,
  path: readonly string[],
  schema: z.ZodType,
  value: unknown,
): void {
  if (typeof value === 'string') {
    const max = maxLengthOf(schema) ?? DEFAULT_MAX_LENGTH;
    if (value.length <= max * UNITS_A_CHARACTER) return;
    const [member] = PARTS[part];
    throw invalid(`${member} \`${path.join('.')}\` ${boundPredicate('string', 'at most', max)}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  const inner = withoutWrappers(schema);
  for (const [name, member] of Object.entries(value)) {
    const of =
      inner instanceof z.ZodArray ? inner.element : inner instanceof z.ZodObject ? inner.shape[name] : null;
    // The schema refuses unknown members by name.
    if (of) refuseLongText(part, [...path, name], of as z.ZodType, member);
  }
}

function maxLengthOf(schema: z.ZodType): number | null {
  const described = schema.meta()?.['maxLength'];
  if (typeof described === 'number') return described;
  const inner = innerOf(schema);
  if (inner !== null) return maxLengthOf(inner);
  return schema instanceof z.ZodString ? schema.maxLength : null;
}

/** The schema inside of `optional()`, `nullable()`, `default()` or `transform()`; `null` for other schemas. */
function innerOf(schema: z.ZodType): z.ZodType | null {
  const { innerType, in: before } = schema.def as { innerType?: z.ZodType; in?: z.ZodType };
  return innerType ?? before ?? null;
}

function withoutWrappers(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner === null ? schema : withoutWrappers(inner);
}

function sentenceOf(part: keyof OperationInput, issue: z.core.$ZodIssue): string {
  const [member, whole] = PARTS[part];
  if (issue.code === 'unrecognized_keys') {
    const kind = part === 'body' ? 'member' : 'parameter';
    return `${whole} an unknown ${kind}, ${describeName(issue.keys[0]!)}.`;
  }
  const name = issue.path.join('.');
  return name === '' ? `The body ${issue.message}.` : `${member} \`${name}\` ${issue.message}.`;
}

/** The predicate of an error sentence, such as `is missing`. Custom messages in schemas must be predicates too. */
function predicateOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${withArticle(issue.expected)}; found ${describeType(issue.input)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return boundPredicate(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return boundPredicate(issue.origin, 'at most', issue.maximum);
    case 'invalid_format':
      return issue.format === 'regex' ? 'does not have the right form' : `is not a valid ${issue.format}`;
    default:
      return 'is not valid';
  }
}

const withArticle = (type: string): string =>
  type === 'int' ? 'a whole number' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

const UNITS = new Map([
  ['string', ['character', 'characters']],
  ['array', ['entry', 'entries']],
]);

function boundPredicate(origin: string, bound: 'at least' | 'at most', limit: number | bigint): string {
  const units = UNITS.get(origin);
  return units === undefined
    ? `must be ${bound} ${limit}`
    : `must have ${bound} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}`;
}

/** Parses I-JSON (RFC 7493): UTF-8, no duplicate members, no lone surrogates. Errors never quote a value. */
function parseJsonBody(bytes: Uint8Array): unknown {
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

/** Rejects text that a database can't store, and duplicate members, of which `JSON.parse` keeps only the last. */
function refuseWhatIsLost(text: string): void {
  for (const { value, isRepeated } of stringsOf(text)) {
    if (!value.isWellFormed()) throw invalid('The body contains invalid Unicode (a lone surrogate).');
    if (value.includes('\0')) throw invalid('The body contains the character U+0000.');
    if (isRepeated) throw invalid(`The body has the member ${describeName(value)} more than once.`);
  }
}
