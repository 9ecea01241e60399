/** One round of requests for a page, in a separate process. */
import { fileURLToPath } from 'node:url';
import { run } from '../setup/processes.ts';
import { CONNECTIONS } from './closed-loop.ts';

const PAGE_FLOOD = fileURLToPath(new URL('page-flood.ts', import.meta.url));

export interface PageFlood {
  readonly url: string;
  /** Path of the page. `{n}` in it becomes the number of the request. */
  readonly page: string;
  /** The status that the response should have, by default 200. Any other status counts as a refusal. */
  readonly status?: number;
  readonly seconds: number;
  /** Header lines, each with its CRLF. `{n}` in them becomes the number of the request. */
  readonly headers?: string | undefined;
}

/** Returns the responses per second. Throws if a request was refused or none got a response. */
export async function pageFlood({
  url,
  page,
  status = 200,
  seconds,
  headers = '',
}: PageFlood): Promise<number> {
  const { stdout } = await run([process.execPath, PAGE_FLOOD], {
    URL: url,
    PAGE: page,
    STATUS: String(status),
    HEADERS: headers,
    SECONDS: String(seconds),
    CONNECTIONS: String(CONNECTIONS),
  });
  const { answered, refused } = JSON.parse(stdout) as { answered: number; refused: number };
  if (answered === 0 || refused > 0) throw new Error(`${page}: ${answered} answered, ${refused} refused`);
  return answered / seconds;
}
