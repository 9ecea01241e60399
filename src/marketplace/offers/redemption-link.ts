/**
 * A redemption link is the URL of the owner's page with the placeholder `{claim}` for the claim token, and optionally
 * with `{via}` for the campaign label and `{offer}` for the ID of the offer. Each occurs at most once, in a query value
 * of its parameter, so that no value can change the host or page of the link. None of them is about the person.
 */

import { invalid } from '../../platform/errors.ts';
import { type Message, message, type Words } from '../../platform/languages/translate.ts';
import {
  type AddressUse,
  isPrivateHost,
  parseWebAddress,
  reasonsOf,
  webAddressProblems,
  withScheme,
} from '../../platform/network/web-address.ts';
import { quote, withoutTail } from '../../platform/text/text.ts';

export const PLACEHOLDER = '{claim}';

/** What replaces the placeholders. */
export interface LinkValues {
  readonly claim: string;
  /** The campaign label of the claim, which visitors can choose freely; `null`: none. */
  readonly via: string | null;
  readonly offer: string;
}

/** No claim has this token, and no offer this ID. */
export const EXAMPLE_VALUES: LinkValues = {
  claim: 'clm_EXAMPLE',
  via: 'newsletter',
  offer: '01981f3a-7c2b-7000-8000-000000000000',
};

const NAMES = ['claim', 'via', 'offer'] as const satisfies readonly (keyof LinkValues)[];
const PLACEHOLDERS = NAMES.map((name) => `{${name}}`);
const OPTIONAL_PLACEHOLDERS = PLACEHOLDERS.filter((placeholder) => placeholder !== PLACEHOLDER);

/** The placeholders in a sentence. */
const LISTED = { claim: '{claim}', via: '{via}', offer: '{offer}' };

/** Maximum number of times that a link is percent-decoded to find a hidden placeholder. */
const MAX_DECODINGS = 4;

const NAME = message('The redemption link');

/** Adds https:// if the text has no scheme. Throws `invalid_request` if the link is invalid. */
export const parseRedemptionLink = (text: string) => parseLink(withScheme(text), NAME, 'public');

/** Like `parseRedemptionLink`, but also allows http for localhost and private networks. */
export const parseTestLink = (text: string) => parseLink(text, message('The test link'), 'development');

/** `template`: the link with its placeholders. `parameter`: the query parameter that carries the token. */
function parseLink(text: string, name: Words, use: AddressUse) {
  const addressProblems = () => {
    parseWebAddress(text, name, use);
    return [];
  };
  for (const problem of problemsOf(text, name, addressProblems)) throw invalid(problem);
  return {
    template: text,
    origin: linkOrigin(text),
    parameter: placeholderParameter(text, name, PLACEHOLDER),
  };
}

/** Yields one sentence per problem. A link is refused with the first sentence. */
function* problemsOf(
  text: string,
  name: Words,
  addressProblems: () => readonly Words[],
): Generator<Words, void> {
  yield* pastedMistakes(text, name);
  for (const placeholder of PLACEHOLDERS) {
    if (!hidesPlaceholder(text, placeholder)) continue;
    yield message('{name} contains a percent-encoded placeholder; write {placeholder} with plain braces.', {
      name,
      placeholder,
    });
  }
  const inHost = PLACEHOLDERS.filter((placeholder) => hostOf(text).includes(placeholder));
  for (const placeholder of inHost) {
    yield message(
      '{name} contains {placeholder} in its host; it must be in the value of a query parameter.',
      { name, placeholder },
    );
  }
  // Skipped if a placeholder is in the host, because this check would also report the braces in the host.
  if (inHost.length === 0) yield* addressProblems();
  if (text === '') return;
  if (count(text, PLACEHOLDER) === 0) {
    yield missingPlaceholder(text, name);
    return;
  }
  for (const placeholder of PLACEHOLDERS) {
    const written = count(text, placeholder);
    if (written <= 1) continue;
    yield placeholder === PLACEHOLDER
      ? message('{name} contains {placeholder} {written} times; it must occur exactly once.', {
          name,
          placeholder,
          written,
        })
      : message('{name} contains {placeholder} {written} times; it may occur only once.', {
          name,
          placeholder,
          written,
        });
  }
  yield* otherBraces(text, name);
  const once = PLACEHOLDERS.filter(
    (placeholder) => count(text, placeholder) === 1 && !inHost.includes(placeholder),
  );
  yield* reasonsOf(once.map((placeholder) => () => placeholderParameter(text, name, placeholder)));
  yield* reasonsOf([() => refuseSharedParameter(text, name)]);
}

function* otherBraces(text: string, name: Words): Generator<Words, void> {
  const rest = text.replaceAll(ANY_PLACEHOLDER, '');
  const brace = /[{}]/.exec(rest)?.[0];
  if (brace === undefined) return;
  const near = OPTIONAL_PLACEHOLDERS.find((placeholder) => misspelled(rest, placeholder) !== undefined);
  yield near === undefined
    ? message(
        '{name} contains a "{brace}" outside the placeholders {claim}, {via} and {offer}; no other braces are allowed.',
        { name, brace, ...LISTED },
      )
    : misspelling(name, misspelled(rest, near)!, near);
}

/** Never throws. `finalLink`: the link with the example values. */
export function describeRedemptionLink(typed: string) {
  const text = withScheme(typed);
  const addressProblems = webAddressProblems(text, NAME);
  const problems = distinct(problemsOf(text, NAME, () => addressProblems));
  const origin = addressProblems.length === 0 ? linkOrigin(text) : null;
  if (problems.length > 0) return { parameter: null, finalLink: null, origin, problems };
  const { parameter } = parseRedemptionLink(text);
  return { parameter, finalLink: fillRedemptionLink(text, EXAMPLE_VALUES), origin, problems };
}

const distinct = (sentences: Iterable<Words>): readonly Words[] => [
  ...new Map([...sentences].map((sentence) => [String(sentence), sentence])).values(),
];

/** Likely mistakes in a valid link, one sentence each. `website`: origin of the listing's website; `null`: not compared. */
export function linkWarnings(template: string, website: string | null): readonly Message[] {
  const { hostname, host, origin } = new URL(template);
  const around = textAroundPlaceholder(template);
  const parameter = claimParameter(template);
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
  const value = new URL(template).searchParams.get(claimParameter(template));
  return value === PLACEHOLDER ? null : value;
}

/** Remnants of the text from which a link was copied, and placeholders in the syntax of other services. */
function* pastedMistakes(text: string, name: Words): Generator<Words, void> {
  const entity = /&(?:amp;|#0*38;|#x0*26;)/i.exec(text)?.[0];
  if (entity !== undefined) {
    yield message('{name} contains {found}, which is how HTML encodes "&"; write only "&".', {
      name,
      found: quote(entity),
    });
  }
  for (const placeholder of PLACEHOLDERS) {
    const foreign = foreignPlaceholder(text, placeholder);
    if (foreign === undefined) continue;
    yield message(
      '{name} contains {found}; the placeholder is written {placeholder}, and no other braces are allowed.',
      { name, found: quote(foreign), placeholder },
    );
  }
  const start = /^[<("'\u00ab\u2018-\u201f]/.exec(text)?.[0];
  if (start !== undefined) {
    yield message('{name} begins with {found}, which is not a part of the address; leave it out.', {
      name,
      found: quote(start),
    });
  }
  const [, placeholder, end] = PUNCTUATED_END.exec(text) ?? [];
  if (placeholder !== undefined && end !== undefined) {
    yield message(
      '{name} ends with {found}, which would become part of the value; remove everything after {placeholder}.',
      { name, found: quote(end), placeholder },
    );
  }
}

const ANY_PLACEHOLDER = new RegExp(`\\{(?:${NAMES.join('|')})\\}`, 'g');
const PUNCTUATED_END = new RegExp(
  `(\\{(?:${NAMES.join('|')})\\})([.,;:!)\\]>"'\\u00bb\\u2018-\\u201f\\u2026])$`,
);

/** A placeholder in another syntax: `{{claim}}`, `{ claim }`, `${claim}` or `<claim>`. Reads each character a few times. */
function foreignPlaceholder(text: string, placeholder: string): string | undefined {
  const word = placeholder.slice(1, -1);
  for (const { index } of text.matchAll(new RegExp(word, 'gi'))) {
    const end = index + word.length;
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

/** What is before the path. A value in it could send people to another site. */
const hostOf = (text: string): string => /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';

/** A percent-encoded placeholder would not be replaced, so the owner's page would not get the value. */
function hidesPlaceholder(text: string, placeholder: string): boolean {
  const written = count(text, placeholder);
  let decoded = text;
  for (let i = 0; i < MAX_DECODINGS; i++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (count(decoded, placeholder) > written) return true;
  }
  return false;
}

const count = (text: string, placeholder: string): number => text.split(placeholder).length - 1;

/** A placeholder in upper case or with spaces, such as `{Claim}`. */
const misspelled = (text: string, placeholder: string): string | undefined =>
  new RegExp(`\\{\\s*${placeholder.slice(1, -1)}\\s*\\}`, 'i').exec(text)?.[0];

const misspelling = (name: Words, near: string, placeholder: string): Message =>
  message(
    '{name} contains {near}; the placeholder is written {placeholder}, in lower case and without spaces.',
    { name, near: quote(near), placeholder },
  );

function missingPlaceholder(text: string, name: Words): Message {
  const near = misspelled(text, PLACEHOLDER);
  return near === undefined
    ? message('{name} has no {placeholder}; put it where the claim token goes, as in ?claim={placeholder}.', {
        name,
        placeholder: PLACEHOLDER,
      })
    : misspelling(name, near, PLACEHOLDER);
}

/** The `name=value` pairs of the query. */
function pairsOf(text: string): readonly string[] {
  const [beforeFragment = ''] = text.split('#', 1);
  const question = beforeFragment.indexOf('?');
  return question === -1 ? [] : beforeFragment.slice(question + 1).split('&');
}

/** If two values shared a parameter, a page couldn't tell where the first one ends. */
function refuseSharedParameter(text: string, name: Words): void {
  for (const pair of pairsOf(text)) {
    const [first, second] = PLACEHOLDERS.filter((placeholder) => pair.includes(placeholder));
    if (first === undefined || second === undefined) continue;
    throw invalid(
      message('{name} contains {first} and {second} in one query parameter; each needs its own.', {
        name,
        first,
        second,
      }),
    );
  }
}

/** Name of the parameter whose value contains the placeholder. Refuses a placeholder anywhere else. */
function placeholderParameter(text: string, name: Words, placeholder: string): string {
  const values = { name, placeholder };
  const at = text.indexOf(placeholder);
  const hash = text.indexOf('#');
  if (hash !== -1 && hash < at) {
    throw invalid(
      message(
        '{name} contains {placeholder} in its fragment (after "#"), which never reaches a server.',
        values,
      ),
    );
  }
  const question = text.indexOf('?');
  if (question === -1 || question > at) {
    throw invalid(
      message(
        '{name} contains {placeholder} in its path; it must be in the value of a query parameter.',
        values,
      ),
    );
  }
  const pairs = pairsOf(text);
  const pair = pairs.find((candidate) => candidate.includes(placeholder))!;
  const equals = pair.indexOf('=');
  if (equals === -1 || equals > pair.indexOf(placeholder)) {
    throw invalid(
      message(
        '{name} contains {placeholder} in the name of a query parameter; it must be in the value, as in ?{example}={placeholder}.',
        { ...values, example: placeholder.slice(1, -1) },
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
    throw invalid(message('{name} contains {placeholder} in a query parameter without a name.', values));
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
export const claimParameter = (template: string): string => placeholderParameter(template, NAME, PLACEHOLDER);

/**
 * Replaces each placeholder with the percent-encoded value. A value can't add a placeholder, because braces are encoded.
 * Each placeholder occurs at most once, so three searches suffice. They take half as long as a regular expression.
 */
export function fillRedemptionLink(template: string, values: LinkValues): string {
  let link = template;
  for (const name of NAMES) {
    link = link.replace(`{${name}}`, () => encodeURIComponent(values[name] ?? ''));
  }
  return link;
}
