import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import { Refusal, tried } from '../../platform/errors.ts';
import { parseListCode } from './code.ts';
import { decodeCodeFile, layoutText, parseLayout, planCodes, readCodeFile } from './code-file.ts';

const codesIn = (text: string) =>
  readCodeFile({ text, isGuess: false }).lines.map(({ text: code, problem }) =>
    problem === undefined ? code : `BAD ${code}`,
  );
const asks = (text: string) => planCodes(text, false).doubts.length > 0;

describe('a file of codes', () => {
  test.each([
    ['one code on each line', 'A-1\nA-2', ['A-1', 'A-2'], false],
    ['a heading', 'Code\r\nA-1\r\nA-2\r\n', ['A-1', 'A-2'], false],
    ['a German heading', 'Gutscheincode\nA-1', ['A-1'], false],
    ['a heading in a language that nobody listed', 'Aditreo\nA-1\nA-2', ['A-1', 'A-2'], true],
    ['a heading with spaces', 'Der schöne Code\nALPHA\nBETA', ['ALPHA', 'BETA'], true],
    ['a word in capitals that may be a code', 'VOUCHER\nALPHA\nBETA', ['ALPHA', 'BETA'], true],
    ['words without digits', 'SUMMER\nWINTER', ['SUMMER', 'WINTER'], false],
    ['one code without digits', 'WELCOME', ['WELCOME'], false],
    ['one word in capitals that may be a heading', 'VOUCHER', ['VOUCHER'], false],
    ['only a heading', 'code\n', [], false],
    ['a title and a heading, but no codes', 'Summer campaign\nCode\n', [], true],
    ['a separator line and a heading', 'sep=;\r\nGutscheincode;\r\nAAA-111;\r\n', ['AAA-111'], false],
    ['a separator line and an unlisted heading', 'sep=;\nAditreo;\nAAA-111;\n', ['AAA-111'], true],
    ['a quoted separator line', '"sep=,"\ncode,\nAAA-111,\n', ['AAA-111'], false],
    ['a separator line with a tab', 'sep=\t\ncode\tnote\nA-1\tx\n', ['A-1'], true],
    ['several columns, code first', 'code;note\nA-1;first\nA-2;second;;', ['A-1', 'A-2'], true],
    ['several columns, code last', 'Nr,Kunde,Gutschein Code\n1,"Ada, B",A-1\n2,Bo,A-2', ['A-1', 'A-2'], true],
    ['several columns without a heading', 'A-1\tx\nA-2\ty', ['A-1', 'A-2'], true],
    ['empty columns at the end', 'A-1;;\nA-2;;', ['A-1', 'A-2'], false],
    ['a byte order mark and quotation marks', '\ufeff"code"\n"A-1"\n"q""x,y"', ['A-1', 'q"x,y'], false],
    ['a heading and empty columns in every line', 'code;;;\nA-1;;;\nA-2;;;\n;;;\n', ['A-1', 'A-2'], false],
    ['a byte order mark twice', '\ufeff\ufeffcode\nA-1', ['A-1'], false],
    ['a title above the heading', 'Summer campaign\n\nCode\nA-1\nA-2', ['A-1', 'A-2'], true],
    ['a merged title', 'Vouchers 2026;;\n;;\nNr;Code;Note\n1;A-1;x\n2;A-2;y', ['A-1', 'A-2'], true],
    ['the name of a sheet', 'Tabelle 1\nCode;Wert\nA-1;5\nA-2;6', ['A-1', 'A-2'], true],
    ['a total', 'Code;Wert\nA-1;5\nA-2;6\nSumme;11', ['A-1', 'A-2', 'Summe'], true],
    ['a total in one column', 'A-1\nA-2\nSumme', ['A-1', 'A-2', 'Summe'], true],
    ['quotation marks of documents', '“A-1”\n„A-2“\n«A-3»', ['A-1', 'A-2', 'A-3'], false],
    ['quotation marks of SQL', "'A-1'\n'A-2'", ['A-1', 'A-2'], false],
    ['codes in scientific notation', 'A-1\n1E11', ['A-1', '1E11'], true],
    ['codes that are dates', '01.02.2026\nA-2', ['01.02.2026', 'A-2'], true],
    ['codes that are English dates', '1-Feb\n2-Mar', ['1-Feb', '2-Mar'], true],
    ['numbers with decimals', '123.0\n124.0', ['123.0', '124.0'], true],
    ['percentages', '10%\n20%', ['10%', '20%'], true],
    ['CR line ends', 'A-1\rA-2', ['A-1', 'A-2'], false],
    ['text marks of spreadsheets', '\'00123\n="00124"\n', ['00123', '00124'], false],
    ['a line with several codes among others', 'A-1\nA-2,A-3\nA-4', ['A-1', 'BAD A-2,A-3', 'A-4'], false],
    ['a single line with several codes', 'A-1,A-2', ['BAD A-1,A-2'], false],
    [
      'a note with a line break',
      'code;note\nA-1;"one\r\n""two""; three\r\nsaid ""four"""\nA-2;x',
      ['A-1', 'A-2'],
      true,
    ],
    ['a quotation mark that nothing closes', 'A-1\n"A-2\nA-3', ['A-1', '"A-2', 'A-3'], false],
    ['a quotation mark that another line closes', '"A-1\nA-2"\nA-3', ['A-1\nA-2', 'A-3'], false],
    [
      'a heading that only another column gives away',
      'Nummer;Betrag\nFELDA;10,00\nFELDB;20,00',
      ['FELDA', 'FELDB'],
      true,
    ],
    [
      'codes after the numbers of rows, without a heading that names them',
      'Nr;Los;Wert\n1;FELDA;10,00\n2;FELDB;20,00',
      ['FELDA', 'FELDB'],
      true,
    ],
    ['columns without a heading', 'FELDA;Ada B\nFELDB;Bo', ['FELDA', 'FELDB'], true],
    [
      'a row that is too short or too long',
      'nr;code\n1;A-1\n2\n3;A-3;x',
      ['A-1', 'BAD 2', 'BAD 3;A-3;x'],
      true,
    ],
  ])('with %s', (_title, text, codes, isAsked) => {
    expect(codesIn(text)).toEqual(codes);
    expect(asks(text)).toBe(isAsked);
  });

  test('with numbers that a spreadsheet may have changed is not added without a question', () => {
    expect(asks('00123\n00124\n00125\n00126\n1127\n')).toBe(true);
    expect(asks('00123\n00124\n00125\n00126\n01127\n')).toBe(false);
    expect(asks(Array.from({ length: 6 }, (_, n) => `12345678901234${n}00`).join('\n'))).toBe(true);
  });

  test('refuses what a spreadsheet leaves in place of a code', () => {
    const refused = (code: string) => tried(() => parseListCode(code)) instanceof Refusal;
    const leftovers = `1.23457E+11 1,23457E+11 1E+05 ######## # #N/A #NV #NAME? #REF! #BEZUG! #DIV/0! #WERT! TRUE FALSCH
      ="00123 #¡VALOR! Err:502 -1.2E+10 =SUM(A1:A3) =HYPERLINK("x") <td>A-1</td> Gr\ufffdn VERO`;
    for (const code of leftovers.split(/\s+/)) expect([code, refused(code)]).toEqual([code, true]);
    for (const code of ['12E5', '#SAVE10', '#1', 'TRUE-LOVE', '1.5', '1E', 'E+1', '=X', 'N/A']) {
      expect([code, refused(code)]).toEqual([code, false]);
    }
  });

  test.each([
    ['UTF-8', Buffer.from('GRÜN'), false],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGRÜN'), false],
    ['Excel’s “Unicode text”', Buffer.from('\ufeffGRÜN', 'utf16le'), false],
    ['UTF-16 without a byte order mark', Buffer.from('GRÜN', 'utf16le'), false],
    ['big-endian UTF-16', Buffer.from('\ufeffGRÜN', 'utf16le').swap16(), false],
    ['big-endian UTF-16 without a byte order mark', Buffer.from('GRÜN', 'utf16le').swap16(), false],
    ['Excel’s “CSV” on Windows', Buffer.from('GRÜN', 'latin1'), true],
  ])('in %s is decoded', (_encoding, bytes, isGuess) => {
    expect(decodeCodeFile(bytes)).toEqual({ text: 'GRÜN', isGuess });
  });

  test('in a guessed encoding is not added without a question', () => {
    expect(planCodes('A-1\nA-2', true).doubts.map(String)).toEqual([
      'The file is not UTF-8. It was read as Windows-1252.',
    ]);
    expect(planCodes('A-1\nGRÜN', true).doubts.map(String)).toEqual([expect.stringContaining('“GRÜN”')]);
  });

  test.each([
    ['a workbook', 'PK\x03\x04\x14\0\x06\0\x08\0'],
    ['an old workbook', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0'],
    ['half a character in UTF-16', '\xff\xfeA\0B'],
    ['nothing but U+0000', '\0\0\0\0'],
  ])('that is %s is refused', (_content, bytes) => {
    expect(decodeCodeFile(Buffer.from(bytes, 'latin1'))).toBeNull();
  });

  test('keeps its layout in a hidden field', () => {
    const { layout } = planCodes('nr;code\n1;A-1\n2;A-2', false);
    expect(parseLayout(layoutText(layout))).toEqual(layout);
    for (const text of ['', 'x', 'pipe:1:1', 'comma:-1:2', `comma:${'9'.repeat(9)}:2`]) {
      expect(parseLayout(text)).toBeNull();
    }
  });

  test.each([['"'], ['";'], ['";""'], [';'], ['\n'], ['"\n'], ['sep=;\n'], ["'"], ['"""']])(
    'takes time linear in its length for repeated %j',
    async (unit) => {
      const text = unit.repeat(65_536 / unit.length);
      // A quadratic reader takes seconds.
      const maxMs = 1_000;
      expect(await cpuMsOf(() => readCodeFile({ text, isGuess: false }), maxMs)).toBeLessThanOrEqual(maxMs);
    },
  );
});
