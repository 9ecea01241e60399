import type { ServerResponse } from 'node:http';
import { Refusal } from '../../platform/errors.ts';
import { widestNetworkOfClient } from '../../platform/http/server/client-address.ts';
import { message } from '../../platform/languages/translate.ts';
import type { CsvStyle } from '../../platform/text/csv.ts';
import { SECOND_MS } from '../../platform/text/durations.ts';
import type { PageContext } from './pages.ts';
import { type Transfer, transferToEnd } from './transfers.ts';

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  png: 'image/png',
  svg: 'image/svg+xml',
} as const;

/** `name`: the file name without extension. Must contain only letters, digits and hyphens. */
export function saveAs(c: PageContext, name: string, format: keyof typeof CONTENT_TYPES): void {
  c.header('Content-Type', CONTENT_TYPES[format]);
  const suffix = format === 'csv' && isForExcel(c) ? '-excel' : '';
  c.header('Content-Disposition', `attachment; filename="${name}${suffix}.${format}"`);
}

const isForExcel = (c: PageContext): boolean => c.req.query('for') === 'excel';

/** With `?for=excel`, a CSV file follows the conventions of the marketplace's language and has its local times. */
export function csvStyleOf(c: PageContext): CsvStyle {
  const { language, timeZone } = c.get('site').brand;
  return isForExcel(c) ? { language, timeZone } : null;
}

/** Low, because a slow client can keep a download open for a long time. */
export const MAX_DOWNLOADS_OF_ACCOUNT = 2;
/** Per process, because each download takes about a megabyte of memory. */
const MAX_DOWNLOADS = 64;
const RETRY_AFTER_S = 10;
/** How often a download checks that the viewer may still read what it sends. */
const RECHECK_MS = 2 * SECOND_MS;

/** A rate is measured again after this time: buffers take megabytes quickly, even if the client then reads slowly. */
const MEASURED_MS = 10 * SECOND_MS;

interface UnderWay extends Transfer {
  readonly accountId: string;
  readonly measureAgain: () => void;
  readonly end: () => void;
}

const underWay = new Set<UnderWay>();

/**
 * Counts a download until its response is closed. If all slots are taken, ends a download that its client reads slowly,
 * or one of the network with the most. Throws `rate_limited` if the new one must wait.
 */
export function beginDownload(c: PageContext, accountId: string, clock = () => performance.now()): void {
  const own = [...underWay].filter((other) => other.accountId === accountId).length;
  const network = widestNetworkOfClient(c.env.incoming);
  const isFull = underWay.size >= MAX_DOWNLOADS;
  const ended = isFull ? transferToEnd([...underWay], network, clock()) : undefined;
  if (own >= MAX_DOWNLOADS_OF_ACCOUNT || (isFull && ended === undefined)) {
    for (const one of underWay) one.measureAgain();
    c.header('Retry-After', String(RETRY_AFTER_S));
    throw new Refusal(
      'rate_limited',
      own >= MAX_DOWNLOADS_OF_ACCOUNT
        ? message(
            'Your account has {own} downloads in progress. Start the next one when one of them has finished.',
            { own },
          )
        : message('Too many downloads are in progress. Try again in a few seconds.'),
    );
  }
  ended?.end();
  const { outgoing } = c.env;
  // If the client has already disconnected, `close` is never emitted.
  if (outgoing.destroyed) return;
  const one = transferOf(outgoing, { accountId, network }, clock);
  underWay.add(one);
  outgoing.once('close', () => underWay.delete(one));
}

function transferOf(
  outgoing: ServerResponse,
  of: Pick<UnderWay, 'accountId' | 'network'>,
  clock: () => number,
): UnderWay {
  const { socket } = outgoing;
  const sentOnSocket = () => (socket === null ? 0 : socket.bytesWritten - socket.writableLength);
  const measure = () => ({ sinceMs: clock(), bytes: sentOnSocket() });
  let before = measure();
  const one: UnderWay = {
    ...of,
    get startedAtMs() {
      return before.sinceMs;
    },
    get bytes() {
      return sentOnSocket() - before.bytes;
    },
    measureAgain: () => {
      if (clock() - before.sinceMs >= MEASURED_MS) before = measure();
    },
    get waitsForClient() {
      return outgoing.writableLength > 0;
    },
    end: () => {
      underWay.delete(one);
      // The file is incomplete, so the client must not take it for the whole.
      outgoing.destroy();
    },
  };
  return one;
}

/** Streams a file while `write` generates it. An error before the first chunk results in an error response. */
export async function download(
  c: PageContext,
  file: { readonly accountId: string; readonly name: string; readonly format: keyof typeof CONTENT_TYPES },
  write: () => AsyncGenerator<string, void>,
): Promise<Response> {
  const { accountId, name, format } = file;
  if (c.req.method === 'HEAD') {
    saveAs(c, name, format);
    return c.body(null);
  }
  beginDownload(c, accountId);
  const text = write();
  const first = await text.next();
  saveAs(c, name, format);
  const whole = async function* () {
    yield first.value ?? '';
    yield* text;
  };
  return c.body(ReadableStream.from(whileAllowed(c, whole())).pipeThrough(new TextEncoderStream()));
}

/** Cuts the connection once the viewer's session or role has ended, so that the file is incomplete and fails. */
export async function* whileAllowed<T>(
  c: PageContext,
  chunks: AsyncIterable<T>,
  clock = () => performance.now(),
): AsyncGenerator<T, void> {
  let checkedAt = clock();
  for await (const chunk of chunks) {
    if (clock() - checkedAt >= RECHECK_MS) {
      if (!(await c.get('isStillAllowed')())) {
        c.env.outgoing.destroy();
        return;
      }
      checkedAt = clock();
    }
    yield chunk;
  }
}
