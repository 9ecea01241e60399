import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type IssuedClaim, issueClaims, MAX_ISSUE_COUNT } from '../../claims/creation/issue.ts';
import { exportClaims } from '../../claims/export/export.ts';
import { importClaims } from '../../claims/import/import.ts';
import { IMPORT_COLUMNS } from '../../claims/import/import-row.ts';
import { CLAIM_FILTERS, parseClaimFilter } from '../../claims/search/claim-filter.ts';
import { Refusal } from '../../platform/errors.ts';
import { signalExitCode } from '../../platform/process/failure.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../platform/text/record-writer.ts';
import { amountOf } from '../../platform/text/text.ts';
import { withBulkContext, withContext } from './context.ts';
import { addFields, fieldsOf, UsageError, wholeNumber } from './options.ts';
import type { CommonOptions, Io, Output } from './output.ts';
import { example } from './program.ts';
import { requireLocal } from './remote.ts';

interface IssueOptions extends CommonOptions {
  readonly offer: string;
  readonly count?: number;
  readonly via?: string;
  readonly claimant?: string;
  readonly replace?: boolean;
  readonly test?: boolean;
}

interface ExportOptions extends CommonOptions {
  readonly format: ExportFormat;
}

/** Bytes read from a file at a time. */
const READ_SIZE = 65_536;
const SOME_ROWS_BAD_EXIT_CODE = 1;
const STDIN = '-';

/** Adds the commands that process many claims on the local database. */
export function addBulkCommands(claims: Command, io: Io): void {
  registerIssue(claims, io);
  registerImport(claims, io);
  registerExport(claims, io);
}

function registerIssue(claims: Command, io: Io): void {
  example(
    claims
      .command('issue')
      .description('issue claims and print a JSON line with token, link and code for each')
      .requiredOption('--offer <id>', 'id of the offer')
      .option('--count <n>', 'how many (default: 1)', (text) => wholeNumber('--count', text, MAX_ISSUE_COUNT))
      .option('--via <label>', 'campaign label of the claims')
      .option('--claimant <ref>', 'your reference for the person, who gets one claim per offer')
      .option(
        '--replace',
        "with --claimant: replace the person's redeemed claim; the old claim stays redeemed",
      )
      .option('--test', 'issue test claims, which only test keys can verify; the offer can be in any state'),
    'claimcheck claims issue --offer 01934e2d-5678-7abc-8def-0123456789ab --count 1000 --via spring > tokens.ndjson',
    'claimcheck claims issue --offer 01934e2d-5678-7abc-8def-0123456789ab --claimant customer-4711',
  ).action(async (options: IssueOptions) => {
    const { offer: offerId, via = null, claimant, replace = false, count = 1 } = options;
    const mode = options.test === true ? 'test' : 'live';
    if (claimant !== undefined && count !== 1)
      throw new UsageError('--claimant issues one claim: leave out --count.');
    if (replace && claimant === undefined) throw new UsageError('--replace needs --claimant.');
    if (claimant !== undefined) {
      const body = { offer_id: offerId, claimant, mode, via: via ?? undefined };
      const { withOperator } = await import('./operator.ts');
      await withOperator(io, options, async (call, output) =>
        output.raw(toLine(await call(replace ? 'replaceClaim' : 'issueClaim', { body }))),
      );
      return;
    }
    requireLocal(io.target(), 'claimcheck claims issue without --claimant');
    await withBulkContext(io, options, (context, output) =>
      printIssued(io, output, issueClaims(context, { offerId, count, mode, via }), count),
    );
  });
}

/** A signal stops it between transactions, after all issued claims are printed; the last message counts them. */
async function printIssued(
  io: Io,
  output: Output,
  lists: AsyncIterable<readonly IssuedClaim[]>,
  count: number,
): Promise<void> {
  const progress = output.progress('Claims issued', count);
  const stop = io.stopSignal();
  let issued = 0;
  let written = 0;
  io.onLostOutput(() => {
    progress.end();
    return `${amountOf(issued, 'claim')} issued and at least ${amountOf(written, 'line')} written; the tokens of the other claims cannot be shown again.`;
  });
  try {
    for await (const list of lists) {
      issued += list.length;
      await output.raw(list.map(toLine).join(''));
      written += list.length;
      progress.update(issued);
      if (stop.aborted && issued < count) {
        progress.end();
        output.say(
          `Stopped by ${stop.reason}: ${amountOf(issued, 'claim')} issued and ${amountOf(written, 'line')} written; ${count} were requested.`,
        );
        io.setExitCode(signalExitCode(stop.reason));
        break;
      }
    }
  } catch (error) {
    progress.end();
    if (issued > 0) output.say(`Claims issued and printed before this failure: ${issued} of ${count}.`);
    throw error;
  }
  progress.end();
  io.onLostOutput(null);
}

const toLine = ({ token, link, code }: Pick<IssuedClaim, 'token' | 'link' | 'code'>): string =>
  `${JSON.stringify({ token, link, code })}\n`;

function registerImport(claims: Command, io: Io): void {
  example(
    claims
      .command('import')
      .description(
        `import claims from a CSV file with a header; separator: comma, semicolon or tab; columns: ${IMPORT_COLUMNS.join(', ')} (the first two are required)`,
      )
      .argument('<file>', `the file, or ${STDIN} for standard input`),
    'claimcheck claims import claims.csv',
  ).action((file: string, options: CommonOptions) =>
    withBulkContext(io, options, async (context, output) => {
      const input = file === STDIN ? io.stdin : await openFile(file);
      const progress = output.progress('Rows');
      let processed = 0;
      let result: Awaited<ReturnType<typeof importClaims>>;
      try {
        result = await importClaims(context, input as AsyncIterable<Uint8Array | string>, {
          bad: async (line, reason) => {
            progress.end();
            if (output.json) await output.record({ line, reason });
            else await sayLine(io, `Line ${line}: ${reason}`);
          },
          progress: (rows) => {
            processed = rows;
            progress.update(rows);
          },
        });
      } catch (error) {
        progress.end();
        if (processed > 0) output.say(`Rows processed: ${processed}. You can import the same file again.`);
        if (error instanceof Refusal) {
          throw new Error(`${file === STDIN ? 'Standard input' : file}: ${error.message}`, { cause: error });
        }
        throw error;
      }
      progress.end();
      if (output.json) await output.record({ ...result });
      output.say(
        `Imported ${amountOf(result.imported, 'claim')}; ${result.unchanged} already existed; ${amountOf(result.bad, 'row')} had errors.`,
      );
      if (result.bad > 0) io.setExitCode(SOME_ROWS_BAD_EXIT_CODE);
    }),
  );
}

/** Waits until the file is open, so that a missing file is reported immediately. */
async function openFile(path: string): Promise<AsyncIterable<Uint8Array | string>> {
  if ((await stat(path)).isDirectory()) throw new Error(`${path} is a folder; name a CSV file.`);
  const stream = createReadStream(path, { highWaterMark: READ_SIZE });
  await once(stream, 'open');
  return stream;
}

/**
 * Waits until the line is written, so that messages about many bad rows do not pile up in memory. If stderr is closed or
 * its disk is full, the import continues without messages.
 */
const sayLine = (io: Io, line: string): Promise<void> =>
  new Promise((resolve) => void io.stderr.write(`${line}\n`, () => resolve()));

function registerExport(claims: Command, io: Io): void {
  const command = claims
    .command('export')
    .description('print live claims as CSV or JSON lines, without their tokens')
    .addOption(
      new Option('--format <format>', 'csv, or ndjson: one JSON line per claim')
        .choices(EXPORT_FORMATS)
        .default('csv'),
    );
  addFields(command, CLAIM_FILTERS);
  example(
    command,
    'claimcheck claims export --listing photo-fix --state redeemed --claimed-from 2026-11-01 > claims.csv',
  ).action(async (options: ExportOptions, command: Command) => {
    const { listing = null, ...texts } = fieldsOf(command.opts(), CLAIM_FILTERS);
    if (listing === null && Object.keys(texts).length > 0) throw new UsageError('Filters need --listing.');
    await withContext(io, options, async (context, output) => {
      // `--json` overrides `--format`, because every command prints JSON lines with `--json`.
      const format = output.json ? 'ndjson' : options.format;
      const filter = parseClaimFilter(texts, context.marketplace.timeZone);
      const progress = output.progress('Claims exported');
      let exported = 0;
      for await (const page of exportClaims(context, { listing, filter, format })) {
        await output.raw(page.text);
        exported += page.claims;
        progress.update(exported);
      }
      progress.end();
    });
  });
}
