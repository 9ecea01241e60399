/** `claimcheck codes`: adds codes from a file, reports bad lines, and withdraws unclaimed codes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { shareDbLocation } from '../../support/shared.ts';
import { createOffer, record, run } from './support.ts';

describe('claimcheck codes', () => {
  const dbLocation = shareDbLocation('sqlite');
  let file: string;
  let offer: string;
  beforeEach(async () => {
    file = join(dbLocation.dataDir, 'codes.csv');
    offer = await createOffer(dbLocation.env, ['--code-list', 'close']);
  });

  test('adds codes in file order, skips duplicates and withdraws unclaimed codes', async () => {
    const codes = Array.from({ length: 2_500 }, (_, index) => `"CODE-${index}"`);
    codes.splice(1_500, 0, 'two words', 'a,b');
    writeFileSync(file, `\ufeffCode\r\n${codes.join('\r\n')}\r\n`);
    const added = await run(['codes', 'add', offer, file, '--json'], dbLocation.env);
    expect(added).toMatchObject({ code: 1, stderr: '' });
    expect(
      added.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1_502, reason: 'The code contains a space or an invisible character.' },
      { line: 1_503, reason: expect.stringContaining('Put one code on each line.') },
      { added: 2_500, left_out: 2, codes_left: 2_500 },
    ]);
    const again = await run(['codes', 'add', offer, file], dbLocation.env);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('and 2490 more): The list already has the code.\n');
    expect(again.stdout).toMatch(/^added +0\n/);
    expect(`${again.stdout}${again.stderr}`).not.toContain('CODE-0');
    const claim = ['claims', 'issue', '--offer', offer, '--claimant', 'bob'];
    expect(await record(claim, dbLocation.env)).toMatchObject({ code: 'CODE-0', link: null });

    writeFileSync(file, 'CODE-0\nCODE-1\n');
    const some = await run(['codes', 'withdraw', offer, file, '--json'], dbLocation.env);
    expect(some.code).toBe(1);
    expect(
      some.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1, reason: 'The code is not in the list or was already given to a claim.' },
      { withdrawn: 1, left_out: 1 },
    ]);
    const rest = await record(['codes', 'withdraw', offer], dbLocation.env);
    expect(rest).toEqual({ withdrawn: 2_498, left_out: 0 });
  });

  test('rejects a file that is too large before it is in memory', async () => {
    const sent = await run(['codes', 'add', offer, '/dev/zero'], dbLocation.env);
    expect(sent).toMatchObject({ code: 1, stdout: '' });
    expect(sent.stderr).toBe(
      'The file is larger than 20 MiB. An offer can have at most 100000 codes: keep only the column with the codes.\n',
    );
  });

  test('reads files that Excel saves as CSV or as Unicode text', async () => {
    const add = async (bytes: Uint8Array) => {
      writeFileSync(file, bytes);
      return await run(['codes', 'add', offer, file], dbLocation.env);
    };
    const latin = await add(Buffer.from('Gutschein für;\r\nGRÜN-1;\r\nGRÜN-2;\r\n', 'latin1'));
    expect(latin.stderr).toContain(
      'It was read as Windows-1252: check the letters of codes such as “GRÜN-1”.',
    );
    expect(latin.stdout).toMatch(/^added +2\n/);
    const unicode = await add(Buffer.from('\ufeffcode\r\nBLÅ-1\r\n', 'utf16le'));
    expect(unicode).toMatchObject({ code: 0, stderr: '' });
    expect(unicode.stdout).toMatch(/^added +1\n/);
  });

  test('prints no control characters or further lines from a file', async () => {
    const warning = async (text: string) => {
      writeFileSync(file, text);
      return (await run(['codes', 'add', offer, file], dbLocation.env)).stderr.split('\n', 1)[0];
    };
    expect(await warning('Your\u001b[Jpage\u009bJ\nA-1\nA-2\n')).toBe(
      'Warning: The first line, “Your\ufffd[Jpage\ufffdJ”, looks like a heading and is skipped.',
    );
    expect(await warning('"Your\npage"\nA-1\nA-2\n')).toBe(
      'Warning: The first line, “Your page”, looks like a heading and is skipped.',
    );
  });

  test('rejects a file that is empty, missing or not text', async () => {
    const sentence = async (bytes: Uint8Array | null) => {
      if (bytes !== null) writeFileSync(file, bytes);
      const { code, stdout, stderr } = await run(
        ['codes', 'add', offer, bytes === null ? `${file}.no` : file],
        dbLocation.env,
      );
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    expect(await sentence(Buffer.from('PK\x03\x04\x14\0\x06\0'))).toContain(
      'If it is a spreadsheet, save it as CSV',
    );
    expect(await sentence(Buffer.from('\n;\n'))).toBe('No codes found. Put one code on each line.\n');
    expect(await sentence(null)).toContain('codes.csv.no');
  });
});
