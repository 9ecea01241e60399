/**
 * Claims are sharded by owner. Each node has one queue, whose batches contain redemptions of all shards on the node. The
 * location (shard and node) of an API key is cached, because the key's owner never changes; each batch still checks that
 * the key is valid. If a shard has moved, the batch finds out, and its keys are located again. While a worker is down,
 * only owners with shards on this worker get 503. While the coordinator is down, only keys without a cached location get
 * 503.
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
import { DatabaseUnavailable, monotonicMs } from '../../../platform/store/database.ts';
import { isLockTimeout } from '../../../platform/store/postgres/errors.ts';
import { hashText } from '../decision/batch.ts';
import type { Verification, VerificationResponse } from '../decision/verification.ts';
import {
  type KeyLocation,
  type LocatedBatch,
  locateKeys,
  type OwnerLocation,
  ShardMoved,
  verifyOnCitus,
} from './verify-citus.ts';

type Queue = BatchQueue<Verification, VerificationResponse>;
type Options = Omit<BatchQueueOptions<Verification, VerificationResponse>, 'run'>;

/** Maximum age of a cached location before it is looked up again. A shard can move to another node. */
const MAX_AGE_MS = 30_000;
const MAX_KEYS = 256;

interface CachedKey {
  readonly owner: OwnerLocation;
  readonly ofNode: NodeQueue;
  lookedUpMs: number;
}

interface NodeQueue {
  readonly queue: Queue;
  /** The address can change after a failover. */
  node: Node;
}

interface Unlocated {
  readonly verification: Verification;
  readonly done: Done<VerificationResponse>;
  readonly deadlineMs: number;
}

export function createNodeVerifier(nodes: Nodes, now: () => number, options: Options): Queue {
  const { timeoutMs } = options;
  const keys = createKeyCache(nodes, now, options);
  /** Verifications that are waiting for a lookup of their key's location. */
  const unlocated = new Set<Unlocated>();

  const settle = (one: Unlocated, failure: Error | null) => {
    if (!unlocated.delete(one)) return;
    const { verification, done, deadlineMs } = one;
    const cached = keys.find(verification.keyHash);
    if (cached !== undefined) cached.ofNode.queue.submit(verification, done, deadlineMs);
    else if (failure !== null) done(failure, null);
    else done(null, { kind: 'refused', code: 'invalid_api_key', caller: null });
  };

  const lookUp = createLookUps(async (hashes) => {
    const waiting = [...unlocated].filter(({ verification }) => hashes.has(hashText(verification.keyHash)));
    const latestMs = Math.max(...waiting.map((one) => one.deadlineMs));
    const deadlineMs = waiting.length === 0 ? monotonicMs() + timeoutMs : latestMs;
    let failure: Error | null = null;
    try {
      const located = await nodes.run(null, locateKeys, [...hashes.values()], deadlineMs);
      for (const key of located) keys.add(key);
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
    submit: (verification, done, deadlineMs = monotonicMs() + timeoutMs) => {
      const { keyHash } = verification;
      const cached = keys.find(keyHash);
      if (cached !== undefined) {
        if (monotonicMs() - cached.lookedUpMs > MAX_AGE_MS) {
          cached.lookedUpMs = monotonicMs();
          lookUp(keyHash);
        }
        cached.ofNode.queue.submit(verification, done, deadlineMs);
      } else if (unlocated.size >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
      } else {
        unlocated.add({ verification, done, deadlineMs });
        lookUp(keyHash);
        watch();
      }
    },
    waiting: () => unlocated.size + keys.waiting(),
  };
}

function createKeyCache(nodes: Nodes, now: () => number, options: Options) {
  const byKey = new Map<string, CachedKey>();
  /** By the group ID of the node. */
  const queues = new Map<number, NodeQueue>();
  const find = (keyHash: Uint8Array): CachedKey | undefined => byKey.get(hashText(keyHash));

  /** Runs a batch whose shards are all on one node. */
  const runOn = async ({ node }: NodeQueue, verifications: readonly Verification[], deadlineMs: number) => {
    const hashes = new Set(verifications.map(({ keyHash }) => hashText(keyHash)));
    const owners = new Map([...hashes].map((hash) => [hash, byKey.get(hash)!.owner]));
    const batch: LocatedBatch = { nowMs: now(), verifications, owners };
    return await nodes.run(node, verifyOnCitus, batch, deadlineMs);
  };

  const add = ({ keyHash, account, shard, node }: KeyLocation) => {
    const ofNode = queues.get(node.group) ?? createQueue(node);
    ofNode.node = node;
    queues.set(node.group, ofNode);
    byKey.set(hashText(keyHash), { owner: { account, shard }, ofNode, lookedUpMs: monotonicMs() });
  };

  /** Looks up the keys again and runs a batch per shard. The responses of a shard that fails are `null`. */
  const runByShard = async (verifications: readonly Verification[], deadlineMs: number) => {
    const hashes = new Map(verifications.map(({ keyHash }) => [hashText(keyHash), keyHash]));
    for (const key of await nodes.run(null, locateKeys, [...hashes.values()], deadlineMs)) add(key);
    const responses: (VerificationResponse | null)[] = verifications.map(() => null);
    const byShard = Map.groupBy(
      verifications.keys(),
      (index) => find(verifications[index]!.keyHash)!.owner.shard,
    );
    await Promise.all(
      [...byShard.values()].map(async (indexes) => {
        const ofShard = indexes.map((index) => verifications[index]!);
        try {
          const some = await runOn(find(ofShard[0]!.keyHash)!.ofNode, ofShard, deadlineMs);
          for (const [at, index] of indexes.entries()) responses[index] = some[at]!;
        } catch (error) {
          if (!(error instanceof DatabaseUnavailable)) throw error;
        }
      }),
    );
    return responses;
  };

  const createQueue = (first: Node): NodeQueue => {
    const run = async (verifications: readonly Verification[], deadlineMs: number) => {
      try {
        return await runOn(ofNode, verifications, deadlineMs);
      } catch (error) {
        if (!isAboutOneShard(error)) throw error;
        return await runByShard(verifications, deadlineMs);
      }
    };
    const ofNode: NodeQueue = { node: first, queue: createBatchQueue({ ...options, run }) };
    return ofNode;
  };

  return {
    find,
    add,
    waiting: () => [...queues.values()].reduce((sum, { queue }) => sum + queue.waiting(), 0),
  };
}

/** Whether the cause may be a shard that has moved, or that Citus has locked to move it. Nothing was written. */
const isAboutOneShard = (error: unknown): boolean =>
  error instanceof ShardMoved || (error instanceof DatabaseUnavailable && isLockTimeout(error.cause));

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
