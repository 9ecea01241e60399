/**
 * Redemption links: the owner's page with the placeholder `{claim}` where the claim token goes. It occurs
 * exactly once, inside a query value, so that no token can change the host or page of the link.
 */
import { invalid } from '../errors.ts';
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

const NAME = 'The redemption link';

/** Throws `invalid_request` with the reason if the link is not valid. */
export const parseRedemptionLink = (text: string) => parseLink(text, NAME, 'public');

/** A link for development, with the same rules; plain http is fine on this machine and in a private network. */
export const parseTestLink = (text: string) => parseLink(text, 'The test link', 'development');

/** `template`: the link as typed; `origin`: what approval pins; `parameter`: the one that carries the token. */
function parseLink(text: string, name: string, use: AddressUse) {
  const addressProblems = () => {
    parseWebAddress(text, name, use);
    return [];
  };
  for (const problem of problemsOf(text, name, addressProblems)) throw invalid(problem);
  return { template: text, origin: linkOrigin(text), parameter: placeholderParameter(text, name) };
}

/** What is wrong with a link, each a sentence, in the order in which it is refused. */
function* problemsOf(
  text: string,
  name: string,
  addressProblems: () => readonly string[],
): Generator<string, void> {
  const written = count(text);
  const isInHost = isPlaceholderInHost(text);
  for (const [pattern, words] of PASTED_MISTAKES) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) yield `${name} ${words(found)}.`;
  }
  if (hidesPlaceholder(text)) {
    yield `${name} holds a percent-encoded placeholder; write ${PLACEHOLDER} with plain braces.`;
  }
  if (isInHost) {
    yield `${name} holds ${PLACEHOLDER} in its host; it must be in the value of a query parameter.`;
  } else {
    // A placeholder in the host explains every other problem of the host.
    yield* addressProblems();
  }
  if (text === '') return;
  if (written === 0) {
    yield missingPlaceholder(text, name);
    return;
  }
  if (written > 1) yield `${name} holds ${PLACEHOLDER} ${written} times; it must be there exactly once.`;
  const brace = /[{}]/.exec(text.replaceAll(PLACEHOLDER, ''));
  if (brace) yield `${name} holds a "${brace[0]}" outside of ${PLACEHOLDER}; no other braces are allowed.`;
  if (written === 1 && !isInHost) yield* reasonsOf([() => placeholderParameter(text, name)]);
}

/**
 * What a link does, or everything that is wrong with it, each a sentence; never throws. `finalLink`: where a claimant with
 * the example token would arrive.
 */
export function describeRedemptionLink(text: string, exampleToken: string) {
  const addressProblems = webAddressProblems(text, NAME);
  const problems = [...new Set(problemsOf(text, NAME, () => addressProblems))];
  const origin = addressProblems.length === 0 ? linkOrigin(text) : null;
  if (problems.length > 0) return { parameter: null, finalLink: null, origin, problems };
  const { parameter } = parseRedemptionLink(text);
  return { parameter, finalLink: fillRedemptionLink(text, exampleToken), origin, problems };
}

/** What is likely wrong with a link that is well-formed, each a sentence. */
export function linkWarnings(template: string): readonly string[] {
  const { hostname } = new URL(template);
  const around = textAroundPlaceholder(template);
  const parameter = placeholderParameter(template, NAME);
  return [
    ...(/^amp./i.test(parameter)
      ? [`The parameter is ${quote(parameter)}. If "amp" is left over from "&amp;", leave it out.`]
      : []),
    ...(isPrivateHost(hostname) ? [`Only one computer or a private network reaches ${hostname}.`] : []),
    ...(around === null
      ? []
      : [`The page gets more than the token: ${around}. Put only ${PLACEHOLDER} after the equals sign.`]),
  ];
}

/** A warning if a link leads to another site than the listing's. `website`: origin of the listing's site. */
export function websiteWarnings(template: string, website: string): readonly string[] {
  const { origin, host } = new URL(template);
  return origin === website ? [] : [`It leads to ${host}, and your website is ${new URL(website).host}.`];
}

/** The value of the parameter; `null`: it is only the placeholder. */
function textAroundPlaceholder(template: string): string | null {
  const value = new URL(template).searchParams.get(placeholderParameter(template, NAME));
  return value === PLACEHOLDER ? null : value;
}

/** What links get where they are copied from, and placeholders as other services spell them. */
const PASTED_MISTAKES: readonly (readonly [pattern: RegExp, words: (found: string) => string])[] = [
  [
    /&(?:amp;|#0*38;|#x0*26;)/i,
    (found) => `holds ${quote(found)}, so the name of the next parameter begins with "amp;"; write only "&"`,
  ],
  [
    /\{{2,}\s*claim\s*\}{2,}|\{\s+claim\s*\}|\{\s*claim\s+\}|\$\{claim\}|<\s*claim\s*>/i,
    (found) =>
      `holds ${quote(found)}; the placeholder is written ${PLACEHOLDER}, and no other braces are allowed`,
  ],
  [
    /^[<("'\u00ab\u2018-\u201f]/,
    (found) => `begins with ${quote(found)}, which is not a part of the address; leave it out`,
  ],
  [
    /(?<=\{claim\})[.,;:!)\]>"'\u00bb\u2018-\u201f\u2026]$/,
    (found) =>
      `ends with ${quote(found)} after ${PLACEHOLDER}, which would become a part of the token; leave it out`,
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

function missingPlaceholder(text: string, name: string): string {
  const near = /\{\s*claim\s*\}/i.exec(text);
  return near
    ? `${name} holds ${quote(near[0])}; the placeholder is written ${PLACEHOLDER}, in lower case.`
    : `${name} has no ${PLACEHOLDER}; put it where the claim token goes, as in ?claim=${PLACEHOLDER}.`;
}

/** Name of the parameter whose value holds the placeholder; refuses a placeholder anywhere else. */
function placeholderParameter(text: string, name: string): string {
  const at = text.indexOf(PLACEHOLDER);
  const hash = text.indexOf('#');
  if (hash !== -1 && hash < at) {
    throw invalid(`${name} holds ${PLACEHOLDER} in its fragment (after "#"), which never reaches a server.`);
  }
  const question = text.indexOf('?');
  if (question === -1 || question > at) {
    throw invalid(`${name} holds ${PLACEHOLDER} in its path; it must be in the value of a query parameter.`);
  }
  const query = text.slice(question + 1, hash === -1 ? text.length : hash);
  const pairs = query.split('&');
  const pair = pairs.find((candidate) => candidate.includes(PLACEHOLDER))!;
  const equals = pair.indexOf('=');
  if (equals === -1 || equals > pair.indexOf(PLACEHOLDER)) {
    throw invalid(
      `${name} holds ${PLACEHOLDER} in the name of a query parameter; it must be in the value, as in ?claim=${PLACEHOLDER}.`,
    );
  }
  const parameter = decodeName(pair);
  if (/[?;]/.test(parameter)) {
    throw invalid(
      `${name} has the query parameter ${quote(parameter)}, with a "?" or ";" in its name. Write "?" before the first parameter only, and "&" before each other one.`,
    );
  }
  if (parameter === '') throw invalid(`${name} gives ${PLACEHOLDER} to a query parameter without a name.`);
  if (pairs.filter((candidate) => candidate !== '' && decodeName(candidate) === parameter).length > 1) {
    throw invalid(
      `${name} has the query parameter ${quote(parameter)} twice, so that a page may read the wrong one.`,
    );
  }
  return parameter;
}

/** The name of a `name=value` pair as servers decode it. The "&" keeps a "?" at its start, which would be dropped. */
const decodeName = (pair: string): string => new URLSearchParams(`&${pair}`).keys().next().value ?? '';

export const linkOrigin = (template: string): string => new URL(template).origin;

/** For the policy of a page whose forms may redirect to a link. */
export const originsOf = (template: string | null): readonly string[] =>
  template === null ? [] : [linkOrigin(template)];

/** Name of the query parameter that carries the token, of a link that was parsed before. */
export const claimParameter = (template: string): string => placeholderParameter(template, NAME);

/** The link with the token, percent-encoded, in place of the placeholder; nothing else changes. */
export function fillRedemptionLink(template: string, token: string): string {
  const at = template.indexOf(PLACEHOLDER);
  return template.slice(0, at) + encodeURIComponent(token) + template.slice(at + PLACEHOLDER.length);
}
