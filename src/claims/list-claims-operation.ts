/** The operation that lists the claims of the caller. */
import { z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../http/operations/operation.ts';
import { operationRoute } from '../http/operations/operation-routes.ts';
import { limitParameter, sealedCursors, timeParameter } from '../http/operations/query-parameters.ts';
import { DEFAULT_TIME_ZONE } from '../text/time-zone.ts';
import {
  CLAIM_FILTER_NAMES,
  CLAIM_FILTERS,
  type ClaimFilterEntry,
  type ClaimFilterName,
  parseClaimFilter,
} from './claim-filter.ts';
import { CLAIM_EXAMPLE, listedClaim, toListedClaim } from './read-claim-operation.ts';
import { CLAIMS_PAGE_SIZE, isClaimCursor, MAX_CLAIMS_PAGE_SIZE, searchClaims } from './search.ts';
import type { ApiCaller } from './verify/decision/verification.ts';

type FilterName = Exclude<ClaimFilterName, 'mode'>;

/** The key has a mode, so the query names none. */
const FILTERS = CLAIM_FILTER_NAMES.filter((name): name is FilterName => name !== 'mode');

const EXAMPLES: Partial<Record<FilterName, string>> = { listing: 'ada-notes', claimant: 'customer-4711' };

/** A time needs its offset, so that callers don't depend on the time zone of the marketplace. */
function parameterOf(name: FilterName) {
  const { about, parse, choices, isTime }: ClaimFilterEntry = CLAIM_FILTERS[name];
  const description = `Claims ${about}.`;
  if (isTime) return timeParameter(description);
  if (choices !== undefined) return z.enum(choices).optional().openapi({ description });
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      try {
        parse(text, DEFAULT_TIME_ZONE);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        context.addIssue({ code: 'custom', message: `is invalid: ${error.message.replace(/\.$/, '')}` });
      }
    })
    .optional()
    .openapi({ description, example: EXAMPLES[name] });
}

const filters = Object.fromEntries(FILTERS.map((name) => [name, parameterOf(name)])) as {
  readonly [Name in FilterName]: z.ZodOptional<z.ZodString>;
};

const query = z.object({
  ...filters,
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
>(LIST_CLAIMS, async ({ caller, query: { after, limit, ...texts } }, context) => {
  const cursors = sealedCursors(context.secretBox, 'claims', caller.accountId);
  const readCursor = (text: string) => (isClaimCursor(text) ? text : null);
  const { rows, next } = await searchClaims(context, {
    accountId: caller.accountId,
    filter: { ...parseClaimFilter(texts, DEFAULT_TIME_ZONE), mode: caller.mode },
    after: after === undefined ? undefined : cursors.parse(after, readCursor),
    ...(limit !== undefined && { limit }),
  });
  return { status: 200, body: { claims: rows.map(toListedClaim), next: next && cursors.seal(next) } };
});
