/** Events about listings, offers and claims. They say nothing about a person: an account's deletion keeps them. */
import { type Message, message } from '../../../platform/languages/translate.ts';
import type { ListingsTable } from '../../../platform/store/tables/listings.ts';
import { always, changesOf, event, publicEvent, type Subjects } from '../event-kind.ts';
import { EDIT, fact, listing, optional, type StoredOf, values } from '../members.ts';
import { changesText, linkText, offerText, siteText, textFor } from '../sentence-parts.ts';

const isByOperator = ({ by }: { readonly by?: 'operator' | null }): boolean => by === 'operator';
const isWaiting = ({ waits }: { readonly waits?: boolean | null }): boolean => waits === true;
const proposed = (deed: string, data: Parameters<typeof isWaiting>[0]): string =>
  isWaiting(data) ? 'proposed' : deed;

type PictureKind = 'icon' | 'cover' | 'offer';
const pictureText = (kind: PictureKind | null | undefined): string =>
  kind === 'icon' ? 'the icon' : 'the cover picture';

const BY = optional(fact<'operator'>());
const REASON = optional(fact());

type State = ListingsTable['state'];

const MOVE = {
  slug: listing(),
  from: fact<State>(),
  to: fact<State>(),
  origin: optional(fact()),
  reason: REASON,
  /** The owner's answer to requested changes. */
  reply: optional(fact()),
  by: BY,
};

const moveBody = (
  { subjectId, data }: { subjectId: string; data: StoredOf<typeof MOVE> },
  { listings }: Subjects,
) => ({
  listing_id: subjectId,
  listing: data.slug,
  listing_name: listings.get(subjectId)?.listing_name ?? null,
  state: data.to,
  reason: data.reason ?? null,
});

type ReadListing = (member: 'listing' | 'listing_name') => string;

/** The slug if the listing was deleted, or if an earlier version has stored the message. */
const listingName = (read: ReadListing): string => read('listing_name') || read('listing');

/** `chat`: what happened to the listing. */
const moveWebhook = (chat: (values: { readonly listing: string }) => Message) => ({
  body: moveBody,
  chat: (read: (member: 'listing' | 'listing_name' | 'reason') => string) => {
    const sentence = chat({ listing: listingName(read) });
    const reason = read('reason');
    return reason === '' ? sentence : message('{sentence}: {reason}', { sentence, reason });
  },
});

const DECISIONS = {
  approve: 'approve',
  request_changes: 'ask for changes to',
  reject: 'reject',
  suspend: 'suspend',
  lift: 'lift the suspension of',
  approve_url: 'approve the new website of',
  decline_url: 'decline the new website of',
  approve_link: 'approve a new link of',
  decline_link: 'decline a new link of',
  approve_texts: 'approve changed texts of',
  restore_texts: 'keep the approved texts of',
  approve_pictures: 'approve new pictures of',
  decline_pictures: 'decline new pictures of',
} as const;

export type ListingDecision = keyof typeof DECISIONS;

const LISTING = { change: fact(), slug: listing(), ...EDIT };
const ofListing = changesOf(LISTING);
/** A decision about a proposal of the owner. */
const DECIDED = { isDecision: always, notices: { decisions: always } };

const OFFER = {
  change: fact(),
  offer: fact(),
  /** Missing in decisions about a link. */
  listing: optional(listing()),
  by: BY,
  waits: optional(fact<boolean>()),
  isListed: optional(fact<true>()),
  ...EDIT,
};
const ofOffer = changesOf(OFFER);
const PICTURE = { kind: fact<PictureKind>() };

export const LISTINGS = {
  'listing.created': event({
    title: message('Listing created'),
    data: { slug: listing(), url: fact(), by: BY },
    audit: ({ slug, url }) => [`created the listing ${slug}`, url],
    notices: { owners: always, decisions: isByOperator },
  }),
  'listing.changed': event({
    title: message('Listing changed'),
    data: LISTING,
    audit: ({ slug }) => `changed the listing ${slug}`,
    changes: {
      edited: ofListing({
        data: { from: values(), to: values(), by: BY, waits: optional(fact<true>()) },
        audit: ({ slug, from, to }, data) => [
          `${isWaiting(data) ? 'proposed changes to' : 'edited'} the listing ${slug}`,
          changesText(from, to),
        ],
        notices: { review: always, decisions: isByOperator },
      }),
      url_approved: ofListing({
        data: { url: fact() },
        audit: ({ slug, url }) => [`approved the new website of the listing ${slug}`, url],
        ...DECIDED,
      }),
      url_declined: ofListing({
        data: { url: fact(), reason: REASON },
        audit: ({ slug }) => `declined the new website of the listing ${slug}`,
        ...DECIDED,
      }),
      picture_added: ofListing({
        data: { ...PICTURE, waits: optional(fact<true>()) },
        audit: ({ slug }, data) =>
          `${proposed('set', data)} ${pictureText(data.kind)} of the listing ${slug}`,
        notices: { review: isWaiting },
      }),
      picture_removed: ofListing({
        data: PICTURE,
        audit: ({ slug }, { kind }) => `removed ${pictureText(kind)} of the listing ${slug}`,
      }),
      picture_taken_back: ofListing({
        data: PICTURE,
        audit: ({ slug }, { kind }) =>
          `withdrew the new version of ${pictureText(kind)} of the listing ${slug}`,
      }),
      pictures_approved: ofListing({
        audit: ({ slug }) => `approved new pictures of the listing ${slug}`,
        ...DECIDED,
      }),
      pictures_declined: ofListing({
        data: { reason: REASON },
        audit: ({ slug }) => `declined new pictures of the listing ${slug}`,
        ...DECIDED,
      }),
      texts_approved: ofListing({
        audit: ({ slug }) => `approved changed texts of the listing ${slug}`,
        ...DECIDED,
      }),
      texts_declined: ofListing({
        data: { reason: REASON },
        audit: ({ slug }) => `kept the approved texts of the listing ${slug}`,
        ...DECIDED,
      }),
      texts_taken_back: ofListing({ audit: ({ slug }) => `withdrew changed texts of the listing ${slug}` }),
      deleted: ofListing({ audit: ({ slug }) => `deleted the listing ${slug}` }),
      featured: ofListing({
        data: { place: fact<number>() },
        audit: ({ slug, place }) => `featured the listing ${slug} on the front page, as number ${place}`,
      }),
      unfeatured: ofListing({
        audit: ({ slug }) => `removed the listing ${slug} from the featured row of the front page`,
      }),
      decision_undone: ofListing({
        data: {
          decision: fact<ListingDecision>(),
          decided_at: fact(),
          from: fact<State>(),
          to: fact<State>(),
        },
        audit: ({ slug }, { decision }) =>
          `undid the decision to ${textFor(DECISIONS, decision) || 'change'} the listing ${slug}`,
        notices: { review: always },
      }),
    },
  }),
  'listing.submitted': event({
    title: message('Listing submitted for review'),
    data: MOVE,
    audit: ({ slug, reply }) => [`submitted the listing ${slug} for review`, reply],
    // An operator who submits a listing also creates it, and the owner gets mail about that.
    notices: { review: always, decisions: (data) => !isByOperator(data) },
  }),
  'listing.approved': publicEvent({
    title: message('Listing approved, or its suspension lifted'),
    data: MOVE,
    audit: ({ slug, origin }, { from }) =>
      from === 'suspended'
        ? `lifted the suspension of the listing ${slug}`
        : [`approved the listing ${slug}`, origin === null ? null : `Its site is ${siteText(origin)}.`],
    ...DECIDED,
    webhook: {
      body: moveBody,
      chat: (read) => message('Listing {listing} is live', { listing: listingName(read) }),
    },
  }),
  'listing.changes_requested': publicEvent({
    title: message('Changes requested for a listing'),
    data: MOVE,
    audit: ({ slug }) => `asked for changes to the listing ${slug}`,
    ...DECIDED,
    webhook: moveWebhook((values) => message('Changes were requested for listing {listing}', values)),
  }),
  'listing.rejected': publicEvent({
    title: message('Listing rejected'),
    data: MOVE,
    audit: ({ slug }) => `rejected the listing ${slug}`,
    ...DECIDED,
    webhook: moveWebhook((values) => message('Listing {listing} was rejected', values)),
  }),
  'listing.reported': event({
    title: message('Listing reported'),
    data: { slug: listing() },
    audit: ({ slug }) => `reported the listing ${slug}`,
    notices: { review: always },
  }),
  'listing.reports_dismissed': event({
    title: message('Reports about a listing dismissed'),
    data: { slug: listing() },
    audit: ({ slug }) => `dismissed the reports about the listing ${slug}`,
  }),
  'listing.question_asked': event({
    title: message('Question to the owner of a listing'),
    data: { slug: listing(), question: fact() },
    audit: ({ slug, question }) => [`asked the owner of the listing ${slug}`, question],
    notices: { decisions: always },
  }),
  'listing.question_answered': event({
    title: message('Owner replied to a question'),
    data: { slug: listing(), reply: fact() },
    audit: ({ slug, reply }) => [`replied to a question about the listing ${slug}`, reply],
    notices: { review: always },
  }),
  'listing.withdrawn': event({
    title: message('Listing withdrawn'),
    data: MOVE,
    audit: ({ slug }) => `withdrew the listing ${slug}`,
  }),
  'listing.transferred': event({
    title: message('Listing transferred'),
    data: { slug: listing(), to_account: optional(fact()), from_account: optional(fact()) },
    audit: ({ slug, to_account }) =>
      `transferred the listing ${slug} to ${to_account === null ? 'this' : 'another'} account`,
  }),
  'listing.suspended': publicEvent({
    title: message('Listing suspended'),
    data: MOVE,
    audit: ({ slug }) => `suspended the listing ${slug}`,
    ...DECIDED,
    webhook: moveWebhook((values) => message('Listing {listing} was suspended', values)),
  }),
  'offer.changed': publicEvent({
    title: message('Offer created or changed'),
    data: OFFER,
    audit: (texts) => `changed ${offerText(texts)}`,
    notices: {
      review: (data) => isWaiting(data) || data.isListed === true,
      decisions: isByOperator,
    },
    changes: {
      created: ofOffer({
        data: { kind: fact(), origin: optional(fact()) },
        audit: (texts, data) => [`created ${offerText(texts)}`, linkText(texts.origin, isWaiting(data))],
      }),
      edited: ofOffer({
        data: {
          fields: fact<readonly string[]>(),
          from: values(),
          to: values(),
          origin: optional(fact()),
        },
        audit: (texts, data) => [
          `${isWaiting(data) ? 'proposed changes to' : 'edited'} ${offerText(texts)}`,
          changesText(texts.from, texts.to) ?? linkText(texts.origin, isWaiting(data)),
        ],
      }),
      paused: ofOffer({ audit: (texts) => `paused ${offerText(texts)}` }),
      resumed: ofOffer({ audit: (texts) => `resumed ${offerText(texts)}` }),
      deleted: ofOffer({ audit: (texts) => `deleted ${offerText(texts)}` }),
      picture_added: ofOffer({
        data: PICTURE,
        audit: (texts, data) => `${proposed('set', data)} the picture of ${offerText(texts)}`,
      }),
      picture_removed: ofOffer({
        data: PICTURE,
        audit: (texts) => `removed the picture of ${offerText(texts)}`,
      }),
      picture_taken_back: ofOffer({
        data: PICTURE,
        audit: (texts) => `withdrew the new picture of ${offerText(texts)}`,
      }),
      codes_added: ofOffer({ audit: (texts) => `added codes to ${offerText(texts)}` }),
      codes_withdrawn: ofOffer({ audit: (texts) => `withdrew remaining codes of ${offerText(texts)}` }),
      codes_released: ofOffer({
        audit: (texts) => [
          `released the withheld codes of ${offerText(texts)}`,
          'The codes were withheld after a restore.',
        ],
      }),
      link_approved: ofOffer({
        data: { origin: optional(fact()) },
        audit: ({ offer, origin }, data) => [
          `approved the new link of the offer “${offer}”`,
          linkText(origin, isWaiting(data)),
        ],
        ...DECIDED,
      }),
      link_declined: ofOffer({
        data: { origin: optional(fact()), reason: REASON },
        audit: ({ offer }) => `declined the new link of the offer “${offer}”`,
        ...DECIDED,
      }),
    },
    webhook: {
      body: ({ subjectId, data }, { offers }) => ({
        offer_id: subjectId,
        ...offerBody(offers.get(subjectId)),
        change: data.change ?? null,
      }),
      chat: (read) => {
        const change = read('change');
        const deed = Object.hasOwn(OFFER_DEEDS, change) ? OFFER_DEEDS[change]! : message('Offer changed');
        return message('{deed}: {offer} ({listing})', { deed, ...offerNames(read) });
      },
    },
  }),
};

const offerBody = (of: ReturnType<Subjects['offers']['get']>) => ({
  offer: of?.offer ?? null,
  kind: of?.kind ?? null,
  listing: of?.listing ?? null,
  listing_name: of?.listing_name ?? null,
});

const offerNames = (read: (member: 'offer' | 'listing' | 'listing_name') => string) => ({
  offer: read('offer'),
  listing: listingName(read),
});

/** By `change`, for chats. */
const OFFER_DEEDS: Readonly<Record<string, Message>> = {
  created: message('Offer created'),
  edited: message('Offer edited'),
  paused: message('Offer paused'),
  resumed: message('Offer resumed'),
  deleted: message('Offer deleted'),
  picture_added: message('Picture of an offer added'),
  picture_removed: message('Picture of an offer removed'),
  picture_taken_back: message('New picture of an offer withdrawn'),
  codes_added: message('Codes added to an offer'),
  codes_withdrawn: message('Codes of an offer withdrawn'),
  codes_released: message('Withheld codes of an offer released'),
  link_approved: message('New link of an offer approved'),
  link_declined: message('New link of an offer declined'),
};

const CLAIM = { offer_id: fact(), via: optional(fact()) };

interface ClaimEvent {
  readonly subjectId: string;
  readonly at: string;
  readonly data: StoredOf<typeof CLAIM>;
}

/** The claim's id, short id, mode and reference, and the fields of the verify response except `status`. */
function claimBody({ subjectId, data }: ClaimEvent, { claims }: Subjects, redeemedBy: string | null) {
  const claim = claims.get(subjectId);
  const redeemedAt = claim?.redeemed_at ?? null;
  const isRedeemed = redeemedAt !== null && (redeemedBy === null || redeemedAt <= redeemedBy);
  return {
    claim_id: subjectId,
    short_id: claim?.short_id ?? null,
    mode: claim?.mode ?? null,
    offer_id: String(data.offer_id),
    ...offerBody(claim),
    via: data.via ?? null,
    claimed_at: claim?.claimed_at ?? null,
    redeemed_at: isRedeemed ? redeemedAt : null,
    reference: isRedeemed ? (claim?.reference ?? null) : null,
  };
}

const labelText = (via: string | null): string => (via === null ? '' : ` with the label ${via}`);

export const CLAIMS = {
  'claim.created': publicEvent({
    title: message('Claim made'),
    data: {
      ...CLAIM,
      /** The redeemed claim that the operator replaced. */
      replaces: optional(fact()),
      /** The times in the file of an imported claim. */
      claimed_at: optional(fact()),
      redeemed_at: optional(fact()),
    },
    audit: ({ via, replaces, claimed_at }) => {
      if (replaces !== null) return `issued a claim${labelText(via)} in place of a redeemed one`;
      return `${claimed_at === null ? 'made' : 'imported'} a claim${labelText(via)}`;
    },
    notices: { claims: always },
    webhook: {
      // The claim as it was at creation. Only an imported claim can be redeemed at creation.
      body: (event, subjects) => claimBody(event, subjects, event.at),
      chat: (read) => {
        const [via, names] = [read('via'), offerNames(read)];
        return via === ''
          ? message('New claim: {offer} ({listing})', names)
          : message('New claim: {offer} ({listing}), via {via}', { ...names, via });
      },
    },
  }),
  'claim.redeemed': publicEvent({
    title: message('Claim redeemed'),
    data: CLAIM,
    audit: ({ via }) => `redeemed a claim${labelText(via)}`,
    webhook: {
      body: (event, subjects) => claimBody(event, subjects, null),
      chat: (read) => message('Claim redeemed: {offer} ({listing})', offerNames(read)),
    },
  }),
};
