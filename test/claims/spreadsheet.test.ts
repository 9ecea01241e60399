/** LibreOffice must not read any value in a CSV file as a formula. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CsvStyle, csvWriter } from '../../src/platform/text/csv.ts';

const isThere = spawnSync('soffice', ['--version']).status === 0;
if (!isThere) console.warn('LibreOffice (soffice) is not installed; skipping the spreadsheet tests.');

const [COMMA, SEMICOLON] = [44, 59];

const HOSTILE = [
  '=1+1',
  "x;=cmd|' /C calc'!A0;",
  'x;"=1+1',
  'a\n=1+1;',
  '@SUM(1)',
  '+SUM(1)',
  "-1+cmd|'x'!A0",
];
const HARMLESS = ['+491701234567', '-promo', 'Grüße'];

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-spreadsheet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function csvFile(records: readonly object[], style?: CsvStyle): string {
  const { header, rows } = csvWriter(Object.keys(records[0]!), style);
  return header + rows(records);
}

/** Converts CSV files to LibreOffice's flat XML. `separator` is a character code, and `language` one of LibreOffice. */
function open(separator: number, names: readonly string[], language = 0): string[] {
  // The last value, `true`, makes LibreOffice evaluate formulas
  // (wiki.documentfoundation.org/Documentation/DevGuide/Spreadsheet_Documents).
  const filter = `CSV:${separator},34,UTF8,1,,${language},false,true,false,false,false,0,true`;
  const files = names.map((name) => join(folder, name));
  execFileSync(
    'soffice',
    [
      `-env:UserInstallation=file://${folder}/profile`,
      ...['--headless', `--infilter=${filter}`, '--convert-to', 'fods', '--outdir', folder, ...files],
    ],
    { stdio: 'ignore' },
  );
  return files.map((file) => readFileSync(file.replace('.csv', '.fods'), 'utf8'));
}

describe.skipIf(!isThere)('CSV files in LibreOffice', () => {
  test.each([
    ['commas', COMMA],
    ['semicolons', SEMICOLON],
  ])('contain no formulas if cells are separated by %s', (_, separator) => {
    const records = [...HOSTILE, ...HARMLESS].map((value, number) => ({ number, value, last: 'end' }));
    writeFileSync(join(folder, 'ours.csv'), csvFile(records));
    // Control: without escaping, LibreOffice finds a formula.
    writeFileSync(join(folder, 'raw.csv'), '1;=1+1\n1,=1+1\n');
    const [ours, raw] = open(separator, ['ours.csv', 'raw.csv']);
    expect(raw).toContain('table:formula');
    expect(ours).not.toContain('table:formula');
    expect(ours).toContain('Grüße');
    expect(ours).toContain('-promo');
  });

  const GERMAN = 1031;
  const CODES = ['00123', '1E5', '12345678901234567890', '1-2', '1,5', '1.2.2026', 'WAHR', 'MAI5', 'Grüße'];

  test('for Excel have columns, numbers, times and unchanged codes in a German spreadsheet', () => {
    const records = CODES.map((code) => ({ code, share: 0.25, sold: 1000, at: '2026-11-20T10:00:00.000Z' }));
    writeFileSync(join(folder, 'excel.csv'), csvFile(records, { language: 'de', timeZone: 'Europe/Berlin' }));
    // Control: without protection, LibreOffice changes codes too.
    writeFileSync(join(folder, 'bare.csv'), `code;share\n${CODES.map((code) => `${code};1`).join('\n')}\n`);
    const [excel, bare] = open(SEMICOLON, ['excel.csv', 'bare.csv'], GERMAN).map(cellsOf);
    const row = (code: string) => [code, 0.25, 1000, '2026-11-20T11:00:00'];
    expect(excel).toEqual(['code', 'share', 'sold', 'at (Europe/Berlin)', ...CODES.flatMap(row)]);
    expect(bare!.filter((cell) => CODES.includes(String(cell)))).not.toEqual(CODES);
  });
});

/** Values of cells in LibreOffice's XML: text, numbers, and times in ISO 8601. */
const cellsOf = (xml: string): (string | number)[] =>
  xml.match(/<table:table-cell[^>]*>\s*<text:p>[^<]*/g)!.map((cell) => {
    const number = /office:value="([^"]*)"/.exec(cell)?.[1];
    if (number !== undefined) return Number(number);
    return /office:date-value="([^"]*)"/.exec(cell)?.[1] ?? /<text:p>([^<]*)/.exec(cell)![1]!;
  });
