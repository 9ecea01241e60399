/** Exports run in a worker thread, because 100,000 claims take one or two seconds of CPU time. */
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../../platform/store/batch.ts';
import {
  type DatabaseReader,
  DatabaseUnavailable,
  type ReaderSource,
} from '../../platform/store/database.ts';
import type { OwnerExportInput } from './export.ts';

/** How long an idle thread is kept. Exports often follow each other within seconds. */
const REST_MS = 10_000;

export interface Exporter {
  /**
   * Resolves to a UTF-8 stream once the first page is ready. An earlier error, such as `DatabaseUnavailable`, rejects
   * the promise. A later error fails the stream. Cancelling the stream stops the export.
   */
  export(input: OwnerExportInput, from: Pick<DatabaseReader, 'source'>): Promise<ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** Limit for the heap's young generation. Without this limit, the heap would grow instead of being collected. */
const YOUNG_GENERATION_MB = 24;

export type ThreadRequest = ExportRequest | { readonly kind: 'close' };

export interface ExportRequest {
  readonly kind: 'export';
  readonly input: OwnerExportInput;
  readonly source: ReaderSource;
  /** If the export fails, the thread aborts this stream with an `ExportFailure`. */
  readonly writable: WritableStream<Uint8Array>;
}

/** An error from the thread. `isUnavailable`: a `DatabaseUnavailable`. Structured cloning drops the error's class. */
export interface ExportFailure {
  readonly error: Error;
  readonly isUnavailable: boolean;
}

type ExportThread = ReturnType<typeof startThread>;

export function createExporter({ restMs = REST_MS } = {}): Exporter {
  const threads = new Set<ExportThread>();
  let thread: ExportThread | null = null;
  const start = (): ExportThread => {
    const started = startThread(restMs, {
      ending: () => {
        if (thread === started) thread = null;
      },
      ended: () => threads.delete(started),
    });
    threads.add(started);
    return started;
  };
  return {
    export: async (input, from) => {
      const source = await from.source();
      thread ??= start();
      return await thread.export(input, source);
    },
    close: async () => {
      await Promise.all([...threads].map((one) => one.close()));
    },
  };
}

/** The thread exits when idle or after an error. After `ending` is called, the thread accepts no more requests. */
function startThread(restMs: number, listener: { readonly ending: () => void; readonly ended: () => void }) {
  const worker = new Worker(siblingModule(import.meta.url, 'export-thread'), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const underWay = new Set<Download>();
  let resting: NodeJS.Timeout | undefined;
  let isClosing = false;
  let failure: Error = new DatabaseUnavailable('The export thread has ended.');

  const close = async (): Promise<void> => {
    if (!isClosing) {
      isClosing = true;
      listener.ending();
      clearTimeout(resting);
      worker.postMessage({ kind: 'close' } satisfies ThreadRequest);
    }
    await exited;
  };
  worker.on('error', (error: Error) => {
    // Structured cloning drops the error's class, so compare its name.
    failure = toError({ error, isUnavailable: error.name === 'DatabaseUnavailable' });
  });
  worker.on('exit', () => {
    listener.ending();
    listener.ended();
    clearTimeout(resting);
    for (const download of underWay) download.fail(failure);
  });

  return {
    export: async (input: OwnerExportInput, source: ReaderSource): Promise<ReadableStream<Uint8Array>> => {
      clearTimeout(resting);
      const download = openDownload(() => {
        underWay.delete(download);
        if (underWay.size === 0) resting = setTimeout(close, restMs).unref();
      });
      const { writable } = download;
      const request: ThreadRequest = { kind: 'export', input, source, writable };
      worker.postMessage(request, [writable]);
      underWay.add(download);
      await download.begun;
      return download.readable;
    },
    close,
  };
}

interface Download {
  readonly writable: WritableStream<Uint8Array>;
  /** Fails only during a read: between reads, the server would end the response as if it were complete. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Resolves on the first output or at the end of an empty export; rejects on an earlier error. */
  readonly begun: Promise<void>;
  fail(error: Error): void;
}

/** `onEnd`: called when the export completes, fails or is cancelled. */
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
        // The thread aborts with an `ExportFailure`. Any other reason means that the download was cancelled.
        const error = isFailure(reason) ? toError(reason) : new Error('The download was cancelled.');
        begun.reject(error);
        if (isFailure(reason)) throw cutOff(error);
      },
    },
    undefined,
    // With the default of 0, nothing would be written before the first read, so `begun` would never resolve.
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

/** The error of the download. Users may see its message, but not its cause. */
const cutOff = (cause: Error): Error => new Error('The export was cut off.', { cause });
