/** Data goes to stdout, messages to stderr. With `--json`, each record is one line of JSON. */

import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { EpochMs } from '../../platform/text/time-text.ts';
import type { SettingsFile } from '../config/settings-file.ts';
import type { Target } from './remote.ts';

interface OutputStream extends NodeJS.EventEmitter {
  readonly isTTY?: boolean;
  /** Width of the terminal in characters. */
  readonly columns?: number;
  /** Calls `done` when the text is written, or with an error if writing failed. */
  write(text: string, done?: (error?: Error | null) => void): boolean;
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The service named by the command line or the environment. If neither names one, `url` and `key` are `null`. */
  target(): Target;
  /** `null`: no settings file was read. */
  settingsFile(): SettingsFile | null;
  readonly now: () => EpochMs;
  readonly random: (bytes: number) => Uint8Array;
  /** Sets the exit code for a command that does not throw. The default is 0. */
  setExitCode(code: number): void;
  /**
   * From this call on, the first SIGINT or SIGTERM aborts the returned `AbortSignal`, so that the command can finish
   * its current step. A second signal ends the process immediately.
   */
  stopSignal(): AbortSignal;
  /** Sets what the error message says about lost output if stdout fails. `null`: no output would be lost. */
  onLostOutput(words: (() => string) | null): void;
}

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
}

/** Titles are the names without `_at`, such as `created` for `created_at`. */
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

export interface Output {
  readonly json: boolean;
  /** With `--json`, writes the record as one line. Otherwise, writes a line with name and value for each member. */
  record(record: Readonly<Record<string, unknown>>): Promise<void>;
  /** `empty`: the sentence to write to stderr if there are no rows, unless `--json` is set. */
  table<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty: string,
  ): Promise<void>;
  /** Writes text unchanged. Resolves once it is written. */
  raw(text: string): Promise<void>;
  say(sentence: string): void;
  /** Shows progress on stderr if it is a terminal. */
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
      // On failure, the stream's `error` handler ends the process, so this promise never settles.
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
        await raw(layOutTable(rows, columns, io.stdout.isTTY ? io.stdout.columns : undefined));
      }
    },
    say(sentence) {
      io.stderr.write(`${sentence.split('\n').map(withoutControls).join('\n')}\n`);
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

/** `width`: the lines of the last column are broken so that the table has at most this many characters per line. */
export function layOutTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [
    columns.map((column) => column.title.toUpperCase()),
    ...rows.map((row) => columns.map((column) => toText(column.value(row)))),
  ];
  const widths = columns.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[at]!.length), 0),
  );
  const indent = widths.slice(0, -1).reduce((sum, each) => sum + each + COLUMN_GAP.length, 0);
  return lines
    .map((cells) => {
      const before = cells.slice(0, -1).map((cell, at) => cell.padEnd(widths[at]!) + COLUMN_GAP);
      const last = brokenAt(width - indent, cells.at(-1) ?? '');
      return `${(before.join('') + last.join(`\n${' '.repeat(indent)}`)).trimEnd()}\n`;
    })
    .join('');
}

/** Tables whose last column is narrower than this are left to the terminal. */
const MIN_BROKEN_WIDTH = 24;

/** Breaks lines between words. A word that is too long for a line stays in one piece. */
function brokenAt(width: number, text: string): readonly string[] {
  if (width < MIN_BROKEN_WIDTH || text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return withoutControls(text);
}

/** Replaces control characters, so that text from a database, file or service cannot control the terminal. */
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

/** Formats a message as one line that starts with a capital letter and ends with a full stop. */
export function asSentence(message: string): string {
  const line = withoutControls(
    message
      .replace(/^error: /, '')
      .split('\n')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(' '),
  );
  if (line === '') return 'Something went wrong.';
  const text = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** Writes synchronously and completes partial writes. */
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
