/** Events about offers and claims. They say nothing about a person: an account's deletion keeps them. */
import { type Message, message } from '../../../platform/languages/translate.ts';
import { always, changesOf, publicEvent, type Subjects } from '../event-kind.ts';
import { EDIT, fact, listing, optional, type StoredOf, values } from '../members.ts';
import { linkText, offerValues, yesNo } from '../sentence-parts.ts';
import { BY, DECIDED, isByOperator, isWaiting, listingName, PICTURE, REASON } from './listings.ts';
import { CLAIM_DATA, offerData } from './webhook-data.ts';

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
  codes_exported: message('Codes of an offer exported'),
  link_approved: message('New link of an offer approved'),
  link_declined: message('New link of an offer declined'),
};

export const OFFERS = {
  'offer.changed': publicEvent({
    title: message('Offer created or changed'),
    data: OFFER,
    audit: (texts) =>
      message(
        '{who} changed the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
        offerValues(texts),
      ),
    notices: {
      review: (data) => isWaiting(data) || data.isListed === true,
      decisions: isByOperator,
    },
    changes: {
      created: ofOffer({
        data: { kind: fact(), origin: optional(fact()) },
        audit: (texts, data) => [
          message(
            '{who} created the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
          linkText(texts.origin, isWaiting(data)),
        ],
      }),
      edited: ofOffer({
        data: {
          fields: fact<readonly string[]>(),
          from: values(),
          to: values(),
          origin: optional(fact()),
        },
        audit: (texts, data) => [
          isWaiting(data)
            ? message(
                '{who} proposed changes to the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
                offerValues(texts),
              )
            : message(
                '{who} edited the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
                offerValues(texts),
              ),
          Object.keys(texts.to ?? {}).length === 0
            ? linkText(texts.origin, isWaiting(data))
            : { from: texts.from, to: texts.to },
        ],
      }),
      paused: ofOffer({
        audit: (texts) =>
          message(
            '{who} paused the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      resumed: ofOffer({
        audit: (texts) =>
          message(
            '{who} resumed the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      deleted: ofOffer({
        audit: (texts) =>
          message(
            '{who} deleted the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      picture_added: ofOffer({
        data: PICTURE,
        audit: (texts, data) =>
          isWaiting(data)
            ? message(
                '{who} proposed the picture of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
                offerValues(texts),
              )
            : message(
                '{who} set the picture of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
                offerValues(texts),
              ),
      }),
      picture_removed: ofOffer({
        data: PICTURE,
        audit: (texts) =>
          message(
            '{who} removed the picture of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      picture_taken_back: ofOffer({
        data: PICTURE,
        audit: (texts) =>
          message(
            '{who} withdrew the new picture of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      codes_added: ofOffer({
        audit: (texts) =>
          message(
            '{who} added codes to the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      codes_withdrawn: ofOffer({
        audit: (texts) =>
          message(
            '{who} withdrew remaining codes of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      codes_released: ofOffer({
        audit: (texts) => [
          message(
            '{who} released the withheld codes of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
          message('The codes were withheld after a restore.'),
        ],
      }),
      codes_exported: ofOffer({
        audit: (texts) =>
          message(
            '{who} exported the remaining codes of the offer “{offer}”{of, select, listing { of the listing {listing}} other {}}.',
            offerValues(texts),
          ),
      }),
      link_approved: ofOffer({
        data: { origin: optional(fact()) },
        audit: ({ offer, origin }, data) => [
          message('{who} approved the new link of the offer “{offer}”.', { offer }),
          linkText(origin, isWaiting(data)),
        ],
        ...DECIDED,
      }),
      link_declined: ofOffer({
        data: { origin: optional(fact()), reason: REASON },
        audit: ({ offer }) => message('{who} declined the new link of the offer “{offer}”.', { offer }),
        ...DECIDED,
      }),
    },
    webhook: {
      data: offerData(Object.keys(OFFER_DEEDS)),
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

const labelValues = (via: string | null) => ({ hasLabel: yesNo(via !== null), label: via ?? '' });

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
      const label = labelValues(via);
      if (replaces !== null) {
        return message(
          '{who} issued a claim{hasLabel, select, yes { with the label {label}} other {}} in place of a redeemed one.',
          label,
        );
      }
      return claimed_at === null
        ? message('{who} made a claim{hasLabel, select, yes { with the label {label}} other {}}.', label)
        : message('{who} imported a claim{hasLabel, select, yes { with the label {label}} other {}}.', label);
    },
    notices: { claims: always },
    webhook: {
      data: CLAIM_DATA,
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
    audit: ({ via }) =>
      message(
        '{who} redeemed a claim{hasLabel, select, yes { with the label {label}} other {}}.',
        labelValues(via),
      ),
    webhook: {
      data: CLAIM_DATA,
      body: (event, subjects) => claimBody(event, subjects, null),
      chat: (read) => message('Claim redeemed: {offer} ({listing})', offerNames(read)),
    },
  }),
};
