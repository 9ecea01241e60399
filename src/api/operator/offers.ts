import { z } from '@hono/zod-openapi';
import type { Context } from '../../base/context.ts';
import { websiteOf } from '../../marketplace/listings/listing.ts';
import { findListing } from '../../marketplace/listings/queries.ts';
import { MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER } from '../../marketplace/offers/code.ts';
import { addCodes, withdrawCodes } from '../../marketplace/offers/codes.ts';
import { createOffer } from '../../marketplace/offers/create.ts';
import { editOffer, pauseOffer, resumeOffer } from '../../marketplace/offers/edit.ts';
import { OFFER_FIELDS } from '../../marketplace/offers/fields.ts';
import { shownState } from '../../marketplace/offers/offer.ts';
import { listCountedOffers, type Offer } from '../../marketplace/offers/queries.ts';
import { linkWarnings } from '../../marketplace/offers/redemption-link.ts';
import { textsOf, unsetOf } from '../../platform/text/fields.ts';
import { time, uuid } from '../owner/schemas.ts';
import {
  bodyOf,
  callKeyOf,
  creationHeaders,
  KEY_REUSED,
  listingReference,
  operatorRoute,
  outputsOf,
  pageOf,
  pageOutputs,
  pageQuery,
  UNKNOWN_LISTING,
} from './definitions.ts';
import { changeOf, inputOf, outputOf } from './field-schemas.ts';

const offer = z
  .object({
    id: z.uuid(),
    listing_id: z.uuid(),
    ...outputOf(OFFER_FIELDS),
    proposed_link: z.string().nullable().meta({
      description:
        'A link whose origin differs from the origin of the listing. The link is waiting for review or was declined.',
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

const SAVED_EXAMPLE = { ...OFFER_EXAMPLE, warnings: [] } as const;

const savedOffer = z
  .object({
    ...offer.shape,
    warnings: z.array(z.string()).meta({
      description:
        'Likely mistakes in the redemption link of this call, one sentence each. The link was saved nevertheless.',
    }),
  })
  .openapi('SavedOffer');

/** The offer with the warnings that the form of an offer shows. `link`: the redemption link that was sent. */
async function withWarnings({ db }: Context, saved: Offer, link: string | undefined) {
  if (!link || saved.redemption_link === null) return { ...saved, warnings: [] };
  const website = websiteOf(await findListing(db.read, saved.listing_id));
  return { ...saved, warnings: linkWarnings(saved.redemption_link, website).map(String) };
}

const one = (description: string, changed: object = {}) =>
  outputsOf(description, offer, { ...OFFER_EXAMPLE, ...changed });

const path = z.object({ id: uuid.meta({ description: 'Id of an offer.', example: OFFER_EXAMPLE.id }) });

const listedOffer = z
  .object({
    ...offer.shape,
    claims: z.int().meta({ description: 'Number of live claims.' }),
    codes_left: z.int().meta({ description: 'Number of codes that have not been given to a claim.' }),
    codes_given: z.int().meta({ description: 'Number of codes that have been given to claims.' }),
    state: z.enum(['open', 'scheduled', 'paused', 'over', 'in_review', 'opens', 'closed']).meta({
      description:
        '`scheduled`: before the start of the offer; `opens`: will open when the listing is approved; `closed`: the listing is suspended or rejected; `over`: the offer has ended, its claim limit is reached, or all its codes have been given to claims; `in_review`: the link is waiting for review.',
    }),
  })
  .openapi('ListedOffer');

const change = {
  method: 'post',
  scope: 'offers:write',
  input: { path },
  errors: { unknown_offer: {} },
} as const;

/** Maximum size of a request body with codes: enough for 1,000 codes of 50 characters. */
const MAX_CODES_BYTES = 64 * 1024;

const codes = z
  .array(z.string())
  .min(1)
  .max(MAX_CODES_OF_CALL)
  .meta({
    description: 'Codes of at most 200 characters, without spaces.',
    example: ['NOTES-7G3K-99QX', 'NOTES-81HD-0C4T'],
  });
const leftOut = z
  .array(
    z
      .strictObject({
        line: z.int().meta({ description: 'The position of the code in the call, counted from 1.' }),
        reason: z
          .string()
          .meta({ description: 'Why the code was left out. The sentence does not contain the code.' }),
      })
      .openapi('CodeLeftOut'),
  )
  .meta({ description: 'The codes of the call that were left out.' });

const linesOf = (texts: readonly string[]) => texts.map((text, index) => ({ line: index + 1, text }));

export const OFFER_ROUTES = [
  operatorRoute(
    {
      id: 'createOffer',
      command: { name: 'offers create', takes: ['[listing]'], shows: ['id', 'offer', 'kind'] },
      method: 'post',
      path: '/api/v1/operator/offers',
      scope: 'offers:write',
      summary: 'Create an offer',
      description:
        'Creates an offer with a redemption link, a shared code or a code list. The link goes live immediately, whatever its origin. With an `Idempotency-Key`, the call can be repeated if the response is lost; without one, each call creates an offer.',
      input: {
        headers: creationHeaders,
        body: bodyOf('OfferToCreate', {
          listing: listingReference,
          ...inputOf(OFFER_FIELDS),
        }),
      },
      outputs: outputsOf('The offer.', savedOffer, SAVED_EXAMPLE, 201),
      errors: { ...UNKNOWN_LISTING, ...KEY_REUSED },
    },
    async ({ caller, headers, body }, context) => {
      const { listing } = body;
      const call = callKeyOf({ headers, body });
      const input = { ...textsOf(OFFER_FIELDS, body), listing, call, actor: caller.actor };
      return withWarnings(context, await createOffer(context, input), body.redemption_link);
    },
  ),
  operatorRoute(
    {
      id: 'listOffers',
      command: {
        name: 'offers list',
        takes: ['[listing]'],
        shows: ['offer', 'kind', 'state', 'claims', 'redemption_link', 'code', 'codes_left', 'id'],
      },
      method: 'get',
      path: '/api/v1/operator/offers',
      scope: 'offers:read',
      summary: 'List offers',
      description: 'The offers of a listing in order of creation.',
      input: { query: z.object({ listing: listingReference, ...pageQuery }) },
      outputs: pageOutputs('OfferPage', 'offers', listedOffer, {
        ...OFFER_EXAMPLE,
        claims: 120,
        codes_left: 0,
        codes_given: 0,
        state: 'open',
      }),
      errors: UNKNOWN_LISTING,
    },
    async ({ query }, { db, now }) => {
      const listing = await findListing(db.read, query.listing);
      const { rows, next } = await pageOf(query, (page) => listCountedOffers(db.read, [listing], page));
      const offers = rows.map((row) => ({
        ...row,
        state: shownState(row, listing.state, now()),
      }));
      return { offers, next };
    },
  ),
  operatorRoute(
    {
      id: 'editOffer',
      command: { name: 'offers edit', shows: ['id', 'offer', 'kind'] },
      method: 'patch',
      path: '/api/v1/operator/offers/{id}',
      scope: 'offers:write',
      summary: 'Change an offer',
      description:
        'Changes only the fields that are sent; an empty string clears an optional field, except `claim_limit`, which cannot be removed. The change is live immediately, even if the link gets another origin. Existing claims stay redeemable. The owner gets an email.',
      input: { path, body: bodyOf('OfferToChange', changeOf(OFFER_FIELDS)) },
      outputs: outputsOf('The offer.', savedOffer, SAVED_EXAMPLE),
      errors: { unknown_offer: {} },
    },
    async ({ caller: { actor }, path: { id }, body }, context) => {
      const saved = await editOffer(context, { ...textsOf(OFFER_FIELDS, body), offerId: id, actor });
      return withWarnings(context, saved, body.redemption_link);
    },
  ),
  operatorRoute(
    {
      ...change,
      id: 'pauseOffer',
      command: { name: 'offers pause', shows: ['id', 'offer', 'paused_at'] },
      path: '/api/v1/operator/offers/{id}/pause',
      summary: 'Pause an offer',
      description:
        'Stops new claims on an offer until it is resumed. Existing claims stay redeemable. Does nothing if the offer is already paused.',
      outputs: one('The paused offer.', { paused_at: '2026-11-21T09:30:00.000Z' }),
    },
    async ({ caller: { actor }, path: { id } }, context) => pauseOffer(context, { offerId: id, actor }),
  ),
  operatorRoute(
    {
      ...change,
      id: 'resumeOffer',
      command: { name: 'offers resume', shows: ['id', 'offer', 'paused_at'] },
      path: '/api/v1/operator/offers/{id}/resume',
      summary: 'Resume an offer',
      description: 'Lets a paused offer take claims again. Does nothing if the offer is not paused.',
      outputs: one('The offer.'),
    },
    async ({ caller: { actor }, path: { id } }, context) => resumeOffer(context, { offerId: id, actor }),
  ),
  operatorRoute(
    {
      ...change,
      id: 'addCodes',
      command: { name: 'codes add' },
      path: '/api/v1/operator/offers/{id}/codes',
      summary: 'Add codes',
      description: `Adds codes to the code list of an offer, in the given order. Each new claim gets the next code. A code that is malformed or already in the list is left out and reported, so you can send the same call again if the response is lost. An offer can have at most ${MAX_CODES_OF_OFFER} codes, including those already given to claims. A call that would exceed this limit adds no codes.`,
      input: { path, body: bodyOf('CodesToAdd', { codes }, MAX_CODES_BYTES) },
      outputs: outputsOf(
        'What was added.',
        z
          .strictObject({
            added: z.int(),
            left_out: leftOut,
            codes_left: z.int().meta({ description: 'Number of codes that have not been given to a claim.' }),
            codes_given: z.int(),
          })
          .openapi('AddedCodes'),
        {
          added: 1,
          left_out: [{ line: 2, reason: 'The list already has the code.' }],
          codes_left: 41,
          codes_given: 120,
        },
      ),
    },
    async ({ caller: { actor }, path: { id }, body }, context) => {
      const lines = linesOf(body.codes);
      const { bad, added, codes_left, codes_given } = await addCodes(context, { offerId: id, actor, lines });
      return {
        added,
        codes_left,
        codes_given,
        left_out: bad.map(({ line, reason }) => ({ line, reason: String(reason) })),
      };
    },
  ),
  operatorRoute(
    {
      ...change,
      id: 'withdrawCodes',
      command: { name: 'codes withdraw' },
      path: '/api/v1/operator/offers/{id}/codes/withdraw',
      summary: 'Withdraw codes',
      description:
        'Deletes the codes in `codes` or, if `codes` is missing, all codes of an offer. Codes that were already given to a claim are kept.',
      input: { path, body: bodyOf('CodesToWithdraw', { codes: codes.optional() }, MAX_CODES_BYTES) },
      outputs: outputsOf(
        'What was withdrawn.',
        z.strictObject({ withdrawn: z.int(), left_out: leftOut }).openapi('WithdrawnCodes'),
        { withdrawn: 41, left_out: [] },
      ),
    },
    async ({ caller: { actor }, path: { id }, body }, context) => {
      const lines = body.codes === undefined ? null : linesOf(body.codes);
      const { withdrawn, bad } = await withdrawCodes(context, { offerId: id, actor, lines });
      return { withdrawn, left_out: bad.map(({ line, reason }) => ({ line, reason: String(reason) })) };
    },
  ),
] as const;
