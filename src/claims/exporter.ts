/**
 * Exports for whoever downloads them, in a thread of their own (`export-thread.ts`): reading a hundred thousand claims and
 * making text of them takes a second or two of a processor, which verifications would wait for.
 */
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../store/batch.ts';
import { DatabaseUnavailable } from '../store/database.ts';
import type { DatabaseLocation } from '../store/open.ts';
import type { OwnerExportInput } from './export-input.ts';

/** How long the thread is kept after the last export: who exports often does so within seconds. */
const REST_MS = 10_000;

export interface Exporter {
  /**
   * The text of `exportSearch` in UTF-8, once its beginning is there. It is read as it is downloaded, and no further once
   * it is cancelled. Throws `DatabaseUnavailable`; what fails later fails the stream.
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

/** An error on its way out of the thread, where errors lose their class. */
export interface ExportFailure {
  readonly message: string;
  readonly isUnavailable: boolean;
}

/** `restMs`: milliseconds after the last export until the thread ends. */
export function createExporter(location: DatabaseLocation, { restMs = REST_MS } = {}): Exporter {
  let thread: Exporter | null = null;
  const forget = (ending: Exporter) => {
    if (thread === ending) thread = null;
  };
  return {
    export: (input) => {
      thread ??= startThread(location, restMs, forget);
      return thread.export(input);
    },
    close: async () => {
      await thread?.close();
    },
  };
}

/** Exports by one thread. It ends after a rest, or by a fault; `onEnding` is called when it must not be asked again. */
function startThread(
  location: DatabaseLocation,
  restMs: number,
  onEnding: (ending: Exporter) => void,
): Exporter {
  const workerData: DatabaseLocation = { databaseUrl: location.databaseUrl, dataDir: location.dataDir };
  const worker = new Worker(siblingModule(import.meta.url, 'export-thread'), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const underWay = new Set<Download>();
  let resting: NodeJS.Timeout | undefined;
  let failure = new DatabaseUnavailable('The export thread has ended.');

  const ask = (request: ThreadRequest, transferred: readonly WritableStream[] = []) =>
    worker.postMessage(request, transferred);
  const close = async () => {
    onEnding(exporter);
    clearTimeout(resting);
    ask({ kind: 'close' });
    await exited;
  };
  worker.on('error', (error: Error) => {
    failure = new DatabaseUnavailable(`The export thread has ended: ${error.message}`, { cause: error });
  });
  worker.on('exit', () => {
    onEnding(exporter);
    clearTimeout(resting);
    for (const download of underWay) download.fail(failure);
  });

  const exporter: Exporter = {
    export: async (input) => {
      clearTimeout(resting);
      const download = openDownload(() => {
        underWay.delete(download);
        if (underWay.size === 0) resting = setTimeout(close, restMs).unref();
      });
      underWay.add(download);
      ask({ kind: 'export', input, writable: download.writable }, [download.writable]);
      await download.begun;
      return download.readable;
    },
    close,
  };
  return exporter;
}

/** What the thread writes and somebody reads. */
interface Download {
  readonly writable: WritableStream<Uint8Array>;
  readonly readable: ReadableStream<Uint8Array>;
  /** Resolves once something was written, or all of nothing. Throws what `readable` fails with before that. */
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
        if (!isFailure(reason)) return;
        const error = toError(reason);
        begun.reject(error);
        // Instead of the reason, for whoever reads.
        throw error;
      },
    },
    undefined,
    // Without it nothing would be written before somebody reads.
    { highWaterMark: 1 },
  );
  const fail = (error: Error) => {
    begun.reject(error);
    controller.error(error);
  };
  return { writable, readable, begun: begun.promise, fail };
}

const isFailure = (reason: unknown): reason is ExportFailure =>
  typeof reason === 'object' && reason !== null && 'isUnavailable' in reason;

const toError = ({ message, isUnavailable }: ExportFailure): Error =>
  isUnavailable ? new DatabaseUnavailable(message) : new Error(message);
