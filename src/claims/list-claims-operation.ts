/** The operation that lists the claims of the caller. */
import { z } from '@hono/zod-openapi';
import { LABEL } from '../campaigns/label.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Operation } from '../http/operation.ts';
import { operationRoute } from '../http/operation-routes.ts';
import { limitParameter, timeParameter } from '../http/query-parameters.ts';
import { sealedCursors } from '../http/sealed-cursors.ts';
import { MAX_SLUG_LENGTH } from '../listings/listing.ts';
import { NO_LABEL_FILTER } from './claim-filter.ts';
import { CLAIM_EXAMPLE, listedClaim, toListedClaim, uuid } from './read-claim-operation.ts';
import { CLAIMS_PAGE_SIZE, isClaimCursor, MAX_CLAIMS_PAGE_SIZE, searchClaims } from './search.ts';
import type { ApiCaller } from './verify/verification.ts';

const query = z.object({
  listing: z.string().min(1).max(MAX_SLUG_LENGTH).optional().openapi({
    description: 'Slug or id of a listing.',
    example: 'ada-notes',
  }),
  offer: uuid.optional().openapi({ description: 'Id of an offer.' }),
  via: z
    .string()
    .refine((text) => text === NO_LABEL_FILTER || LABEL.test(text), {
      error: `must be a campaign label, or ${NO_LABEL_FILTER}`,
    })
    .optional()
    .openapi({ description: `A campaign label; \`${NO_LABEL_FILTER}\`: claims without one.` }),
  redeemed: z.enum(['true', 'false']).optional().openapi({
    description: '`true`: redeemed claims; `false`: those that are not.',
  }),
  claimed_from: timeParameter('Claimed at this time or later.'),
  claimed_to: timeParameter('Claimed before this time.'),
  redeemed_from: timeParameter('Redeemed at this time or later.'),
  redeemed_to: timeParameter('Redeemed before this time.'),
  after: z.string().optional().openapi({
    description: 'The `next` of the page before. Send the same filters with it.',
  }),
  limit: limitParameter(CLAIMS_PAGE_SIZE, MAX_CLAIMS_PAGE_SIZE),
});

const page = z
  .strictObject({
    claims: z.array(listedClaim),
    next: z.string().nullable().openapi({
      description: '`after` of the next page; `null` where there are no further claims.',
    }),
  })
  .openapi('ClaimPage');

export const LIST_CLAIMS = {
  id: 'listClaims',
  method: 'get',
  path: '/api/v1/marketplace/claims',
  tag: 'claims',
  summary: 'List claims',
  description:
    'The claims on the listings of the caller, newest first. A live key lists live claims, a test key test claims. A page may have fewer entries than `limit`, even none, while there are more: read on until `next` is `null`. A listing or an offer of another account has no claims here.',
  caller: 'apiKey',
  input: { query },
  outputs: {
    200: {
      description: 'A page of claims.',
      schema: page,
      examples: {
        page: {
          claims: [CLAIM_EXAMPLE],
          next: 'S7731JuPnreybejcISjm5dVnOSgbyK48FqN1dbqyHFHxBFN_7UVamZaYk5AvHi9ErYt0ha8zGRJf4lP8hx2C5F4E-EWuT2TaF0kefw',
        },
        last: { claims: [], next: null },
      },
    },
  },
  errors: {},
} as const satisfies Operation;

export const listClaimsRoute = operationRoute<
  typeof LIST_CLAIMS,
  ApiCaller,
  Pick<Context, 'db' | 'secretBox'>
>(LIST_CLAIMS, async ({ caller, query }, context) => {
  const { redeemed, redeemed_from, redeemed_to } = query;
  if (redeemed === 'false' && (redeemed_from ?? redeemed_to) !== undefined) {
    throw invalid('The query asks for claims that are not redeemed, and for a time of redemption.');
  }
  const cursors = sealedCursors(context.secretBox, 'claims', caller.accountId);
  const readCursor = (text: string) => (isClaimCursor(text) ? text : null);
  const { claims, next } = await searchClaims(context, {
    accountId: caller.accountId,
    filter: {
      mode: caller.mode,
      listing: query.listing?.toLowerCase(),
      offerId: query.offer,
      via: query.via === NO_LABEL_FILTER ? null : query.via,
      state: redeemed === undefined ? undefined : redeemed === 'true' ? 'redeemed' : 'not_redeemed',
      since: query.claimed_from,
      until: query.claimed_to,
      redeemedSince: redeemed_from,
      redeemedUntil: redeemed_to,
    },
    after: query.after === undefined ? undefined : cursors.parse(query.after, readCursor),
    ...(query.limit !== undefined && { limit: query.limit }),
  });
  return { status: 200, body: { claims: claims.map(toListedClaim), next: next && cursors.seal(next) } };
});
