/** The operation that gives the signed receipt of a redemption. */
import { z } from '@hono/zod-openapi';
import type { Context } from '../../context.ts';
import type { Operation } from '../../http/operations/operation.ts';
import { operationRoute } from '../../http/operations/operation-routes.ts';
import { JWKS_PATH } from '../../http/operations/well-known.ts';
import { claimPath, unknownClaim } from '../claims-operation.ts';
import type { ApiCaller } from '../verify/decision/verification.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, signReceipt } from './signing.ts';

const receipt = z
  .strictObject({
    receipt: z.string().openapi({
      description: `A JSON Web Signature in compact form: \`alg\` ${RECEIPT_ALGORITHM}, \`typ\` ${RECEIPT_TYPE}. Its payload has \`iss\` (the base URL of this service), \`iat\`, \`sub\` (the \`id\` of the claim), \`mode\` (\`live\` or \`test\`), and the members of a verify response, with the status \`redeemed\`.`,
    }),
  })
  .openapi('Receipt');

export const READ_RECEIPT = {
  id: 'readReceipt',
  method: 'get',
  path: '/api/v1/marketplace/claims/{id}/receipt',
  tag: 'claims',
  summary: 'Get the signed receipt of a redemption',
  description: `Proves to anyone that a claim was redeemed, and when, without a call to this service: check its signature with the public keys at \`${JWKS_PATH}\`. Check \`typ\`, \`iss\` and \`mode\` too: the receipt of a test claim says \`test\`. A receipt does not expire, and the keys of old ones stay published. Each call creates a new signature. \`offer\` and \`kind\` are as at the redemption. They are omitted if unknown: the offer was reworded, and the redemption had no \`Idempotency-Key\`.`,
  caller: 'apiKey',
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
} as const satisfies Operation;

export const readReceiptRoute = operationRoute<
  typeof READ_RECEIPT,
  ApiCaller,
  Context & { readonly baseUrl: string }
>(READ_RECEIPT, async ({ caller, path }, services) => {
  const signed = await signReceipt(services, { ...caller, id: path.id, issuer: services.baseUrl });
  if (signed === null) throw unknownClaim();
  return { status: 200, body: { receipt: signed } };
});
