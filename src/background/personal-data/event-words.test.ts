import { expect, test } from 'vitest';
import { withoutNetworks, withoutNotes, withoutPerson } from './event-words.ts';

test.each([
  ['account.created', { email: 'a@b.example', plan: 'studio' }, { email: '(deleted)', plan: 'studio' }],
  [
    'account.renamed',
    { from: 'Ada', to: 'Ada B.', through: ['Ada A.'], approved: true },
    { from: '(deleted)', to: '(deleted)', approved: true },
  ],
  ['account.suspended', { reason: 'She is Grace.', sessions: 2 }, { reason: '(deleted)', sessions: 2 }],
  ['key.seen_in_browser', { origin: 'https://a.example', ip: '192.0.2.1' }, { origin: 'https://a.example' }],
  ['session.signed_in', { ip: '192.0.2.1', how: 'email' }, { how: 'email' }],
  ['account.deletion_planned', { reason: 'asked' }, null],
  ['account.created', { email: '(deleted)', plan: 'studio' }, null],
  ['listing.changed', { change: 'edited', slug: 'notes', from: { name: 'A' }, to: { name: 'B' } }, null],
  ['account.created', { email: null, constructor: 'Ada', nickname: 'Ada' }, { email: null }],
  ['listing.changed', { change: 'deleted', slug: 'notes', place: 1 }, { change: 'deleted', slug: 'notes' }],
  ['account.invented', { nickname: 'Ada' }, {}],
])(
  'erasure leaves of %s with %j only what the catalogue declares as no personal data',
  (type, data, rest) => {
    expect(withoutPerson(type, data)).toEqual(rest);
  },
);

test('retention removes network addresses from every type of event, and nothing else', () => {
  const seen = { origin: 'https://a.example', ip: '192.0.2.1', nickname: 'Ada' };
  expect(withoutNetworks('key.seen_in_browser', seen)).toEqual({ origin: seen.origin, nickname: 'Ada' });
  expect(withoutNetworks('session.sign_in_refused', { network: '192.0.2.0/24' })).toEqual({});
  expect(withoutNetworks('session.passkey_added', { name: 'Laptop' })).toBeNull();
  expect(withoutNetworks('account.invented', { ip: '192.0.2.1' })).toBeNull();
});

test('a person’s copy has every member except the operators’ notes', () => {
  expect(withoutNotes('account.suspended', { reason: 'Spam.', sessions: 2 })).toEqual({ sessions: 2 });
  const declined = { wish: 'publish', reason: 'Not yet.', nickname: 'Ada' };
  expect(withoutNotes('account.request_declined', declined)).toEqual(declined);
});
