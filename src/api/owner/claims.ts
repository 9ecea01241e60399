import { z } from '@hono/zod-openapi';
import { MAX_REFERENCE_LENGTH } from '../../claims/claim.ts';
import { findClaims } from '../../claims/queries.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, signReceipt } from '../../claims/receipts/signing.ts';
import {
  CLAIM_FILTER_NAMES,
  CLAIM_FILTERS,
  type ClaimFilterEntry,
  type ClaimFilterName,
  parseClaimFilter,
} from '../../claims/search/claim-filter.ts';
import {
  CLAIMS_PAGE_SIZE,
  isClaimCursor,
  MAX_CLAIMS_PAGE_SIZE,
  searchClaims,
} from '../../claims/search/search.ts';
import { withShortId } from '../../claims/short-id.ts';
import { claim, VERIFIED_CLAIM_EXAMPLE } from '../../claims/verify/endpoint/operation.ts';
import { Refusal, tried } from '../../platform/errors.ts';
import {
  limitParameter,
  sealedCursors,
  timeParameter,
} from '../../platform/http/operations/query-parameters.ts';
import { JWKS_PATH } from '../../platform/http/operations/well-known.ts';
import { pick } from '../../platform/text/fields.ts';
import { DEFAULT_TIME_ZONE } from '../../platform/text/time-zone.ts';
import { ownerRoute } from './definitions.ts';
import { uuid } from './schemas.ts';

/** Never contains the token. */
export const listedClaim = z
  .strictObject({
    id: z
      .uuid()
      .meta({ description: 'Identifies the claim. It is not secret, and it is not the claim token.' }),
    short_id: z.string().meta({
      description:
        'A short form of `id`, which people read out when they ask for help. Rarely, two claims have the same.',
    }),
    ...claim.omit({ status: true }).shape,
    reference: z.string().nullable().meta({
      description: 'Your reference, from the verification that redeemed the claim.',
      maxLength: MAX_REFERENCE_LENGTH,
    }),
  })
  .openapi('ListedClaim');

const LISTED = listedClaim.keyof().options;

export const CLAIM_EXAMPLE = {
  ...withShortId({ id: '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f' }),
  ...VERIFIED_CLAIM_EXAMPLE,
  redeemed_at: '2026-11-20T10:04:31.250Z',
  reference: 'order-4711',
} as const;

const claimPath = z.object({
  id: uuid.meta({ description: 'The `id` of a claim.', example: CLAIM_EXAMPLE.id }),
});

const unknownClaim = (): Refusal => new Refusal('unknown_claim', 'There is no claim with this id.');

export const readClaim = ownerRoute(
  {
    id: 'readClaim',
    method: 'get',
    path: '/api/v1/marketplace/claims/{id}',
    tag: 'claims',
    summary: 'Read a claim',
    description:
      'A claim on one of your listings, by its `id`. A live key reads live claims, and a test key reads test claims.',
    input: { path: claimPath },
    outputs: { 200: { description: 'The claim.', schema: listedClaim, examples: { claim: CLAIM_EXAMPLE } } },
    errors: { unknown_claim: {} },
  },
  async ({ caller, path }, context) => {
    const [claim] = await findClaims(context.db, caller, [path.id]);
    if (claim === undefined) throw unknownClaim();
    return withShortId(claim);
  },
);

const receipt = z
  .strictObject({
    receipt: z.string().meta({
      description: `A JSON Web Signature in compact form: \`alg\` ${RECEIPT_ALGORITHM}, \`typ\` ${RECEIPT_TYPE}. Its payload has \`iss\` (the base URL of this service), \`iat\`, \`sub\` (the \`id\` of the claim), \`mode\` (\`live\` or \`test\`), the members of a verify response (\`status\` is \`redeemed\`), and your \`reference\` (\`null\` if you gave none).`,
    }),
  })
  .openapi('Receipt');

export const readReceipt = ownerRoute(
  {
    id: 'readReceipt',
    method: 'get',
    path: '/api/v1/marketplace/claims/{id}/receipt',
    tag: 'claims',
    summary: 'Get the signed receipt of a redemption',
    description: `The receipt proves to anyone that a claim was redeemed, and when. Check its signature with the public keys at \`${JWKS_PATH}\`. Check \`typ\`, \`iss\` and \`mode\` too: the receipt of a test claim says \`test\`. Receipts do not expire, and the public keys of retired signing keys stay published. Each call creates a new signature. \`offer\` and \`kind\` are as they were at redemption. They are omitted if the offer was ever reworded and the redemption had no \`Idempotency-Key\`.`,
    input: { path: claimPath },
    outputs: {
      200: {
        description: 'The receipt.',
        schema: receipt,
        examples: {
          receipt: { receipt: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImNsYWltLXJlY2VpcHQrand0In0.eyJpc3MiOi….3xQk…' },
        },
      },
    },
    errors: { unknown_claim: {}, claim_not_redeemed: {} },
  },
  async ({ caller, path }, services) => {
    const signed = await signReceipt(services, { ...caller, id: path.id, issuer: services.baseUrl });
    if (signed === null) throw unknownClaim();
    return { receipt: signed };
  },
);

type FilterName = Exclude<ClaimFilterName, 'mode'>;

/** There is no filter by mode, because the API key determines the mode. */
const FILTERS = CLAIM_FILTER_NAMES.filter((name): name is FilterName => name !== 'mode');

const EXAMPLES: Partial<Record<FilterName, string>> = {
  short_id: CLAIM_EXAMPLE.short_id,
  listing: 'ada-notes',
  claimant: 'customer-4711',
  reference: 'order-4711',
};

/** Times need a UTC offset, so that callers don't depend on the marketplace's time zone. */
function parameterOf(name: FilterName) {
  const { about, parse, choices, isTime }: ClaimFilterEntry = CLAIM_FILTERS[name];
  const description = `Claims ${about}.`;
  if (isTime) return timeParameter(description);
  if (choices !== undefined) return z.enum(choices).optional().meta({ description });
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const refusal = tried(() => parse(text, DEFAULT_TIME_ZONE));
      if (!(refusal instanceof Refusal)) return;
      context.addIssue({ code: 'custom', message: `is invalid: ${refusal.message.replace(/\.$/, '')}` });
    })
    .optional()
    .meta({ description, example: EXAMPLES[name] });
}

const filters = Object.fromEntries(FILTERS.map((name) => [name, parameterOf(name)])) as {
  readonly [Name in FilterName]: z.ZodOptional<z.ZodString>;
};

const query = z.object({
  ...filters,
  after: z.string().optional().meta({
    description: 'The `next` of the previous page. Send the same filters with it.',
  }),
  limit: limitParameter(CLAIMS_PAGE_SIZE, MAX_CLAIMS_PAGE_SIZE),
});

const page = z
  .strictObject({
    claims: z.array(listedClaim),
    next: z.string().nullable().meta({
      description: 'Send it as `after` to get the next page; `null` on the last page.',
    }),
  })
  .openapi('ClaimPage');

export const listClaims = ownerRoute(
  {
    id: 'listClaims',
    method: 'get',
    path: '/api/v1/marketplace/claims',
    tag: 'claims',
    summary: 'List claims',
    description:
      "The claims on the caller's listings, newest first. A live key lists live claims, and a test key lists test claims. A page may have fewer entries than `limit`, or none, even if more claims follow: continue until `next` is `null`. A filter on the listing or offer of another account finds no claims.",
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
  },
  async ({ caller, query: { after, limit, ...texts } }, context) => {
    const cursors = sealedCursors(context.secretBox, 'claims', caller.accountId);
    const readCursor = (text: string) => (isClaimCursor(text) ? text : null);
    const { rows, next } = await searchClaims(context, {
      accountId: caller.accountId,
      filter: { ...parseClaimFilter(texts, DEFAULT_TIME_ZONE), mode: caller.mode },
      after: after === undefined ? undefined : cursors.parse(after, readCursor),
      ...(limit !== undefined && { limit }),
    });
    const claims = rows.map((row) => pick(withShortId(row), LISTED));
    return { claims, next: next && cursors.seal(next) };
  },
);
