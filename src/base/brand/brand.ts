import { createHash } from 'node:crypto';
import { parseAccent } from '../../platform/colour/accent.ts';
import { LIGHT_ACCENT } from '../../platform/colour/palette.ts';
import { invalid } from '../../platform/errors.ts';
import { ENGLISH, LANGUAGE_CODES, parseLanguage } from '../../platform/languages/language.ts';
import { t } from '../../platform/languages/translate.ts';
import type { ThemedPicture } from '../../platform/network/picture-address.ts';
import { contactUrl, parsePlainAddress, withScheme } from '../../platform/network/web-address.ts';
import {
  optional,
  parseLine,
  parseMarketplaceName,
  parseText,
  quote,
  SOFTWARE,
} from '../../platform/text/text.ts';
import { DAY, parseIso } from '../../platform/text/time-text.ts';
import { DEFAULT_TIME_ZONE, parseTimeZone } from '../../platform/text/time-zone.ts';

export interface Brand {
  readonly name: string;
  /** `#rrggbb`; `null`: the accent of the style sheet. */
  readonly accent: string | null;
  /** Title of the front page; `null`: the default title. */
  readonly headline: string | null;
  readonly lead: string | null;
  /** A `mailto:` or https URL. */
  readonly contact: string | null;
  /** https URLs of the operator's documents. */
  readonly imprint: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
  /** When the terms last changed, such as `2026-11-20`. After each change, owners must accept the terms again. */
  readonly termsChangedOn: string | null;
  /** Whether people must tick a box to accept the terms. Otherwise, they accept the terms by continuing. */
  readonly asksConsent: boolean;
  readonly footer: string | null;
  /** IANA name of the time zone in which days begin and end, and in which times without a zone are read. */
  readonly timeZone: string;
  /** Language code, such as `de`, for claimants' pages and for mails. */
  readonly language: string;
  readonly showsSoftware: boolean;
}

export interface BrandPictures {
  readonly logo: ThemedPicture | null;
  readonly icon: ThemedPicture | null;
}

/** Reserved subject ids of the brand's pictures. No listing or offer has these ids. */
export const PICTURE_SUBJECTS = {
  light: '00000000-0000-0000-0000-000000000000',
  dark: '00000000-0000-0000-0000-000000000001',
} as const;

export type Theme = keyof typeof PICTURE_SUBJECTS;

const MAX_HEADLINE_LENGTH = 80;
const MAX_LEAD_LENGTH = 240;
const MAX_FOOTER_LENGTH = 300;

/** The brand of an installation without settings, until an operator changes it. */
export const DEFAULT_BRAND: Brand = {
  name: SOFTWARE,
  accent: null,
  headline: null,
  lead: null,
  contact: null,
  imprint: null,
  privacy: null,
  terms: null,
  termsChangedOn: null,
  asksConsent: false,
  footer: null,
  timeZone: DEFAULT_TIME_ZONE,
  language: ENGLISH.code,
  showsSoftware: true,
};

/** The label of each value on the desk, and the setting that provides its initial value. */
export const BRAND_FIELDS = {
  name: ['Name', 'MARKETPLACE_NAME'],
  accent: ['Accent colour', 'MARKETPLACE_ACCENT'],
  headline: ['Headline', 'MARKETPLACE_HEADLINE'],
  lead: ['Lead', 'MARKETPLACE_LEAD'],
  contact: ['Contact', 'SECURITY_CONTACT'],
  imprint: ['Legal notice', 'MARKETPLACE_IMPRINT'],
  privacy: ['Privacy policy', 'MARKETPLACE_PRIVACY'],
  terms: ['Terms', 'MARKETPLACE_TERMS'],
  termsChangedOn: ['Terms changed on', 'MARKETPLACE_TERMS_DATE'],
  asksConsent: ['Box to accept the terms', 'MARKETPLACE_CONSENT'],
  footer: ['Footer text', 'MARKETPLACE_FOOTER'],
  timeZone: ['Time zone', 'TIME_ZONE'],
  language: ['Language', 'MARKETPLACE_LANGUAGE'],
  showsSoftware: ['“Runs on” line', 'MARKETPLACE_RUNS_ON'],
} as const satisfies Readonly<Record<keyof Brand, readonly [label: string, setting: string]>>;

export const headlineOf = ({ headline }: Pick<Brand, 'headline'>): string =>
  headline ?? t('Offers from apps worth trying');

export const leadOf = ({ lead }: Pick<Brand, 'lead'>): string =>
  lead ?? t('Claim an offer here, then redeem it in the app.');

/** Returns the values that differ from `first`. Only these values are stored. */
export const changedFrom = <Values extends object>(first: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== first[name as keyof Values]),
  ) as Partial<Values>;

const unlessEmpty =
  (parse: (text: string) => string | null) =>
  (text: string): string | null =>
    optional(text, parse);

/** Parsers throw `invalid_request`. */
export const BRAND_PARSERS = {
  name: parseMarketplaceName,
  accent: unlessEmpty((text) => {
    const accent = parseAccent(text);
    return accent === LIGHT_ACCENT.accent ? null : accent;
  }),
  headline: unlessEmpty((text) => parseLine(text, 'The headline', MAX_HEADLINE_LENGTH)),
  lead: unlessEmpty((text) => parseLine(text, 'The lead', MAX_LEAD_LENGTH)),
  contact: unlessEmpty(parseContact),
  imprint: unlessEmpty((text) => parseDocument(text, 'The link to the legal notice')),
  privacy: unlessEmpty((text) => parseDocument(text, 'The link to the privacy policy')),
  terms: unlessEmpty((text) => parseDocument(text, 'The link to the terms')),
  termsChangedOn: unlessEmpty(parseTermsDay),
  footer: unlessEmpty((text) => parseText(text, 'The footer text', MAX_FOOTER_LENGTH)),
  timeZone: (text: string) => {
    const zone = parseTimeZone(text.trim());
    if (zone === null) {
      throw invalid(`The time zone must be a name such as Europe/Berlin; found ${quote(text.trim())}.`);
    }
    return zone;
  },
  language: (text: string) => {
    const language = parseLanguage(text);
    if (language === null)
      throw invalid(`The language must be ${LANGUAGE_CODES}; found ${quote(text.trim())}.`);
    return language;
  },
} as const;

/** An email address may be typed without `mailto:`. */
function parseContact(text: string): string {
  const typed = text.trim();
  const url = contactUrl(/^[^@/:?#\s]+@[^@/:?#\s]+$/.test(typed) ? `mailto:${typed}` : typed);
  if (url === null) {
    throw invalid(
      `The contact must be an email address or an https address; found ${quote(typed)} (example: help@example.com).`,
    );
  }
  return url;
}

function parseTermsDay(text: string): string {
  const day = text.trim();
  if (!DAY.test(day) || parseIso(day) === null) {
    throw invalid(`“Terms changed on” must be a day such as 2026-11-20; found ${quote(day)}.`);
  }
  return day;
}

const VERSION_LENGTH = 12;

/** The version of the terms: the day on which they changed, or a hash of their URL. `null` without terms. */
export function termsVersion({
  terms,
  termsChangedOn,
}: Pick<Brand, 'terms' | 'termsChangedOn'>): string | null {
  if (terms === null) return null;
  return termsChangedOn ?? createHash('sha256').update(terms).digest('base64url').slice(0, VERSION_LENGTH);
}

function parseDocument(text: string, what: string): string {
  const url = withScheme(text.trim());
  parsePlainAddress(url, what);
  return url;
}
