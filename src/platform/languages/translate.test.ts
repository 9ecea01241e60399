import { describe, expect, test } from 'vitest';
import { invalid } from '../errors.ts';
import { addLanguage, currentLanguage, inLanguage, parseLanguage } from './language.ts';
import { listText, Message, message, t, wordsOf } from './translate.ts';

const TEXTS: Readonly<Record<string, string>> = {
  Cancel: 'Zrušit',
  'state|Open': 'Otevřeno',
  '{days, plural, one {# day} other {# days}} left':
    '{days, plural, one {Zbývá # den} few {Zbývají # dny} other {Zbývá # dní}}',
  'Read the <a>terms</a> of {name}': '<a>Podmínky</a> od {name}',
  'Broken {name}': 'Rozbité {name',
  'Other {name}': 'Jiné {jmeno}',
  'Until {day}': 'Do {day}',
  '{what} is empty.': '{what} je prázdný.',
  'The code': 'Kód',
};
addLanguage({ code: 'cs', name: 'Čeština', direction: 'ltr', textFor: (english) => TEXTS[english] });
addLanguage({ code: 'he', name: 'עברית', direction: 'rtl', textFor: () => '{name} שלום' });

const inCzech = <T>(write: () => T): T => inLanguage('cs', write);

describe('translated texts', () => {
  test('use the current language, even after an await, and English by default', async () => {
    const [czech, english] = await Promise.all([
      inCzech(async () => {
        await Promise.resolve();
        return t('Cancel');
      }),
      Promise.resolve().then(() => t('Cancel')),
    ]);
    expect([czech, english]).toEqual(['Zrušit', 'Cancel']);
    expect(inLanguage('xx', () => currentLanguage().code)).toBe('en');
  });

  test('use the plural forms of the language', () => {
    const left = (days: number) => t('{days, plural, one {# day} other {# days}} left', { days });
    expect([1, 2, 5].map(left)).toEqual(['1 day left', '2 days left', '5 days left']);
    expect(inCzech(() => [1, 2, 5].map(left))).toEqual(['Zbývá 1 den', 'Zbývají 2 dny', 'Zbývá 5 dní']);
  });

  test('fall back to English if the translation is missing, malformed or uses an unknown value', () => {
    expect(inCzech(() => t('Not translated {name}', { name: 'x' }))).toBe('Not translated x');
    expect(inCzech(() => t('Broken {name}', { name: 'x' }))).toBe('Broken x');
    expect(inCzech(() => t('Other {name}', { name: 'x' }))).toBe('Other x');
  });

  test('omit the context prefix', () => {
    expect([t('state|Open'), inCzech(() => t('state|Open'))]).toEqual(['Open', 'Otevřeno']);
  });

  test('replace a tag with the given element, or with the content of the tag if no element is given', () => {
    const a = (words: readonly unknown[]) => ({ words });
    expect(inCzech(() => t('Read the <a>terms</a> of {name}', { a, name: 'Acme' }))).toEqual([
      { words: ['Podmínky'] },
      ' od Acme',
    ]);
    expect(t('Read the <a>terms</a> of {name}', { name: 'A<b>' })).toBe('Read the terms of A<b>');
  });

  test('isolate the direction of values in right-to-left languages', () => {
    expect(inLanguage('he', () => t('Hello {name}', { name: 'Acme!' }))).toBe('\u2068Acme!\u2069 שלום');
  });
});

describe('messages', () => {
  test('are English in errors and are translated, including nested messages, when they are displayed', () => {
    const refusal = invalid(message('{what} is empty.', { what: message('The code') }));
    expect(refusal.message).toBe('The code is empty.');
    expect(inCzech(() => [refusal.message, wordsOf(refusal.sentence)])).toEqual([
      'The code is empty.',
      'Kód je prázdný.',
    ]);
    expect(inCzech(() => wordsOf('As it was typed'))).toBe('As it was typed');
  });

  test('format times in the language in which the message is displayed', () => {
    const until = message('Until {day}', { day: () => currentLanguage().code });
    expect(inCzech(() => [t(until), String(until)])).toEqual(['Do cs', 'Until en']);
    expect(until).toBeInstanceOf(Message);
  });
});

test('listText formats lists in the current language', () => {
  expect(listText(['a', 'b', 'c'])).toBe('a, b, and c');
  expect(inLanguage('de', () => listText(['a', 'b', 'c']))).toBe('a, b und c');
});

test.each([
  ['de', 'de'],
  [' EN ', 'en'],
  ['cs', null],
  ['', null],
])('parseLanguage(%j) returns %j', (text, language) => {
  expect(parseLanguage(text)).toBe(language);
});
