import { z } from '@hono/zod-openapi';
import { parseCursor } from '../../base/events/feed.ts';
import {
  LAG_MS,
  MAX_REDEMPTIONS_PAGE_SIZE,
  REDEMPTIONS_PAGE_SIZE,
  readRedemptions,
} from '../../claims/redemptions.ts';
import { withShortId } from '../../claims/short-id.ts';
import { limitParameter, sealedCursors } from '../../platform/http/operations/query-parameters.ts';
import { CLAIM_EXAMPLE, listedClaim } from './claims.ts';
import { ownerRoute } from './definitions.ts';
import { time } from './schemas.ts';

const redemption = z
  .strictObject({
    ...listedClaim.shape,
    redeemed_at: time.meta({ description: 'When the claim was redeemed, in UTC.' }),
  })
  .openapi('Redemption');

const page = z
  .strictObject({
    redemptions: z.array(redemption).meta({
      description: 'In the order of the event log, which is nearly the order of `redeemed_at`.',
    }),
    next: z.string().meta({
      description:
        'Send it as `after` to get the next page. Store it: the next call continues there, immediately or next month.',
    }),
    has_more: z.boolean().meta({
      description:
        '`true`: read the next page immediately, even if this one is empty. `false`: try again later.',
    }),
    complete_until: time.nullable().meta({
      description: `Every redemption with a \`redeemed_at\` before this time is on this page or an earlier one. \`complete_until\` is ${LAG_MS / 1_000} seconds behind the current time, or more while a transaction stays open in the database. It is correct only if the servers' clocks differ by less than ${LAG_MS / 2_000} seconds and are never set back by more than that. It is \`null\` while there is more to read, and possibly for a short time after a server process starts.`,
    }),
  })
  .openapi('RedemptionPage');

export const listRedemptions = ownerRoute(
  {
    id: 'listRedemptions',
    method: 'get',
    path: '/api/v1/marketplace/redemptions',
    tag: 'claims',
    summary: 'Follow the redemptions',
    description:
      'All redemptions made through verify for claims on your listings, oldest first. A reader that follows `next` gets each redemption exactly once, even if clocks are wrong. A live key reads redemptions of live claims, and a test key reads redemptions of test claims. Claims that were redeemed elsewhere before they were imported appear only in the list of claims. A page may have fewer entries than `limit`, or none, even if `has_more` is `true`.',
    input: {
      query: z.object({
        after: z.string().optional().meta({
          description:
            'The `next` of the previous page. Without `after`, the list starts with the first redemption.',
        }),
        limit: limitParameter(REDEMPTIONS_PAGE_SIZE, MAX_REDEMPTIONS_PAGE_SIZE),
      }),
    },
    outputs: {
      200: {
        description: 'A page of redemptions.',
        schema: page,
        examples: {
          page: {
            redemptions: [CLAIM_EXAMPLE],
            next: 'S7731JuPnreybejcISjm5dVnOSgbyK48FqN1dbqyHFHxBFN_7UVamZaYk5AvHi9ErYt0ha8zGRJf4lP8hx2C5F4E-EWuT2TaF0kefw',
            has_more: true,
            complete_until: null,
          },
          last: {
            redemptions: [],
            next: 'UTJ59GBn_2nAeyOxLZFMom4e8XrNzBtuOB24pfR1Oj9KZ5z9fWQ74MvEqR0TGCwu4aykPotqta5CkZjSU0deFmn41-uNcMGNrVkgqQ',
            has_more: false,
            complete_until: '2026-11-20T11:59:30.000Z',
          },
        },
      },
    },
    errors: { cursor_gone: {} },
  },
  async ({ caller, query }, services) => {
    const cursors = sealedCursors(services.secretBox, 'redemptions', caller.accountId);
    const after = query.after === undefined ? null : cursors.parse(query.after, parseCursor);
    const read = await readRedemptions(services, { ...caller, after, limit: query.limit });
    return {
      redemptions: read.redemptions.map(withShortId),
      next: cursors.seal(read.next),
      has_more: read.hasMore,
      complete_until: read.completeUntil,
    };
  },
);
