import { randomBytes } from 'node:crypto';

const PREFIX_BYTES = 6;

/**
 * Makes request ids: a random prefix for the process and a counter, in visible ASCII. They are unique
 * across processes and restarts and name a line in the log; they are no secret and may be guessed.
 */
export function createRequestIds(prefix = randomBytes(PREFIX_BYTES).toString('base64url')): () => string {
  let count = 0;
  const head = `req_${prefix}_`;
  return () => {
    count += 1;
    return head + count.toString(36);
  };
}
