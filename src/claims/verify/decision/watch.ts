/** A timer that runs only while something is waited for. */

const CHECK_INTERVAL_MS = 50;

/** The returned function starts to call `check`, every 50 ms, until that returns false. */
export function createWatch(check: () => boolean): () => void {
  let isWatching = false;
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    setTimeout(() => {
      isWatching = false;
      if (check()) watch();
    }, CHECK_INTERVAL_MS).unref();
  };
  return watch;
}
