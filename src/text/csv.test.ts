import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvHeader, csvRows, withoutFormulas } from './csv.ts';

describe('CSV cells', () => {
  test.each([
    '+491701234567',
    '+49 170 123-45.67',
    '-promo',
    '-5%',
    '-Müller',
    '@ada.lovelace-1815',
    '@Ada Lovelace',
    '＠ada_2026',
    '@user123',
    'a=b',
    'x;y\tz',
    'C++ & C#',
    'ada@example.com',
    '{"a":"-b"}',
    '',
  ])('%j is unchanged', (value) => {
    expect(withoutFormulas(value)).toBe(value);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['@sum(A1:A9)', "'@sum(A1:A9)"],
    ['@A1', "'@A1"],
    ['＠xfd1048576', "'＠xfd1048576"],
    ['@ada-B2', "'@ada-B2"],
    ['@R1C1', "'@R1C1"],
    ['@$A$1', "'@$A$1"],
    ['@ada!A1', "'@ada!A1"],
    ['@ada\n=1', "'@ada\n'=1"],
    ['x;@ada', "x;'@ada"],
    ['＝1+1', "'＝1+1"],
    ['\t=1+1', "'\t'=1+1"],
    [' =1+1', "' =1+1"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ['-2+HYPERLINK("http://x")', `'-2+HYPERLINK("http://x")`],
    ["x;=cmd|' /C calc'!A0;", "x;'=cmd|' /C calc'!A0;"],
    ['x; ""=1', `x;' ""=1`],
    ['x\t+1', "x\t'+1"],
    ['x\n-a', "x\n'-a"],
  ])('%j is escaped with an apostrophe', (value, expected) => {
    expect(withoutFormulas(value)).toBe(expected);
  });
});

test('a CSV file has a byte order mark and CRLF lines, and parses back to the same values', () => {
  const values = ['Grüße, "Ada"', '-promo', '+491701234567', 'two\nlines', 'a;b'];
  const text =
    csvHeader(['value', 'count']) +
    csvRows(
      values.map((value) => ({ value, count: -1 })),
      ['value', 'count'],
    );
  expect(text.startsWith('\ufeffvalue,count\r\n')).toBe(true);
  expect(parse(text, { bom: true, columns: true })).toEqual(values.map((value) => ({ value, count: '-1' })));
});
