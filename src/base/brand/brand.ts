import { createHash } from 'node:crypto';
import { parseAccent } from '../../platform/colour/accent.ts';
import { LIGHT_ACCENT } from '../../platform/colour/palette.ts';
import { invalid } from '../../platform/errors.ts';
import {
  ENGLISH,
  languageCodes,
  offeredLanguages,
  parseLanguage,
} from '../../platform/languages/language.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import type { ThemedPicture } from '../../platform/network/picture-address.ts';
import { contactUrl, parsePlainAddress, withScheme } from '../../platform/network/web-address.ts';
import { initialOf, loggedNames, type Setting, toggle, type ValuesOf } from '../../platform/text/setting.ts';
import { optional, parseLine, parseText, quote, SOFTWARE } from '../../platform/text/text.ts';
import { DAY, parseIso } from '../../platform/text/time-text.ts';
import { DEFAULT_TIME_ZONE, parseTimeZone } from '../../platform/text/time-zone.ts';

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

/** The name must fit into page titles, email subjects and the header on a phone. */
const MAX_NAME_LENGTH = 40;
const MAX_HEADLINE_LENGTH = 80;
const MAX_LEAD_LENGTH = 240;
const MAX_FOOTER_LENGTH = 300;

/** `environment`: the setting that provides the initial value. */
type BrandSetting = Setting & { readonly environment: string };

const DOCUMENT = {
  hint: message('An https address. The link is at the end of every page and email.'),
  mono: true,
} as const;

export const BRAND_SETTINGS = {
  name: {
    label: message('Name'),
    environment: 'MARKETPLACE_NAME',
    hint: message('Shown in the header, page titles, the documentation, emails and authenticator apps.'),
    parse: (text) => parseLine(text, message('The name of the marketplace'), MAX_NAME_LENGTH),
    initial: SOFTWARE,
  },
  /** `#rrggbb`; `null`: the accent of the style sheet. */
  accent: {
    label: message('Accent colour'),
    environment: 'MARKETPLACE_ACCENT',
    hint: message(
      'The colour of buttons, links and charts. Enter a solid colour, such as {example}, or leave the field empty for the default green. If text would be hard to read, a darker or lighter shade is used.',
      { example: LIGHT_ACCENT.accent },
    ),
    placeholder: LIGHT_ACCENT.accent,
    mono: true,
    short: true,
    parse: unlessEmpty((text) => {
      const accent = parseAccent(text);
      return accent === LIGHT_ACCENT.accent ? null : accent;
    }),
  },
  headline: {
    label: message('Headline'),
    environment: 'MARKETPLACE_HEADLINE',
    hint: message('The title of the front page. Leave it empty for the default.'),
    parse: unlessEmpty((text) => parseLine(text, message('The headline'), MAX_HEADLINE_LENGTH)),
  },
  lead: {
    label: message('Lead'),
    environment: 'MARKETPLACE_LEAD',
    hint: message('A sentence or two below the headline.'),
    control: 'text',
    rows: 2,
    parse: unlessEmpty((text) => parseLine(text, message('The lead'), MAX_LEAD_LENGTH)),
  },
  /** A `mailto:` or https URL. */
  contact: {
    label: message('Contact'),
    environment: 'SECURITY_CONTACT',
    hint: message(
      'An email address or the https address of a page. Shown on every page, at the end of every email, and in messages that tell people to contact you.',
    ),
    mono: true,
    parse: unlessEmpty(parseContact),
  },
  imprint: {
    ...DOCUMENT,
    label: message('Link to the legal notice (imprint)'),
    loggedAs: message('Legal notice'),
    environment: 'MARKETPLACE_IMPRINT',
    parse: unlessEmpty((text) => parseDocument(text, message('The link to the legal notice'))),
  },
  privacy: {
    ...DOCUMENT,
    label: message('Link to the privacy policy'),
    loggedAs: message('Privacy policy'),
    environment: 'MARKETPLACE_PRIVACY',
    parse: unlessEmpty((text) => parseDocument(text, message('The link to the privacy policy'))),
  },
  terms: {
    label: message('Link to the terms'),
    loggedAs: message('Terms'),
    environment: 'MARKETPLACE_TERMS',
    hint: message(
      'An https address. The forms for signing up and publishing ask people to accept the terms.',
    ),
    mono: true,
    parse: unlessEmpty((text) => parseDocument(text, message('The link to the terms'))),
  },
  /** A day, such as `2026-11-20`. After each change, owners must accept the terms again. */
  termsChangedOn: {
    label: message('Terms changed on'),
    environment: 'MARKETPLACE_TERMS_DATE',
    hint: message(
      'Owners who accepted an earlier version are asked again at their next visit. This date is stored with their consent.',
    ),
    control: 'date',
    parse: unlessEmpty(parseTermsDay),
  },
  asksConsent: toggle({
    label: message('Ask people to tick a box'),
    loggedAs: message('Box to accept the terms'),
    environment: 'MARKETPLACE_CONSENT',
    hint: message('If off, the forms say that people accept the terms by continuing.'),
    initial: false,
  }),
  footer: {
    label: message('Footer text'),
    environment: 'MARKETPLACE_FOOTER',
    hint: message(
      'For example, the name of the company behind the marketplace. Shown on pages and in emails.',
    ),
    control: 'text',
    rows: 2,
    parse: unlessEmpty((text) => parseText(text, message('The footer text'), MAX_FOOTER_LENGTH)),
  },
  /** IANA name of the time zone in which days begin and end, and in which times without a zone are read. */
  timeZone: {
    label: message('Time zone'),
    environment: 'TIME_ZONE',
    hint: message(
      'Used for days and times on pages, in filters and in charts, and for the start and end dates of offers. Visits and claims that have already been counted keep their dates.',
    ),
    control: 'select',
    parse: (text) => {
      const zone = parseTimeZone(text.trim());
      if (zone === null) {
        throw invalid(
          message('The time zone must be a name such as Europe/Berlin; found {text}.', {
            text: quote(text.trim()),
          }),
        );
      }
      return zone;
    },
    initial: DEFAULT_TIME_ZONE,
  },
  /** Language code, such as `de`, for claimants' pages and for mails. */
  language: {
    label: message('Language'),
    environment: 'MARKETPLACE_LANGUAGE',
    hint: message(
      'The language of pages and emails. The setup page, the documentation and the API reference are always in English.',
    ),
    control: 'select',
    get choices() {
      return offeredLanguages().map(({ code, name }) => ({ value: code, label: name }));
    },
    parse: (text) => {
      const language = parseLanguage(text);
      if (language === null)
        throw invalid(
          message('The language must be {codes}; found {text}.', {
            codes: languageCodes(),
            text: quote(text.trim()),
          }),
        );
      return language;
    },
    initial: ENGLISH.code,
  },
  hasLanguageSwitch: toggle({
    label: message('Let people switch the language'),
    loggedAs: message('Language switch'),
    environment: 'MARKETPLACE_LANGUAGE_SWITCH',
    hint: message(
      'A switch at the end of every page, for each browser. Texts that people entered are not translated.',
    ),
    initial: false,
  }),
  showsSoftware: toggle({
    label: message('Say which software the marketplace runs on'),
    loggedAs: message('“Runs on” line'),
    environment: 'MARKETPLACE_RUNS_ON',
    hint: message('One small line, hidden while the marketplace has the same name as the software.'),
    initial: true,
  }),
} as const satisfies Readonly<Record<string, BrandSetting>>;

export type Brand = ValuesOf<typeof BRAND_SETTINGS>;

/** The brand of an installation without settings, until an operator changes it. */
export const DEFAULT_BRAND: Brand = initialOf<Brand>(BRAND_SETTINGS);

/** Name of each setting at the desk, in the audit log and among the values of the environment. */
export const BRAND_NAMES = loggedNames<Brand>(BRAND_SETTINGS);

export const headlineOf = ({ headline }: Pick<Brand, 'headline'>): string =>
  headline ?? t('Offers from apps worth trying');

export const leadOf = ({ lead }: Pick<Brand, 'lead'>): string =>
  lead ?? t('Claim an offer here, then redeem it in the app.');

/** Returns the values that differ from `first`. Only these values are stored. */
export const changedFrom = <Values extends object>(first: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== first[name as keyof Values]),
  ) as Partial<Values>;

function unlessEmpty(parse: (text: string) => string | null) {
  return (text: string): string | null => optional(text, parse);
}

/** An email address may be typed without `mailto:`. */
function parseContact(text: string): string {
  const typed = text.trim();
  const url = contactUrl(/^[^@/:?#\s]+@[^@/:?#\s]+$/.test(typed) ? `mailto:${typed}` : typed);
  if (url === null) {
    throw invalid(
      message(
        'The contact must be an email address or an https address; found {text} (example: help@example.com).',
        { text: quote(typed) },
      ),
    );
  }
  return url;
}

function parseTermsDay(text: string): string {
  const day = text.trim();
  if (!DAY.test(day) || parseIso(day) === null) {
    throw invalid(
      message('“Terms changed on” must be a day such as 2026-11-20; found {text}.', { text: quote(day) }),
    );
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

function parseDocument(text: string, what: Message): string {
  const url = withScheme(text.trim());
  parsePlainAddress(url, what);
  return url;
}
