/**
 * Turns in the event loop. Each pass of the loop begins one request or renders one page. While verifications are
 * running, turns are delayed for up to `MAX_HOLD_MS`. Otherwise, a verification on PostgreSQL would wait for a page at
 * each of its round trips.
 */
const waiting: (() => void)[] = [];

/** The longest that verifications delay a turn. Under constant load pages still get a hundred turns per second. */
const MAX_HOLD_MS = 10;

let verifications = 0;
let held: NodeJS.Timeout | null = null;

export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) schedule();
  });

/** Delays turns until `endVerification`, which must be called once for each call to this function. */
export function beginVerification(): void {
  verifications += 1;
}

export function endVerification(): void {
  verifications -= 1;
  if (verifications > 0 || held === null) return;
  clearTimeout(held);
  held = null;
  setImmediate(give);
}

/** If a `setImmediate` callback sets another, that one runs in the next pass, after sockets and threads were polled. */
function schedule(): void {
  if (verifications === 0) setImmediate(give);
  else held = setTimeout(give, MAX_HOLD_MS);
}

function give(): void {
  held = null;
  waiting.shift()!();
  if (waiting.length > 0) schedule();
}
