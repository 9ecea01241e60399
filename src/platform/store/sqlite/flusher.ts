/** Flushes a growing file every few milliseconds: one flush at the end would delay redemptions. */
import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Time between flushes. With 25 ms, a flush of redemptions would take 50% longer. */
const PAUSE_MS = 5;

const descriptor = openSync(workerData as string, 'r+');
setInterval(() => {
  try {
    fdatasyncSync(descriptor);
  } catch {
    // Ignore the error, because the final flush fails too and reports it.
  }
}, PAUSE_MS);
