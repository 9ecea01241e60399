/**
 * A thread that keeps flushing a growing file in small parts (`flushOften` in `backup.ts`). A single flush at the end
 * would delay the flushes of redemptions.
 */
import { fdatasyncSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Pause between flushes. With pauses of 25 ms, a flush of redemptions takes 50% longer. */
const PAUSE_MS = 5;

const descriptor = openSync(workerData as string, 'r+');
setInterval(() => {
  try {
    fdatasyncSync(descriptor);
  } catch {
    // The final flush fails too and reports why.
  }
}, PAUSE_MS);
