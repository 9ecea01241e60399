/**
 * Guards the writing connection. A transaction of the HTTP thread holds it exclusively, from begin to commit; a batch is
 * a single message to the thread that owns the file, so any number of batches can be under way at the same time. First come,
 * first served.
 */
export interface Lock {
  acquire(): Promise<void>;
  release(): void;
  acquireShared(): Promise<void>;
  releaseShared(): void;
}

export function createLock(): Lock {
  let held = false;
  let shared = 0;
  const waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];

  const admit = () => {
    for (let next = waiting[0]; next !== undefined && !held; next = waiting[0]) {
      if (next.alone && shared > 0) return;
      if (next.alone) held = true;
      else shared += 1;
      waiting.shift();
      next.enter();
    }
  };
  const enter = (alone: boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ alone, enter: resolve });
      admit();
    });

  return {
    acquire: () => enter(true),
    release: () => {
      held = false;
      admit();
    },
    acquireShared: () => enter(false),
    releaseShared: () => {
      shared -= 1;
      admit();
    },
  };
}
