/** Preview pictures, drawn on request and kept in memory. */

/** The limit for all kept pictures together. One takes about 50 KB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

interface Kept {
  readonly png: Promise<Bytes>;
  /** The size of the PNG; 0 until it is drawn. */
  bytes: number;
}

/** `draw` draws one at a time and refuses if too many wait, so a flood of requests can't use up the CPU. */
export function createPosters<Poster>(draw: (poster: Poster) => Promise<Uint8Array>) {
  const kept = new Map<string, Kept>();
  let bytesOfAll = 0;
  const drop = (hash: string, one: Kept): void => {
    if (kept.get(hash) !== one) return;
    kept.delete(hash);
    bytesOfAll -= one.bytes;
  };
  const begin = (hash: string, poster: Poster): Kept => {
    const one: Kept = { png: draw(poster).then((png) => new Uint8Array(png)), bytes: 0 };
    const isDrawn = ({ length }: Bytes): void => {
      one.bytes = length;
      bytesOfAll += length;
      for (const [oldest, other] of kept) {
        if (bytesOfAll <= MAX_KEPT_BYTES) return;
        if (other.bytes > 0) drop(oldest, other);
      }
    };
    one.png.then(isDrawn, () => drop(hash, one));
    return one;
  };
  return {
    /** The PNG of the poster with this hash. Concurrent requests share one drawing. */
    find(hash: string, poster: Poster): Promise<Bytes> {
      const one = kept.get(hash) ?? begin(hash, poster);
      // Moved to the end, so that the least recently used picture comes first.
      kept.delete(hash);
      kept.set(hash, one);
      return one.png;
    },
  };
}
