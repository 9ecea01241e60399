/**
 * Turns of the event loop. Pages are begun and rendered one in each pass of the loop, so a verification that arrives waits
 * for one page at most, however many are requested.
 */
const waiting: (() => void)[] = [];

/** Resolves in a pass of the event loop that belongs to this caller. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(give);
  });

/** An immediate that is set by an immediate runs in the next pass, after the sockets and threads were heard. */
function give(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(give);
}
