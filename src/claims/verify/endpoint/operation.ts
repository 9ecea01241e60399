/** `endpoint.ts` implements this operation without Hono. Tests compare `endpoint.ts` with this definition. */
import { z } from '@hono/zod-openapi';
import { LABEL } from '../../../marketplace/campaigns/label.ts';
import { KINDS } from '../../../marketplace/offers/offer.ts';
import type { Operation } from '../../../platform/http/operations/operation.ts';
import { HOUR_MS } from '../../../platform/text/durations.ts';
import { isReference, MAX_REFERENCE_LENGTH } from '../../claim.ts';
import { MAX_TOKEN_LENGTH, namedToken } from '../../token.ts';
import { REPLAY_WINDOW_MS, VERIFY_PATH } from '../decision/verification.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './idempotency-key.ts';

export const MAX_BODY_BYTES = 4 * 1024;

const REPLAY_WINDOW_HOURS = REPLAY_WINDOW_MS / HOUR_MS;

/** What callers must do with a 404. */
const NOT_FOUND_RULE =
  "Reject the customer only when the body's `status` is `not_found`; raise any other 404 as a failure, since a mistyped base URL or a proxy may respond with 404 too.";

const USUAL_BODY = '`{"token": "…", "redeem": true}`';

/** `parseVerificationBody` implements this schema. A test compares the two on random JSON values. */
export const verificationRequest = z
  .strictObject({
    token: z
      .string()
      .min(1)
      .refine((token) => token.isWellFormed() && [...token].length <= MAX_TOKEN_LENGTH)
      .meta({
        description: 'The claim token from the redemption link.',
        maxLength: MAX_TOKEN_LENGTH,
        example: namedToken('Redeemed'),
      }),
    redeem: z.boolean().optional().meta({
      description: '`true` marks the claim as redeemed; `false`, which is the default, only verifies.',
      example: true,
    }),
    reference: z.string().refine(isReference).optional().meta({
      description:
        'Your reference for the redemption, such as an order number: one line of text. It is stored with the claim if this call redeems the claim, and never returned by this operation. You can search for the claim by its reference later. Do not put secrets in the reference.',
      maxLength: MAX_REFERENCE_LENGTH,
      example: 'order-4711',
    }),
  })
  .openapi('VerificationRequest');

const time = z.iso.datetime({ precision: 3 });

/** Response for a found claim. `renderClaim` writes the members in this order. */
export const claim = z
  .strictObject({
    status: z.enum(['redeemed', 'valid', 'already_redeemed']).meta({
      description: 'Apply the offer only on `redeemed`.',
    }),
    offer_id: z.uuid(),
    offer: z.string().meta({ description: 'Text naming the offer.' }),
    kind: z.enum(KINDS),
    listing: z.string().meta({ description: 'Slug of the listing.' }),
    via: z.string().nullable().meta({
      description: 'Campaign label of the share link.',
      pattern: LABEL.source,
    }),
    claimed_at: time.meta({ description: 'When the claim was created, in UTC.' }),
    redeemed_at: time.nullable().meta({ description: 'When the claim was redeemed, in UTC.' }),
  })
  .openapi('Claim');

export const notFound = z.strictObject({ status: z.literal('not_found') }).openapi('NotFound');

const headers = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({
      description: `1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters, quoted or bare. Use one key per order or, if there is no order, one key per attempt to redeem; retries of an attempt use the same key. Never derive the key from the token alone. Send the key with every redemption: for ${REPLAY_WINDOW_HOURS} hours, a call with the same key gets the response to the first redemption again, so that a retry after a lost response is safe. Without \`redeem: true\`, the key has no effect.`,
      example: '"order-4711"',
    }),
});

export const VERIFIED_CLAIM_EXAMPLE = {
  offer_id: '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37',
  offer: '20% off the first year',
  kind: 'discount',
  listing: 'ada-notes',
  via: 'newsletter',
  claimed_at: '2026-11-20T10:00:00.000Z',
};
const REDEEMED_AT = '2026-11-20T10:04:31.250Z';

export const VERIFY_CLAIM = {
  id: 'verifyClaim',
  method: 'post',
  path: VERIFY_PATH,
  tag: 'claims',
  summary: 'Verify a claim token, and redeem it if asked',
  description: `Call it from your server only. Apply the offer only when the body's \`status\` is \`redeemed\`. ${NOT_FOUND_RULE} Raise every other status that is not 2xx as a failure; after 429, 5xx or a lost response, retry with the same \`Idempotency-Key\`.`,
  caller: 'apiKey',
  input: { headers, body: { schema: verificationRequest, maxBytes: MAX_BODY_BYTES } },
  outputs: {
    200: {
      description: 'The claim is on a listing of the caller.',
      schema: claim,
      headers: {
        'Idempotency-Replayed': {
          description:
            '`true` when the response is a replay of the response to an earlier call with the same key.',
        },
      },
      examples: {
        redeemed: { status: 'redeemed', ...VERIFIED_CLAIM_EXAMPLE, redeemed_at: REDEEMED_AT },
        valid: { status: 'valid', ...VERIFIED_CLAIM_EXAMPLE, redeemed_at: null },
        already_redeemed: { status: 'already_redeemed', ...VERIFIED_CLAIM_EXAMPLE, redeemed_at: REDEEMED_AT },
      },
    },
    404: {
      description: `No claim on a listing of the caller has this token. This is an outcome, not an error. ${NOT_FOUND_RULE}`,
      schema: notFound,
      examples: { not_found: { status: 'not_found' } },
    },
  },
  errors: {
    invalid_request: {
      meaning: 'The request could not be understood, so nothing was looked up and nothing was redeemed.',
      fix: `The \`detail\` in the response says what is wrong. Send ${USUAL_BODY} as UTF-8 JSON.`,
    },
    body_too_large: {
      meaning: `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`,
      fix: `Send ${USUAL_BODY}; a token has at most ${MAX_TOKEN_LENGTH} characters.`,
    },
    idempotency_key_reused: {},
    internal_error: {
      meaning: 'Something went wrong in the service. It is unknown whether the token was redeemed.',
      fix: 'Send the same request again with the same Idempotency-Key, and give the operator the request ID.',
    },
    unavailable: {
      meaning: 'The service is unavailable right now. It is unknown whether the token was redeemed.',
      fix: 'Wait for the number of seconds in Retry-After, then send the same request again with the same Idempotency-Key.',
    },
  },
} as const satisfies Operation;
