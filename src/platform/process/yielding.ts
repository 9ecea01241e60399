/**
 * Work for pages yields to the event loop. Each pass of the loop starts a few requests, renders one page, or encrypts
 * a part of a code list. Requests that start in the same pass share queries, such as the lookup of their sessions.
 * Cached responses are written in the same pass, because a write costs more if its client goes to sleep in between.
 * While verifications are running, each waiter is delayed by up to `MAX_HOLD_MS`, so that a verification doesn't wait
 * for a page at each of its round trips to PostgreSQL.
 */
const waiting: Waiter[] = [];

/** Returns whether the next waiter may be resumed in the same pass. */
type Waiter = () => boolean;

/** A pass resumes no further waiter after this time. */
const MAX_PASS_MS = 0.5;

/** Maximum delay of a waiter. Under a constant load of verifications, a hundred waiters are still resumed per second. */
const MAX_HOLD_MS = 10;

let verifications = 0;
let isResuming = false;
let held: NodeJS.Timeout | null = null;

export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    wait(() => {
      resolve();
      return false;
    });
  });

/** Calls `start` in a later pass, which calls may share. */
export const startLater = (start: () => void): void =>
  wait(() => {
    start();
    return true;
  });

function wait(resume: Waiter): void {
  if (waiting.push(resume) === 1 && !isResuming) schedule();
}

/** Delays waiters until the matching call of `endVerification`. */
export function beginVerification(): void {
  verifications += 1;
}

export function endVerification(): void {
  verifications -= 1;
  if (verifications > 0 || held === null) return;
  clearTimeout(held);
  held = null;
  setImmediate(resumeOne);
}

/** `setImmediate` within a `setImmediate` callback waits for the next pass of the loop, after polling for I/O. */
function schedule(): void {
  if (verifications === 0) setImmediate(resumeOne);
  else held = setTimeout(resumeOne, MAX_HOLD_MS);
}

function resumeOne(): void {
  held = null;
  const untilMs = performance.now() + MAX_PASS_MS;
  isResuming = true;
  try {
    while (waiting.shift()!() && waiting.length > 0 && performance.now() < untilMs);
  } finally {
    isResuming = false;
    if (waiting.length > 0) schedule();
  }
}
