/**
 * A redemption link is the URL of the owner's page with the placeholder `{claim}` for the claim token. The placeholder
 * must occur exactly once, in a query value, so that a token cannot change the host or page of the link.
 */

import { invalid } from '../../platform/errors.ts';
import { type Message, message, type Words } from '../../platform/languages/translate.ts';
import {
  type AddressUse,
  isPrivateHost,
  parseWebAddress,
  reasonsOf,
  webAddressProblems,
} from '../../platform/network/web-address.ts';
import { quote, withoutTail } from '../../platform/text/text.ts';

export const PLACEHOLDER = '{claim}';

/** Maximum number of times that a link is percent-decoded to find a hidden placeholder. */
const MAX_DECODINGS = 4;

const NAME = message('The redemption link');

/** Throws `invalid_request` if the link is invalid. */
export const parseRedemptionLink = (text: string) => parseLink(text, NAME, 'public');

/** Like `parseRedemptionLink`, but also allows http for localhost and private networks. */
export const parseTestLink = (text: string) => parseLink(text, message('The test link'), 'development');

/** `template`: the link as typed. `parameter`: the query parameter that carries the token. */
function parseLink(text: string, name: Words, use: AddressUse) {
  const addressProblems = () => {
    parseWebAddress(text, name, use);
    return [];
  };
  for (const problem of problemsOf(text, name, addressProblems)) throw invalid(problem);
  return { template: text, origin: linkOrigin(text), parameter: placeholderParameter(text, name) };
}

/** Yields one sentence per problem. A link is refused with the first sentence. */
function* problemsOf(
  text: string,
  name: Words,
  addressProblems: () => readonly Words[],
): Generator<Words, void> {
  const said = { name, placeholder: PLACEHOLDER };
  const written = count(text);
  const isInHost = isPlaceholderInHost(text);
  for (const [find, words] of PASTED_MISTAKES) {
    const mistake = find(text);
    if (mistake !== undefined) yield words(mistake, name);
  }
  if (hidesPlaceholder(text)) {
    yield message(
      '{name} contains a percent-encoded placeholder; write {placeholder} with plain braces.',
      said,
    );
  }
  if (isInHost) {
    yield message(
      '{name} contains {placeholder} in its host; it must be in the value of a query parameter.',
      said,
    );
  } else {
    // Skipped if the placeholder is in the host, because this check would also report the braces in the host.
    yield* addressProblems();
  }
  if (text === '') return;
  if (written === 0) {
    yield missingPlaceholder(text, name);
    return;
  }
  if (written > 1)
    yield message('{name} contains {placeholder} {written} times; it must occur exactly once.', {
      ...said,
      written,
    });
  const brace = /[{}]/.exec(text.replaceAll(PLACEHOLDER, ''));
  if (brace)
    yield message('{name} contains a "{brace}" outside {placeholder}; no other braces are allowed.', {
      ...said,
      brace: brace[0],
    });
  if (written === 1 && !isInHost) yield* reasonsOf([() => placeholderParameter(text, name)]);
}

/** Never throws. `finalLink`: the link with the example token. */
export function describeRedemptionLink(text: string, exampleToken: string) {
  const addressProblems = webAddressProblems(text, NAME);
  const problems = distinct(problemsOf(text, NAME, () => addressProblems));
  const origin = addressProblems.length === 0 ? linkOrigin(text) : null;
  if (problems.length > 0) return { parameter: null, finalLink: null, origin, problems };
  const { parameter } = parseRedemptionLink(text);
  return { parameter, finalLink: fillRedemptionLink(text, exampleToken), origin, problems };
}

const distinct = (sentences: Iterable<Words>): readonly Words[] => [
  ...new Map([...sentences].map((sentence) => [String(sentence), sentence])).values(),
];

/** Likely mistakes in a valid link, one sentence each. `website`: origin of the listing's website; `null`: not compared. */
export function linkWarnings(template: string, website: string | null): readonly Message[] {
  const { hostname, host, origin } = new URL(template);
  const around = textAroundPlaceholder(template);
  const parameter = placeholderParameter(template, NAME);
  return [
    ...(/^amp./i.test(parameter)
      ? [
          message('The parameter is {parameter}. If "amp" is left over from "&amp;", leave it out.', {
            parameter: quote(parameter),
          }),
        ]
      : []),
    ...(isPrivateHost(hostname)
      ? [message('{hostname} can be reached only from one computer or a private network.', { hostname })]
      : []),
    ...(around === null
      ? []
      : [
          message(
            'The page gets more than the token: {around}. Put only {placeholder} after the equals sign.',
            { around, placeholder: PLACEHOLDER },
          ),
        ]),
    ...(website === null || origin === website
      ? []
      : [
          message('The link leads to {host}, but the app’s website is {website}.', {
            host,
            website: new URL(website).host,
          }),
        ]),
  ];
}

/** Value of the parameter with the placeholder; `null` if the value is exactly the placeholder. */
function textAroundPlaceholder(template: string): string | null {
  const value = new URL(template).searchParams.get(placeholderParameter(template, NAME));
  return value === PLACEHOLDER ? null : value;
}

/** Remnants of the text from which a link was copied, and placeholders in the syntax of other services. */
const PASTED_MISTAKES: readonly (readonly [
  find: (text: string) => string | undefined,
  words: (sample: string, name: Words) => Message,
])[] = [
  [
    (text) => /&(?:amp;|#0*38;|#x0*26;)/i.exec(text)?.[0],
    (sample, name) =>
      message('{name} contains {found}, which is how HTML encodes "&"; write only "&".', {
        name,
        found: quote(sample),
      }),
  ],
  [
    foreignPlaceholder,
    (sample, name) =>
      message(
        '{name} contains {found}; the placeholder is written {placeholder}, and no other braces are allowed.',
        { name, found: quote(sample), placeholder: PLACEHOLDER },
      ),
  ],
  [
    (text) => /^[<("'\u00ab\u2018-\u201f]/.exec(text)?.[0],
    (sample, name) =>
      message('{name} begins with {found}, which is not a part of the address; leave it out.', {
        name,
        found: quote(sample),
      }),
  ],
  [
    (text) => /(?<=\{claim\})[.,;:!)\]>"'\u00bb\u2018-\u201f\u2026]$/.exec(text)?.[0],
    (sample, name) =>
      message(
        '{name} ends with {found}, which would become part of the token; remove everything after {placeholder}.',
        { name, found: quote(sample), placeholder: PLACEHOLDER },
      ),
  ],
];

/** A placeholder in another syntax: `{{claim}}`, `{ claim }`, `${claim}` or `<claim>`. Reads each character a few times. */
function foreignPlaceholder(text: string): string | undefined {
  for (const { index } of text.matchAll(/claim/gi)) {
    const end = index + 'claim'.length;
    const left = text.slice(Math.max(0, index - MAX_AROUND), index);
    const right = text.slice(end, end + MAX_AROUND);
    const [before, after] = [left.trimEnd(), right.trimStart()];
    const [opened, closed] = [before.at(-1), after[0]];
    const start = index - (left.length - before.length);
    const stop = end + (right.length - after.length);
    if (opened === '<' && closed === '>') return text.slice(start - 1, stop + 1);
    if (opened !== '{' || closed !== '}') continue;
    const braces = before.length - withoutTail(before, /\{/).length;
    const closing = /^\}*/.exec(after)![0].length;
    if (braces >= 2 && closing >= 2) return text.slice(start - braces, stop + closing);
    if (start < index || stop > end) return text.slice(start - 1, stop + 1);
    if (text[start - 2] === '$') return text.slice(start - 2, stop + 1);
  }
  return undefined;
}

/** How far braces may be from the word. */
const MAX_AROUND = 40;

/** A token in the host could send people to another site. */
const isPlaceholderInHost = (text: string): boolean =>
  /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1]?.includes(PLACEHOLDER) ?? false;

/** A percent-encoded placeholder would not be replaced, so the owner's page would get no token. */
function hidesPlaceholder(text: string): boolean {
  const written = count(text);
  let decoded = text;
  for (let i = 0; i < MAX_DECODINGS; i++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (count(decoded) > written) return true;
  }
  return false;
}

const count = (text: string): number => text.split(PLACEHOLDER).length - 1;

function missingPlaceholder(text: string, name: Words): Message {
  const near = /\{\s*claim\s*\}/i.exec(text);
  return near
    ? message(
        '{name} contains {near}; the placeholder is written {placeholder}, in lower case and without spaces.',
        { name, near: quote(near[0]), placeholder: PLACEHOLDER },
      )
    : message('{name} has no {placeholder}; put it where the claim token goes, as in ?claim={placeholder}.', {
        name,
        placeholder: PLACEHOLDER,
      });
}

/** Name of the parameter whose value contains the placeholder. Refuses a placeholder anywhere else. */
function placeholderParameter(text: string, name: Words): string {
  const said = { name, placeholder: PLACEHOLDER };
  const at = text.indexOf(PLACEHOLDER);
  const hash = text.indexOf('#');
  if (hash !== -1 && hash < at) {
    throw invalid(
      message(
        '{name} contains {placeholder} in its fragment (after "#"), which never reaches a server.',
        said,
      ),
    );
  }
  const question = text.indexOf('?');
  if (question === -1 || question > at) {
    throw invalid(
      message(
        '{name} contains {placeholder} in its path; it must be in the value of a query parameter.',
        said,
      ),
    );
  }
  const query = text.slice(question + 1, hash === -1 ? text.length : hash);
  const pairs = query.split('&');
  const pair = pairs.find((candidate) => candidate.includes(PLACEHOLDER))!;
  const equals = pair.indexOf('=');
  if (equals === -1 || equals > pair.indexOf(PLACEHOLDER)) {
    throw invalid(
      message(
        '{name} contains {placeholder} in the name of a query parameter; it must be in the value, as in ?claim={placeholder}.',
        said,
      ),
    );
  }
  const parameter = decodeName(pair);
  if (/[?;]/.test(parameter)) {
    throw invalid(
      message(
        '{name} has the query parameter {parameter}, with a "?" or ";" in its name. Write "?" before the first parameter only, and "&" before each of the others.',
        { name, parameter: quote(parameter) },
      ),
    );
  }
  if (parameter === '')
    throw invalid(message('{name} contains {placeholder} in a query parameter without a name.', said));
  if (pairs.filter((candidate) => candidate !== '' && decodeName(candidate) === parameter).length > 1) {
    throw invalid(
      message(
        '{name} has the query parameter {parameter} more than once, so a page may read the wrong one.',
        { name, parameter: quote(parameter) },
      ),
    );
  }
  return parameter;
}

/** Decodes the name of a `name=value` pair as servers do. The "&" makes `URLSearchParams` keep a leading "?". */
const decodeName = (pair: string): string => new URLSearchParams(`&${pair}`).keys().next().value ?? '';

export const linkOrigin = (template: string): string => new URL(template).origin;

/** Returns the origins for the CSP directive `form-action` of a page whose form may redirect to the link. */
export const originsOf = (template: string | null): readonly string[] =>
  template === null ? [] : [linkOrigin(template)];

/** `template`: a valid redemption link. */
export const claimParameter = (template: string): string => placeholderParameter(template, NAME);

/** Replaces the placeholder with the percent-encoded token. */
export function fillRedemptionLink(template: string, token: string): string {
  const at = template.indexOf(PLACEHOLDER);
  return template.slice(0, at) + encodeURIComponent(token) + template.slice(at + PLACEHOLDER.length);
}
