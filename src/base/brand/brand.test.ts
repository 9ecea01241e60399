import { describe, expect, test } from 'vitest';
import { BRAND_SETTINGS, type Brand, changedFrom, DEFAULT_BRAND } from './brand.ts';

const FIRST: Brand = {
  ...DEFAULT_BRAND,
  name: 'Wolkenmarkt',
  contact: 'mailto:security@wolken.example',
};

test('changedFrom() returns only the fields whose values have changed', () => {
  expect(changedFrom(FIRST, FIRST)).toEqual({});
  expect(changedFrom(FIRST, { ...FIRST, name: 'Himmel', contact: null })).toEqual({
    name: 'Himmel',
    contact: null,
  });
});

describe('brand parser', () => {
  test.each([
    ['name', '  Wolkenmarkt ', 'Wolkenmarkt'],
    ['accent', '', null],
    ['accent', '#17594D', null],
    ['accent', '#FFD400', '#ffd400'],
    ['contact', 'help@wolken.example', 'mailto:help@wolken.example'],
    ['contact', 'mailto:help@wolken.example', 'mailto:help@wolken.example'],
    ['contact', 'https://wolken.example/help', 'https://wolken.example/help'],
    ['imprint', ' https://wolken.example/imprint ', 'https://wolken.example/imprint'],
    ['privacy', 'wolken.example/privacy', 'https://wolken.example/privacy'],
    ['terms', ' ', null],
    ['footer', 'Wolken GmbH\r\nBerlin', 'Wolken GmbH\nBerlin'],
    ['timeZone', 'europe/berlin', 'Europe/Berlin'],
  ] as const)('parses the %s %j as %j', (name, typed, value) =>
    expect(BRAND_SETTINGS[name].parse(typed)).toBe(value),
  );

  test.each([
    ['name', '', 'The name of the marketplace is empty.'],
    ['name', 'x'.repeat(41), 'at most 40 are allowed'],
    ['name', 'Wolken\nmarkt', 'control character'],
    ['accent', 'sunny', 'must be a solid colour'],
    ['headline', 'x'.repeat(81), 'at most 80'],
    ['contact', 'javascript:alert(1)', 'must be an email address or an https address'],
    ['contact', 'http://wolken.example', 'must be an email address or an https address'],
    ['contact', 'mailto:a@b.example?bcc=c@d.example', 'must be an email address or an https address'],
    ['contact', 'two words', 'must be an email address or an https address'],
    ['imprint', 'javascript:alert(1)', 'The link to the legal notice must start with https://'],
    ['privacy', '/privacy', 'The link to the privacy policy must be a full address'],
    ['terms', 'https://user@wolken.example/', 'user information'],
    ['timeZone', '+01:00', 'must be a name such as Europe/Berlin'],
  ] as const)('rejects the %s %j', (name, typed, words) =>
    expect(() => BRAND_SETTINGS[name].parse(typed)).toThrow(words),
  );
});
