/**
 * Encodes pictures in a process of their own, one at a time. Its decoders are native code that reads files of strangers:
 * there they have no secret, no database and no connection, a crash refuses one picture, and the memory is given back.
 * Loading them would take the service a third of a second and 20 MB even where nobody uploads anything.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { invalid, Refusal } from '../errors.ts';
import { siblingModule } from '../store/batch.ts';
import { MINUTE_MS } from '../text/durations.ts';
import type { EncodedFile } from './encode.ts';
import { damaged, type PictureKind, parseUpload, tooSlow } from './picture.ts';

/** Pictures that are encoded or wait; each takes the bytes of its upload. */
export const MAX_WAITING_PICTURES = 8;
/** Of one picture, with the start of the process. Most take a second or two, on a machine that is busy several. */
const ENCODE_TIMEOUT_MS = MINUTE_MS;

export interface EncoderRequest {
  readonly kind: PictureKind;
  readonly upload: Uint8Array;
}

/** `refusal`: a sentence for the person. `failure`: a reason for the operator, such as a missing library. */
export type EncoderAnswer =
  | { readonly files: readonly EncodedFile[] }
  | { readonly refusal: string }
  | { readonly failure: string };

export interface PictureEncoder {
  /**
   * The files of a picture, without anything that the upload holds besides its pixels. Throws a refusal: code
   * `invalid_request` with what is wrong with the upload, or `unavailable`. Call it outside of transactions.
   */
  encode(kind: PictureKind, upload: Uint8Array): Promise<readonly EncodedFile[]>;
  /** Ends the process under way; the picture is refused. */
  close(): void;
}

export interface EncoderOptions {
  /** Called with a reason for the log. */
  readonly onFailure: (reason: string) => void;
  /** `ENCODE_TIMEOUT_MS` by default. */
  readonly timeoutMs?: number;
}

export function createPictureEncoder(options: EncoderOptions): PictureEncoder {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    encode: async (kind, upload) => {
      parseUpload(upload);
      if (waiting >= MAX_WAITING_PICTURES) {
        throw new Refusal(
          'unavailable',
          'Many pictures are being processed. Try again in a minute. Nothing was changed.',
        );
      }
      waiting += 1;
      const mine = last.then(() => encodeInProcess({ kind, upload }, options, closing.signal));
      last = mine
        .catch(() => {})
        .finally(() => {
          waiting -= 1;
        });
      return await mine;
    },
    close: () => closing.abort(),
  };
}

async function encodeInProcess(
  request: EncoderRequest,
  { onFailure, timeoutMs = ENCODE_TIMEOUT_MS }: EncoderOptions,
  closing: AbortSignal,
): Promise<readonly EncodedFile[]> {
  const outcome = await ask(request, AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]));
  if ('files' in outcome) return outcome.files;
  if ('refusal' in outcome) throw invalid(outcome.refusal);
  if (closing.aborted) throw new Refusal('unavailable', 'This process is shutting down. Try again.');
  if ('isStopped' in outcome) throw tooSlow();
  if ('crash' in outcome) {
    onFailure(outcome.crash);
    throw damaged();
  }
  onFailure(outcome.failure);
  throw new Refusal('unavailable', 'Pictures cannot be processed right now; the log says why.');
}

/** `crash`: how the process ended without an answer. */
type Outcome = EncoderAnswer | { readonly isStopped: true } | { readonly crash: string };

async function ask(request: EncoderRequest, signal: AbortSignal): Promise<Outcome> {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'encoder-process')), {
    // No secret key, no database URL.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const answered = Promise.withResolvers<Outcome>();
  const ended = Promise.withResolvers<void>();
  const end = (outcome: Outcome): void => answered.resolve(signal.aborted ? { isStopped: true } : outcome);
  child.once('message', (answer: EncoderAnswer) => answered.resolve(answer));
  child.once('error', ({ message }) => end({ failure: message }));
  child.once('exit', (code, killedBy) => {
    end({ crash: `The process ended with ${killedBy ?? code}.` });
    ended.resolve();
  });
  // If the process has ended already, `exit` says so.
  child.send(request, () => {});
  const outcome = await answered.promise;
  child.kill('SIGKILL');
  // Without an ID it never started.
  if (child.pid !== undefined) await ended.promise;
  return outcome;
}
