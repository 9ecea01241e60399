/**
 * Work for pages yields to the event loop. Each pass of the loop resumes one waiter: it starts one request, renders
 * one page, or encrypts a part of a code list. While verifications are running, each waiter is delayed by up to
 * `MAX_HOLD_MS`, so that a verification doesn't wait for a page at each of its round trips to PostgreSQL.
 */
const waiting: (() => void)[] = [];

/** Maximum delay of a waiter. Under a constant load of verifications, a hundred waiters are still resumed per second. */
const MAX_HOLD_MS = 10;

let verifications = 0;
let held: NodeJS.Timeout | null = null;

export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) schedule();
  });

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
  waiting.shift()!();
  if (waiting.length > 0) schedule();
}
