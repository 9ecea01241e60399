/** Events about listings. They say nothing about a person: an account's deletion keeps them. */
import { type Message, message } from '../../../platform/languages/translate.ts';
import type { ListingsTable } from '../../../platform/store/tables/listings.ts';
import { always, changesOf, event, publicEvent, type Subjects } from '../event-kind.ts';
import { EDIT, fact, listing, optional, type StoredOf, values } from '../members.ts';
import { siteText, variant } from '../sentence-parts.ts';
import { LISTING_DATA } from './webhook-data.ts';

export const isByOperator = ({ by }: { readonly by?: 'operator' | null }): boolean => by === 'operator';
export const isWaiting = ({ waits }: { readonly waits?: boolean | null }): boolean => waits === true;

type PictureKind = 'icon' | 'cover' | 'offer';
const pictureValues = (listing: string, kind: unknown) => ({ listing, kind: variant(kind, ['icon']) });

export const BY = optional(fact<'operator'>());
export const REASON = optional(fact());

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
  listing: data.slug ?? null,
  listing_name: listings.get(subjectId)?.listing_name ?? null,
  state: data.to ?? null,
  reason: data.reason ?? null,
});

type ReadListing = (member: 'listing' | 'listing_name') => string;

/** The slug if the listing was deleted, or if an earlier version has stored the message. */
export const listingName = (read: ReadListing): string => read('listing_name') || read('listing');

/** `chat`: what happened to the listing. */
const moveWebhook = (chat: (values: { readonly listing: string }) => Message) => ({
  data: LISTING_DATA,
  body: moveBody,
  chat: (read: (member: 'listing' | 'listing_name' | 'reason') => string) => {
    const sentence = chat({ listing: listingName(read) });
    const reason = read('reason');
    return reason === '' ? sentence : message('{sentence}: {reason}', { sentence, reason });
  },
});

const DECISIONS = [
  'approve',
  'request_changes',
  'reject',
  'suspend',
  'lift',
  'approve_url',
  'decline_url',
  'approve_link',
  'decline_link',
  'approve_texts',
  'restore_texts',
  'approve_pictures',
  'decline_pictures',
] as const;

export type ListingDecision = (typeof DECISIONS)[number];

const LISTING = { change: fact(), slug: listing(), ...EDIT };
const ofListing = changesOf(LISTING);
/** A decision about a proposal of the owner. */
export const DECIDED = { isDecision: always, notices: { decisions: always } };

export const PICTURE = { kind: fact<PictureKind>() };

export const LISTINGS = {
  'listing.created': event({
    title: message('Listing created'),
    data: { slug: listing(), url: fact(), by: BY },
    audit: ({ slug: listing, url }) => [message('{who} created the listing {listing}.', { listing }), url],
    notices: { owners: always, decisions: isByOperator },
  }),
  'listing.changed': event({
    title: message('Listing changed'),
    data: LISTING,
    audit: ({ slug: listing }) => message('{who} changed the listing {listing}.', { listing }),
    changes: {
      edited: ofListing({
        data: { from: values(), to: values(), by: BY, waits: optional(fact<true>()) },
        audit: ({ slug: listing, from, to }, data) => [
          isWaiting(data)
            ? message('{who} proposed changes to the listing {listing}.', { listing })
            : message('{who} edited the listing {listing}.', { listing }),
          { from, to },
        ],
        notices: { review: always, decisions: isByOperator },
      }),
      url_approved: ofListing({
        data: { url: fact() },
        audit: ({ slug: listing, url }) => [
          message('{who} approved the new website of the listing {listing}.', { listing }),
          url,
        ],
        ...DECIDED,
      }),
      url_declined: ofListing({
        data: { url: fact(), reason: REASON },
        audit: ({ slug: listing }) =>
          message('{who} declined the new website of the listing {listing}.', { listing }),
        ...DECIDED,
      }),
      picture_added: ofListing({
        data: { ...PICTURE, waits: optional(fact<true>()) },
        audit: ({ slug }, data) =>
          isWaiting(data)
            ? message(
                '{who} proposed {kind, select, icon {the icon} other {the cover picture}} of the listing {listing}.',
                pictureValues(slug, data.kind),
              )
            : message(
                '{who} set {kind, select, icon {the icon} other {the cover picture}} of the listing {listing}.',
                pictureValues(slug, data.kind),
              ),
        notices: { review: isWaiting },
      }),
      picture_removed: ofListing({
        data: PICTURE,
        audit: ({ slug }, { kind }) =>
          message(
            '{who} removed {kind, select, icon {the icon} other {the cover picture}} of the listing {listing}.',
            pictureValues(slug, kind),
          ),
      }),
      picture_taken_back: ofListing({
        data: PICTURE,
        audit: ({ slug }, { kind }) =>
          message(
            '{who} withdrew the new version of {kind, select, icon {the icon} other {the cover picture}} of the listing {listing}.',
            pictureValues(slug, kind),
          ),
      }),
      pictures_approved: ofListing({
        audit: ({ slug: listing }) =>
          message('{who} approved new pictures of the listing {listing}.', { listing }),
        ...DECIDED,
      }),
      pictures_declined: ofListing({
        data: { reason: REASON },
        audit: ({ slug: listing }) =>
          message('{who} declined new pictures of the listing {listing}.', { listing }),
        ...DECIDED,
      }),
      texts_approved: ofListing({
        audit: ({ slug: listing }) =>
          message('{who} approved changed texts of the listing {listing}.', { listing }),
        ...DECIDED,
      }),
      texts_declined: ofListing({
        data: { reason: REASON },
        audit: ({ slug: listing }) =>
          message('{who} kept the approved texts of the listing {listing}.', { listing }),
        ...DECIDED,
      }),
      texts_taken_back: ofListing({
        audit: ({ slug: listing }) =>
          message('{who} withdrew changed texts of the listing {listing}.', { listing }),
      }),
      deleted: ofListing({
        audit: ({ slug: listing }) => message('{who} deleted the listing {listing}.', { listing }),
      }),
      featured: ofListing({
        data: { place: fact<number>() },
        audit: ({ slug: listing, place }) =>
          message('{who} featured the listing {listing} on the front page, as number {place}.', {
            listing,
            place,
          }),
      }),
      unfeatured: ofListing({
        audit: ({ slug: listing }) =>
          message('{who} removed the listing {listing} from the featured row of the front page.', {
            listing,
          }),
      }),
      decision_undone: ofListing({
        data: {
          decision: fact<ListingDecision>(),
          decided_at: fact(),
          from: fact<State>(),
          to: fact<State>(),
        },
        audit: ({ slug }, { decision }) =>
          message(
            '{who} undid the decision to {decision, select, approve {approve the listing {listing}} request_changes {ask for changes to the listing {listing}} reject {reject the listing {listing}} suspend {suspend the listing {listing}} lift {lift the suspension of the listing {listing}} approve_url {approve the new website of the listing {listing}} decline_url {decline the new website of the listing {listing}} approve_link {approve a new link of the listing {listing}} decline_link {decline a new link of the listing {listing}} approve_texts {approve changed texts of the listing {listing}} restore_texts {keep the approved texts of the listing {listing}} approve_pictures {approve new pictures of the listing {listing}} decline_pictures {decline new pictures of the listing {listing}} other {change the listing {listing}}}.',
            { decision: variant(decision, DECISIONS), listing: slug },
          ),
        notices: { review: always },
      }),
    },
  }),
  'listing.submitted': event({
    title: message('Listing submitted for review'),
    data: MOVE,
    audit: ({ slug: listing, reply }) => [
      message('{who} submitted the listing {listing} for review.', { listing }),
      reply,
    ],
    // An operator who submits a listing also creates it, and the owner gets mail about that.
    notices: { review: always, decisions: (data) => !isByOperator(data) },
  }),
  'listing.approved': publicEvent({
    title: message('Listing approved, or its suspension lifted'),
    data: MOVE,
    audit: ({ slug: listing, origin }, { from }) =>
      from === 'suspended'
        ? message('{who} lifted the suspension of the listing {listing}.', { listing })
        : [
            message('{who} approved the listing {listing}.', { listing }),
            origin === null ? null : message('Its site is {site}.', { site: siteText(origin) }),
          ],
    ...DECIDED,
    webhook: {
      data: LISTING_DATA,
      body: moveBody,
      chat: (read) => message('Listing {listing} is live', { listing: listingName(read) }),
    },
  }),
  'listing.changes_requested': publicEvent({
    title: message('Changes requested for a listing'),
    data: MOVE,
    audit: ({ slug: listing }) => message('{who} asked for changes to the listing {listing}.', { listing }),
    ...DECIDED,
    webhook: moveWebhook((values) => message('Changes were requested for listing {listing}', values)),
  }),
  'listing.rejected': publicEvent({
    title: message('Listing rejected'),
    data: MOVE,
    audit: ({ slug: listing }) => message('{who} rejected the listing {listing}.', { listing }),
    ...DECIDED,
    webhook: moveWebhook((values) => message('Listing {listing} was rejected', values)),
  }),
  'listing.reported': event({
    title: message('Listing reported'),
    data: { slug: listing() },
    audit: ({ slug: listing }) => message('{who} reported the listing {listing}.', { listing }),
    notices: { review: always, reports: always },
  }),
  'listing.reports_dismissed': event({
    title: message('Reports about a listing dismissed'),
    data: { slug: listing() },
    audit: ({ slug: listing }) =>
      message('{who} dismissed the reports about the listing {listing}.', { listing }),
    notices: { reports: always },
  }),
  'listing.question_asked': event({
    title: message('Question to the owner of a listing'),
    data: { slug: listing(), question: fact() },
    audit: ({ slug: listing, question }) => [
      message('{who} asked the owner of the listing {listing}.', { listing }),
      question,
    ],
    notices: { decisions: always },
  }),
  'listing.question_answered': event({
    title: message('Owner replied to a question'),
    data: { slug: listing(), reply: fact() },
    audit: ({ slug: listing, reply }) => [
      message('{who} replied to a question about the listing {listing}.', { listing }),
      reply,
    ],
    notices: { review: always },
  }),
  'listing.withdrawn': event({
    title: message('Listing withdrawn'),
    data: MOVE,
    audit: ({ slug: listing }) => message('{who} withdrew the listing {listing}.', { listing }),
  }),
  'listing.transferred': event({
    title: message('Listing transferred'),
    data: { slug: listing(), to_account: optional(fact()), from_account: optional(fact()) },
    audit: ({ slug: listing, to_account }) =>
      to_account === null
        ? message('{who} transferred the listing {listing} to this account.', { listing })
        : message('{who} transferred the listing {listing} to another account.', { listing }),
  }),
  'listing.suspended': publicEvent({
    title: message('Listing suspended'),
    data: MOVE,
    audit: ({ slug: listing }) => message('{who} suspended the listing {listing}.', { listing }),
    ...DECIDED,
    notices: { ...DECIDED.notices, reports: always },
    webhook: moveWebhook((values) => message('Listing {listing} was suspended', values)),
  }),
};
