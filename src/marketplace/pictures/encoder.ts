/**
 * Encodes or draws each picture in a separate child process, because the decoders are native code that reads untrusted
 * files. The child process can't access secrets or the database, a crash affects only one picture, and all memory is
 * freed on exit. At most one upload and one drawing are processed at a time.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { invalid, Refusal } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { siblingModule } from '../../platform/store/batch.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/text/durations.ts';
import type { EncodedFile } from './encode.ts';
import { damaged, type PictureKind, parseUpload, tooMuchMemory, tooSlow } from './picture.ts';

/** Maximum number of uploads in the queue, including the current one. Each upload is kept in memory. */
export const MAX_WAITING_PICTURES = 8;
/** Maximum number of drawings in the queue, including the current one. Uploads have a separate queue. */
export const MAX_WAITING_DRAWINGS = 8;
/** Time limit for one picture, including process start. Most take one or two seconds, longer on a busy machine. */
export const ENCODE_TIMEOUT_MS = MINUTE_MS;
/** Time limit for one drawing; most take half a second. */
const DRAW_TIMEOUT_MS = 15 * SECOND_MS;
/** Most pictures take 100 to 400 MB. A process that takes more is killed. Measured only on Linux. */
const MAX_MEMORY_BYTES = 800 * 1024 * 1024;
const MEMORY_CHECK_MS = 50;
/** Drawings use these fonts first, so that they look the same on every machine as far as possible. */
const FONTS = fileURLToPath(new URL('fonts/fonts.conf', import.meta.url));

/** Enough for an SVG with embedded icons. */
export const MAX_SVG_BYTES = 2 * 1024 * 1024;

export type EncoderRequest =
  | { readonly kind: PictureKind; readonly upload: Uint8Array }
  | { readonly svg: string; readonly fonts: readonly string[] };

/** `refusal`: the error for the user. `failure`: the error for the operator, such as a missing library. */
export type EncoderResponse<Result> =
  | { readonly result: Result }
  | { readonly refusal: string }
  | { readonly failure: string };

export interface PictureEncoder {
  /**
   * Throws `invalid_request` if the upload is rejected, and `unavailable` if the queue is full or the encoder can't
   * run. Must not be called in a transaction.
   */
  encode(kind: PictureKind, upload: Uint8Array): Promise<readonly EncodedFile[]>;
  /** Throws if drawing fails or the queue is full. `fonts`: more files than the build's (`system-fonts.ts`). */
  draw(svg: string, fonts?: readonly string[]): Promise<Uint8Array>;
  /** Kills the running processes. Pending calls throw `unavailable`. */
  close(): void;
}

interface EncoderOptions {
  readonly onFailure: (reason: string) => void;
  /** Overrides `ENCODE_TIMEOUT_MS` and `DRAW_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  readonly maxMemoryBytes?: number;
}

export function createPictureEncoder({
  onFailure,
  timeoutMs,
  maxMemoryBytes = MAX_MEMORY_BYTES,
}: EncoderOptions): PictureEncoder {
  const closing = new AbortController();
  const uploads = createQueue(MAX_WAITING_PICTURES, message('Many pictures are being processed.'));
  const drawings = createQueue(MAX_WAITING_DRAWINGS, message('Many pictures are being drawn.'));
  const ask = async <Result>(request: EncoderRequest, longestMs: number): Promise<Result> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs ?? longestMs)]);
    const outcome = await askProcess<Result>(request, signal, maxMemoryBytes);
    if ('result' in outcome) return outcome.result;
    if ('refusal' in outcome) throw invalid(outcome.refusal);
    if (closing.signal.aborted)
      throw new Refusal('unavailable', message('This process is shutting down. Try again.'));
    if ('isStopped' in outcome) throw tooSlow();
    if ('isTooLarge' in outcome) throw tooMuchMemory();
    if ('crash' in outcome) {
      onFailure(outcome.crash);
      throw damaged();
    }
    onFailure(outcome.failure);
    throw new Refusal(
      'unavailable',
      message('Pictures can’t be processed right now. Ask the operator, or try again later.'),
    );
  };
  return {
    encode: async (kind, upload) => {
      parseUpload(upload);
      return uploads(() => ask<readonly EncodedFile[]>({ kind, upload }, ENCODE_TIMEOUT_MS));
    },
    draw: async (svg, fonts = []) => {
      if (Buffer.byteLength(svg) > MAX_SVG_BYTES) throw tooSlow();
      return drawings(() => ask<Uint8Array>({ svg, fonts }, DRAW_TIMEOUT_MS));
    },
    close: () => closing.abort(),
  };
}

/** Runs one task at a time. Throws `unavailable` if the queue is full. */
function createQueue(longest: number, tooMany: Message): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= longest) {
      throw new Refusal(
        'unavailable',
        message('{many} Try again in a minute. Nothing was changed.', { many: tooMany }),
      );
    }
    waiting += 1;
    const mine = last.then(work);
    last = mine
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return await mine;
  };
}

/** `crash`: how the process exited without an answer. */
type Outcome<Result> =
  | EncoderResponse<Result>
  | { readonly isStopped: true }
  | { readonly isTooLarge: true }
  | { readonly crash: string };

/** Calls `onExceeded` if the process takes more memory. Returns a function that stops the checks. */
function watchMemory({ pid }: ChildProcess, maxBytes: number, onExceeded: () => void): () => void {
  const check = async (): Promise<void> => {
    // The file exists only on Linux, and only while the process runs.
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
    const kilobytes = Number(/^VmRSS:\s{1,9}(\d+) kB/m.exec(status)?.[1] ?? 0);
    if (kilobytes * 1024 > maxBytes) onExceeded();
  };
  const timer = setInterval(check, MEMORY_CHECK_MS);
  return () => clearInterval(timer);
}

async function askProcess<Result>(
  request: EncoderRequest,
  signal: AbortSignal,
  maxMemoryBytes: number,
): Promise<Outcome<Result>> {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'encoder-process')), {
    // Replaces the environment of the service, which contains the secret key and the database URL. On macOS, Pango
    // reads fonts with Fontconfig only if this is set.
    env: { FONTCONFIG_FILE: FONTS, PANGOCAIRO_BACKEND: 'fontconfig' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const pending = Promise.withResolvers<Outcome<Result>>();
  const ended = Promise.withResolvers<void>();
  const end = (outcome: Outcome<Result>): void =>
    pending.resolve(signal.aborted ? { isStopped: true } : outcome);
  child.once('message', (response: EncoderResponse<Result>) => pending.resolve(response));
  child.once('error', ({ message }) => end({ failure: message }));
  child.once('exit', (code, killedBy) => {
    end({ crash: `The process ended with ${killedBy ?? code}.` });
    ended.resolve();
  });
  // Ignores errors: if the process has already exited, the `exit` event reports it.
  child.send(request, () => {});
  const stopWatching = watchMemory(child, maxMemoryBytes, () => pending.resolve({ isTooLarge: true }));
  const outcome = await pending.promise;
  stopWatching();
  child.kill('SIGKILL');
  // If `pid` is undefined, the process failed to start and emits no `exit`.
  if (child.pid !== undefined) await ended.promise;
  return outcome;
}
