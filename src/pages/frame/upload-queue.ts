/**
 * Uploads that have arrived wait for their processing here. People whose pictures took little time recently go first, so
 * that a few accounts with pictures that take long can't keep others from uploading.
 */
import { Refusal } from '../../platform/errors.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { TOO_MANY_UPLOADS } from './slow-uploads.ts';

/** Per process. One is encoded while another one is parsed or stored. */
export const MAX_PROCESSED_UPLOADS = 2;
/** Per process. Each waiting upload holds its file in memory. */
export const MAX_WAITING_UPLOADS = 8;
/** After this time, half of the time that a person's pictures took is forgotten. */
const HALF_LIFE_MS = 5 * MINUTE_MS;
/** Less than one picture takes. */
const FORGOTTEN_MS = 100;

interface Waiting {
  readonly personId: string;
  readonly begin: () => void;
  readonly refuse: (refusal: Refusal) => void;
}

/** `nowMs`: a monotonic clock. */
export function createUploadQueue(nowMs: () => number = () => performance.now()) {
  const waiting: Waiting[] = [];
  let processed = 0;
  const used = new Map<string, { readonly ms: number; readonly atMs: number }>();

  const usedMs = (personId: string): number => {
    const { ms, atMs } = used.get(personId) ?? { ms: 0, atMs: 0 };
    return ms * 2 ** ((atMs - nowMs()) / HALF_LIFE_MS);
  };
  const noteUse = (personId: string, ms: number): void => {
    used.set(personId, { ms: usedMs(personId) + ms, atMs: nowMs() });
    for (const id of used.keys()) if (usedMs(id) < FORGOTTEN_MS) used.delete(id);
  };
  /** Least time used first; in a tie, in the order of arrival. */
  const inOrder = (): Waiting[] => waiting.toSorted((a, b) => usedMs(a.personId) - usedMs(b.personId));
  const remove = (upload: Waiting): void => void waiting.splice(waiting.indexOf(upload), 1);

  const beginNext = (): void => {
    while (processed < MAX_PROCESSED_UPLOADS && waiting.length > 0) {
      const [next] = inOrder();
      remove(next!);
      processed += 1;
      next!.begin();
    }
  };

  /** Throws `unavailable` if too many wait, for the newest upload of the person who has used the most time. */
  return async <T>(personId: string, work: () => Promise<T>): Promise<T> => {
    const start = Promise.withResolvers<void>();
    waiting.push({ personId, begin: start.resolve, refuse: start.reject });
    beginNext();
    if (waiting.length > MAX_WAITING_UPLOADS) {
      const last = inOrder().at(-1)!;
      remove(last);
      last.refuse(new Refusal('unavailable', TOO_MANY_UPLOADS));
    }
    await start.promise;
    const startedAtMs = nowMs();
    try {
      return await work();
    } finally {
      processed -= 1;
      noteUse(personId, nowMs() - startedAtMs);
      beginNext();
    }
  };
}
