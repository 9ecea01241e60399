/** Which letter the owner gets for an event. */

import type { NoticedChange, NoticedType, StoredEventData } from '../../base/events/catalogue.ts';
import type { EventRecord } from '../../base/events/queries.ts';
import { type Listing, readListingNames } from '../../marketplace/listings/queries.ts';
import { offerState } from '../../marketplace/offers/offer.ts';
import { listCountedOffers, readOfferNames } from '../../marketplace/offers/queries.ts';
import { isPlan, planHasApiKeys } from '../../people/accounts/account.ts';
import { readIsForMembers } from '../../people/visibility/read-rights.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import {
  approved,
  decided,
  linkDecided,
  nameApproved,
  nameDeclined,
  operatorChanged,
  ownerAsked,
  picturesDecided,
  planChanged,
  publishingAllowed,
  requestDeclined,
  submitted,
  suspensionLifted,
  textsDecided,
} from './decision-letters.ts';
import { endpointDisabled, keyInBrowser, keysEnd, type NamedListing, type Notice } from './letters.ts';
import type { NoticeServices } from './mail-notice.ts';

/** `ofOperator`: the same for all changes to a listing, so that its owner gets one such notice an hour. */
interface Letter {
  readonly notice: Notice;
  /** The letter is about the marketplace, not about the account of the event. */
  readonly isForOperators?: true;
  readonly ofOperator?: string;
}

interface Writing {
  readonly services: NoticeServices;
  readonly tx: Transaction;
}

type OwnersType = NoticedType<'decisions' | 'problems'>;
/** Returns `null` if the owner gets no notice. */
type Write<T extends OwnersType> = (
  writing: Writing,
  event: EventRecord<T>,
) => Letter | null | Promise<Letter | null>;

export async function ownersLetter(writing: Writing, event: EventRecord): Promise<Letter | null> {
  if (!Object.hasOwn(LETTERS, event.type)) return null;
  const write = LETTERS[event.type as OwnersType] as Write<OwnersType>;
  return await write(writing, event as EventRecord<OwnersType>);
}

/** There is no letter if the listing was deleted after the event. */
async function ofListing(
  { services, tx }: Writing,
  id: string,
  write: (listing: NamedListing & Pick<Listing, 'visibility'>) => Letter | Promise<Letter>,
): Promise<Letter | null> {
  const [listing] = await readListingNames(tx, [id]);
  return listing === undefined ? null : await write({ ...listing, baseUrl: services.baseUrl });
}

const ofDecision =
  (decision: Parameters<typeof decided>[1]) =>
  (writing: Writing, { subjectId, data }: EventRecord<`listing.${typeof decision}`>) =>
    ofListing(writing, subjectId, (listing) => ({ notice: decided(listing, decision, data.reason || null) }));

const operatorLetter = (listing: NamedListing, offer: string | null, isNew: boolean): Letter => ({
  notice: operatorChanged(listing, offer, isNew),
  ofOperator: `operator:${listing.id}`,
});

const LETTERS: { readonly [T in OwnersType]: Write<T> } = {
  'account.plan_changed': ({ services }, { data: { to }, actor, accountId }) => {
    if (!to || actor === `account:${accountId}`) return null;
    const hasKeys = isPlan(to) && planHasApiKeys(to);
    return { notice: planChanged(services.baseUrl, planNameOf(services, to), hasKeys) };
  },
  'account.publishing_allowed': ({ services }) => ({ notice: publishingAllowed(services.baseUrl) }),
  'account.renamed': ({ services }, { data }) => ({ notice: nameApproved(services.baseUrl, data.to ?? '') }),
  'account.request_declined': ({ services }, { data: { wish, plan, name, reason } }) => ({
    notice:
      wish === 'name'
        ? nameDeclined(services.baseUrl, name ?? '', reason ?? '')
        : requestDeclined(services.baseUrl, plan ? planNameOf(services, plan) : null, reason ?? ''),
  }),
  'endpoint.disabled': ({ services: { baseUrl } }, { subjectId: id, data, actor, accountId }) => {
    const { origin, reason } = data;
    const isMarketplaces = data.marketplace === true;
    if (!reason || reason === 'manual') return null;
    // The owner disabled the endpoint, or removed the person who set it up.
    if (!isMarketplaces && actor === `account:${accountId}`) return null;
    const notice = endpointDisabled(baseUrl, { id, site: origin ?? '', reason, isMarketplaces });
    return { notice, ...(isMarketplaces && { isForOperators: true as const }) };
  },
  'key.seen_in_browser': ({ services }, { data }) => ({
    notice: keyInBrowser(services.baseUrl, data.origin || null),
  }),
  'member.left': ofEndedKeys,
  'member.suspended': ofEndedKeys,
  'listing.created': (writing, { subjectId }) =>
    ofListing(writing, subjectId, (listing) => operatorLetter(listing, null, true)),
  'listing.submitted': (writing, { subjectId }) =>
    ofListing(writing, subjectId, (listing) => ({ notice: submitted(listing) })),
  'listing.approved': async (writing, { subjectId, accountId, data }) => {
    const { marketplace, now } = writing.services.context;
    if (data.from === 'suspended') {
      return await ofListing(writing, subjectId, async (listing) => ({
        notice: suspensionLifted(listing, await readIsForMembers(writing.tx, listing)),
      }));
    }
    const offers = await listCountedOffers(writing.tx, [{ id: subjectId, account_id: accountId }]);
    const open = offers.find((offer) => offerState(offer, now()) === 'open');
    return await ofListing(writing, subjectId, async (listing) => ({
      notice: approved(listing, {
        marketplace: marketplace.brand.name,
        offer: open?.offer ?? null,
        isForMembers: await readIsForMembers(writing.tx, listing),
      }),
    }));
  },
  'listing.changes_requested': ofDecision('changes_requested'),
  'listing.question_asked': (writing, { subjectId, data }) =>
    ofListing(writing, subjectId, (listing) => ({ notice: ownerAsked(listing, data.question ?? '') })),
  'listing.rejected': ofDecision('rejected'),
  'listing.suspended': ofDecision('suspended'),
  'listing.changed': (writing, { subjectId, data }) => {
    const write = LETTERS_OF_LISTING_CHANGES[data.change as NoticedChange<'listing.changed', 'decisions'>];
    return ofListing(writing, subjectId, (listing) => write(listing, declinedBy(data)));
  },
  'offer.changed': async (writing, { subjectId, data }) => {
    const [offer] = await readOfferNames(writing.tx, [subjectId]);
    if (offer === undefined) return null;
    if (data.by === 'operator') {
      return await ofListing(writing, offer.listing_id, (listing) =>
        operatorLetter(listing, offer.offer, data.change === 'created'),
      );
    }
    const write = LETTERS_OF_OFFER_CHANGES[data.change as NoticedChange<'offer.changed', 'decisions'>];
    return await ofListing(writing, offer.listing_id, (listing) =>
      write(listing, declinedBy(data), offer.offer),
    );
  },
};

interface Declined {
  readonly reason: string;
}

const declinedBy = (data: StoredEventData<'listing.changed' | 'offer.changed'>): Declined => ({
  reason: ('reason' in data && data.reason) || '',
});

/** Every change that mails a decision needs a letter. `declined`: only for a decision against the change. */
type LettersOfChanges<T extends 'listing.changed' | 'offer.changed', Of extends readonly unknown[]> = {
  readonly [C in NoticedChange<T, 'decisions'>]: (
    listing: NamedListing,
    declined: Declined,
    ...of: Of
  ) => Letter;
};

const LETTERS_OF_OFFER_CHANGES: LettersOfChanges<'offer.changed', [offer: string]> = {
  link_approved: (listing, _, offer) => ({ notice: linkDecided(listing, offer, null) }),
  link_declined: (listing, declined, offer) => ({ notice: linkDecided(listing, offer, declined) }),
};

const LETTERS_OF_LISTING_CHANGES: LettersOfChanges<'listing.changed', []> = {
  edited: (listing) => operatorLetter(listing, null, false),
  url_approved: (listing) => ({ notice: linkDecided(listing, null, null) }),
  url_declined: (listing, declined) => ({ notice: linkDecided(listing, null, declined) }),
  pictures_approved: (listing) => ({ notice: picturesDecided(listing, null) }),
  pictures_declined: (listing, declined) => ({ notice: picturesDecided(listing, declined) }),
  texts_approved: (listing) => ({ notice: textsDecided(listing, null) }),
  texts_declined: (listing, declined) => ({ notice: textsDecided(listing, declined) }),
};

const planNameOf = ({ context: { marketplace } }: NoticeServices, plan: string): string =>
  isPlan(plan) ? marketplace.plans[plan].name : plan;

function ofEndedKeys(
  { services: { baseUrl, context } }: Writing,
  { data: { keys, keys_end_at } }: EventRecord<'member.left' | 'member.suspended'>,
): Letter | null {
  if (!keys || !keys_end_at) return null;
  const when = () => timeTextWithZone(context.marketplace.timeZone, keys_end_at);
  return { notice: keysEnd(baseUrl, { keys, when }) };
}
