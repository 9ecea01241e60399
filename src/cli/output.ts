/**
 * Data goes to stdout, sentences to stderr. With `--json`, data is one JSON line per record; otherwise it is for
 * people.
 */

import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { EpochMs } from '../text/time-text.ts';
import type { Target } from './remote.ts';

interface OutputStream extends NodeJS.EventEmitter {
  readonly isTTY?: boolean;
  /** `done` is called with the error if the text could not be written. */
  write(text: string, done?: (error?: Error | null) => void): boolean;
}

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
   * Once this has been called, the first SIGINT or SIGTERM aborts the returned `AbortSignal`, and the command
   * finishes its current step. A second one ends the process immediately.
   */
  stopSignal(): AbortSignal;
  /**
   * If stdout can no longer be written to, the process ends, and its message includes the result of `words`. `null`:
   * nothing would be lost.
   */
  onLostOutput(words: (() => string) | null): void;
}

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
}

/** Titles are the names, without `_at`: `created` for `created_at`. */
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

export const pick = <Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

export interface Output {
  readonly json: boolean;
  /** Writes one record of data; without `--json`, as lines with a name and a value. */
  record(record: Readonly<Record<string, unknown>>): Promise<void>;
  /** `empty`: the sentence to write to stderr if there are no rows, unless `--json` is set. */
  table<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty: string,
  ): Promise<void>;
  /** Writes data that is text already, unchanged. Resolves once the text is written. */
  raw(text: string): Promise<void>;
  say(sentence: string): void;
  /** On stderr, if it is a terminal. */
  progress(label: string, total?: number): Progress;
}

export interface Progress {
  update(done: number): void;
  end(): void;
}

const PROGRESS_INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001b[2K';
const COLUMN_GAP = '  ';

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

/** Writes everything, or fails. */
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
