/** LibreOffice must not read any value in a CSV file as a formula. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { csvHeader, csvRows } from '../../src/text/csv.ts';

const isThere = spawnSync('soffice', ['--version']).status === 0;
if (!isThere) console.warn('LibreOffice (soffice) is not installed; skipping the spreadsheet tests.');

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

/** Converts CSV files to LibreOffice's flat XML. `separator` is a character code. */
function open(separator: number, names: readonly string[]): string[] {
  // The last value, `true`, makes LibreOffice evaluate formulas
  // (wiki.documentfoundation.org/Documentation/DevGuide/Spreadsheet_Documents).
  const filter = `CSV:${separator},34,UTF8,1,,0,false,true,false,false,false,0,true`;
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
    ['commas', 44],
    ['semicolons', 59],
  ])('contain no formulas if cells are separated by %s', (_, separator) => {
    const records = [...HOSTILE, ...HARMLESS].map((value, number) => ({ number, value, last: 'end' }));
    writeFileSync(
      join(folder, 'ours.csv'),
      csvHeader(['number', 'value', 'last']) + csvRows(records, ['number', 'value', 'last']),
    );
    // Control: without escaping, LibreOffice finds a formula.
    writeFileSync(join(folder, 'raw.csv'), '1;=1+1\n1,=1+1\n');
    const [ours, raw] = open(separator, ['ours.csv', 'raw.csv']);
    expect(raw).toContain('table:formula');
    expect(ours).not.toContain('table:formula');
    expect(ours).toContain('Grüße');
    expect(ours).toContain('-promo');
  });
});
