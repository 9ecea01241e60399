/** The webhooks in the OpenAPI document, derived from the catalogue of events. */
import { OPERATORS_MESSAGE, OWNERS_MESSAGES, TEST_MESSAGE } from '../background/webhooks/message.ts';
import { titleOf, type WebhookEventType } from '../base/events/catalogue.ts';
import type { WebhookDescription } from '../platform/http/operations/openapi-webhooks.ts';
import type { Audience } from '../platform/http/operations/operation.ts';

const EXAMPLES: Readonly<Partial<Record<WebhookEventType, Readonly<Record<string, unknown>>>>> = {
  'claim.created': { redeemed_at: null, reference: null },
  'claim.redeemed': { claimed_at: '2026-11-18T16:20:05.000Z', redeemed_at: '2026-11-20T10:00:00.000Z' },
  'listing.approved': { reason: null },
  'listing.changes_requested': { state: 'changes_requested' },
  'listing.rejected': { state: 'rejected', reason: 'The marketplace has no games.' },
  'listing.suspended': { state: 'suspended', reason: 'The website no longer responds.' },
  'key.rolled': { ends_at: '2026-11-21T10:00:00.000Z' },
};

export const WEBHOOKS: Readonly<Record<Audience, readonly WebhookDescription[]>> = {
  owner: [
    ...[...OWNERS_MESSAGES].map(([type, message]) => ({
      name: type,
      summary: String(titleOf(type)),
      message,
      example: EXAMPLES[type],
    })),
    { name: TEST_MESSAGE.shape.type.value, summary: 'Test event', message: TEST_MESSAGE },
  ],
  operator: [
    {
      name: 'marketplace',
      summary: 'Any event of the marketplace, for the endpoints of its operators',
      message: OPERATORS_MESSAGE,
    },
  ],
  public: [],
};
