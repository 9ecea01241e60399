import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import {
  type CodeLine,
  MAX_CODES_OF_CALL,
  MAX_CODES_OF_OFFER,
  NO_CODES,
  NOT_TEXT,
} from '../../marketplace/offers/code.ts';
import { decodeCodeFile, readCodeFile } from '../../marketplace/offers/code-file.ts';
import { groupByReason } from '../../marketplace/offers/codes.ts';
import { amountOf, sizeText } from '../../platform/text/text.ts';
import { withOperator } from './operator.ts';
import { asSentence, type CommonOptions, type Io, type Output } from './output.ts';
import { example } from './program.ts';

const STDIN = '-';
const SOME_LINES_BAD_EXIT_CODE = 1;
/** Maximum bytes of codes per call. The request body is limited to 64 KiB. */
const MAX_PART_BYTES = 60_000;
/** Enough for a full list of the longest codes. The complete file is kept in memory. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Number of line numbers to print for each reason. */
const NAMED_LINES = 10;

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
  ).action((id: string, file: string, options: CommonOptions) =>
    withOperator(io, options, async (call, output) => {
      // `codes_left` stays unset if all lines are bad, because no call is made.
      const total: Record<'added' | 'left_out', number> & { codes_left?: number } = { added: 0, left_out: 0 };
      try {
        total.left_out = await sendParts(io, output, file, async (codes) => {
          const { added, left_out, codes_left } = await call('addCodes', { path: { id }, body: { codes } });
          total.added += added;
          total.codes_left = codes_left;
          return left_out;
        });
      } catch (error) {
        if (total.added > 0)
          output.say(`${amountOf(total.added, 'code')} added. You can add the same file again.`);
        throw error;
      }
      await output.record(total);
    }),
  );
}

function registerWithdraw(codes: Command, io: Io): void {
  example(
    codes
      .command('withdraw')
      .description('delete unclaimed codes of an offer: those in a file, or all of them')
      .argument('<offer-id>', 'id of the offer, as shown by "claimcheck offers list"')
      .argument('[file]', `a CSV or text file, or ${STDIN} for standard input (default: all codes)`),
    'claimcheck codes withdraw 01934e2d-5678-7abc-8def-0123456789ab',
  ).action((id: string, file: string | undefined, options: CommonOptions) =>
    withOperator(io, options, async (call, output) => {
      const total = { withdrawn: 0, left_out: 0 };
      const withdraw = async (body: { readonly codes?: string[] }) => {
        const { withdrawn, left_out } = await call('withdrawCodes', { path: { id }, body });
        total.withdrawn += withdrawn;
        return left_out;
      };
      if (file === undefined) await withdraw({});
      else total.left_out = await sendParts(io, output, file, (codes) => withdraw({ codes }));
      await output.record(total);
    }),
  );
}

interface LeftOut {
  readonly line: number;
  readonly reason: string;
}

/** Sends the file in parts, prints the rejected lines, and returns how many. `send` returns the rejected codes. */
async function sendParts(
  io: Io,
  output: Output,
  file: string,
  send: (codes: string[]) => Promise<readonly LeftOut[]>,
): Promise<number> {
  const parts = await readParts(io, output, file);
  const progress = output.progress('Lines');
  const leftOutLines: LeftOut[] = [];
  let leftOut = 0;
  let sent = 0;
  try {
    for (const { codes, bad } of parts) {
      const refused = codes.length === 0 ? [] : await send(codes.map(({ text }) => text));
      const lines = refused.map(({ line, reason }) => ({ line: codes[line - 1]!.line, reason }));
      progress.end();
      leftOutLines.push(...[...bad, ...lines].sort((a, b) => a.line - b.line));
      leftOut += bad.length + refused.length;
      sent += codes.length + bad.length;
      progress.update(sent);
    }
  } finally {
    progress.end();
    await reportLeftOut(output, leftOutLines);
  }
  if (leftOut > 0) io.setExitCode(SOME_LINES_BAD_EXIT_CODE);
  return leftOut;
}

/** Prints each reason once, with the lines that it concerns. */
async function reportLeftOut(output: Output, lines: readonly LeftOut[]): Promise<void> {
  if (output.json) {
    for (const { line, reason } of lines) await output.record({ line, reason });
    return;
  }
  for (const { reason, lines: numbers } of groupByReason(lines, ({ reason }) => reason)) {
    output.say(`${linesText(numbers)}: ${reason}`);
  }
}

function linesText(lines: readonly number[]): string {
  const [first, ...rest] = lines;
  if (rest.length === 0) return `Line ${first}`;
  const more = lines.length - NAMED_LINES;
  return `${lines.length} lines (${lines.slice(0, NAMED_LINES).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Warns about everything that the reader assumes. Throws if the lines have several columns and none is named. */
async function readParts(io: Io, output: Output, file: string): Promise<readonly Part[]> {
  const input = file === STDIN ? (io.stdin as AsyncIterable<Uint8Array>) : createReadStream(file);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > MAX_FILE_BYTES) {
      throw new Error(
        `The file is larger than ${sizeText(MAX_FILE_BYTES)}. An offer can have at most ${MAX_CODES_OF_OFFER} codes: keep only the column with the codes.`,
      );
    }
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  }
  const decoded = decodeCodeFile(Buffer.concat(pieces));
  if (decoded === null) throw new Error(String(NOT_TEXT));
  const { lines, plan } = readCodeFile(decoded);
  if (plan.layout.columns > 1 && !plan.hasCodeHeading) {
    throw new Error(
      `The file has ${plan.layout.columns} columns. Name the column with the codes "code" in the first line, or keep only that column.`,
    );
  }
  for (const doubt of plan.doubts) output.say(asSentence(`Warning: ${String(doubt)}`));
  return partsOf(lines);
}

interface Part {
  readonly codes: { readonly line: number; readonly text: string }[];
  readonly bad: LeftOut[];
}

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
