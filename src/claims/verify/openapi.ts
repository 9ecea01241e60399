/** The verify operation as OpenAPI describes it; a test holds it to what the endpoint does. */
import { z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import {
  API_KEY_SCHEME,
  COMMON_HEADERS,
  createOpenApiDocument,
  type OpenApiRegistry,
  problemResponses,
} from '../../http/openapi.ts';
import { MAX_TOKEN_LENGTH } from '../token.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './idempotency-key.ts';
import { VERIFY_PATH } from './verification.ts';

/** The request body. `parseVerificationBody` reads it on the wire; both agree on every JSON value. */
export const verificationRequest = z
  .strictObject({
    token: z
      .string()
      .min(1)
      .refine((token) => token.isWellFormed() && [...token].length <= MAX_TOKEN_LENGTH)
      .openapi({
        description: 'The claim token from the redemption link.',
        maxLength: MAX_TOKEN_LENGTH,
        example: 'clm_0f3kZp8QmT1xVb6NwYd2RsHcJ7eLu0WqKy',
      }),
    redeem: z.boolean().optional().openapi({
      description: '`true` marks the claim as redeemed; `false` only verifies.',
      default: false,
    }),
  })
  .openapi('VerificationRequest');

const time = z.iso.datetime({ precision: 3 });

/** The answer for a claim of the caller's listings: all eight members, in this order. */
export const claim = z
  .strictObject({
    status: z.enum(['redeemed', 'valid', 'already_redeemed']).openapi({
      description: 'Apply the offer only on `redeemed`.',
    }),
    offer_id: z.uuid(),
    offer: z.string().openapi({ description: 'Text naming the offer.' }),
    kind: z.enum(['discount', 'trial', 'credit', 'bonus', 'access', 'gift']),
    listing: z.string().openapi({ description: 'Slug of the listing.' }),
    via: z.string().nullable().openapi({
      description: 'Campaign label of the share link.',
      pattern: '^[a-z0-9_-]{1,64}$',
    }),
    claimed_at: time.openapi({ description: 'When the claim was made, UTC.' }),
    redeemed_at: time.nullable().openapi({ description: 'When it was redeemed, UTC.' }),
  })
  .openapi('Claim');

export const notFound = z.strictObject({ status: z.literal('not_found') }).openapi('NotFound');

const headers = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .openapi({
      description: `1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters, quoted or bare: one per order or per attempt of a person. With \`redeem: true\` the same key repeats the answer of its redemption for 24 hours.`,
      example: '"order-4711"',
    }),
});

/** Every failure that this operation answers with: the whole vocabulary but the unknown path. */
export const VERIFY_ERROR_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code) => code !== 'unknown_path',
);

export function describeVerify(registry: OpenApiRegistry, baseUrl: string): void {
  registry.registerPath({
    method: 'post',
    path: VERIFY_PATH,
    operationId: 'verifyClaim',
    tags: ['claims'],
    summary: 'Verify a claim token, and redeem it if asked',
    description:
      'For servers only. Reject on 404, raise on any other status that is not 2xx, and apply the offer only when `status` is `redeemed`.',
    security: [{ [API_KEY_SCHEME]: [] }],
    request: {
      headers,
      body: { required: true, content: { 'application/json': { schema: verificationRequest } } },
    },
    responses: {
      200: {
        description: 'The claim is one of the caller’s listings.',
        headers: {
          ...COMMON_HEADERS,
          'Idempotency-Replayed': {
            description: '`true` when the answer repeats that of an earlier redemption under the same key.',
            schema: { type: 'string', const: 'true' },
          },
        },
        content: { 'application/json': { schema: claim } },
      },
      404: {
        description: 'No claim of the caller’s listings has this token. An outcome, not an error.',
        headers: { ...COMMON_HEADERS },
        content: { 'application/json': { schema: notFound } },
      },
      ...problemResponses(VERIFY_ERROR_CODES, baseUrl),
    },
  });
}

/** The OpenAPI 3.1 document of the service: this operation is all there is. `baseUrl` without a trailing slash. */
export const openApiDocument = (baseUrl: string): object =>
  createOpenApiDocument({ baseUrl, operations: [describeVerify] });
