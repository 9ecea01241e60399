import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { readCodeFile } from '../../marketplace/offers/code-file.ts';
import { csvWriter, withoutFormulas } from './csv.ts';

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
  const { header, rows } = csvWriter(['value', 'count']);
  const text = header + rows(values.map((value) => ({ value, count: -1 })));
  expect(text.startsWith('\ufeffvalue,count\r\n')).toBe(true);
  expect(parse(text, { bom: true, columns: true })).toEqual(values.map((value) => ({ value, count: '-1' })));
});

describe('a CSV file for Excel', () => {
  const GERMAN = { language: 'de', timeZone: 'Europe/Berlin' };
  const ENGLISH = { language: 'en', timeZone: 'UTC' };
  const RECORD = { code: 'Grüße', share: 0.25, sold: -3, at: '2026-11-20T23:30:00.000Z', created_at: null };
  const COLUMNS = Object.keys(RECORD);
  const fileOf = (record: object, style: typeof GERMAN) => {
    const { header, rows } = csvWriter(Object.keys(record), style);
    return header + rows([record]);
  };
  const cellOf = (value: string, style = GERMAN) =>
    (
      parse(fileOf({ value }, style), { bom: true, delimiter: style === GERMAN ? ';' : ',' }) as string[][]
    )[1]![0];

  test('has the separators of the language, and local times that every Excel recognizes', () => {
    expect(fileOf(RECORD, GERMAN)).toBe(
      '\ufeffcode;share;sold;at (Europe/Berlin);created_at (Europe/Berlin)\r\nGrüße;0,25;-3;2026-11-21 00:30:00;\r\n',
    );
    expect(fileOf(RECORD, ENGLISH)).toBe(
      '\ufeffcode,share,sold,at (UTC),created_at (UTC)\r\nGrüße,0.25,-3,2026-11-20 23:30:00,\r\n',
    );
    expect(COLUMNS).toHaveLength(5);
  });

  test.each(
    `00123 1E5 1e-5 1,5E3 12345678901234567890 1-2 1/2 1.2 1,000 50% 12:30 MAR1 1-mrz 3.Apr Sept2 DEC-12 TRUE wahr
    -promo +491701234567 @ada 5€ EUR5 (5) ٠٠١٢`.split(/\s+/),
  )('keeps %j as text', (value) => {
    expect(cellOf(value)).toBe(`="${value}"`);
    expect(cellOf(value, ENGLISH)).toBe(`="${value}"`);
  });

  test.each(['A-1', 'SAVE10', 'Grüße', 'ada@example.com', '01934e2d-5678-7abc', 'MARTIN', 'a, b', '{"a":1}'])(
    'leaves %j as it is',
    (value) => {
      expect(cellOf(value)).toBe(value);
      expect(cellOf(value, ENGLISH)).toBe(value);
    },
  );

  test('has no formula that a person wrote, whichever separator opens it', () => {
    expect(cellOf('=1+1')).toBe("'=1+1");
    expect(cellOf('x,=1+1')).toBe("x,'=1+1");
    expect(cellOf('x;=1+1')).toBe("x;'=1+1");
    expect(cellOf('-5"&A1&"')).toBe(`'-5"&A1&"`);
    expect(cellOf('1'.repeat(300))).toBe(`'${'1'.repeat(300)}`);
  });

  test('gives the same codes if it is uploaded as a code list', () => {
    const codes = [
      '00123',
      '1E5',
      '1-2',
      '12345678901234567890',
      'MAR1',
      'Grüße',
      '-promo',
      'A"B',
      '5,5',
      'AB-12',
    ];
    for (const style of [GERMAN, ENGLISH, null]) {
      const { header, rows } = csvWriter(['code'], style);
      const { lines } = readCodeFile({
        text: header + rows(codes.map((code) => ({ code }))),
        isGuess: false,
      });
      expect(lines.map(({ text }) => text)).toEqual(codes);
    }
  });
});
