/**
 * Exports for whoever downloads them, in a thread of their own (`export-thread.ts`): reading a hundred thousand claims and
 * making text of them takes a second or two of a processor, which verifications would wait for.
 */
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../../store/batch.ts';
import { DatabaseUnavailable } from '../../store/database.ts';
import type { DatabaseLocation } from '../../store/open.ts';
import type { OwnerExportInput } from './export-input.ts';

/** How long the thread is kept after the last export: who exports often does so within seconds. */
const REST_MS = 10_000;

export interface Exporter {
  /**
   * The text of `exportSearch` in UTF-8, once its beginning is there. It is read as it is downloaded, a few pages ahead,
   * and no further once it is cancelled. Throws what `exportSearch` throws, `DatabaseUnavailable` too; what fails later
   * fails the stream.
   */
  export(input: OwnerExportInput): Promise<ReadableStream<Uint8Array>>;
  /** Ends exports that are under way. */
  close(): Promise<void>;
}

/** Without a bound the thread's collector of garbage would rather take memory than work. */
const YOUNG_GENERATION_MB = 24;

/** What the thread is asked for. */
export type ThreadRequest =
  | {
      readonly kind: 'export';
      readonly input: OwnerExportInput;
      /** Aborted with an `ExportFailure`. */
      readonly writable: WritableStream<Uint8Array>;
    }
  | { readonly kind: 'close' };

/** An error on its way out of the thread, where it loses its class. */
export interface ExportFailure {
  readonly error: Error;
  readonly isUnavailable: boolean;
}

/** `restMs`: milliseconds after the last export until the thread ends. */
export function createExporter(location: DatabaseLocation, { restMs = REST_MS } = {}): Exporter {
  /** Also those that are about to end. */
  const threads = new Set<Exporter>();
  let thread: Exporter | null = null;
  const start = (): Exporter => {
    const started = startThread(location, restMs, {
      ending: () => {
        if (thread === started) thread = null;
      },
      ended: () => threads.delete(started),
    });
    threads.add(started);
    return started;
  };
  return {
    export: (input) => {
      thread ??= start();
      return thread.export(input);
    },
    close: async () => {
      await Promise.all([...threads].map((one) => one.close()));
    },
  };
}

/** Exports by one thread. It ends after a rest, or by a fault; from `ending` on it must not be asked again. */
function startThread(
  location: DatabaseLocation,
  restMs: number,
  tell: { readonly ending: () => void; readonly ended: () => void },
): Exporter {
  const workerData: DatabaseLocation = { databaseUrl: location.databaseUrl, dataDir: location.dataDir };
  const worker = new Worker(siblingModule(import.meta.url, 'export-thread'), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const underWay = new Set<Download>();
  let resting: NodeJS.Timeout | undefined;
  let isClosing = false;
  let failure: Error = new DatabaseUnavailable('The export thread has ended.');

  const ask = (request: ThreadRequest, transferred: readonly WritableStream[] = []) =>
    worker.postMessage(request, transferred);
  const close = async () => {
    if (!isClosing) {
      isClosing = true;
      tell.ending();
      clearTimeout(resting);
      ask({ kind: 'close' });
    }
    await exited;
  };
  worker.on('error', (error: Error) => {
    // A copy, so the class is told by its name.
    failure = toError({ error, isUnavailable: error.name === 'DatabaseUnavailable' });
  });
  worker.on('exit', () => {
    tell.ending();
    tell.ended();
    clearTimeout(resting);
    for (const download of underWay) download.fail(failure);
  });

  return {
    export: async (input) => {
      clearTimeout(resting);
      const download = openDownload(() => {
        underWay.delete(download);
        if (underWay.size === 0) resting = setTimeout(close, restMs).unref();
      });
      ask({ kind: 'export', input, writable: download.writable }, [download.writable]);
      underWay.add(download);
      await download.begun;
      return download.readable;
    },
    close,
  };
}

/** What the thread writes and somebody reads. */
interface Download {
  readonly writable: WritableStream<Uint8Array>;
  /**
   * Fails inside a read alone. If it failed between two, while the server waits for a slow reader, the server would write
   * the error into the answer and end it as if it were whole.
   */
  readonly readable: ReadableStream<Uint8Array>;
  /** Resolves once something was written, or all of nothing. Throws what ended it before. */
  readonly begun: Promise<void>;
  fail(error: Error): void;
}

/** `onEnd` is called when all was written, the thread has given up or nobody reads any more. */
function openDownload(onEnd: () => void): Download {
  const begun = Promise.withResolvers<void>();
  let controller!: TransformStreamDefaultController<Uint8Array>;
  const { writable, readable } = new TransformStream<Uint8Array, Uint8Array>(
    {
      start: (own) => {
        controller = own;
      },
      transform: (chunk) => {
        controller.enqueue(chunk);
        begun.resolve();
      },
      flush: () => {
        begun.resolve();
        onEnd();
      },
      cancel: (reason: unknown) => {
        onEnd();
        // Without a failure it is the reader who has left.
        const error = isFailure(reason) ? toError(reason) : new Error('The download was given up.');
        begun.reject(error);
        if (isFailure(reason)) throw cutOff(error);
      },
    },
    undefined,
    // Without it nothing would be written before somebody reads.
    { highWaterMark: 1 },
  );
  const fail = (error: Error) => {
    begun.reject(error);
    controller.error(cutOff(error));
  };
  return { writable, readable: ReadableStream.from(readable), begun: begun.promise, fail };
}

const isFailure = (reason: unknown): reason is ExportFailure =>
  typeof reason === 'object' && reason !== null && 'isUnavailable' in reason;

const toError = ({ error, isUnavailable }: ExportFailure): Error =>
  isUnavailable ? new DatabaseUnavailable(error.message, { cause: error }) : error;

/** For whoever reads: the message may go out, its cause may not. */
const cutOff = (cause: Error): Error => new Error('The export was cut off.', { cause });
