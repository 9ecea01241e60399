/** claimcheck codes … */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type CodeLine, MAX_CODES_OF_CALL, readCodeLines } from '../offers/code.ts';
import { amountOf } from '../text/text.ts';
import { withOperator } from './operator.ts';
import type { CommonOptions, Io } from './output.ts';
import { example } from './program.ts';

const STDIN = '-';
const SOME_LINES_BAD_EXIT_CODE = 1;
/** Bytes of the codes of one call, which may have 64 KiB with the rest of its body. */
const MAX_PART_BYTES = 60_000;

export function registerCodes(program: Command, io: Io): void {
  const codes = program.command('codes').description('add codes to the list of an offer, and withdraw them');

  example(
    codes
      .command('add')
      .description('add codes to the list of an offer: one on each line; bad lines are named and left out')
      .argument('<offer-id>', 'as offers list shows it')
      .argument('<file>', `a CSV or text file, or ${STDIN} for standard input`),
    'claimcheck codes add 01934e2d-5678-7abc-8def-0123456789ab codes.csv',
  ).action(async (id: string, file: string, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      const parts = partsOf(await readLines(io, file));
      const progress = output.progress('Lines');
      let added = 0;
      let sent = 0;
      let leftOut = 0;
      let left = 0;
      try {
        for (const part of parts) {
          const body = { codes: part.codes.map(({ text }) => text) };
          const result = part.codes.length === 0 ? null : await call('addCodes', { path: { id }, body });
          const refused = result?.left_out.map(({ line, reason }) => ({
            line: part.codes[line - 1]!.line,
            reason,
          }));
          progress.end();
          for (const { line, reason } of [...part.bad, ...(refused ?? [])].sort((a, b) => a.line - b.line)) {
            leftOut += 1;
            if (output.json) await output.record({ line, reason });
            else output.say(`Line ${line}: ${reason}`);
          }
          added += result?.added ?? 0;
          left = result?.codes_left ?? left;
          sent += part.codes.length + part.bad.length;
          progress.update(sent);
        }
      } catch (error) {
        if (added > 0)
          output.say(
            `${amountOf(added, 'code')} added before this failure; the same file can be added again.`,
          );
        throw error;
      } finally {
        progress.end();
      }
      await output.record({ added, left_out: leftOut, codes_left: left });
      if (leftOut > 0) io.setExitCode(SOME_LINES_BAD_EXIT_CODE);
    });
  });

  example(
    codes
      .command('withdraw')
      .description('delete codes of an offer that no claim has: those in a file, or all that are left')
      .argument('<offer-id>', 'as offers list shows it')
      .argument(
        '[file]',
        `a CSV or text file with the codes, or ${STDIN} for standard input; without it, all`,
      ),
    'claimcheck codes withdraw 01934e2d-5678-7abc-8def-0123456789ab',
  ).action(async (id: string, file: string | undefined, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      const parts = file === undefined ? null : partsOf(await readLines(io, file));
      let withdrawn = 0;
      let leftOut = 0;
      for (const part of parts ?? [null]) {
        const body = part === null ? {} : { codes: part.codes.map(({ text }) => text) };
        const result = part?.codes.length === 0 ? null : await call('withdrawCodes', { path: { id }, body });
        withdrawn += result?.withdrawn ?? 0;
        leftOut += (result?.left_out.length ?? 0) + (part?.bad.length ?? 0);
      }
      await output.record({ withdrawn, left_out: leftOut });
      if (leftOut > 0) io.setExitCode(SOME_LINES_BAD_EXIT_CODE);
    });
  });
}

/** Throws an error with a sentence where it is no text. */
async function readLines(io: Io, file: string): Promise<readonly CodeLine[]> {
  const bytes = await buffer(file === STDIN ? io.stdin : createReadStream(file));
  try {
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return readCodeLines(new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error('The file is not UTF-8. In Excel, save it as “CSV UTF-8”.', { cause });
  }
}

interface Part {
  readonly codes: { readonly line: number; readonly text: string }[];
  readonly bad: { readonly line: number; readonly reason: string }[];
}

/** Each part fits into one call. */
function partsOf(lines: readonly CodeLine[]): readonly Part[] {
  if (lines.length === 0) throw new Error('There are no codes in it. Put one code on each line.');
  const parts: Part[] = [];
  let bytes = 0;
  for (const { line, text, problem } of lines) {
    const size = Buffer.byteLength(JSON.stringify(text)) + 1;
    let part = parts.at(-1);
    if (part === undefined || part.codes.length === MAX_CODES_OF_CALL || bytes + size > MAX_PART_BYTES) {
      part = { codes: [], bad: [] };
      parts.push(part);
      bytes = 0;
    }
    bytes += size;
    if (problem === undefined) part.codes.push({ line, text });
    else part.bad.push({ line, reason: problem });
  }
  return parts;
}
