/** The translations, compared with the English texts in the code. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkCatalogue, findMessages, messagesIn, valueFaults } from '../../scripts/messages.ts';
import { CATALOGUES } from '../../src/platform/languages/language.ts';

const found = findMessages();

it.each(Object.entries(CATALOGUES))('%s has no missing, unused or inconsistent texts', (code, texts) => {
  const { missing, unused, faults } = checkCatalogue(code, texts, found);
  expect({ missing: missing.map(({ place, text }) => `${place}: ${text}`), unused, faults }).toEqual({
    missing: [],
    unused: [],
    faults: [],
  });
});

it('every call of t() or message() passes exactly the values that its text uses', () => {
  expect(valueFaults(found)).toEqual([]);
});

it('translated pages never show error.message, which is always English', () => {
  const pages = globSync('src/pages/{account,dashboard,editor,market,ui}/**/*.tsx').map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]);
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(([, text]) => /\berror\.message\b/.test(text!)).map(([path]) => path)).toEqual([]);
});

it('the check reports missing, unused and mismatched texts', () => {
  const source = "t('Hello {name}', { nam: 1 }); const a = message('<a>On</a>', { a }); t(more); it('no');";
  const messages = messagesIn('src/a.ts', source);
  expect(messages.map(({ text, place }) => `${place} ${text}`)).toEqual([
    'src/a.ts:1 Hello {name}',
    'src/a.ts:1 <a>On</a>',
  ]);
  expect(valueFaults(messages)).toEqual(['src/a.ts:1: the text has name, but the call has nam']);
  const texts = { 'Hello {name}': 'Hallo {nam}', Gone: 'Weg', '{count, plural, other {#}}': '{count, plur' };
  const { missing, unused, faults } = checkCatalogue('de', texts, messages);
  expect(missing.map(({ text }) => text)).toEqual(['<a>On</a>']);
  expect(unused).toEqual(['Gone', '{count, plural, other {#}}']);
  expect(faults).toEqual([
    '“Hallo {nam}” has nam, but the English text has name',
    expect.stringContaining('{count, plur'),
  ]);
});
