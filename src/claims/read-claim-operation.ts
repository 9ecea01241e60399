/** The operation that reads one claim, and the form in which every operation shows a claim of the caller. */
import { z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Operation } from '../http/operations/operation.ts';
import { operationRoute } from '../http/operations/operation-routes.ts';
import { findClaims, type ShownClaim } from './queries.ts';
import type { ApiCaller } from './verify/decision/verification.ts';
import { claim } from './verify/endpoint/operation.ts';

/** A claim in the answers of the API: the members of a verification in the same order, with the id. Never a token. */
export const listedClaim = z
  .strictObject({
    id: z.uuid().openapi({ description: 'Identifies the claim. It is no secret, and no token.' }),
    ...claim.omit({ status: true }).shape,
  })
  .openapi('ListedClaim');

export const toListedClaim = (claim: ShownClaim): ShownClaim => ({
  id: claim.id,
  offer_id: claim.offer_id,
  offer: claim.offer,
  kind: claim.kind,
  listing: claim.listing,
  via: claim.via,
  claimed_at: claim.claimed_at,
  redeemed_at: claim.redeemed_at,
});

export const CLAIM_EXAMPLE = {
  id: '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f',
  offer_id: '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37',
  offer: '20% off the first year',
  kind: 'discount',
  listing: 'ada-notes',
  via: 'newsletter',
  claimed_at: '2026-11-20T10:00:00.000Z',
  redeemed_at: '2026-11-20T10:04:31.250Z',
} as const;

/** An id in an address; the database holds lower case. */
export const uuid = z.uuid().transform((id) => id.toLowerCase());

export const claimPath = z.object({ id: uuid.openapi({ description: 'The `id` of a claim.' }) });

export const READ_CLAIM = {
  id: 'readClaim',
  method: 'get',
  path: '/api/v1/marketplace/claims/{id}',
  tag: 'claims',
  summary: 'Read a claim',
  description:
    'A claim on a listing of the caller, by its `id`. A live key reads live claims, a test key test claims.',
  caller: 'apiKey',
  input: { path: claimPath },
  outputs: { 200: { description: 'The claim.', schema: listedClaim, examples: { claim: CLAIM_EXAMPLE } } },
  errors: { unknown_claim: {} },
} as const satisfies Operation;

export const unknownClaim = (): Refusal => new Refusal('unknown_claim', 'There is no claim with this id.');

export const readClaimRoute = operationRoute<typeof READ_CLAIM, ApiCaller, Pick<Context, 'db'>>(
  READ_CLAIM,
  async ({ caller, path }, context) => {
    const [found] = await findClaims(context.db, caller, [path.id]);
    if (found === undefined) throw unknownClaim();
    return { status: 200, body: found };
  },
);
