/** Notices to claimants and owners. `endpointDisabled` also goes to operators. */

import type { DisabledReason } from '../../base/events/catalogue/access.ts';
import {
  claimPath,
  DASHBOARD_PATH,
  deskEndpointPath,
  endpointPath,
  OWN_KEYS_PATH,
  offerCodesPath,
  ownOfferPath,
} from '../../base/paths.ts';
import { causeText } from '../../marketplace/listings/report.ts';
import { type MailWords, verbatim } from '../../people/mail/letter.ts';
import { letter, type SampledLetter } from '../../people/mail/samples.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { NoticeKind } from './kinds.ts';

export type Notice = Pick<MailWords, 'subject' | 'letter'>;

/** `baseUrl`: without a trailing slash. */
export interface NamedListing {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly baseUrl: string;
}

/** `origin`: origin of the page that sent the key; `null` if unknown. */
export const keyInBrowser = letter(
  (baseUrl: string, origin: string | null): Notice => ({
    subject: message('Your API key was sent by a browser'),
    letter: [
      origin === null
        ? message(
            'A web page sent one of your API keys from a browser. Anyone who opens that page can read the key and redeem claims with it.',
          )
        : message(
            'A page on {origin} sent one of your API keys from a browser. Anyone who opens that page can read the key and redeem claims with it.',
            { origin: verbatim(origin) },
          ),
      message('Roll the key, and call the API from your server only.'),
      { link: message('Open API keys'), href: `${baseUrl}${OWN_KEYS_PATH}` },
    ],
  }),
).withSamples(({ baseUrl }) => [
  ['problems', message('A browser sends an API key'), baseUrl, 'https://calm-notes.example'],
]);

type NoticedReason = Exclude<DisabledReason, 'manual'>;

const WHY_DISABLED: Readonly<Record<NoticedReason, (values: { readonly site: () => string }) => Message>> = {
  gone: (values) =>
    message(
      'We no longer send events to your webhook endpoint at {site}: it responded with 410 Gone.',
      values,
    ),
  failing: (values) =>
    message(
      'We no longer send events to your webhook endpoint at {site}: every request has failed for five days.',
      values,
    ),
  member_gone: (values) =>
    message(
      'We no longer send events to your webhook endpoint at {site}: the person who set its URL or secret no longer has a role in your account. Check the URL and roll the secret before you enable it.',
      values,
    ),
};

const WHY_MARKETPLACES_DISABLED: typeof WHY_DISABLED = {
  gone: (values) =>
    message(
      'The webhook endpoint at {site} has been disabled and gets no more events of the marketplace: it responded with 410 Gone.',
      values,
    ),
  failing: (values) =>
    message(
      'The webhook endpoint at {site} has been disabled and gets no more events of the marketplace: every request has failed for five days.',
      values,
    ),
  member_gone: (values) =>
    message(
      'The webhook endpoint at {site} has been paused because the person who set its URL or secret is no longer an operator. Check the URL and roll the secret before you enable it.',
      values,
    ),
};

interface DisabledEndpoint {
  readonly id: string;
  /** Origin of the endpoint's URL. */
  readonly site: string;
  readonly reason: NoticedReason;
  /** Whether the endpoint is the marketplace's, so that the mail goes to the operators. */
  readonly isMarketplaces: boolean;
}

/** Somebody left, or the operator suspended them, so no owner chose when the keys end. */
export const keysEnd = letter(
  (baseUrl: string, values: { readonly keys: number; readonly when: () => string }): Notice => ({
    subject: message('API keys of your account stop working'),
    letter: [
      message(
        'A person who worked in your account has left or was suspended. {keys, plural, one {The API key} other {The # API keys}} that this person created or rolled {keys, plural, one {stops} other {stop}} working on {when}.',
        values,
      ),
      message('Put new keys on your servers before then.'),
      { link: message('Open API keys'), href: `${baseUrl}${OWN_KEYS_PATH}` },
    ],
  }),
).withSamples(({ baseUrl, end: when }) => [
  ['problems', message('Someone who created API keys leaves or is suspended'), baseUrl, { keys: 2, when }],
]);

export const endpointDisabled = letter(
  (baseUrl: string, { id, site, reason, isMarketplaces }: DisabledEndpoint): Notice => ({
    subject: message('A webhook endpoint was disabled'),
    letter: [
      (isMarketplaces ? WHY_MARKETPLACES_DISABLED : WHY_DISABLED)[reason]({ site: verbatim(site) }),
      message(
        'Nothing is lost. When the endpoint works again, enable it and choose whether to send the events that it missed.',
      ),
      {
        link: message('Open the endpoint'),
        href: baseUrl + (isMarketplaces ? deskEndpointPath(id) : endpointPath(id)),
      },
    ],
  }),
).withSamples(({ baseUrl, id }) => [
  [
    'problems',
    message('A webhook endpoint is disabled'),
    baseUrl,
    { id, site: 'https://hooks.example', reason: 'failing', isMarketplaces: false },
  ],
  [
    'health',
    message('A webhook endpoint of the marketplace is disabled'),
    baseUrl,
    { id, site: 'https://hooks.example', reason: 'failing', isMarketplaces: true },
  ],
]);

interface NamedOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing: string;
  readonly baseUrl: string;
}

const offersPage = ({ baseUrl, id }: NamedOffer) => ({
  link: message('Open the offer'),
  href: `${baseUrl}${ownOfferPath(id)}`,
});

export const codesLow = letter(
  ({ id, offer, listing, baseUrl }: NamedOffer, left: number): Notice => ({
    subject:
      left === 0
        ? message('“{offer}” has no codes left', { offer })
        : message('“{offer}” is running out of codes', { offer }),
    letter: [
      left === 0
        ? message(
            'All codes of “{offer}” ({listing}) have been given out. Codes that you add are available immediately.',
            { offer, listing },
          )
        : message('{left, plural, one {# code} other {# codes}} left for “{offer}” ({listing}).', {
            left,
            offer,
            listing,
          }),
      { link: message('Add codes'), href: `${baseUrl}${offerCodesPath(id)}` },
    ],
  }),
).withSamples(({ offer }) => [
  ['supply', message('An offer has few codes left'), offer, 12],
  ['supply', message('An offer has no codes left'), offer, 0],
]);

export const endsSoon = letter(
  (named: NamedOffer, end: () => string): Notice => ({
    subject: message('“{offer}” ends soon', { offer: named.offer }),
    letter: [
      message(
        '“{offer}” ({listing}) can be claimed until {end}. Existing claims can still be redeemed after that.',
        { offer: named.offer, listing: named.listing, end },
      ),
      offersPage(named),
    ],
  }),
).withSamples(({ offer, end }) => [['supply', message('An offer ends within three days'), offer, end]]);

export const almostFull = letter((named: NamedOffer, claims: number, limit: number): Notice => {
  const { offer, listing } = named;
  const isFull = claims >= limit;
  return {
    subject: isFull
      ? message('“{offer}” has reached its claim limit', { offer })
      : message('“{offer}” is near its claim limit', { offer }),
    letter: [
      message(
        '“{offer}” ({listing}): {claims, number} of {limit, plural, one {# claim} other {# claims}} made.',
        { offer, listing, claims, limit },
      ),
      isFull
        ? message('The offer is shown as ended. Raise the limit to take more claims.')
        : message('At the limit, the offer is shown as ended. Raise the limit to take more claims.'),
      offersPage(named),
    ],
  };
}).withSamples(({ offer }) => [
  ['supply', message('90% of the claim limit is used'), offer, 92, 100],
  ['supply', message('The claim limit is reached'), offer, 100, 100],
]);

export const weekOf = letter(
  (baseUrl: string, claims: number, redeemed: number): Notice => ({
    subject: message(
      'Your week: {claims, plural, one {# claim} other {# claims}}, {redeemed, plural, one {# redemption} other {# redemptions}}',
      { claims, redeemed },
    ),
    letter: [
      message(
        'In the last seven days, people made {claims, plural, one {# claim} other {# claims}} on your offers and redeemed {redeemed, plural, one {# claim} other {# claims}}.',
        { claims, redeemed },
      ),
      { link: message('Open the dashboard'), href: `${baseUrl}${DASHBOARD_PATH}` },
    ],
  }),
).withSamples(({ baseUrl }) => [['week', message('Every Monday, for the past week'), baseUrl, 128, 97]]);

interface MailedClaim {
  readonly id: string;
  readonly offer: string;
  readonly listing: string;
  /** `null` if the claim has no code, or if the policy does not allow codes in mail. */
  readonly code: string | null;
  /** Host of the shop where the code is entered. */
  readonly shop: string;
}

export const claimed = letter(
  (baseUrl: string, { id, offer, listing, code, shop }: MailedClaim): Notice => ({
    subject: message('Your claim: {offer}', { offer }),
    letter: [
      message('You claimed “{offer}” from {listing}.', { offer, listing }),
      ...(code === null
        ? []
        : [{ code }, message('Enter this code at checkout on {shop}.', { shop: verbatim(shop) })]),
      { link: message('Use it now'), href: `${baseUrl}${claimPath(id)}` },
      message('The claim stays in your account. Sign in with this email address to see it.'),
    ],
  }),
).withSamples(({ baseUrl, offer }) => [
  ['claims', message('An offer is claimed'), baseUrl, { ...offer, code: null, shop: 'calm-notes.example' }],
  [
    'claims',
    message('An offer is claimed (if the settings allow codes in emails)'),
    baseUrl,
    { ...offer, code: 'SPRING-7Q2K', shop: 'calm-notes.example' },
  ],
]);

export const notUsedYet = letter(
  (baseUrl: string, { id, offer, listing }: Omit<MailedClaim, 'code' | 'shop'>): Notice => ({
    subject: message('Not used yet: {offer}', { offer }),
    letter: [
      message('You claimed “{offer}” from {listing} and haven’t used it yet.', { offer, listing }),
      { link: message('Use it now'), href: `${baseUrl}${claimPath(id)}` },
    ],
  }),
).withSamples(({ baseUrl, offer }) => [['reminders', message('A claim is still unused'), baseUrl, offer]]);

export type ReportOutcome = 'suspended' | 'dismissed' | 'replaced';

const REPORT_OUTCOME_TEXTS = {
  suspended: (named: Pick<NamedListing, 'name'>) =>
    message(
      'The operator has looked into your report about {name} and has taken it off the marketplace.',
      named,
    ),
  dismissed: (named: Pick<NamedListing, 'name'>) =>
    message(
      'The operator has looked into your report about {name} and has left the listing as it is.',
      named,
    ),
  replaced: (named: Pick<NamedListing, 'name'>) =>
    message(
      'There are many open reports about {name}, so a newer one has replaced yours. The operator decides with the other reports. You won’t get another email about it.',
      named,
    ),
} as const;

interface DecidedReport {
  readonly outcome: ReportOutcome;
  readonly when: () => string;
  readonly cause: () => string;
  readonly words: string | null;
  /** The marketplace's contact. */
  readonly contact: string | null;
}

export const reportDecided = letter(
  (
    { name }: Pick<NamedListing, 'name'>,
    { outcome, when, cause, words, contact }: DecidedReport,
  ): Notice => ({
    subject: message('Your report about {name}', { name }),
    letter: [
      REPORT_OUTCOME_TEXTS[outcome]({ name }),
      message('You sent the report on {when}: “{cause}”', { when, cause }),
      ...(words === null ? [] : [words]),
      message('Thank you for telling us.'),
      ...(contact === null ? [] : [{ link: message('Contact the operator'), href: contact }]),
    ],
  }),
).withSamples(({ listing, brand, end: when }) => {
  const report = { when, cause: () => causeText('broken'), words: null, contact: brand.contact };
  return [
    ['reports', message('The operator dismisses a report'), listing, { ...report, outcome: 'dismissed' }],
    [
      'reports',
      message('The operator suspends a listing that was reported'),
      listing,
      { ...report, outcome: 'suspended' },
    ],
    [
      'reports',
      message('A newer report replaces one of many about a listing'),
      listing,
      { ...report, outcome: 'replaced' },
    ],
  ];
});

/** The email examples of each kind have this order. */
export const NOTICE_LETTERS: readonly SampledLetter<NoticeKind>[] = [
  claimed,
  notUsedYet,
  keyInBrowser,
  keysEnd,
  endpointDisabled,
  codesLow,
  endsSoon,
  almostFull,
  weekOf,
  reportDecided,
];
