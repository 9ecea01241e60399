/**
 * The durable floor: the minimum cost of a request whose effect must be on disk before the response is sent. Appends a
 * record per request to a file and responds after the flush. Requests that arrive during a flush share the next flush.
 * Environment: PORT, FILE (truncated at start), RECORD_BYTES.
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { answer, serveBare } from './bare-server.ts';

const RECORD_BYTES = Number(process.env['RECORD_BYTES']);

const recordOf = (token: string): string => `${token.slice(0, RECORD_BYTES - 1).padEnd(RECORD_BYTES - 1)}\n`;

/** Runs in the worker thread: writes and flushes the records in each message, then acknowledges the message. */
function writeGroups(): void {
  const file = openSync(process.env['FILE']!, 'w');
  parentPort!.on('message', (records: string) => {
    writeSync(file, records, null, 'latin1');
    fdatasyncSync(file);
    parentPort!.postMessage(null);
  });
}

function serveDurably(): void {
  const writer = new Worker(new URL(import.meta.url));
  let flushing: ServerResponse[] = [];
  let waiting: ServerResponse[] = [];
  let records = '';

  const flush = (): void => {
    flushing = waiting;
    waiting = [];
    writer.postMessage(records);
    records = '';
  };
  writer.on('message', () => {
    const flushed = flushing;
    // Start the next flush before responding, so that both run concurrently.
    if (waiting.length > 0) flush();
    else flushing = [];
    for (const response of flushed) answer(response);
  });
  serveBare((response, token) => {
    waiting.push(response);
    records += recordOf(token);
    // Deferred, so that all requests that arrive in this turn of the event loop share the flush.
    if (flushing.length === 0 && waiting.length === 1) setImmediate(flush);
  });
}

if (isMainThread) serveDurably();
else writeGroups();
