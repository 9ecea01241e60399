/** One round of requests for a page, in a separate process. */
import { fileURLToPath } from 'node:url';
import { run } from '../setup/processes.ts';
import { CONNECTIONS } from './closed-loop.ts';

const PAGE_FLOOD = fileURLToPath(new URL('page-flood.ts', import.meta.url));

export interface PageFlood {
  readonly url: string;
  /** `{n}` in it becomes a number. */
  readonly page: string;
  /** The status that the page has, 200 unless said otherwise; any other counts as a refusal. */
  readonly status?: number;
  readonly seconds: number;
  /** Header lines, each with its CRLF; `{n}` in them becomes a number. */
  readonly headers?: string | undefined;
}

/** Returns the answers per second. Throws if a request was refused, or none was answered. */
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
