import { z } from '@hono/zod-openapi';
import { MAX_CLAIMANT_LENGTH } from '../../claims/claim.ts';
import { issueClaimFor } from '../../claims/creation/issue.ts';
import { findClaimNamed, findClaimsByShortId } from '../../claims/search/search.ts';
import { withShortId } from '../../claims/short-id.ts';
import { countLabels } from '../../marketplace/campaigns/count.ts';
import { MAX_LABEL_LENGTH } from '../../marketplace/campaigns/label.ts';
import { KINDS } from '../../marketplace/offers/offer.ts';
import type { OperatorCaller } from '../../people/keys/authorize.ts';
import { parseKeyMode } from '../../people/keys/key.ts';
import { Refusal } from '../../platform/errors.ts';
import { MAX_ADDRESS_LENGTH } from '../../platform/network/web-address.ts';
import { CAMPAIGN_PAGE_EXAMPLE, campaignPage, campaignPageQuery, pageOfLabels } from '../owner/campaigns.ts';
import { time } from '../owner/schemas.ts';
import {
  bodyOf,
  choice,
  listingReference,
  type OperatorServices,
  operatorRoute,
  outputsOf,
  text,
  UNKNOWN_CLAIM,
  UNKNOWN_LISTING,
} from './definitions.ts';

const CLAIM = withShortId({ id: '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f' });
const OFFER_ID = '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37';
const TOKEN = 'clm_EXAMPLE';

const claimFor = bodyOf('ClaimFor', {
  offer_id: z.string().meta({ description: 'Id of the offer.', format: 'uuid', example: OFFER_ID }),
  claimant: text('Your reference for the claimant.', MAX_CLAIMANT_LENGTH, 'customer-4711'),
  via: text('Campaign label of the claim.', MAX_LABEL_LENGTH, 'newsletter').optional(),
  mode: choice('Default: `live`. Test claims are issued even if the offer takes no claims.', [
    'live',
    'test',
  ]).optional(),
});

const SHORT_ID = z.string().meta({
  description: 'A short form of `id`, which people read out. Rarely, two claims have the same.',
});

const issuedClaim = z
  .strictObject({
    id: z.uuid().meta({ description: 'Id of the claim. Not a secret.' }),
    short_id: SHORT_ID,
    token: z.string().meta({ description: 'The claim token: a secret.' }),
    link: z.string().nullable().meta({
      description: 'The redemption link with the token; `null` if the offer has no link.',
    }),
    code: z.string().nullable().meta({
      description: 'The code of this claim, or the shared code of the offer; `null` if there is neither.',
    }),
  })
  .openapi('IssuedClaim');

const operatorClaim = z
  .object({
    id: z.uuid(),
    short_id: SHORT_ID,
    mode: z.enum(['live', 'test']),
    account_id: z.uuid().meta({ description: 'The owner of the listing.' }),
    listing: z.string().meta({ description: 'Slug of the listing.' }),
    offer_id: z.uuid(),
    offer: z.string(),
    kind: z.enum(KINDS),
    via: z.string().nullable(),
    claimant: z.string().nullable().meta({ description: 'Your reference for the claimant.' }),
    claimant_account_id: z.uuid().nullable().meta({
      description: 'The account of the claimant, if they claimed on this service.',
    }),
    claimed_at: time,
    redeemed_at: time.nullable(),
    replaced_at: time.nullable().meta({ description: 'When the claim was replaced by a new one.' }),
  })
  .openapi('OperatorClaim');

const issued = (description: string) =>
  outputsOf(description, issuedClaim, {
    ...CLAIM,
    token: TOKEN,
    link: `https://notes.example.com/welcome?claim=${TOKEN}`,
    code: 'SPRING20',
  });

const issue = async (
  context: OperatorServices,
  { actor }: OperatorCaller,
  { offer_id, claimant, via, mode = 'live' }: z.output<typeof claimFor.schema>,
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
  return { ...withShortId({ id: claimId }), token, link, code };
};

async function findOnlyClaim(context: OperatorServices, text: string) {
  const [claim, other] = await findClaimsByShortId(context, { accountId: null, text, limit: 2 });
  if (claim === undefined) throw new Refusal('unknown_claim', 'This claim does not exist.');
  if (other === undefined) return claim;
  throw new Refusal('unknown_claim', 'Several claims have this short id. Send the id instead.');
}

export const CLAIM_ROUTES = [
  operatorRoute(
    {
      id: 'issueClaim',
      command: { name: 'claims issue' },
      method: 'post',
      path: '/api/v1/operator/claims',
      scope: 'claims:write',
      summary: 'Issue a claim',
      description:
        'Issues a claim on an offer to a claimant, and returns the token and the link. A claimant has one claim per offer: repeating the call returns the same claim, even if it is redeemed. The call is idempotent, so repeat it if the response is lost.',
      input: { body: claimFor },
      outputs: issued('The existing or new claim.'),
      errors: { unknown_offer: {} },
    },
    ({ caller, body }, context) => issue(context, caller, body, false),
  ),
  operatorRoute(
    {
      id: 'replaceClaim',
      command: { name: 'claims issue' },
      method: 'post',
      path: '/api/v1/operator/claims/replace',
      scope: 'claims:write',
      summary: 'Replace a redeemed claim',
      description:
        'Replaces the redeemed claim of a claimant with a new claim. Use this call if a redemption went wrong. The old claim stays redeemed. An unredeemed claim cannot be replaced; otherwise, both claims could be redeemed. If the response is lost, do not repeat this call; use "Issue a claim", which returns the new claim.',
      input: { body: claimFor },
      outputs: issued('The new claim.'),
      errors: { unknown_offer: {} },
    },
    ({ caller, body }, context) => issue(context, caller, body, true),
  ),
  operatorRoute(
    {
      // POST, because a token in the URL would end up in logs.
      id: 'findClaim',
      command: { name: 'claims find', takes: ['claim'], shows: Object.keys(operatorClaim.shape) },
      method: 'post',
      path: '/api/v1/operator/claims/find',
      scope: 'claims:read',
      summary: 'Look up a claim',
      description:
        'Finds a claim by its token, its id, its short id, or a link that contains its token or id. The response does not contain the token.',
      input: {
        body: bodyOf('ClaimToFind', {
          claim: z
            .string()
            .max(MAX_ADDRESS_LENGTH)
            .meta({ description: 'A token, an id, a short id or a link.', example: CLAIM.id }),
        }),
      },
      outputs: outputsOf('The claim.', operatorClaim, {
        ...CLAIM,
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
      }),
      errors: { ...UNKNOWN_CLAIM },
    },
    async ({ body }, context) => {
      const ofAll = { accountId: null, text: body.claim };
      const claim = (await findClaimNamed(context, ofAll)) ?? (await findOnlyClaim(context, body.claim));
      return { ...withShortId(claim), claimant_account_id: claim.claimant_id };
    },
  ),
  operatorRoute(
    {
      id: 'countLabels',
      command: { name: 'campaigns' },
      method: 'get',
      path: '/api/v1/operator/campaigns',
      scope: 'claims:read',
      summary: 'Count the visits and claims of a listing by campaign label',
      description:
        "Returns, for each campaign label of a listing, the number of visits, live claims, claimants who went on to the owner's page, and redeemed claims. Counts everything so far, unless `from` and `to` limit the days. The claim counts are exact at the time of the call; the visit counts lag by a few seconds.",
      input: { query: z.object({ listing: listingReference, ...campaignPageQuery }) },
      outputs: outputsOf('A page of labels.', campaignPage, CAMPAIGN_PAGE_EXAMPLE),
      errors: UNKNOWN_LISTING,
    },
    async ({ query }, context) => pageOfLabels(await countLabels(context, query), query),
  ),
] as const;
