/**
 * Claims are sharded by owner. Each shard has one queue, whose batches run on the shard's node. The location (shard and
 * node) of an API key is cached, because the key's owner never changes; each batch still checks that the key is valid.
 * A stale location only costs time, because the node forwards the batch. While a worker is down, only owners with shards
 * on this worker get 503. While the coordinator is down, only keys without a cached location get 503.
 */

import { createWatch } from '../../../platform/process/background.ts';
import {
  type BatchQueue,
  type BatchQueueOptions,
  createBatchQueue,
  type Done,
  fullError,
  lateError,
  MAX_WAITING,
} from '../../../platform/store/batch-queue.ts';
import type { Node, Nodes } from '../../../platform/store/citus/nodes.ts';
import { monotonicMs } from '../../../platform/store/database.ts';
import { hashText } from '../decision/batch.ts';
import type { Verification, VerificationResponse } from '../decision/verification.ts';
import { type KeyLocation, type LocatedBatch, locateKeys, verifyOnCitus } from './verify-citus.ts';

type Queue = BatchQueue<Verification, VerificationResponse>;
type Options = Omit<BatchQueueOptions<Verification, VerificationResponse>, 'run'>;

/** Maximum age of a cached location before it is looked up again. A shard can move to another node. */
const MAX_AGE_MS = 30_000;
const MAX_KEYS = 256;

interface CachedShard {
  readonly account: number;
  readonly shard: Shard;
  lookedUpMs: number;
}

interface Shard {
  readonly queue: Queue;
  node: Node;
}

interface Unlocated {
  readonly verification: Verification;
  readonly done: Done<VerificationResponse>;
  readonly deadlineMs: number;
}

export function createShardVerifier(nodes: Nodes, now: () => number, options: Options): Queue {
  const { timeoutMs } = options;
  const shards = createShardCache(nodes, now, options);
  /** Verifications that are waiting for a lookup of their key's location, in order of arrival. */
  const unlocated = new Set<Unlocated>();

  const settle = (one: Unlocated, failure: Error | null) => {
    if (!unlocated.delete(one)) return;
    const { verification, done, deadlineMs } = one;
    const cached = shards.find(verification.keyHash);
    if (cached !== undefined) cached.shard.queue.submit(verification, done, deadlineMs);
    else if (failure !== null) done(failure, null);
    else done(null, { kind: 'refused', code: 'invalid_api_key', caller: null });
  };

  const lookUp = createLookUps(async (keys) => {
    const waiting = [...unlocated].filter(({ verification }) => keys.has(hashText(verification.keyHash)));
    const deadlineMs = waiting.at(-1)?.deadlineMs ?? monotonicMs() + timeoutMs;
    let failure: Error | null = null;
    try {
      const located = await nodes.run(null, locateKeys, [...keys.values()], deadlineMs);
      for (const key of located) shards.note(key);
    } catch (error) {
      failure = error as Error;
    }
    for (const one of waiting) settle(one, failure);
  });

  const watch = createWatch(() => {
    const at = monotonicMs();
    for (const one of unlocated) if (one.deadlineMs <= at) settle(one, lateError());
    return unlocated.size > 0;
  });

  return {
    submit: (verification, done) => {
      const { keyHash } = verification;
      const cached = shards.find(keyHash);
      if (cached !== undefined) {
        if (monotonicMs() - cached.lookedUpMs > MAX_AGE_MS) {
          cached.lookedUpMs = monotonicMs();
          lookUp(keyHash);
        }
        cached.shard.queue.submit(verification, done);
      } else if (unlocated.size >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
      } else {
        unlocated.add({ verification, done, deadlineMs: monotonicMs() + timeoutMs });
        lookUp(keyHash);
        watch();
      }
    },
    waiting: () => unlocated.size + shards.waiting(),
  };
}

function createShardCache(nodes: Nodes, now: () => number, options: Options) {
  const byKey = new Map<string, CachedShard>();
  const shards = new Map<number, Shard>();
  const find = (keyHash: Uint8Array): CachedShard | undefined => byKey.get(hashText(keyHash));

  const createShard = (node: Node): Shard => {
    const run = async (verifications: readonly Verification[], deadlineMs: number) => {
      const accounts = new Set(verifications.map(({ keyHash }) => find(keyHash)!.account));
      const location = { accounts: [...accounts], group: shard.node.group };
      const batch: LocatedBatch = { nowMs: now(), verifications, location };
      return await nodes.run(shard.node, verifyOnCitus, batch, deadlineMs);
    };
    const shard: Shard = { node, queue: createBatchQueue({ ...options, run }) };
    return shard;
  };

  return {
    find,
    note: ({ keyHash, account, shard: number, node }: KeyLocation) => {
      const shard = shards.get(number) ?? createShard(node);
      shard.node = node;
      shards.set(number, shard);
      byKey.set(hashText(keyHash), { account, shard, lookedUpMs: monotonicMs() });
    },
    waiting: () => [...shards.values()].reduce((sum, { queue }) => sum + queue.waiting(), 0),
  };
}

/** Batches the keys that arrive during a lookup. `lookUp` takes key hashes, keyed by `hashText`, and must not throw. */
function createLookUps(
  lookUp: (keys: ReadonlyMap<string, Uint8Array>) => Promise<void>,
): (keyHash: Uint8Array) => void {
  const keysToLocate = new Map<string, Uint8Array>();
  let isBusy = false;
  const lookUpAll = async () => {
    if (isBusy) return;
    isBusy = true;
    while (keysToLocate.size > 0) {
      const keys = new Map([...keysToLocate].slice(0, MAX_KEYS));
      for (const text of keys.keys()) keysToLocate.delete(text);
      await lookUp(keys);
    }
    isBusy = false;
  };
  return (keyHash) => {
    keysToLocate.set(hashText(keyHash), keyHash);
    if (!isBusy) setImmediate(() => void lookUpAll());
  };
}
