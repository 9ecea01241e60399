export type WriteLock = ReturnType<typeof createWriteLock>;

/**
 * A phase-fair read-write lock for the writing connection: transactions hold it exclusively, batches (single messages)
 * share it. When both wait, they alternate, so a batch waits for at most one transaction.
 */
export function createWriteLock() {
  let held = false;
  let shared = 0;
  const transactions: (() => void)[] = [];
  let batches: (() => void)[] = [];

  const enterTransaction = () => {
    held = transactions.length > 0;
    transactions.shift()?.();
  };
  const enterBatches = () => {
    const entering = batches;
    batches = [];
    shared = entering.length;
    for (const enter of entering) enter();
  };

  return {
    acquire: () =>
      new Promise<void>((resolve) => {
        transactions.push(resolve);
        if (!held && shared === 0) enterTransaction();
      }),
    release: () => {
      if (batches.length === 0) return enterTransaction();
      held = false;
      enterBatches();
    },
    acquireShared: () =>
      new Promise<void>((resolve) => {
        if (held || transactions.length > 0) return void batches.push(resolve);
        shared += 1;
        resolve();
      }),
    releaseShared: () => {
      shared -= 1;
      if (shared === 0) enterTransaction();
    },
  };
}
