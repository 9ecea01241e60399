/** Preview pictures, drawn on request and kept in memory. */
import { LRUCache } from 'lru-cache';

/** The limit for all kept pictures together. A picture takes about 50 KB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;
/** Draws one picture at a time and throws a refusal if too many wait, so that a flood can't use up the CPU. */
type Draw = () => Promise<Uint8Array>;

export function createPosters() {
  const posters = new LRUCache<string, Bytes, Draw>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
    fetchMethod: async (_hash, _old, { context: draw }) => new Uint8Array(await draw()),
    // A picture is sent even if there is no room to keep it.
    ignoreFetchAbort: true,
  });
  return {
    /** The PNG of the poster with this hash. Concurrent requests share one drawing. */
    find: (hash: string, draw: Draw): Promise<Bytes> => posters.forceFetch(hash, { context: draw }),
  };
}
