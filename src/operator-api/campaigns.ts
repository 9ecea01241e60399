/** The operator's operation on campaign labels. */
import { z } from '@hono/zod-openapi';
import { countLabels } from '../campaigns/count.ts';
import {
  CAMPAIGN_PAGE_EXAMPLE,
  campaignPage,
  campaignPageQuery,
  pageOfLabels,
} from '../campaigns/list-campaigns-operation.ts';
import {
  listingReference,
  OPERATOR,
  OPERATOR_PATH,
  type OperatorOperation,
  operatorRoute,
  UNKNOWN_LISTING,
} from './definitions.ts';

export const COUNT_LABELS = {
  ...OPERATOR,
  id: 'countLabels',
  method: 'get',
  path: `${OPERATOR_PATH}/campaigns`,
  scope: 'claims:read',
  summary: 'Count the claims of a listing by campaign label',
  description:
    'The live claims of a listing, and how many are redeemed, for each campaign label: exact at the moment of the call.',
  input: { query: z.object({ listing: listingReference, ...campaignPageQuery }) },
  outputs: {
    200: {
      description: 'A page of labels.',
      schema: campaignPage,
      examples: { page: CAMPAIGN_PAGE_EXAMPLE },
    },
  },
  errors: UNKNOWN_LISTING,
} as const satisfies OperatorOperation;

export const CAMPAIGN_ROUTES = [
  operatorRoute<typeof COUNT_LABELS>(COUNT_LABELS, async ({ query }, context) => ({
    status: 200,
    body: pageOfLabels(await countLabels(context, query), query),
  })),
];
