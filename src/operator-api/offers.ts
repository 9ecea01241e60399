/** The operator's operations on offers. */
import { z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import { findListing } from '../listings/queries.ts';
import { createOffer } from '../offers/create.ts';
import {
  KINDS,
  MAX_CLAIM_LIMIT,
  MAX_CODE_LENGTH,
  MAX_OFFER_TEXT_LENGTH,
  shownState,
} from '../offers/offer.ts';
import { pauseOffer } from '../offers/pause.ts';
import { listCountedOffers, type Offer } from '../offers/queries.ts';
import { resumeOffer } from '../offers/resume.ts';
import type { OfferToChange } from '../offers/write.ts';
import { MAX_ADDRESS_LENGTH } from '../web-address.ts';
import {
  choice,
  json,
  listingReference,
  nextPage,
  OPERATOR,
  OPERATOR_PATH,
  type OperatorOperation,
  operatorRoute,
  pageOf,
  pageQuery,
  text,
  time,
  UNKNOWN_LISTING,
  UNKNOWN_OFFER,
  uuid,
} from './definitions.ts';

const OFFERS = `${OPERATOR_PATH}/offers`;
const OFFER = `${OFFERS}/{id}`;

const offer = z
  .strictObject({
    id: z.uuid(),
    listing_id: z.uuid(),
    offer: z.string().openapi({ description: 'The text that names the offer.' }),
    kind: z.enum(KINDS),
    redemption_link: z.string().nullable(),
    proposed_link: z.string().nullable().openapi({
      description: 'A link with another origin, which waits for the desk.',
    }),
    test_link: z.string().nullable().openapi({
      description: 'Opened by the owner only, with test claims; never reviewed.',
    }),
    code: z.string().nullable().openapi({ description: 'The shared code for checkout.' }),
    claim_limit: z.int().nullable(),
    ends_at: time.nullable().openapi({ description: 'After it the offer takes no claims.' }),
    paused_at: time.nullable(),
    created_at: time,
  })
  .openapi('Offer');

const OFFER_EXAMPLE = {
  id: '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37',
  listing_id: '019a9f6c-2222-7c3a-9b52-4f0d8e6a1c37',
  offer: '20% off the first year',
  kind: 'discount',
  redemption_link: 'https://notes.example.com/welcome?claim={claim}',
  proposed_link: null,
  test_link: null,
  code: null,
  claim_limit: 500,
  ends_at: null,
  paused_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
} as const;

const one = (description: string, changed: object = {}) =>
  ({
    200: { description, schema: offer, examples: { offer: { ...OFFER_EXAMPLE, ...changed } } },
  }) as const;

const path = z.object({ id: uuid.openapi({ description: 'Id of an offer.' }) });

export const CREATE_OFFER = {
  ...OPERATOR,
  id: 'createOffer',
  method: 'post',
  path: OFFERS,
  scope: 'offers:write',
  summary: 'Create an offer',
  description:
    'An offer of a listing, with a redemption link, a shared code or both. The operator has set the link, so it is live at once, whatever its origin. To send a call twice makes two offers: after a lost answer, look at the list.',
  input: {
    body: json(
      z
        .strictObject({
          listing: listingReference,
          offer: text('The text that names the offer.', MAX_OFFER_TEXT_LENGTH, '20% off the first year'),
          kind: choice('The kind of the offer.', KINDS),
          redemption_link: text(
            "The owner's page, with `{claim}` as the value of a query parameter.",
            MAX_ADDRESS_LENGTH,
            'https://notes.example.com/welcome?claim={claim}',
          ).optional(),
          test_link: text(
            'A page for development, with `{claim}` like the redemption link. Plain http is fine on localhost and in private networks. Opened by the owner only, with test claims.',
            MAX_ADDRESS_LENGTH,
            'http://localhost:8080/welcome?claim={claim}',
          ).optional(),
          code: text('The shared code for checkout.', MAX_CODE_LENGTH, 'NOTES20').optional(),
          ends_at: z.string().optional().openapi({
            description:
              'A day such as 2026-11-20, meaning its end, or a time such as 2026-11-20T10:00Z. Days, and times without Z, are in the time zone of the marketplace.',
          }),
          claim_limit: z.int().min(1).max(MAX_CLAIM_LIMIT).optional(),
        })
        .openapi('OfferToCreate'),
    ),
  },
  outputs: { 201: { description: 'The offer.', schema: offer, examples: { offer: OFFER_EXAMPLE } } },
  errors: UNKNOWN_LISTING,
} as const satisfies OperatorOperation;

const listedOffer = z
  .strictObject({
    ...offer.shape,
    claims: z.int().openapi({ description: 'Its live claims.' }),
    state: z.enum(['open', 'paused', 'over', 'in_review', 'opens', 'closed']).openapi({
      description:
        '`opens`: once the listing is approved; `closed`: the listing is suspended or rejected; `over`: its end or its limit is reached; `in_review`: its link waits for the desk.',
    }),
  })
  .openapi('ListedOffer');

export const LIST_OFFERS = {
  ...OPERATOR,
  id: 'listOffers',
  method: 'get',
  path: OFFERS,
  scope: 'offers:read',
  summary: 'List offers',
  description: 'The offers of a listing in order of creation.',
  input: { query: z.object({ listing: listingReference, ...pageQuery }) },
  outputs: {
    200: {
      description: 'A page of offers.',
      schema: z.strictObject({ offers: z.array(listedOffer), next: nextPage }).openapi('OfferPage'),
      examples: { page: { offers: [{ ...OFFER_EXAMPLE, claims: 120, state: 'open' }], next: null } },
    },
  },
  errors: UNKNOWN_LISTING,
} as const satisfies OperatorOperation;

const change = { ...OPERATOR, method: 'post', scope: 'offers:write', errors: UNKNOWN_OFFER } as const;

export const PAUSE_OFFER = {
  ...change,
  id: 'pauseOffer',
  path: `${OFFER}/pause`,
  summary: 'Pause an offer',
  description:
    'Stops new claims on an offer until it is resumed. Claims already made stay redeemable. Nothing happens if it is paused already.',
  input: { path },
  outputs: one('The paused offer.', { paused_at: '2026-11-21T09:30:00.000Z' }),
} as const satisfies OperatorOperation;

export const RESUME_OFFER = {
  ...change,
  id: 'resumeOffer',
  path: `${OFFER}/resume`,
  summary: 'Resume an offer',
  description: 'Lets a paused offer take claims again. Nothing happens if it is not paused.',
  input: { path },
  outputs: one('The offer.'),
} as const satisfies OperatorOperation;

const toOffer = (row: Offer): z.input<typeof offer> => ({
  id: row.id,
  listing_id: row.listing_id,
  offer: row.offer,
  kind: row.kind,
  redemption_link: row.redemption_link,
  proposed_link: row.proposed_link,
  test_link: row.test_link,
  code: row.code,
  claim_limit: row.claim_limit,
  ends_at: row.ends_at,
  paused_at: row.paused_at,
  created_at: row.created_at,
});

const changeRoute = (
  operation: typeof PAUSE_OFFER | typeof RESUME_OFFER,
  change: (context: Context, input: OfferToChange) => Promise<Offer>,
) =>
  operatorRoute<typeof operation>(operation, async ({ caller, path: { id } }, context) => ({
    status: 200,
    body: toOffer(await change(context, { offerId: id, actor: caller.actor })),
  }));

export const OFFER_ROUTES = [
  operatorRoute<typeof CREATE_OFFER>(CREATE_OFFER, async ({ caller, body }, context) => {
    const { redemption_link, test_link, ends_at, claim_limit, ...input } = body;
    const row = await createOffer(context, {
      ...input,
      redemptionLink: redemption_link,
      testLink: test_link,
      endsAt: ends_at,
      claimLimit: claim_limit?.toString(),
      actor: caller.actor,
    });
    return { status: 201, body: toOffer(row) };
  }),
  operatorRoute<typeof LIST_OFFERS>(LIST_OFFERS, async ({ query }, { db, now }) => {
    const listing = await findListing(db.read, query.listing);
    const { rows, next } = await pageOf(query, (page) => listCountedOffers(db.read, [listing], page));
    const offers = rows.map((row) => ({
      ...toOffer(row),
      claims: row.claims,
      state: shownState(row, listing.state, now()),
    }));
    return { status: 200, body: { offers, next } };
  }),
  changeRoute(PAUSE_OFFER, pauseOffer),
  changeRoute(RESUME_OFFER, resumeOffer),
];
