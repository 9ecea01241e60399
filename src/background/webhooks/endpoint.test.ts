import { expect, test } from 'vitest';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { readEventTypes } from './endpoint.ts';

test('an owner’s endpoint gets no events that are only for operators, whatever is stored', () => {
  expect(readEventTypes('owner', '["*"]')).toEqual(WEBHOOK_EVENT_TYPES);
  expect(readEventTypes('owner', '["account.created", "claim.created"]')).toEqual(['claim.created']);
  expect(readEventTypes(MARKETPLACE_ID, '["*"]')).toEqual(EVENT_TYPES);
});
