/**
 * Claims are sharded by owner. Each shard has one queue, whose batches run on the shard's node. The place (shard and
 * node) of an API key is cached, because the key's owner never changes; each batch still checks that the key is valid.
 * A stale place only costs time, because the node forwards the batch. While a worker is down, only owners with shards
 * on this worker get 503. While the coordinator is down, only keys without a cached place get 503.
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
import type { Verification, VerificationAnswer } from '../decision/verification.ts';
import { type KeyPlace, locateKeys, verifyOnCitus } from './verify-citus.ts';

type Queue = BatchQueue<Verification, VerificationAnswer>;
type Options = Omit<BatchQueueOptions<Verification, VerificationAnswer>, 'run'>;

/** Maximum age of a cached place before it is looked up again. A shard can move to another node. */
const PLACE_MS = 30_000;
const MAX_KEYS = 256;

interface Place {
  readonly account: number;
  readonly shard: Shard;
  lookedUpMs: number;
}

interface Shard {
  readonly queue: Queue;
  node: Node;
}

interface Unplaced {
  readonly verification: Verification;
  readonly done: Done<VerificationAnswer>;
  readonly deadlineMs: number;
}

export function createShardVerifier(nodes: Nodes, now: () => number, options: Options): Queue {
  const { answerWithinMs } = options;
  const places = createPlaces(nodes, now, options);
  /** Verifications that are waiting for a lookup of their key's place, in order of arrival. */
  const unplaced = new Set<Unplaced>();

  const settle = (one: Unplaced, failure: Error | null) => {
    if (!unplaced.delete(one)) return;
    const { verification, done, deadlineMs } = one;
    const place = places.find(verification.keyHash);
    if (place !== undefined) place.shard.queue.submit(verification, done, deadlineMs);
    else if (failure !== null) done(failure, null);
    else done(null, { kind: 'refused', code: 'invalid_api_key', caller: null });
  };

  const lookUp = createLookUps(async (keys) => {
    const waiting = [...unplaced].filter(({ verification }) => keys.has(hashText(verification.keyHash)));
    const deadlineMs = waiting.at(-1)?.deadlineMs ?? monotonicMs() + answerWithinMs;
    let failure: Error | null = null;
    try {
      const found = await nodes.run(null, locateKeys, [...keys.values()], deadlineMs);
      for (const place of found) places.note(place);
    } catch (error) {
      failure = error as Error;
    }
    for (const one of waiting) settle(one, failure);
  });

  const watch = createWatch(() => {
    const at = monotonicMs();
    for (const one of unplaced) if (one.deadlineMs <= at) settle(one, lateError());
    return unplaced.size > 0;
  });

  return {
    submit: (verification, done) => {
      const { keyHash } = verification;
      const place = places.find(keyHash);
      if (place !== undefined) {
        if (monotonicMs() - place.lookedUpMs > PLACE_MS) {
          place.lookedUpMs = monotonicMs();
          lookUp(keyHash);
        }
        place.shard.queue.submit(verification, done);
      } else if (unplaced.size >= MAX_WAITING) {
        setImmediate(done, fullError(), null);
      } else {
        unplaced.add({ verification, done, deadlineMs: monotonicMs() + answerWithinMs });
        lookUp(keyHash);
        watch();
      }
    },
    waiting: () => unplaced.size + places.waiting(),
  };
}

function createPlaces(nodes: Nodes, now: () => number, options: Options) {
  const places = new Map<string, Place>();
  const shards = new Map<number, Shard>();
  const find = (keyHash: Uint8Array): Place | undefined => places.get(hashText(keyHash));

  const createShard = (node: Node): Shard => {
    const run = async (verifications: readonly Verification[], deadlineMs: number) => {
      const accounts = new Set(verifications.map(({ keyHash }) => find(keyHash)!.account));
      const place = { accounts: [...accounts], group: shard.node.group };
      return await nodes.run(shard.node, verifyOnCitus, { nowMs: now(), verifications, place }, deadlineMs);
    };
    const shard: Shard = { node, queue: createBatchQueue({ ...options, run }) };
    return shard;
  };

  return {
    find,
    note: ({ keyHash, account, shard: number, node }: KeyPlace) => {
      const shard = shards.get(number) ?? createShard(node);
      shard.node = node;
      shards.set(number, shard);
      places.set(hashText(keyHash), { account, shard, lookedUpMs: monotonicMs() });
    },
    waiting: () => [...shards.values()].reduce((sum, { queue }) => sum + queue.waiting(), 0),
  };
}

/** Batches the keys that arrive during a lookup. `lookUp` takes key hashes, keyed by `hashText`, and must not throw. */
function createLookUps(
  lookUp: (keys: ReadonlyMap<string, Uint8Array>) => Promise<void>,
): (keyHash: Uint8Array) => void {
  const wanted = new Map<string, Uint8Array>();
  let isBusy = false;
  const lookUpAll = async () => {
    if (isBusy) return;
    isBusy = true;
    while (wanted.size > 0) {
      const keys = new Map([...wanted].slice(0, MAX_KEYS));
      for (const text of keys.keys()) wanted.delete(text);
      await lookUp(keys);
    }
    isBusy = false;
  };
  return (keyHash) => {
    wanted.set(hashText(keyHash), keyHash);
    if (!isBusy) setImmediate(() => void lookUpAll());
  };
}
