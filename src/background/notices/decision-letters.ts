/** Notices to owners about the operator's decisions and changes. */

import {
  ACCOUNT_PATH,
  DASHBOARD_PATH,
  listingPath,
  NEW_LISTING_PATH,
  ownListingPath,
  ownQuestionPath,
  PLAN_PATH,
  TELL_PEOPLE,
} from '../../base/paths.ts';
import { buildShareLink, LAUNCH_LABEL, launchText } from '../../marketplace/campaigns/label.ts';
import { verbatim } from '../../people/mail/letter.ts';
import { letter, type SampledLetter } from '../../people/mail/samples.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { NoticeKind } from './kinds.ts';
import type { NamedListing, Notice } from './letters.ts';

const ownersPage = ({ baseUrl, id }: NamedListing) => ({
  link: message('Open the listing'),
  href: `${baseUrl}${ownListingPath(id)}`,
});

export const submitted = letter(
  (listing: NamedListing): Notice => ({
    subject: message('{name} was submitted for review', { name: listing.name }),
    letter: [
      message('{name} is waiting for review. You’ll get an email with the decision.', { name: listing.name }),
      ownersPage(listing),
    ],
  }),
).withSamples(({ listing }) => [['decisions', message('A listing is submitted'), listing]]);

const publicPage = ({ baseUrl, slug }: NamedListing) => ({
  link: message('Open the public page'),
  href: `${baseUrl}${listingPath(slug)}`,
});

const whoFinds = (name: string, isForMembers: boolean): Message =>
  isForMembers
    ? message('Members can find {name} and claim its offers.', { name })
    : message('People can find {name} and claim its offers.', { name });

interface Approved {
  /** The marketplace's name. */
  readonly marketplace: string;
  /** An open offer, if there is one. */
  readonly offer: string | null;
  readonly isForMembers: boolean;
}

/** A listing for members has no badge and no preview, and the text to post doesn't say its offer. */
export const approved = letter(
  (listing: NamedListing, { marketplace, offer, isForMembers }: Approved): Notice => {
    const { name, baseUrl, slug } = listing;
    const link = verbatim(buildShareLink({ baseUrl, listing: slug, offer: null, via: LAUNCH_LABEL }));
    return {
      subject: message('{name} is live', { name }),
      letter: [
        whoFinds(name, isForMembers),
        publicPage(listing),
        isForMembers
          ? message('Now tell the members. You can post this text where they are:')
          : message('Now tell people. You can post this text where your users are:'),
        launchText({ name, marketplace, offer: isForMembers ? null : offer, link }),
        message('Visits and claims through this link are counted under the label {label} on Campaigns.', {
          label: verbatim(LAUNCH_LABEL),
        }),
        {
          link: isForMembers
            ? message('Get the QR code of the link, or invite other people')
            : message('See how the link looks, and get its QR code and a badge'),
          href: `${baseUrl}${DASHBOARD_PATH}#${TELL_PEOPLE}`,
        },
      ],
    };
  },
).withSamples(({ listing, brand, offer }) => [
  [
    'decisions',
    message('A listing is approved'),
    listing,
    { marketplace: brand.name, offer: offer.offer, isForMembers: false },
  ],
  [
    'decisions',
    message('A listing for members only is approved'),
    listing,
    { marketplace: brand.name, offer: offer.offer, isForMembers: true },
  ],
]);

export const suspensionLifted = letter(
  (listing: NamedListing, isForMembers: boolean): Notice => ({
    subject: message('{name} is live again', { name: listing.name }),
    letter: [whoFinds(listing.name, isForMembers), publicPage(listing)],
  }),
).withSamples(({ listing }) => [['decisions', message('A suspension is lifted'), listing, false]]);

type Named = Readonly<Record<'name', string>>;

const DECISIONS = {
  changes_requested: [
    (named: Named) => message('{name} needs changes', named),
    message('The operator asks for changes before the listing goes live:'),
  ],
  rejected: [
    (named: Named) => message('{name} was rejected', named),
    message('The operator rejected the listing:'),
  ],
  suspended: [
    (named: Named) => message('{name} was suspended', named),
    message(
      'The operator suspended the listing. Nobody can find it or claim its offers; existing claims can still be redeemed. The reason:',
    ),
  ],
} as const;

export const decided = letter(
  (listing: NamedListing, decision: keyof typeof DECISIONS, reason: string | null): Notice => {
    const [subject, lead] = DECISIONS[decision];
    return {
      subject: subject({ name: listing.name }),
      letter: [lead, reason ?? message('No reason was given.'), ownersPage(listing)],
    };
  },
).withSamples(({ listing, reason }) => [
  ['decisions', message('An operator asks for changes'), listing, 'changes_requested', reason],
  ['decisions', message('A listing is rejected'), listing, 'rejected', reason],
  ['decisions', message('A listing is suspended'), listing, 'suspended', reason],
]);

export const ownerAsked = letter(
  (listing: NamedListing, question: string): Notice => ({
    subject: message('The operator has a question about {name}', { name: listing.name }),
    letter: [
      message('The operator has a question about {name}. The listing stays live. The question:', {
        name: listing.name,
      }),
      question,
      { link: message('Reply'), href: `${listing.baseUrl}${ownQuestionPath(listing.id)}` },
    ],
  }),
).withSamples(({ listing }) => [
  [
    'decisions',
    message('An operator asks about a live listing'),
    listing,
    'Is the offer still valid this week?',
  ],
]);

/** `offer`: text of the offer that has the redemption link; `null` if the link is the listing's URL. */
export const linkDecided = letter(
  (listing: NamedListing, offer: string | null, declined: { readonly reason: string } | null): Notice => {
    const { name } = listing;
    if (declined === null) {
      const lead =
        offer === null
          ? message('The operator approved the new website address of {name}, and it is in use now.', {
              name,
            })
          : message(
              'The operator approved the new redemption link of “{offer}” ({name}), and it is in use now.',
              { offer, name },
            );
      return { subject: message('Your new link is live'), letter: [lead, ownersPage(listing)] };
    }
    return {
      subject: message('Your new link was declined'),
      letter: [
        offer === null
          ? message(
              'The operator declined the new website address of {name}. The old one stays in use. The reason:',
              {
                name,
              },
            )
          : message(
              'The operator declined the new redemption link of “{offer}” ({name}). If the offer already had a live link, that link stays in use. The reason:',
              { offer, name },
            ),
        declined.reason,
        ownersPage(listing),
      ],
    };
  },
).withSamples(({ listing, offer, reason }) => [
  ['decisions', message('A new link is approved'), listing, offer.offer, null],
  ['decisions', message('A new link is declined'), listing, null, { reason }],
]);

export const planChanged = letter(
  (baseUrl: string, plan: string, hasKeys: boolean): Notice => ({
    subject: message('Your plan is now {plan}', { plan: verbatim(plan) }),
    letter: [
      hasKeys
        ? message(
            'The operator moved your account to the {plan} plan. It includes API keys, so your server can verify claims.',
            { plan: verbatim(plan) },
          )
        : message(
            'The operator moved your account to the {plan} plan. It doesn’t include API keys. Your existing keys are refused until you have a plan with API keys.',
            { plan: verbatim(plan) },
          ),
      { link: message('Open your plan'), href: `${baseUrl}${PLAN_PATH}` },
    ],
  }),
).withSamples(({ baseUrl, plan }) => [
  ['decisions', message('An operator changes the plan'), baseUrl, plan, true],
]);

export const publishingAllowed = letter(
  (baseUrl: string): Notice => ({
    subject: message('You can publish now'),
    letter: [
      message('The operator allowed your account to publish.'),
      { link: message('Publish an app'), href: `${baseUrl}${NEW_LISTING_PATH}` },
    ],
  }),
).withSamples(({ baseUrl }) => [
  ['decisions', message('An operator allows the account to publish'), baseUrl],
]);

/** `plan`: name of the requested plan; `null`: the request was for permission to publish. */
export const requestDeclined = letter(
  (baseUrl: string, plan: string | null, reason: string): Notice => ({
    subject:
      plan === null
        ? message('Your request to publish was declined')
        : message('Your request for {plan} was declined', { plan: verbatim(plan) }),
    letter: [
      message('The operator declined your request. The reason:'),
      reason,
      plan === null
        ? { link: message('Open the dashboard'), href: `${baseUrl}${DASHBOARD_PATH}` }
        : { link: message('Open your plan'), href: `${baseUrl}${PLAN_PATH}` },
    ],
  }),
).withSamples(({ baseUrl, plan }) => [
  [
    'decisions',
    message('An operator declines a request'),
    baseUrl,
    plan,
    'Publish your listing first, then ask again.',
  ],
]);

const accountPage = (baseUrl: string) => ({
  link: message('Open your account'),
  href: `${baseUrl}${ACCOUNT_PATH}`,
});

export const nameApproved = letter(
  (baseUrl: string, name: string): Notice => ({
    subject: message('Your new name is live'),
    letter: [
      message('The operator approved your new name. Your listings show “{name}” now.', { name }),
      accountPage(baseUrl),
    ],
  }),
).withSamples(({ baseUrl }) => [
  ['decisions', message('A new name of the account is approved'), baseUrl, 'Calm Apps'],
]);

export const nameDeclined = letter(
  (baseUrl: string, name: string, reason: string): Notice => ({
    subject: message('Your new name was declined'),
    letter: [
      message('The operator declined the name “{name}”. Your listings keep the current one. The reason:', {
        name,
      }),
      reason,
      accountPage(baseUrl),
    ],
  }),
).withSamples(({ baseUrl, reason }) => [
  ['decisions', message('A new name of the account is declined'), baseUrl, 'Calm Apps', reason],
]);

/** `offer`: text of the offer that was created or changed; `null` for the listing itself. */
export const operatorChanged = letter(
  (listing: NamedListing, offer: string | null, isNew: boolean): Notice => {
    const { name } = listing;
    const what = offer === null ? name : message('“{offer}” ({name})', { offer, name });
    return {
      subject: isNew
        ? message('The operator created {what}', { what })
        : message('The operator changed {what}', { what }),
      letter: [
        isNew
          ? message('The operator of the marketplace created {what} for you.', { what })
          : message('The operator of the marketplace changed {what}. The change applies now.', { what }),
        message('If something is wrong, correct it or ask the operator.'),
        ownersPage(listing),
      ],
    };
  },
).withSamples(({ listing, offer }) => [
  ['decisions', message('An operator changes a listing or an offer'), listing, offer.offer, false],
]);

interface Decision {
  readonly subject: Message;
  readonly sentence: (name: string) => Message;
}

const changeDecided = (approved: Decision, declined: Decision) =>
  letter((listing: NamedListing, refusal: { readonly reason: string } | null): Notice => {
    const { subject, sentence } = refusal === null ? approved : declined;
    const reasons = refusal === null ? [] : [refusal.reason];
    return { subject, letter: [sentence(listing.name), ...reasons, ownersPage(listing)] };
  });

export const picturesDecided = changeDecided(
  {
    subject: message('Your new pictures are live'),
    sentence: (name) => message('The operator approved the new pictures of {name}.', { name }),
  },
  {
    subject: message('Your new pictures were declined'),
    sentence: (name) =>
      message(
        'The operator declined the new pictures of {name}. Any pictures that were already live stay in use. The reason:',
        { name },
      ),
  },
).withSamples(({ listing, reason }) => [
  ['decisions', message('New pictures are approved'), listing, null],
  ['decisions', message('New pictures are declined'), listing, { reason }],
]);

export const textsDecided = changeDecided(
  {
    subject: message('Your changed texts are approved'),
    sentence: (name) => message('The operator approved the changed texts of {name}.', { name }),
  },
  {
    subject: message('Your changed texts were declined'),
    sentence: (name) =>
      message(
        'The operator declined the changed texts of {name}. People still see the approved texts; new offers that weren’t approved are hidden. The reason:',
        { name },
      ),
  },
).withSamples(({ listing, reason }) => [
  ['decisions', message('Changed texts are approved'), listing, null],
  ['decisions', message('Changed texts are declined'), listing, { reason }],
]);

/** The email examples of each kind have this order. */
export const DECISION_LETTERS: readonly SampledLetter<NoticeKind>[] = [
  submitted,
  approved,
  suspensionLifted,
  decided,
  ownerAsked,
  linkDecided,
  picturesDecided,
  textsDecided,
  nameApproved,
  nameDeclined,
  planChanged,
  publishingAllowed,
  requestDeclined,
  operatorChanged,
];
