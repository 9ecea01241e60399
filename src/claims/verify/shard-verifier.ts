/**
 * Verification where the claims are distributed by owner: a queue for each shard, whose batches go to the node that has
 * it. The owner of a key never changes, so places are kept. Whether the key is good is read with each batch. A place
 * that is out of date only costs time: the node passes the batch on. While a worker is away, only the owners of its
 * shards get 503. While the coordinator is away, only keys without a place in this process do.
 */
import { type Database, DatabaseUnavailable, type Node } from '../../store/database.ts';
import { monotonicMs } from '../../store/monotonic.ts';
import { encodeBatch, hashText } from './batch.ts';
import {
  type BatchQueue,
  createBatchQueue,
  type Done,
  type GroupCommitVerifier,
  lateError,
  MAX_WAITING,
  type VerifierObserver,
} from './batch-queue.ts';
import { verifyProgram } from './program.ts';
import type { Verification } from './verification.ts';
import type { KeyPlace } from './verify-citus.ts';

/** After this time a place is looked up again, beside its use: its shard may have moved. */
const PLACE_MS = 30_000;
/** Keys that are looked up together. */
const MAX_KEYS = 256;
/** How often it is checked whether a verification without a place is late. */
const LATE_CHECK_INTERVAL_MS = 50;

/** The place of a key. There are no more of them than keys. */
interface Place {
  readonly account: number;
  readonly shard: Shard;
  /** When it was last looked up (`monotonicMs`). */
  lookedUpMs: number;
}

interface Shard {
  readonly queue: BatchQueue;
  node: Node;
}

/** A verification whose place is not known yet. */
interface Unplaced {
  readonly verification: Verification;
  readonly done: Done;
  readonly deadlineMs: number;
}

export interface ShardVerifierOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly observer: VerifierObserver;
  readonly answerWithinMs: number;
}

export function createShardVerifier(options: ShardVerifierOptions): GroupCommitVerifier {
  const { db, now, answerWithinMs } = options;
  const places = new Map<string, Place>();
  const shards = new Map<number, Shard>();
  /** In order of arrival; those that are being looked up are among them. */
  const unplaced = new Set<Unplaced>();
  /** Hashes of keys to look up. */
  const wanted = new Map<string, Uint8Array>();
  let isLocating = false;
  let isWatching = false;

  const createShard = (node: Node): Shard => {
    const run = async (verifications: readonly Verification[], deadlineMs: number) => {
      const accounts = new Set(verifications.map(({ keyHash }) => places.get(hashText(keyHash))!.account));
      const place = { accounts: [...accounts], group: shard.node.group };
      const batch = { ...encodeBatch(verifications, now()), place };
      return await nodesOf(db).runBatch(verifyProgram.name, batch, deadlineMs, shard.node);
    };
    const shard: Shard = { node, queue: createBatchQueue({ ...options, engine: db.engine, run }) };
    return shard;
  };

  const notePlace = ({ keyHash, account, shard: number, group, host, port }: KeyPlace) => {
    const node = { group, host, port };
    const shard = shards.get(number) ?? createShard(node);
    shard.node = node;
    shards.set(number, shard);
    places.set(hashText(keyHash), { account, shard, lookedUpMs: monotonicMs() });
  };

  const locate = async () => {
    if (isLocating) return;
    isLocating = true;
    while (wanted.size > 0) {
      const keys = new Map([...wanted].slice(0, MAX_KEYS));
      for (const text of keys.keys()) wanted.delete(text);
      const waiting = [...unplaced].filter(({ verification }) => keys.has(hashText(verification.keyHash)));
      const deadlineMs = waiting.at(-1)?.deadlineMs ?? monotonicMs() + answerWithinMs;
      let failure: Error | null = null;
      try {
        const found = await nodesOf(db).locate(verifyProgram.name, [...keys.values()], deadlineMs);
        for (const place of found as KeyPlace[]) notePlace(place);
      } catch (error) {
        failure = error as Error;
      }
      for (const one of waiting) settle(one, failure);
    }
    isLocating = false;
  };

  /** `failure`: `null` where the look-up has answered. */
  const settle = (one: Unplaced, failure: Error | null) => {
    if (!unplaced.delete(one)) return;
    const { verification, done, deadlineMs } = one;
    const place = places.get(hashText(verification.keyHash));
    if (place !== undefined) place.shard.queue.submit(verification, done, deadlineMs);
    else if (failure !== null) done(failure, null);
    else done(null, { kind: 'refused', code: 'invalid_api_key', caller: null });
  };

  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    setTimeout(() => {
      isWatching = false;
      const at = monotonicMs();
      for (const one of unplaced) if (one.deadlineMs <= at) settle(one, lateError());
      if (unplaced.size > 0) watch();
    }, LATE_CHECK_INTERVAL_MS).unref();
  };

  const want = (text: string, keyHash: Uint8Array) => {
    wanted.set(text, keyHash);
    if (!isLocating) setImmediate(() => void locate());
  };

  return {
    submit: (verification, done) => {
      const text = hashText(verification.keyHash);
      const place = places.get(text);
      if (place !== undefined) {
        if (monotonicMs() - place.lookedUpMs > PLACE_MS) {
          place.lookedUpMs = monotonicMs();
          want(text, verification.keyHash);
        }
        place.shard.queue.submit(verification, done);
      } else if (unplaced.size >= MAX_WAITING) {
        setImmediate(done, new DatabaseUnavailable('Too many verifications are waiting.'), null);
      } else {
        unplaced.add({ verification, done, deadlineMs: monotonicMs() + answerWithinMs });
        want(text, verification.keyHash);
        watch();
      }
    },
    waiting: () => unplaced.size + [...shards.values()].reduce((sum, { queue }) => sum + queue.waiting(), 0),
  };
}

function nodesOf(db: Database) {
  const nodes = db.nodes();
  if (nodes === null) throw new DatabaseUnavailable('The tables are on one server.');
  return nodes;
}
