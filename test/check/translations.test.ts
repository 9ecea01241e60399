/** The translations, compared with the English texts in the code. */
import { globSync, readFileSync } from 'node:fs';
import { po } from 'gettext-parser';
import { expect, test } from 'vitest';
import { checkTranslations, findMessages, messagesIn, valueFaults } from '../../scripts/messages.ts';
import { englishOf, entriesOf } from '../../src/platform/languages/po.ts';
import { TRANSLATIONS } from '../../src/platform/languages/translations.ts';

const found = findMessages();

test('German is complete: no text is missing or fuzzy (`npm run -s languages` adds and lists them)', () => {
  const { missing } = checkTranslations('de', TRANSLATIONS['de']!(), found);
  expect(missing.map(({ source, text }) => `${source}: ${text}`)).toEqual([]);
});

test.each(Object.keys(TRANSLATIONS))('%s has no unused or inconsistent texts', (code) => {
  const { unused, faults } = checkTranslations(code, TRANSLATIONS[code]!(), found);
  expect({ unused, faults }).toEqual({ unused: [], faults: [] });
});

test('languages/template.pot has all texts (`npm run -s languages` writes it)', () => {
  const template = po.parse(readFileSync('languages/template.pot', 'utf8'));
  const texts = entriesOf(template.translations).map(englishOf);
  expect(texts.toSorted()).toEqual([...new Set(found.map(({ text }) => text))].toSorted());
});

test('every call of t() or message() passes exactly the values that its text uses', () => {
  expect(valueFaults(found)).toEqual([]);
});

test('translated pages never show error.message, which is always English', () => {
  const pages = globSync('src/pages/{account,dashboard,desk,editor,market,ui}/**/*.tsx').map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]);
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter(([, text]) => /\berror\.message\b/.test(text!)).map(([path]) => path)).toEqual([]);
});

test('the check reports missing, unused and mismatched texts', () => {
  const source = "t('Hello {name}', { nam: 1 }); const a = message('<a>On</a>', { a }); t(more); it('no');";
  const messages = messagesIn('src/a.ts', source);
  expect(messages.map(({ text, source }) => `${source} ${text}`)).toEqual([
    'src/a.ts:1 Hello {name}',
    'src/a.ts:1 <a>On</a>',
  ]);
  expect(valueFaults(messages)).toEqual(['src/a.ts:1: the text has name, but the call has nam']);
  const texts = { 'Hello {name}': 'Hallo {nam}', Gone: 'Weg', '{count, plural, other {#}}': '{count, plur' };
  const { missing, unused, faults } = checkTranslations('de', texts, messages);
  expect(missing.map(({ text }) => text)).toEqual(['<a>On</a>']);
  expect(unused).toEqual(['Gone', '{count, plural, other {#}}']);
  expect(faults).toEqual([
    '“Hallo {nam}” has nam, but the English text has name',
    expect.stringContaining('{count, plur'),
  ]);
});
