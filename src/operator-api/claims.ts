/** The operator's operations on claims. */
import { z } from '@hono/zod-openapi';
import { MAX_LABEL_LENGTH } from '../campaigns/label.ts';
import { MAX_CLAIMANT_LENGTH } from '../claims/claim.ts';
import { findClaimNamed } from '../claims/find.ts';
import { issueClaimFor } from '../claims/issue.ts';
import { Refusal } from '../errors.ts';
import type { OperatorCaller } from '../keys/admit.ts';
import { parseKeyMode } from '../keys/key.ts';
import { MAX_ADDRESS_LENGTH } from '../network/web-address.ts';
import { KINDS } from '../offers/offer.ts';
import {
  choice,
  json,
  OPERATOR,
  OPERATOR_PATH,
  type OperatorOperation,
  type OperatorServices,
  operatorRoute,
  text,
  time,
  UNKNOWN_CLAIM,
  UNKNOWN_OFFER,
} from './definitions.ts';

const CLAIM_ID = '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f';
const OFFER_ID = '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37';
const TOKEN = 'clm_EXAMPLE';

const claimFor = z
  .strictObject({
    offer_id: z.string().openapi({ description: 'Id of the offer.', format: 'uuid', example: OFFER_ID }),
    claimant: text('Your reference for the person who claims.', MAX_CLAIMANT_LENGTH, 'customer-4711'),
    via: text('Campaign label of the claim.', MAX_LABEL_LENGTH, 'newsletter').optional(),
    mode: choice('`live` unless given; a test claim is issued whatever the state of the offer.', [
      'live',
      'test',
    ]).optional(),
  })
  .openapi('ClaimFor');

const issuedClaim = z
  .strictObject({
    id: z.uuid().openapi({ description: 'Identifies the claim. It is no secret, and no token.' }),
    token: z.string().openapi({ description: 'The claim token: a secret of the claimant.' }),
    link: z.string().nullable().openapi({
      description: 'The redemption link with the token in it; `null` where the offer has none.',
    }),
    code: z.string().nullable().openapi({
      description: 'The code of this claim, or the shared code; `null` where the offer has none.',
    }),
  })
  .openapi('IssuedClaim');

const operatorClaim = z
  .object({
    id: z.uuid(),
    mode: z.enum(['live', 'test']),
    account_id: z.uuid().openapi({ description: 'The owner of the listing.' }),
    listing: z.string().openapi({ description: 'Slug of the listing.' }),
    offer_id: z.uuid(),
    offer: z.string(),
    kind: z.enum(KINDS),
    via: z.string().nullable(),
    claimant: z.string().nullable().openapi({ description: 'The reference that it was issued for.' }),
    claimant_account_id: z.uuid().nullable().openapi({
      description: 'The account of the claimant, where they made the claim here themselves.',
    }),
    claimed_at: time,
    redeemed_at: time.nullable(),
    replaced_at: time.nullable().openapi({ description: 'When another claim was issued in its place.' }),
  })
  .openapi('OperatorClaim');

const ISSUED_EXAMPLE = {
  id: CLAIM_ID,
  token: TOKEN,
  link: `https://notes.example.com/welcome?claim=${TOKEN}`,
  code: 'SPRING20',
};

const issued = (description: string) =>
  ({ 200: { description, schema: issuedClaim, examples: { claim: ISSUED_EXAMPLE } } }) as const;

export const ISSUE_CLAIM = {
  ...OPERATOR,
  id: 'issueClaim',
  method: 'post',
  path: `${OPERATOR_PATH}/claims`,
  scope: 'claims:write',
  summary: 'Issue a claim',
  description:
    'The claim of a claimant on an offer, with its token and link. A claimant has one claim on an offer: to ask again gives the same claim, redeemed or not, so a call whose answer was lost is sent again as it is.',
  input: { body: json(claimFor) },
  outputs: issued('The claim: the one that the claimant had, or a new one.'),
  errors: { ...UNKNOWN_OFFER },
} as const satisfies OperatorOperation;

export const REPLACE_CLAIM = {
  ...OPERATOR,
  id: 'replaceClaim',
  method: 'post',
  path: `${OPERATOR_PATH}/claims/replace`,
  scope: 'claims:write',
  summary: 'Replace a redeemed claim',
  description:
    'A new claim in place of the redeemed one that a claimant has on an offer, for a redemption that went wrong; the old one stays redeemed. A claim that is not redeemed is refused, since two claims that can be redeemed would give the offer twice. After a lost answer, issue the claim: the claimant has the new one then.',
  input: { body: json(claimFor) },
  outputs: issued('The new claim.'),
  errors: { ...UNKNOWN_OFFER },
} as const satisfies OperatorOperation;

export const FIND_CLAIM = {
  ...OPERATOR,
  id: 'findClaim',
  method: 'post',
  path: `${OPERATOR_PATH}/claims/find`,
  scope: 'claims:read',
  summary: 'Look up a claim',
  description:
    'The claim with a token or an id, or with a link that carries one of them. It is asked for in the body, since a token must be in no address. The answer has no token.',
  input: {
    body: json(
      z
        .strictObject({
          claim: z
            .string()
            .max(MAX_ADDRESS_LENGTH)
            .openapi({ description: 'A token, an id or a link.', example: CLAIM_ID }),
        })
        .openapi('ClaimToFind'),
    ),
  },
  outputs: {
    200: {
      description: 'The claim.',
      schema: operatorClaim,
      examples: {
        claim: {
          id: CLAIM_ID,
          mode: 'live',
          account_id: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
          listing: 'ada-notes',
          offer_id: OFFER_ID,
          offer: '20% off the first year',
          kind: 'discount',
          via: 'newsletter',
          claimant: 'customer-4711',
          claimant_account_id: null,
          claimed_at: '2026-11-20T10:00:00.000Z',
          redeemed_at: null,
          replaced_at: null,
        },
      },
    },
  },
  errors: { ...UNKNOWN_CLAIM },
} as const satisfies OperatorOperation;

const issue = async (
  context: OperatorServices,
  { actor }: OperatorCaller,
  { offer_id, claimant, via, mode = 'live' }: z.output<typeof claimFor>,
  replace: boolean,
) => {
  const { claimId, token, link, code } = await issueClaimFor(context, {
    offerId: offer_id,
    claimantRef: claimant,
    mode: parseKeyMode(mode),
    via: via ?? null,
    replace,
    actor,
  });
  return { status: 200, body: { id: claimId, token, link, code } } as const;
};

export const CLAIM_ROUTES = [
  operatorRoute<typeof ISSUE_CLAIM>(ISSUE_CLAIM, ({ caller, body }, context) =>
    issue(context, caller, body, false),
  ),
  operatorRoute<typeof REPLACE_CLAIM>(REPLACE_CLAIM, ({ caller, body }, context) =>
    issue(context, caller, body, true),
  ),
  operatorRoute<typeof FIND_CLAIM>(FIND_CLAIM, async ({ body }, context) => {
    const found = await findClaimNamed(context, { accountId: null, text: body.claim });
    if (found === null) throw new Refusal('unknown_claim', 'There is no such claim.');
    return { status: 200, body: { ...found, claimant_account_id: found.claimant_id } };
  }),
];
