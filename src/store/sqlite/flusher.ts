/**
 * Thread that flushes a growing file every few milliseconds (`flushOften` in `backup.ts`). A single flush at the end
 * would delay the flushes of redemptions.
 */
import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** With 25 ms between flushes, a flush of redemptions takes 50% longer. */
const PAUSE_MS = 5;

const descriptor = openSync(workerData as string, 'r+');
setInterval(() => {
  try {
    fdatasyncSync(descriptor);
  } catch {
    // Ignore the error, because the final flush fails too and reports it.
  }
}, PAUSE_MS);
