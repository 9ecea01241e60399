import { expect, test } from 'vitest';
import { unsignedText, written } from '../../people/mail/letter.ts';
import { approved } from './decision-letters.ts';

const LISTING = {
  id: '018f3c5e-0000-7000-8000-000000000001',
  name: 'Calm Notes',
  slug: 'calm-notes',
  baseUrl: 'https://claims.example.com',
};

const textFor = (offer: string | null, isForMembers = false): string =>
  unsignedText({
    letter: written(approved(LISTING, { marketplace: 'Rabattor', offer, isForMembers }).letter),
  });

test('the mail about an approval has a text to post with the share link', () => {
  const link = 'https://claims.example.com/l/calm-notes?via=launch';
  expect(textFor('20% off')).toContain(`20% off: Calm Notes is on Rabattor. ${link}\n`);
  expect(textFor(null)).toContain(`Calm Notes is on Rabattor: ${link}\n`);
});

test('the mail about a listing for members promises no preview or badge, and its text to post no offer', () => {
  expect(textFor('20% off')).toMatch(/People can find.*badge/s);
  const text = textFor('20% off', true);
  expect(text).toContain('Members can find Calm Notes');
  expect(text).toContain('?via=launch');
  expect(text).not.toMatch(/20% off|badge|People can/);
});

test('an offer cannot put its own link into the mail', () => {
  expect(textFor('Win at https://evil.example/now')).not.toContain('https://evil.example');
});
