/**
 * Output of commands: data on stdout, sentences on stderr. With `--json` the data is one JSON line per record,
 * otherwise it is formatted for a person.
 */

import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { EpochMs } from '../text/time-text.ts';
import type { Target } from './remote.ts';

/** An output stream of the process. */
interface OutputStream extends NodeJS.EventEmitter {
  /** Set when the stream is a terminal. */
  readonly isTTY?: boolean;
  /** `done` is called with the error if the text could not be written. */
  write(text: string, done?: (error?: Error | null) => void): boolean;
}

/** The parts of the process that a command uses. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The service that a command works on, if not the local database. */
  target(): Target;
  readonly now: () => EpochMs;
  readonly random: (bytes: number) => Uint8Array;
  /** Exit code of the process when the command succeeds; 0 unless set. */
  setExitCode(code: number): void;
  /**
   * After the first call, a SIGINT or SIGTERM aborts this signal instead of ending the process (the command finishes
   * its current step), and a second one ends the process immediately.
   */
  stopSignal(): AbortSignal;
  /**
   * If stdout can no longer be written, the process ends with a message that ends with the result of `words`. `null`:
   * nothing would be lost, so nothing is added to the message.
   */
  onLostOutput(words: (() => string) | null): void;
}

/** One column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
}

/** Columns that show the named members of a record, with the names as titles: `created` for `created_at`. */
export const columnsOf = <Name extends string>(
  ...names: readonly Name[]
): readonly Column<{ readonly [N in Name]: unknown }>[] =>
  names.map((name) => ({
    title: name.replace(/_at$/, '').replaceAll('_', ' '),
    value: ({ [name]: value }) => {
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      return Array.isArray(value) ? value.join(' ') : (value as string | number | null);
    },
  }));

/** Some members of a record. */
export const pick = <Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

export interface Output {
  readonly json: boolean;
  /** Writes one record of data; without `--json`, as lines with a name and a value. */
  record(record: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Writes records: JSON lines with `--json`, otherwise a table, or the sentence `empty` on stderr if `rows` is empty.
   */
  table<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty: string,
  ): Promise<void>;
  /** Writes data that is text already, unchanged. Resolves once the text is written. */
  raw(text: string): Promise<void>;
  /** A sentence for a person, on stderr. */
  say(sentence: string): void;
  /** Shows the progress of long work on stderr, if stderr is a terminal. */
  progress(label: string, total?: number): Progress;
}

export interface Progress {
  /** `done`: how much is done so far. */
  update(done: number): void;
  /** Removes the progress line. */
  end(): void;
}

/** Minimum time between two updates of the progress line. */
const PROGRESS_INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001b[2K';
const COLUMN_GAP = '  ';

/** Options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
}

export function createOutput(io: Io, options: CommonOptions): Output {
  const json = options.json === true;
  const raw = (text: string): Promise<void> =>
    new Promise((resolve) => {
      // On failure the stream's error ends the process, so this promise never settles.
      io.stdout.write(text, (error) => {
        if (!error) resolve();
      });
    });
  return {
    json,
    raw,
    record: (record) => raw(json ? `${JSON.stringify(record)}\n` : layOutRecord(record)),
    async table(rows, columns, empty) {
      if (json) {
        for (const row of rows) await raw(`${JSON.stringify(row)}\n`);
      } else if (rows.length === 0) {
        io.stderr.write(`${empty}\n`);
      } else {
        await raw(layOutTable(rows, columns));
      }
    },
    say(sentence) {
      io.stderr.write(`${sentence}\n`);
    },
    progress: (label, total) => startProgress(io, label, total),
  };
}

function layOutRecord(record: Readonly<Record<string, unknown>>): string {
  const width = Math.max(0, ...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}${COLUMN_GAP}${toText(value)}\n`)
    .join('');
}

/** Formats rows in columns as wide as their widest cell, without trailing blanks. */
export function layOutTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map((column) => column.title.toUpperCase()),
    ...rows.map((row) => columns.map((column) => toText(column.value(row)))),
  ];
  const widths = columns.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[at]!.length), 0),
  );
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join(COLUMN_GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return withoutControls(text);
}

/** Text from the database must not control the terminal. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

function startProgress(io: Io, label: string, total: number | undefined): Progress {
  if (io.stderr.isTTY !== true) return { update() {}, end() {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update(done) {
      const now = io.now();
      if (now - drawnAt < PROGRESS_INTERVAL_MS) return;
      drawnAt = now;
      const share = total === undefined ? '' : ` of ${group(total)} (${Math.floor((done / total) * 100)} %)`;
      io.stderr.write(`${ERASE_LINE}${label}: ${group(done)}${share}`);
    },
    end() {
      if (drawnAt > Number.NEGATIVE_INFINITY) io.stderr.write(ERASE_LINE);
    },
  };
}

const group = (count: number): string => count.toLocaleString('en-US');

/** One sentence on one line, beginning with a capital and ending with a full stop. */
export function asSentence(message: string): string {
  const line = withoutControls(
    message
      .replace(/^error: /, '')
      .replace(/\s*\n+\s*/g, ' ')
      .trim(),
  );
  if (line === '') return 'Something went wrong.';
  const text = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** Writes everything to the open `descriptor` of a file, or fails with an error. */
export function createFileOutput(descriptor: number): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      } catch (error) {
        done(error as Error);
        return;
      }
      done();
    },
  });
}
