/** The operator's operations on offers. */
import { z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import { findListing } from '../listings/queries.ts';
import { createOffer } from '../offers/create.ts';
import { OFFER_FIELDS } from '../offers/fields.ts';
import { shownState } from '../offers/offer.ts';
import { pauseOffer, resumeOffer } from '../offers/pause.ts';
import { listCountedOffers, type Offer } from '../offers/queries.ts';
import type { OfferToChange } from '../offers/write.ts';
import { unsetOf } from '../text/fields.ts';
import {
  inputOf,
  json,
  listingReference,
  nextPage,
  OPERATOR,
  OPERATOR_PATH,
  type OperatorOperation,
  operatorRoute,
  outputOf,
  pageOf,
  pageQuery,
  time,
  UNKNOWN_LISTING,
  UNKNOWN_OFFER,
  uuid,
} from './definitions.ts';

const OFFERS = `${OPERATOR_PATH}/offers`;
const OFFER = `${OFFERS}/{id}`;

const offer = z
  .object({
    id: z.uuid(),
    listing_id: z.uuid(),
    ...outputOf(OFFER_FIELDS),
    proposed_link: z.string().nullable().openapi({
      description: 'A link with another origin, which waits for the desk.',
    }),
    paused_at: time.nullable(),
    created_at: time,
  })
  .openapi('Offer');

const OFFER_EXAMPLE = {
  id: '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37',
  listing_id: '019a9f6c-2222-7c3a-9b52-4f0d8e6a1c37',
  ...unsetOf(OFFER_FIELDS),
  offer: '20% off the first year',
  kind: 'discount',
  redemption_link: 'https://notes.example.com/welcome?claim={claim}',
  proposed_link: null,
  claim_limit: 500,
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
    'An offer of a listing, with a redemption link, a shared code or a code list. The operator sets the link, so it is live immediately, whatever its origin. This call is not idempotent: retrying it creates a second offer. After a lost answer, check the list.',
  input: {
    body: json(
      z
        .strictObject({
          listing: listingReference,
          ...inputOf(OFFER_FIELDS),
        })
        .openapi('OfferToCreate'),
    ),
  },
  outputs: { 201: { description: 'The offer.', schema: offer, examples: { offer: OFFER_EXAMPLE } } },
  errors: UNKNOWN_LISTING,
} as const satisfies OperatorOperation;

const listedOffer = z
  .object({
    ...offer.shape,
    claims: z.int().openapi({ description: 'Its live claims.' }),
    codes_left: z.int().openapi({ description: 'Codes in its list that no claim has yet.' }),
    codes_given: z.int().openapi({ description: 'Codes of its list that claims have.' }),
    state: z.enum(['open', 'paused', 'over', 'in_review', 'opens', 'closed']).openapi({
      description:
        '`opens`: once the listing is approved; `closed`: the listing is suspended or rejected; `over`: its end or its limit is reached, or its codes are given out; `in_review`: its link waits for the desk.',
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
      examples: {
        page: {
          offers: [{ ...OFFER_EXAMPLE, claims: 120, codes_left: 0, codes_given: 0, state: 'open' }],
          next: null,
        },
      },
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

const changeRoute = (
  operation: typeof PAUSE_OFFER | typeof RESUME_OFFER,
  change: (context: Context, input: OfferToChange) => Promise<Offer>,
) =>
  operatorRoute<typeof operation>(operation, async ({ caller, path: { id } }, context) => ({
    status: 200,
    body: await change(context, { offerId: id, actor: caller.actor }),
  }));

export const OFFER_ROUTES = [
  operatorRoute<typeof CREATE_OFFER>(CREATE_OFFER, async ({ caller, body }, context) => {
    const input = { ...body, claim_limit: body.claim_limit?.toString(), actor: caller.actor };
    return { status: 201, body: await createOffer(context, input) };
  }),
  operatorRoute<typeof LIST_OFFERS>(LIST_OFFERS, async ({ query }, { db, now }) => {
    const listing = await findListing(db.read, query.listing);
    const { rows, next } = await pageOf(query, (page) => listCountedOffers(db.read, [listing], page));
    const offers = rows.map((row) => ({
      ...row,
      state: shownState(row, listing.state, now()),
    }));
    return { status: 200, body: { offers, next } };
  }),
  changeRoute(PAUSE_OFFER, pauseOffer),
  changeRoute(RESUME_OFFER, resumeOffer),
];
