/** The webhooks in the OpenAPI document, derived from the catalogue of events. */
import { OPERATORS_MESSAGE, OWNERS_MESSAGES, TEST_MESSAGE } from '../background/webhooks/message.ts';
import { titleOf } from '../base/events/catalogue.ts';
import type { WebhookDescription } from '../platform/http/operations/openapi-webhooks.ts';
import type { Audience } from '../platform/http/operations/operation.ts';

export const WEBHOOKS: Readonly<Record<Audience, readonly WebhookDescription[]>> = {
  owner: [
    ...[...OWNERS_MESSAGES].map(([type, message]) => ({
      name: type,
      summary: String(titleOf(type)),
      message,
    })),
    { name: TEST_MESSAGE.shape.type.value, summary: 'Test event', message: TEST_MESSAGE },
  ],
  operator: [{ name: 'marketplace', summary: 'Any event of the marketplace', message: OPERATORS_MESSAGE }],
  public: [],
};
