import { z } from '@hono/zod-openapi';
import type { Context } from '../../base/context.ts';
import { type FeedServices, parseCursor } from '../../base/events/feed.ts';
import {
  LAG_MS,
  MAX_REDEMPTIONS_PAGE_SIZE,
  REDEMPTIONS_PAGE_SIZE,
  readRedemptions,
} from '../../claims/redemptions.ts';
import { withShortId } from '../../claims/short-id.ts';
import type { ApiCaller } from '../../claims/verify/decision/verification.ts';
import type { Operation } from '../../platform/http/operations/operation.ts';
import { operationRoute } from '../../platform/http/operations/operation-routes.ts';
import { limitParameter, sealedCursors } from '../../platform/http/operations/query-parameters.ts';
import { CLAIM_EXAMPLE, listedClaim } from './claims-operation.ts';

const time = listedClaim.shape.claimed_at;

const redemption = z
  .strictObject({
    ...listedClaim.shape,
    redeemed_at: time.openapi({ description: 'When the claim was redeemed, in UTC.' }),
  })
  .openapi('Redemption');

const page = z
  .strictObject({
    redemptions: z.array(redemption).openapi({
      description: 'In the order of the event log, which is nearly the order of `redeemed_at`.',
    }),
    next: z.string().openapi({
      description:
        'Send it as `after` to get the next page. Store it: the next call continues there, immediately or next month.',
    }),
    has_more: z.boolean().openapi({
      description:
        '`true`: read the next page immediately, even if this one is empty. `false`: try again later.',
    }),
    complete_until: time.nullable().openapi({
      description: `Every redemption with a \`redeemed_at\` before this time is on this page or an earlier one. \`complete_until\` is ${LAG_MS / 1_000} seconds behind the current time, or more while a transaction stays open in the database. It is correct only if the servers' clocks differ by less than ${LAG_MS / 2_000} seconds and are never set back by more than that. It is \`null\` while there is more to read, and possibly for a short time after a server process starts.`,
    }),
  })
  .openapi('RedemptionPage');

export const LIST_REDEMPTIONS = {
  id: 'listRedemptions',
  method: 'get',
  path: '/api/v1/marketplace/redemptions',
  tag: 'claims',
  summary: 'Follow the redemptions',
  description:
    'All redemptions made through verify for claims on your listings, oldest first. A reader that follows `next` gets each redemption exactly once, even if clocks are wrong. A live key reads redemptions of live claims, and a test key reads redemptions of test claims. Claims that were redeemed elsewhere before they were imported appear only in the list of claims. A page may have fewer entries than `limit`, or none, even if `has_more` is `true`.',
  caller: 'apiKey',
  input: {
    query: z.object({
      after: z.string().optional().openapi({
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
} as const satisfies Operation;

export const listRedemptionsRoute = operationRoute<
  typeof LIST_REDEMPTIONS,
  ApiCaller,
  FeedServices & Pick<Context, 'secretBox'>
>(LIST_REDEMPTIONS, async ({ caller, query }, services) => {
  const cursors = sealedCursors(services.secretBox, 'redemptions', caller.accountId);
  const after = query.after === undefined ? null : cursors.parse(query.after, parseCursor);
  const read = await readRedemptions(services, { ...caller, after, limit: query.limit });
  return {
    status: 200,
    body: {
      redemptions: read.redemptions.map(withShortId),
      next: cursors.seal(read.next),
      has_more: read.hasMore,
      complete_until: read.completeUntil,
    },
  };
});
