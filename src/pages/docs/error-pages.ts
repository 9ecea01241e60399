/** Generates the Markdown of the error pages from `ERRORS` and the definitions of the operations. */
import { fixedTokenOfError } from '../../claims/verify/endpoint/fixed-tokens.ts';
import { VERIFY_CLAIM } from '../../claims/verify/endpoint/operation.ts';
import { SANDBOX_KEY } from '../../people/keys/key.ts';
import { ERROR_PAGES_PATH, ERRORS, type ErrorCode, type ErrorEntry } from '../../platform/errors.ts';
import { describeError, errorsOf, nameOf, type Operation } from '../../platform/http/operations/operation.ts';
import { createProblems } from '../../platform/http/operations/problem.ts';
import { capital } from '../../platform/text/text.ts';
import { EXAMPLE_BASE_URL } from './fill.ts';
import { fenced } from './reference-pages.ts';

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** `operations`: all operations of the API. The page omits the operator's operations. */
export function errorIndexMarkdown(operations: readonly Operation[]): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning } = ERRORS[code];
    return `| [\`${code}\`](${EXAMPLE_BASE_URL}${ERROR_PAGES_PATH}/${code}) | ${status} | ${meaning} |`;
  });
  const rules = operations
    .filter(({ caller }) => caller !== 'operatorKey')
    .map((operation) => `### \`${nameOf(operation)}\`\n\n${operation.description}`);
  return [
    '# Errors',
    'Every error response of the API has the media type `application/problem+json` and one of the codes below. The `type` in its body is the URL of the page about the code.',
    '## All codes',
    ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n'),
    '## What a failure looks like',
    'The body has the members of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) and two more: `code`, which tells programs what failed, and `request_id`, which helps the operator find the call in the log. `detail` is for people and may change.',
    fenced('json', exampleOf('invalid_request', 'The body has no member "token".')),
    '## What to do with each response',
    ...rules,
    "The operator's operations are described in [The operator's API](operator-api.md).",
    '',
  ].join('\n\n');
}

/** If operations explain the error differently, the page shows each explanation with the names of its operations. */
export function errorMarkdown(code: ErrorCode, operations: readonly Operation[]): string {
  const { status, title } = ERRORS[code];
  const explained = explanations(code, operations);
  const names = explained.flatMap((explanation) => explanation.names);
  const said = (part: 'meaning' | 'cause' | 'fix'): string => {
    const alike = [...Map.groupBy(explained, (explanation) => explanation[part])].map(([text, those]) => {
      const by = those.flatMap((explanation) => explanation.names);
      return { text, count: by.length, subjects: subjectsOf(by, operations) };
    });
    if (alike.length === 1) return alike[0]!.text;
    const largest = alike.reduce((one, other) => (other.count > one.count ? other : one));
    const items = alike.map((item) => {
      const isRest = item === largest && item.subjects.length > NAMED_SUBJECTS;
      return `- ${isRest ? 'Other operations' : capital(item.subjects.join(', '))}: ${item.text}`;
    });
    return items.join('\n');
  };
  const ofVerify = explained.find((explanation) => explanation.names.includes(nameOf(VERIFY_CLAIM)));
  const parts = [
    ...(names.length === 0 ? [] : [`Returned by ${subjectsOf(names, operations).join(', ')}`]),
    `## Meaning\n\n${said('meaning')}`,
    `## Cause\n\n${said('cause')}`,
    `## Fix\n\n${said('fix')}`,
    '## Example',
    ...(ofVerify ? [callOf(code)] : []),
    fenced('json', exampleOf(code, (ofVerify ?? explained[0]!).meaning)),
  ];
  return [`# ${title}`, `HTTP ${status} · \`${code}\``, ...parts, ''].join('\n\n');
}

/** The most common explanation of an error names its operations only if there are at most this many. */
const NAMED_SUBJECTS = 3;

/** The largest groups first. */
const GROUPS: readonly (readonly [subject: string, has: (operation: Operation) => boolean])[] = [
  ['every operation', () => true],
  ['every operation with an API key', ({ caller }) => caller === 'apiKey'],
  ["every operation of the operator's API", ({ caller }) => caller === 'operatorKey'],
  ['every operation with a body', ({ input }) => input.body !== undefined],
];

/** Names a group of operations instead of its operations if all of them return the error. */
function subjectsOf(names: readonly string[], operations: readonly Operation[]): readonly string[] {
  const subjects: string[] = [];
  let rest = names;
  for (const [subject, has] of GROUPS) {
    const group = operations.filter(has).map(nameOf);
    if (group.length < 2 || !group.every((name) => rest.includes(name))) continue;
    subjects.push(subject);
    rest = rest.filter((name) => !group.includes(name));
  }
  return [...subjects, ...rest.map((name) => `\`${name}\``)];
}

interface Explanation extends Pick<ErrorEntry, 'meaning' | 'cause' | 'fix'> {
  /** The operations that return the error with these texts. */
  readonly names: readonly string[];
}

/** Returns the distinct explanations of an error, or the explanation in `ERRORS` if no operation returns the error. */
function explanations(code: ErrorCode, operations: readonly Operation[]): readonly Explanation[] {
  const described = operations.flatMap((operation) => {
    const error = errorsOf(operation)[code];
    return error === undefined ? [] : [{ ...describeError(code, error), name: nameOf(operation) }];
  });
  if (described.length === 0) return [{ ...ERRORS[code], names: [] }];
  const alike = Map.groupBy(described, ({ meaning, cause, fix }) => JSON.stringify([meaning, cause, fix]));
  return [...alike.values()].map((group) => ({ ...group[0]!, names: group.map(({ name }) => name) }));
}

const callOf = (code: ErrorCode): string => {
  const lines = [
    `curl -sS ${EXAMPLE_BASE_URL}${VERIFY_CLAIM.path}`,
    `-H 'Authorization: Bearer ${SANDBOX_KEY}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify({ token: fixedTokenOfError(code).token, redeem: true })}'`,
  ];
  return `To get this error at any time, use this [fixed token](test-mode.md#fixed-tokens):\n\n${fenced('sh', lines.join(' \\\n  '))}`;
};

const exampleOf = (code: ErrorCode, detail: string): string =>
  JSON.stringify(JSON.parse(createProblems(EXAMPLE_BASE_URL)(code, detail, 'req_example_1').body), null, 2);
