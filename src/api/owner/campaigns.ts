import { z } from '@hono/zod-openapi';
import { countOwnLabels, type LabelCount } from '../../marketplace/campaigns/count.ts';
import { LABEL, NO_LABEL, OTHER_LABELS } from '../../marketplace/campaigns/label.ts';
import { MAX_SLUG_LENGTH } from '../../marketplace/listings/fields.ts';
import { Refusal } from '../../platform/errors.ts';
import { limitParameter } from '../../platform/http/operations/query-parameters.ts';
import { ownerRoute } from './definitions.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE } from './schemas.ts';

const DAY_LENGTH = '2026-11-20'.length;
/** Cursor of a page that begins after the entry without a label. Not a valid label, because of the parentheses. */
const NO_LABEL_CURSOR = '(none)';

const campaign = z
  .strictObject({
    via: z
      .string()
      .nullable()
      .meta({
        description:
          'The campaign label; `null` for visits and claims without one. `*`: visits with labels that are not counted separately.',
        pattern: `${LABEL.source}|^\\*$`,
      }),
    visits: z.int().meta({
      description:
        'Views of the listing through share links with this label. Views by known bots are not counted.',
    }),
    visitors: z.int().meta({
      description: 'Visitors who made these views. Each visitor counts once per day and label.',
    }),
    claims: z.int().meta({ description: 'Claims made or imported with this label.' }),
    arrived: z.int().meta({
      description: "Claims whose claimant went on to the owner's page.",
    }),
    redeemed: z.int().meta({ description: 'Claims that were redeemed.' }),
    redeemable: z.int().meta({
      description:
        'Claims with a redemption link: those whose offer had a link when they were made. At least `redeemed`: in a range of days, claims from earlier days can be redeemed.',
    }),
    rate: z.number().meta({
      description: '`redeemed` divided by `redeemable`, from 0 to 1; 0 if no claim has a link.',
    }),
  })
  .openapi('Campaign');

export const campaignPage = z
  .strictObject({
    campaigns: z.array(campaign).meta({ description: 'Sorted by label.' }),
    next: z.string().nullable().meta({
      description: 'Send it as `after` to get the next page; `null` if there are no more labels.',
    }),
  })
  .openapi('CampaignPage');

export const CAMPAIGN_PAGE_EXAMPLE = {
  campaigns: [
    {
      via: null,
      visits: 2100,
      visitors: 1650,
      claims: 120,
      arrived: 66,
      redeemed: 30,
      redeemable: 80,
      rate: 0.375,
    },
    {
      via: 'newsletter',
      visits: 310,
      visitors: 280,
      claims: 40,
      arrived: 37,
      redeemed: 22,
      redeemable: 40,
      rate: 0.55,
    },
  ],
  next: null,
};

const dayParameter = (description: string) =>
  z.string().max(DAY_LENGTH).optional().meta({ description, example: '2026-11-20' });

export const campaignPageQuery = {
  from: dayParameter(
    "Count only what happened from this day on, in the marketplace's time zone. Without `from`, everything is counted.",
  ),
  to: dayParameter('The last day to count. Defaults to today if `from` is set.'),
  after: z
    .string()
    .refine((text) => [NO_LABEL_CURSOR, OTHER_LABELS].includes(text) || LABEL.test(text), {
      error: 'must be the `next` of an earlier page',
    })
    .optional()
    .meta({ description: 'The `next` of the previous page.' }),
  limit: limitParameter(PAGE_SIZE, MAX_PAGE_SIZE),
};

export function pageOfLabels(
  labels: readonly LabelCount[],
  { after, limit = PAGE_SIZE }: { readonly after?: string | undefined; readonly limit?: number | undefined },
): z.input<typeof campaignPage> {
  const from = after === NO_LABEL_CURSOR ? NO_LABEL : after;
  const left = labels
    .filter(({ via }) => from === undefined || (via ?? NO_LABEL) > from)
    .sort((a, b) => ((a.via ?? NO_LABEL) < (b.via ?? NO_LABEL) ? -1 : 1));
  const campaigns = left.slice(0, limit);
  const next = left.length > limit ? (campaigns.at(-1)!.via ?? NO_LABEL_CURSOR) : null;
  return { campaigns, next };
}

export const listCampaigns = ownerRoute(
  {
    id: 'listCampaigns',
    method: 'get',
    path: '/api/v1/marketplace/campaigns',
    tag: 'campaigns',
    summary: 'Count visits and claims by campaign label',
    description:
      'For each campaign label of a listing: how many visits and claims it has, how many claimants went on to your page, and how many claims are redeemed. Counts everything so far, unless `from` and `to` limit the days. The counts of claims are exact at the moment of the call; the counts of visits lag by a few seconds. Test claims are never counted, so a test key gets an empty list.',
    input: {
      query: z.object({
        listing: z
          .string()
          .min(1)
          .max(MAX_SLUG_LENGTH)
          .meta({ description: "Slug or id of one of the caller's listings.", example: 'ada-notes' }),
        ...campaignPageQuery,
      }),
    },
    outputs: {
      200: {
        description: 'A page of labels.',
        schema: campaignPage,
        examples: { page: CAMPAIGN_PAGE_EXAMPLE },
      },
    },
    errors: { unknown_listing: {} },
  },
  async ({ caller, query }, context) => {
    const labels = await countOwnLabels(context, { ...caller, ...query });
    if (labels === null) throw new Refusal('unknown_listing', 'You have no listing with this slug or id.');
    return pageOfLabels(labels, query);
  },
);
