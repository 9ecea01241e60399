/** claimcheck codes … */
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { readLines, requireReadable } from '../claims/bulk/import-file.ts';
import { type CodeLine, MAX_CODES_OF_CALL, NO_CODES, readCodeLines } from '../offers/code.ts';
import { amountOf } from '../text/text.ts';
import { withOperator } from './operator.ts';
import type { CommonOptions, Io } from './output.ts';
import { example } from './program.ts';

const STDIN = '-';
const SOME_LINES_BAD_EXIT_CODE = 1;
/** Maximum bytes of codes in one call. The whole body may have at most 64 KiB. */
const MAX_PART_BYTES = 60_000;

export function registerCodes(program: Command, io: Io): void {
  const codes = program
    .command('codes')
    .description('add codes to the code list of an offer, and withdraw them');
  registerAdd(codes, io);
  registerWithdraw(codes, io);
}

function registerAdd(codes: Command, io: Io): void {
  example(
    codes
      .command('add')
      .description(
        'add codes to the code list of an offer, one per line; bad lines are left out and reported',
      )
      .argument('<offer-id>', 'id of the offer, as shown by "claimcheck offers list"')
      .argument('<file>', `a CSV or text file, or ${STDIN} for standard input`),
    'claimcheck codes add 01934e2d-5678-7abc-8def-0123456789ab codes.csv',
  ).action(async (id: string, file: string, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      const parts = await readParts(io, file);
      const progress = output.progress('Lines');
      const total = { added: 0, left_out: 0, codes_left: 0 };
      let sent = 0;
      try {
        for (const part of parts) {
          const body = { codes: part.codes.map(({ text }) => text) };
          const result = part.codes.length === 0 ? null : await call('addCodes', { path: { id }, body });
          const refused = (result?.left_out ?? []).map(({ line, reason }) => ({
            line: part.codes[line - 1]!.line,
            reason,
          }));
          const bad = [...part.bad, ...refused].sort((a, b) => a.line - b.line);
          progress.end();
          for (const { line, reason } of bad) {
            if (output.json) await output.record({ line, reason });
            else output.say(`Line ${line}: ${reason}`);
          }
          total.added += result?.added ?? 0;
          total.left_out += bad.length;
          total.codes_left = result?.codes_left ?? total.codes_left;
          sent += part.codes.length + part.bad.length;
          progress.update(sent);
        }
      } catch (error) {
        if (total.added > 0)
          output.say(`${amountOf(total.added, 'code')} added. You can add the same file again.`);
        throw error;
      } finally {
        progress.end();
      }
      await output.record(total);
      if (total.left_out > 0) io.setExitCode(SOME_LINES_BAD_EXIT_CODE);
    });
  });
}

function registerWithdraw(codes: Command, io: Io): void {
  example(
    codes
      .command('withdraw')
      .description('delete unclaimed codes of an offer: those in a file, or all of them')
      .argument('<offer-id>', 'id of the offer, as shown by "claimcheck offers list"')
      .argument('[file]', `a CSV or text file, or ${STDIN} for standard input; without it, all codes`),
    'claimcheck codes withdraw 01934e2d-5678-7abc-8def-0123456789ab',
  ).action(async (id: string, file: string | undefined, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      const parts = file === undefined ? [null] : await readParts(io, file);
      const total = { withdrawn: 0, left_out: 0 };
      for (const part of parts) {
        const body = part === null ? {} : { codes: part.codes.map(({ text }) => text) };
        const result = part?.codes.length === 0 ? null : await call('withdrawCodes', { path: { id }, body });
        total.withdrawn += result?.withdrawn ?? 0;
        total.left_out += (result?.left_out.length ?? 0) + (part?.bad.length ?? 0);
      }
      await output.record(total);
      if (total.left_out > 0) io.setExitCode(SOME_LINES_BAD_EXIT_CODE);
    });
  });
}

async function readParts(io: Io, file: string): Promise<readonly Part[]> {
  const input = file === STDIN ? (io.stdin as AsyncIterable<Uint8Array>) : createReadStream(file);
  const texts: string[] = [];
  for await (const lines of readLines(input)) texts.push(...lines.map(requireReadable));
  return partsOf(readCodeLines(texts.join('\n')));
}

interface Part {
  readonly codes: { readonly line: number; readonly text: string }[];
  readonly bad: { readonly line: number; readonly reason: string }[];
}

/** Each part fits into one call. */
function partsOf(lines: readonly CodeLine[]): readonly Part[] {
  if (lines.length === 0) throw new Error(String(NO_CODES));
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
    else part.bad.push({ line, reason: String(problem) });
  }
  return parts;
}
