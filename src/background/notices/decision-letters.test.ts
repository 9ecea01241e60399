import { expect, test } from 'vitest';
import { unsignedText, written } from '../../people/mail/letter.ts';
import { approved } from './decision-letters.ts';

const LISTING = {
  id: '018f3c5e-0000-7000-8000-000000000001',
  name: 'Calm Notes',
  slug: 'calm-notes',
  baseUrl: 'https://claims.example.com',
};

const textFor = (offer: string | null): string =>
  unsignedText({ letter: written(approved(LISTING, 'Rabattor', offer).letter) });

test('the mail about an approval has a text to post with the share link', () => {
  const link = 'https://claims.example.com/l/calm-notes?via=launch';
  expect(textFor('20% off')).toContain(`20% off: Calm Notes is on Rabattor. ${link}\n`);
  expect(textFor(null)).toContain(`Calm Notes is on Rabattor: ${link}\n`);
});

test('an offer cannot put its own link into the mail', () => {
  expect(textFor('Win at https://evil.example/now')).not.toContain('https://evil.example');
});
