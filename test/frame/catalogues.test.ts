/** Every language has every text, with the values and elements of the English one. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkCatalogue, findMessages, messagesIn, valueFaults } from '../../scripts/messages.ts';
import { CATALOGUES } from '../../src/languages/language.ts';

const found = findMessages();

it.each(Object.entries(CATALOGUES))('%s is complete, without an unused text', (code, texts) => {
  const { missing, unused, faults } = checkCatalogue(code, texts, found);
  expect({ missing: missing.map(({ place, text }) => `${place}: ${text}`), unused, faults }).toEqual({
    missing: [],
    unused: [],
    faults: [],
  });
});

it('each call passes exactly the values that its text names', () => {
  expect(valueFaults(found)).toEqual([]);
});

it('no translated page shows the message of a refusal, which is always English', () => {
  const pages = globSync('src/{account,dashboard,market,ui}/**/*.tsx').map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]);
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(([, text]) => /\berror\.message\b/.test(text!)).map(([path]) => path)).toEqual([]);
});

it('finds what is missing, unused or different', () => {
  const source = "t('Hello {name}', { nam: 1 }); const a = message('<a>On</a>', { a }); t(more); it('no');";
  const messages = messagesIn('src/a.ts', source);
  expect(messages.map(({ text, place }) => `${place} ${text}`)).toEqual([
    'src/a.ts:1 Hello {name}',
    'src/a.ts:1 <a>On</a>',
  ]);
  expect(valueFaults(messages)).toEqual(['src/a.ts:1: the text has name, the call nam']);
  const texts = { 'Hello {name}': 'Hallo {nam}', Gone: 'Weg', '{count, plural, other {#}}': '{count, plur' };
  const { missing, unused, faults } = checkCatalogue('de', texts, messages);
  expect(missing.map(({ text }) => text)).toEqual(['<a>On</a>']);
  expect(unused).toEqual(['Gone', '{count, plural, other {#}}']);
  expect(faults).toEqual(['“Hallo {nam}” has nam, not name', expect.stringContaining('{count, plur')]);
});
