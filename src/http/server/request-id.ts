import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const PREFIX_BYTES = 6;

/**
 * Makes request ids: a random prefix for the process and a counter, in visible ASCII. They are unique across
 * processes and restarts, and find a request in the log; they are not secret and may be guessed.
 */
export function createRequestIds(prefix = randomBytes(PREFIX_BYTES).toString('base64url')): () => string {
  let count = 0;
  const head = `req_${prefix}_`;
  return () => {
    count += 1;
    return head + count.toString(36);
  };
}

/** The id that the server gave to the request of this answer. */
export const requestIdOf = (response: ServerResponse): string => String(response.getHeader('X-Request-Id'));
