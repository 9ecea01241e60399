/**
 * The thread that flushes a growing file to disk again and again (`flushOften` in `backup.ts`), in small parts. One flush
 * of all of it at the end would hold up the flushes of redemptions.
 */
import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** With 25 a flush has so much to write that redemptions wait half as long again. */
const PAUSE_MS = 5;

const descriptor = openSync(workerData as string, 'r+');
setInterval(() => {
  try {
    fdatasyncSync(descriptor);
  } catch {
    // The flush at the end fails too, and says why.
  }
}, PAUSE_MS);
