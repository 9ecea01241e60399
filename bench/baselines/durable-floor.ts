/**
 * The durable floor: the least that a response costs if its effect must be on disk first. It is the bare server, but
 * appends a record for each request to a file and responds after the flush. One thread writes and flushes; all requests
 * that arrive during a flush share the next one. Environment: PORT, FILE (emptied first), RECORD_BYTES.
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { answer, serveBare } from './bare-server.ts';

const RECORD_BYTES = Number(process.env['RECORD_BYTES']);

const recordOf = (token: string): string => `${token.slice(0, RECORD_BYTES - 1).padEnd(RECORD_BYTES - 1)}\n`;

/** Runs in the writing thread: flushes the records of each message, then replies to it. */
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
    // The next group is started first, so that its flush runs while these responses are sent.
    if (waiting.length > 0) flush();
    else flushing = [];
    for (const response of flushed) answer(response);
  });
  serveBare((response, token) => {
    waiting.push(response);
    records += recordOf(token);
    // After the current turn of the event loop, so that all requests read in it share the flush.
    if (flushing.length === 0 && waiting.length === 1) setImmediate(flush);
  });
}

if (isMainThread) serveDurably();
else writeGroups();
