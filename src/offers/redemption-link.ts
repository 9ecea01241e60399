/**
 * Redemption links: the URL of the owner's page, with the placeholder `{claim}` where the claim token goes. The
 * placeholder occurs exactly once, inside a query value, so that no token can change the host or page of the link.
 */

import { invalid } from '../errors.ts';
import { type Message, message, type Words } from '../languages/translate.ts';
import {
  type AddressUse,
  isPrivateHost,
  parseWebAddress,
  reasonsOf,
  webAddressProblems,
} from '../network/web-address.ts';
import { quote } from '../text/text.ts';

export const PLACEHOLDER = '{claim}';

/** Levels of nested encoding that are searched for a hidden placeholder. */
const MAX_DECODINGS = 4;

const NAME = message('The redemption link');

/** Throws `invalid_request` with the reason if the link is not valid. */
export const parseRedemptionLink = (text: string) => parseLink(text, NAME, 'public');

/** A link for development. The same rules apply, but plain http is allowed on localhost and in private networks. */
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

/** One sentence for each thing that is wrong with a link. A link is refused with the first sentence. */
function* problemsOf(
  text: string,
  name: Words,
  addressProblems: () => readonly Words[],
): Generator<Words, void> {
  const said = { name, placeholder: PLACEHOLDER };
  const written = count(text);
  const isInHost = isPlaceholderInHost(text);
  for (const [pattern, words] of PASTED_MISTAKES) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) yield words(found, name);
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
    // Not checked if the placeholder is in the host: the check would also report its braces as an invalid host.
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

/** Never throws. `finalLink`: where a claimant with the example token would arrive. */
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

/** Likely mistakes in a valid link, one sentence each. */
export function linkWarnings(template: string): readonly Message[] {
  const { hostname } = new URL(template);
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
  ];
}

/** `website`: the origin of the listing's site. */
export function websiteWarnings(template: string, website: string): readonly Message[] {
  const { origin, host } = new URL(template);
  return origin === website
    ? []
    : [
        message('The link leads to {host}, but the app’s website is {website}.', {
          host,
          website: new URL(website).host,
        }),
      ];
}

/** The value of the parameter; `null` if it is only the placeholder. */
function textAroundPlaceholder(template: string): string | null {
  const value = new URL(template).searchParams.get(placeholderParameter(template, NAME));
  return value === PLACEHOLDER ? null : value;
}

/** Leftovers of the text that a link was copied from, and placeholders in the syntax of other services. */
const PASTED_MISTAKES: readonly (readonly [
  pattern: RegExp,
  words: (found: string, name: Words) => Message,
])[] = [
  [
    /&(?:amp;|#0*38;|#x0*26;)/i,
    (found, name) =>
      message('{name} contains {found}, which is how HTML encodes "&"; write only "&".', {
        name,
        found: quote(found),
      }),
  ],
  [
    /\{{2,}\s*claim\s*\}{2,}|\{\s+claim\s*\}|\{\s*claim\s+\}|\$\{claim\}|<\s*claim\s*>/i,
    (found, name) =>
      message(
        '{name} contains {found}; the placeholder is written {placeholder}, and no other braces are allowed.',
        { name, found: quote(found), placeholder: PLACEHOLDER },
      ),
  ],
  [
    /^[<("'\u00ab\u2018-\u201f]/,
    (found, name) =>
      message('{name} begins with {found}, which is not a part of the address; leave it out.', {
        name,
        found: quote(found),
      }),
  ],
  [
    /(?<=\{claim\})[.,;:!)\]>"'\u00bb\u2018-\u201f\u2026]$/,
    (found, name) =>
      message(
        '{name} ends with {found} after {placeholder}, which would become a part of the token; leave it out.',
        { name, found: quote(found), placeholder: PLACEHOLDER },
      ),
  ],
];

/** With a placeholder in the host, a token could choose where people are sent. */
const isPlaceholderInHost = (text: string): boolean =>
  /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1]?.includes(PLACEHOLDER) ?? false;

/** An encoded placeholder would not be replaced, and would reach the owner's page in place of the token. */
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

/** Name of the parameter whose value contains the placeholder; refuses a placeholder anywhere else. */
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

/** The name of a `name=value` pair as servers decode it. Without the "&", a leading "?" would be dropped. */
const decodeName = (pair: string): string => new URLSearchParams(`&${pair}`).keys().next().value ?? '';

export const linkOrigin = (template: string): string => new URL(template).origin;

/** For the `form-action` policy of a page whose forms may redirect to a link. */
export const originsOf = (template: string | null): readonly string[] =>
  template === null ? [] : [linkOrigin(template)];

/** `template`: a link that was parsed before. */
export const claimParameter = (template: string): string => placeholderParameter(template, NAME);

/** The link with the token, percent-encoded, in place of the placeholder; nothing else changes. */
export function fillRedemptionLink(template: string, token: string): string {
  const at = template.indexOf(PLACEHOLDER);
  return template.slice(0, at) + encodeURIComponent(token) + template.slice(at + PLACEHOLDER.length);
}
