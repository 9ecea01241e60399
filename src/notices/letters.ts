/** The words of notices. */
import type { ListingState } from '../listings/listing.ts';
import type { Letter } from '../mail/letter.ts';
import { type CheckName, docsOfCheck } from '../system/check.ts';
import { amountOf } from '../text/text.ts';

export interface Notice {
  readonly subject: string;
  readonly letter: Letter;
}

/** A listing as mails name it. `baseUrl`: without a trailing slash. */
export interface NamedListing {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly baseUrl: string;
}

const ownersPage = ({ baseUrl, id }: NamedListing) => ({
  link: 'Open the listing',
  href: `${baseUrl}/dashboard/listings/${id}`,
});

export const submitted = (listing: NamedListing): Notice => ({
  subject: `${listing.name} was submitted for review`,
  letter: [
    `${listing.name} is waiting for review. You’ll get a mail with the decision.`,
    ownersPage(listing),
  ],
});

export const approved = (listing: NamedListing, isLifted: boolean): Notice => ({
  subject: `${listing.name} is live${isLifted ? ' again' : ''}`,
  letter: [
    `People can find ${listing.name} and claim its offers.`,
    { link: 'Open the public page', href: `${listing.baseUrl}/l/${listing.slug}` },
  ],
});

const DECISIONS = {
  changes_requested: ['needs changes', 'The operator asks for changes before the listing goes live:'],
  rejected: ['was rejected', 'The operator rejected the listing:'],
  suspended: [
    'was suspended',
    'The operator suspended the listing. Nobody can find it or claim its offers; existing claims can still be redeemed. The reason:',
  ],
} as const;

export function decided(
  listing: NamedListing,
  decision: keyof typeof DECISIONS,
  reason: string | null,
): Notice {
  const [subject, lead] = DECISIONS[decision];
  return {
    subject: `${listing.name} ${subject}`,
    letter: [lead, reason ?? 'No reason was given.', ownersPage(listing)],
  };
}

const STATE_NOW: Readonly<Record<ListingState, string>> = {
  draft: 'is a draft again',
  pending: 'is waiting for review again',
  changes_requested: 'needs changes again',
  approved: 'is live again',
  rejected: 'is rejected again',
  withdrawn: 'is withdrawn again',
  suspended: 'is suspended again',
};

/** `state`: of the listing now; `null`: the decision was on a new link, and did not change it. */
export const undone = (listing: NamedListing, state: ListingState | null): Notice => ({
  subject: `A decision about ${listing.name} was undone`,
  letter: [
    state === null
      ? `The new link of ${listing.name} is waiting for review again.`
      : `${listing.name} ${STATE_NOW[state]}.`,
    ownersPage(listing),
  ],
});

/** A changed address of a listing, or the redemption link of the offer `offer`, that waited for review. */
export const linkDecided = (
  listing: NamedListing,
  offer: string | null,
  declined: { readonly reason: string } | null,
): Notice => {
  const what = offer === null ? `the address of ${listing.name}` : `the redemption link of “${offer}”`;
  return declined === null
    ? {
        subject: 'Your new link is live',
        letter: [`The operator approved ${what}. It is in use now.`, ownersPage(listing)],
      }
    : {
        subject: 'Your new link was declined',
        letter: [
          `The operator declined ${what}. The old one stays in use. The reason:`,
          declined.reason,
          ownersPage(listing),
        ],
      };
};

/** `plan`: its name. */
export const planChanged = (baseUrl: string, plan: string, hasKeys: boolean): Notice => ({
  subject: `Your plan is now ${plan}`,
  letter: [
    hasKeys
      ? `The operator moved your account to the plan ${plan}. It has API keys, so your server can verify claims.`
      : `The operator moved your account to the plan ${plan}. It has no API keys: existing keys are refused until you have a plan with keys again.`,
    { link: 'Open your plan', href: `${baseUrl}${PLAN_PAGE}` },
  ],
});

const PLAN_PAGE = '/dashboard/settings/plan';

export const publishingAllowed = (baseUrl: string): Notice => ({
  subject: 'You can publish now',
  letter: [
    'The operator allowed your account to publish.',
    { link: 'Publish an app', href: `${baseUrl}/dashboard/listings/new` },
  ],
});

/** `plan`: the name of the plan that was asked for; `null`: permission to publish was. */
export const requestDeclined = (baseUrl: string, plan: string | null, reason: string): Notice => ({
  subject: plan === null ? 'Your request to publish was declined' : `Your request for ${plan} was declined`,
  letter: [
    'The operator declined it. The reason:',
    reason,
    plan === null
      ? { link: 'Open the dashboard', href: `${baseUrl}/dashboard` }
      : { link: 'Open your plan', href: `${baseUrl}${PLAN_PAGE}` },
  ],
});

/** What an operator created or changed for an owner; `offer`: of which offer; `null`: of the listing itself. */
export const operatorChanged = (listing: NamedListing, offer: string | null, isNew: boolean): Notice => {
  const what = offer === null ? listing.name : `“${offer}” of ${listing.name}`;
  return {
    subject: `The operator ${isNew ? 'created' : 'changed'} ${what}`,
    letter: [
      isNew
        ? `The operator of the marketplace created ${what} for you.`
        : `The operator of the marketplace changed ${what}. The change applies now.`,
      'If that’s not what you want, change it, or ask the operator.',
      ownersPage(listing),
    ],
  };
};
/** Pictures of a listing and its offers that waited for review. */
export const picturesDecided = (
  listing: NamedListing,
  declined: { readonly reason: string } | null,
): Notice =>
  declined === null
    ? {
        subject: 'Your new pictures are live',
        letter: [`The operator approved the new pictures of ${listing.name}.`, ownersPage(listing)],
      }
    : {
        subject: 'Your new pictures were declined',
        letter: [
          `The operator declined the new pictures of ${listing.name}. The old ones stay. The reason:`,
          declined.reason,
          ownersPage(listing),
        ],
      };

/** `origin`: of the page that sent the key; `null`: not known. */
export const keyInBrowser = (baseUrl: string, origin: string | null): Notice => ({
  subject: 'Your API key was sent by a browser',
  letter: [
    `A browser sent one of your API keys${origin === null ? '' : ` from ${origin}`}. Anyone who opens that page can read the key and redeem claims with it.`,
    'Roll the key, and call the API from your server only.',
    { link: 'Open API keys', href: `${baseUrl}/dashboard/settings/keys` },
  ],
});

/** `site`: the origin of the endpoint’s URL. */
export const endpointDisabled = (
  baseUrl: string,
  { id, site, reason }: { readonly id: string; readonly site: string; readonly reason: string },
): Notice => ({
  subject: 'A webhook endpoint was disabled',
  letter: [
    `We no longer send events to your webhook endpoint at ${site}: ${
      reason === 'gone' ? 'it responded with 410 Gone.' : 'every request has failed for five days.'
    }`,
    'Nothing is lost. When the endpoint works again, enable it and choose whether to send the events since then.',
    { link: 'Open the endpoint', href: `${baseUrl}/dashboard/webhooks/${id}` },
  ],
});

/** An offer as mails to its owner name it. */
interface NamedOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing: string;
  readonly baseUrl: string;
}

const offersPage = ({ baseUrl, id }: NamedOffer) => ({
  link: 'Open the offer',
  href: `${baseUrl}/dashboard/offers/${id}`,
});

export const codesLow = (offer: NamedOffer, left: number): Notice => ({
  subject: left === 0 ? `“${offer.offer}” has no codes left` : `“${offer.offer}” is running out of codes`,
  letter: [
    left === 0
      ? `All codes of “${offer.offer}” (${offer.listing}) have been given out. New codes take effect immediately.`
      : `${amountOf(left, 'code')} left for “${offer.offer}” (${offer.listing}).`,
    { link: 'Add codes', href: `${offer.baseUrl}/dashboard/offers/${offer.id}/codes` },
  ],
});

/** `end`: the time in words. */
export const endsSoon = (offer: NamedOffer, end: string): Notice => ({
  subject: `“${offer.offer}” ends soon`,
  letter: [
    `“${offer.offer}” (${offer.listing}) can be claimed until ${end}. Claims made before can be redeemed after that.`,
    offersPage(offer),
  ],
});

export const almostFull = (offer: NamedOffer, claims: number, limit: number): Notice => ({
  subject: `“${offer.offer}” ${claims >= limit ? 'has reached its claim limit' : 'is near its claim limit'}`,
  letter: [
    `“${offer.offer}” (${offer.listing}): ${claims} of ${amountOf(limit, 'claim')} used.`,
    claims >= limit
      ? 'People see that it is over. Raise the limit to take more claims.'
      : 'At the limit, people see that it is over. Raise it to take more claims.',
    offersPage(offer),
  ],
});

/** Of the seven days before. */
export const weekOf = (baseUrl: string, claims: number, redeemed: number): Notice => ({
  subject: `Your week: ${amountOf(claims, 'claim')}, ${redeemed} redeemed`,
  letter: [
    `In the last seven days people made ${amountOf(claims, 'claim')} on your offers, and ${redeemed} ${redeemed === 1 ? 'was' : 'were'} redeemed.`,
    { link: 'Open the dashboard', href: `${baseUrl}/dashboard` },
  ],
});

/** `names`: of what waits, the newest ones. */
export const waitsForReview = (baseUrl: string, waiting: number, names: readonly string[]): Notice => ({
  subject: `${amountOf(waiting, 'item')} to decide`,
  letter: [
    `Waiting for your decision: ${names.join(', ')}${waiting > names.length ? ` and ${waiting - names.length} more` : ''}.`,
    { link: 'Open the queue', href: `${baseUrl}/desk/queue` },
  ],
});

export const newOwner = (listing: NamedListing, ownerId: string, owner: string): Notice => ({
  subject: `A new owner: ${owner}`,
  letter: [
    `${owner} created a first listing, ${listing.name}.`,
    { link: 'Open the account', href: `${listing.baseUrl}/desk/accounts/${ownerId}` },
  ],
});

/** Subjects for the checks that say most by their name. */
const PROBLEMS: Readonly<Partial<Record<CheckName, string>>> = {
  disk: 'Disk almost full',
  writing: 'The database accepts no writes',
};

export const unhealthy = (baseUrl: string, check: CheckName, detail: string): Notice => ({
  subject: PROBLEMS[check] ?? `Problem with ${check}`,
  letter: [
    detail,
    { link: 'What to do', href: baseUrl + docsOfCheck(check) },
    { link: 'Open the system page', href: `${baseUrl}/desk/system` },
    'You’ll get this mail again in a week if the problem persists.',
  ],
});

/** A claim as mails to its claimant name it. `code`: only where the operator lets mail contain codes. */
interface MailedClaim {
  readonly id: string;
  readonly offer: string;
  readonly listing: string;
  readonly code: string | null;
  /** Host of the shop where the code is entered. */
  readonly shop: string;
}

export const claimed = (baseUrl: string, { id, offer, listing, code, shop }: MailedClaim): Notice => ({
  subject: `Your claim: ${offer}`,
  letter: [
    `You claimed “${offer}” from ${listing}.`,
    ...(code === null ? [] : [{ code }, `Enter this code at checkout on ${shop}.`]),
    { link: 'Use it now', href: `${baseUrl}/claims/${id}` },
    'The claim stays in your account. Sign in with this email address to see it.',
  ],
});

export const notUsedYet = (
  baseUrl: string,
  { id, offer, listing }: Omit<MailedClaim, 'code' | 'shop'>,
): Notice => ({
  subject: `Not used yet: ${offer}`,
  letter: [
    `You claimed “${offer}” from ${listing} and haven’t used it yet.`,
    { link: 'Use it now', href: `${baseUrl}/claims/${id}` },
  ],
});
