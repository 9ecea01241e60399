/** Worker thread of `exporter.ts`. Opens the database itself and, on Linux, runs at a lower priority. */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { DatabaseUnavailable } from '../../platform/store/database.ts';
import { createReaders } from '../../platform/store/open.ts';
import { exportSearch } from './export.ts';
import type { ExportFailure, ExportRequest, ThreadRequest } from './exporter.ts';

// Set the priority before opening a database, because the database's threads inherit it.
letOthersGoFirst();
const readers = createReaders();

parentPort!.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'close') {
    await readers.close();
    process.exit();
  }
  const text = textOf(request);
  // `pipeTo` aborts `writable` with the error, so the exporter receives it.
  await ReadableStream.from(text)
    .pipeTo(request.writable)
    .catch(() => {});
});

function letOthersGoFirst(): void {
  try {
    const threadId = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(threadId, Math.max(getPriority(threadId), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Only Linux can set the priority of a single thread.
  }
}

/** Yields empty pages too, so that a cancelled download is detected while no row matches. */
async function* textOf({ input, source }: ExportRequest): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  try {
    const db = await readers.open(source);
    const pages = exportSearch({ db }, input);
    // Limit concurrent pages. Otherwise, a page could time out while it waits for a connection, and the export would
    // fail as if the database were down.
    const nextPage = () => db.semaphore.run(() => pages.next());
    for (let page = await nextPage(); !page.done; page = await nextPage()) {
      yield encoder.encode(page.value.text);
    }
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const isUnavailable = cause instanceof DatabaseUnavailable;
    throw { error, isUnavailable } satisfies ExportFailure;
  }
}
