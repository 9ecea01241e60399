/**
 * Redemption links: the owner's page with the placeholder `{claim}` where the claim token goes. It occurs
 * exactly once, inside a query value, so that no token can change the host or page of the link.
 */
import { invalid } from '../errors.ts';
import { quote } from '../text.ts';
import { parseWebAddress, reasonsOf, webAddressProblems } from '../web-address.ts';

export const PLACEHOLDER = '{claim}';

/** Levels of nested encoding that are searched for a hidden placeholder. */
const MAX_DECODINGS = 4;

const NAME = 'The redemption link';

export interface RedemptionLink {
  /** The link as typed, with its placeholder. */
  readonly template: string;
  /** Scheme, host and port: what approval pins. */
  readonly origin: string;
  /** Name of the query parameter that carries the token. */
  readonly parameter: string;
}

/** Throws `invalid_request` with the reason if the link is not valid. */
export function parseRedemptionLink(text: string): RedemptionLink {
  refuseHiddenPlaceholder(text);
  refusePlaceholderInHost(text);
  const { origin } = parseWebAddress(text, NAME);
  refuseWrongCount(text);
  refuseOtherBraces(text);
  return { template: text, origin, parameter: placeholderParameter(text) };
}

/** What the link tester shows while a link is typed. */
export interface LinkDescription {
  /** Name of the query parameter that carries the token; `null` while the link is wrong. */
  readonly parameter: string | null;
  /** Where a claimant with the example token would arrive; `null` while the link is wrong. */
  readonly finalLink: string | null;
  /** Scheme, host and port, as soon as they can be parsed. */
  readonly origin: string | null;
  /** Every reason why the link is not valid, each a sentence; empty for a valid one. */
  readonly problems: readonly string[];
}

/** Describes what a link does, or everything that is wrong with it; never throws. */
export function describeRedemptionLink(text: string, exampleToken: string): LinkDescription {
  const problems = linkProblems(text);
  const origin = webAddressProblems(text, NAME).length === 0 ? parseWebAddress(text, NAME).origin : null;
  if (problems.length > 0) return { parameter: null, finalLink: null, origin, problems };
  const { parameter } = parseRedemptionLink(text);
  return { parameter, finalLink: fillRedemptionLink(text, exampleToken), origin, problems };
}

/** Hosts that only this computer or its network reaches. */
const LOCAL_HOST =
  /^(?:localhost|.*\.localhost|.*\.local|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1|f[cd][0-9a-f:]+|fe80:[0-9a-f:]+)\])$/;

/** What is likely wrong with a link that is well-formed, each a sentence. */
export function linkWarnings(template: string): readonly string[] {
  const { hostname } = new URL(template);
  const around = textAroundPlaceholder(template);
  return [
    ...(LOCAL_HOST.test(hostname) ? [`Only one computer or a private network reaches ${hostname}.`] : []),
    ...(around === null
      ? []
      : [`The page gets more than the token: ${around}. Put ${PLACEHOLDER} alone after the equals sign.`]),
  ];
}

/** A warning if a link leads to another site than the listing's. `website`: origin of the listing's site. */
export function websiteWarnings(template: string, website: string): readonly string[] {
  const { origin, host } = new URL(template);
  return origin === website ? [] : [`It leads to ${host}, and your website is ${new URL(website).host}.`];
}

/** The value of the parameter; `null`: it is the placeholder alone. */
function textAroundPlaceholder(template: string): string | null {
  const value = new URL(template).searchParams.get(placeholderParameter(template));
  return value === PLACEHOLDER ? null : value;
}

function linkProblems(text: string): readonly string[] {
  if (text === '') return webAddressProblems(text, NAME);
  const written = count(text);
  const problems = [
    ...reasonsOf([() => refuseHiddenPlaceholder(text), () => refusePlaceholderInHost(text)]),
    // A placeholder in the host explains every other problem of the host.
    ...(isPlaceholderInHost(text) ? [] : webAddressProblems(text, NAME)),
    ...reasonsOf([
      () => refuseWrongCount(text),
      () => written > 0 && refuseOtherBraces(text),
      () => written === 1 && !isPlaceholderInHost(text) && placeholderParameter(text),
    ]),
  ];
  return [...new Set(problems)];
}

function refuseWrongCount(text: string): void {
  const written = count(text);
  if (written === 0) throw missingPlaceholder(text);
  if (written > 1) {
    throw invalid(`${NAME} holds ${PLACEHOLDER} ${written} times; it must be there exactly once.`);
  }
}

function refuseOtherBraces(text: string): void {
  const brace = /[{}]/.exec(text.replaceAll(PLACEHOLDER, ''));
  if (brace) {
    throw invalid(
      `${NAME} holds a "${brace[0]}" besides those of ${PLACEHOLDER}; no other braces are allowed.`,
    );
  }
}

/** With a placeholder in the host, a token could choose where people are sent. */
function refusePlaceholderInHost(text: string): void {
  if (isPlaceholderInHost(text)) {
    throw invalid(`${NAME} holds ${PLACEHOLDER} in its host; it must be in the value of a query parameter.`);
  }
}

const isPlaceholderInHost = (text: string): boolean =>
  /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1]?.includes(PLACEHOLDER) ?? false;

/** An encoded placeholder would not be replaced, and would reach the owner's page in place of the token. */
function refuseHiddenPlaceholder(text: string): void {
  const written = count(text);
  let decoded = text;
  for (let i = 0; i < MAX_DECODINGS; i++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (count(decoded) > written) {
      throw invalid(`${NAME} holds a percent-encoded placeholder; write ${PLACEHOLDER} with plain braces.`);
    }
  }
}

const count = (text: string): number => text.split(PLACEHOLDER).length - 1;

function missingPlaceholder(text: string): Error {
  const near = /\{\s*claim\s*\}/i.exec(text);
  return near
    ? invalid(`${NAME} holds ${quote(near[0])}; the placeholder is written ${PLACEHOLDER}, in lower case.`)
    : invalid(
        `${NAME} has no ${PLACEHOLDER}; put it where the claim token goes, as in ?claim=${PLACEHOLDER}.`,
      );
}

/** Name of the parameter whose value holds the placeholder; refuses a placeholder anywhere else. */
function placeholderParameter(text: string): string {
  const at = text.indexOf(PLACEHOLDER);
  const hash = text.indexOf('#');
  if (hash !== -1 && hash < at) {
    throw invalid(`${NAME} holds ${PLACEHOLDER} in its fragment (after "#"), which never reaches a server.`);
  }
  const question = text.indexOf('?');
  if (question === -1 || question > at) {
    throw invalid(`${NAME} holds ${PLACEHOLDER} in its path; it must be in the value of a query parameter.`);
  }
  const query = text.slice(question + 1, hash === -1 ? text.length : hash);
  const pairs = query.split('&');
  const pair = pairs.find((candidate) => candidate.includes(PLACEHOLDER))!;
  const equals = pair.indexOf('=');
  if (equals === -1 || equals > pair.indexOf(PLACEHOLDER)) {
    throw invalid(
      `${NAME} holds ${PLACEHOLDER} in the name of a query parameter; it must be in the value, as in ?claim=${PLACEHOLDER}.`,
    );
  }
  const name = decodeName(pair);
  if (name === '') throw invalid(`${NAME} gives ${PLACEHOLDER} to a query parameter without a name.`);
  if (pairs.filter((candidate) => candidate !== '' && decodeName(candidate) === name).length > 1) {
    throw invalid(
      `${NAME} has the query parameter ${quote(name)} twice, so that a page may read the wrong one.`,
    );
  }
  return name;
}

/** The name of a `name=value` pair as servers decode it. */
const decodeName = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? '';

/** Origin of a link that was parsed before. */
export const linkOrigin = (template: string): string => new URL(template).origin;

/** Name of the query parameter that carries the token, of a link that was parsed before. */
export const claimParameter = (template: string): string => placeholderParameter(template);

/** The link with the token, percent-encoded, in place of the placeholder; nothing else changes. */
export function fillRedemptionLink(template: string, token: string): string {
  const at = template.indexOf(PLACEHOLDER);
  return template.slice(0, at) + encodeURIComponent(token) + template.slice(at + PLACEHOLDER.length);
}
