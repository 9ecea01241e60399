/** A polling timer that runs only while needed. */

const CHECK_INTERVAL_MS = 50;

/** Returns a function that starts calling `check` every 50 ms until it returns false. */
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
