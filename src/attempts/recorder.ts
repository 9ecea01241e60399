/**
 * Records the request log, the last use of each API key, and keys seen in a browser. Records stay in memory while a
 * request is answered and are written once a second; the first one after a quiet second and the first verification of an
 * account are written at once. No answer waits for that. Attempts beyond the limits are only counted, by account and
 * minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { toIso } from '../time-text.ts';
import { type Attempt, createAttemptBuffer, inOneOrder, toRow } from './attempt-buffer.ts';
import type { Cause } from './cause.ts';
import { createKeyUses } from './key-uses.ts';
import { addDrops, addFirstVerifications, insertAttempts, type Whose, writeKeyUses } from './queries.ts';
import {
  createRefusedCalls,
  type RefusedBrowserCall,
  type WrongMethodCall,
  writeRefusedCalls,
} from './refused-calls.ts';

/** Interval of the writes. */
export const FLUSH_INTERVAL_MS = 1_000;
/** Delay of a write "at once": a person may be waiting on a page for their first verification. */
export const EARLY_FLUSH_MS = 50;
const MINUTE_MS = 60_000;
/** So few that a redemption waits for them no longer than for another batch: on SQLite a millisecond. */
const ATTEMPTS_PER_TRANSACTION = 20;
/** Time over which the transactions of a flush are spread: one right behind the other they would be one long wait. */
const SPREAD_MS = FLUSH_INTERVAL_MS / 2;

export interface RecorderStats {
  readonly buffered: number;
  /** Totals since the start: written attempts, dropped attempts and refused calls, failed flushes. */
  readonly written: number;
  readonly dropped: number;
  readonly failedFlushes: number;
}

/** No function throws; only `flush` and `close` wait. */
export interface AttemptRecorder {
  /** Called before an attempt is built. `false`: no room, and the attempt has been counted as dropped. */
  wants(whose: Whose, cause: Cause): boolean;
  record(attempt: Attempt): void;
  /** The key was used now (milliseconds since the epoch). */
  touch(accountId: string, keyId: string, nowMs: number): void;
  recordBrowserCall(call: RefusedBrowserCall): void;
  recordWrongMethod(call: WrongMethodCall): void;
  stats(): RecorderStats;
  /** Without pauses; resolves when everything recorded so far is written or counted as dropped. */
  flush(): Promise<void>;
  /** Flushes a last time; later records are dropped. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Called for each failed flush, for the log. */
  readonly onFailure?: (error: unknown) => void;
  /** While it is false, attempts are only counted. */
  readonly mayGrow?: () => boolean;
}

export function createAttemptRecorder(
  context: Pick<Context, 'db' | 'now'>,
  options: RecorderOptions = {},
): AttemptRecorder {
  const buffer = createAttemptBuffer(options.mayGrow);
  const keyUses = createKeyUses();
  const refusedCalls = createRefusedCalls();
  const totals = { written: 0, failedFlushes: 0 };

  /** Its abort ends the pauses of the flush under way. */
  let hurry = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: hurry.signal, ref: false }).catch(() => {});

  const write = async () => {
    const minute = toIso(Math.floor(context.now() / MINUTE_MS) * MINUTE_MS);
    const { uses, written } = keyUses.due(context.now());
    const taken = buffer.take(minute);
    const refused = refusedCalls.take();
    if (taken.attempts.length + taken.drops.length + uses.length + refused.size === 0) return;
    flushedAt = performance.now();
    /** All but the attempts; returns further ones. */
    const writeOthers = async (tx: Transaction) => {
      const calls = await writeRefusedCalls(tx, refused.values());
      await addDrops(tx, inOneOrder([...taken.drops, ...calls.drops(minute)]));
      await writeKeyUses(tx, uses);
      await addFirstVerifications(tx, taken.firsts.map(toRow));
      return calls.rows;
    };
    const portions = Math.ceil(taken.attempts.length / ATTEMPTS_PER_TRANSACTION);
    let kept = 0;
    try {
      do {
        const portion = taken.attempts.slice(kept, kept + ATTEMPTS_PER_TRANSACTION);
        const isFirst = kept === 0;
        totals.written += await context.db.transaction(async (tx) => {
          // A crash may take the last calls; that a key was seen in a browser is kept.
          if (!isFirst || refused.size === 0) await DIALECTS[context.db.engine].commitUnflushed(tx);
          const others = isFirst ? await writeOthers(tx) : [];
          await insertAttempts(tx, context.db.engine, [...portion.map(toRow), ...others]);
          return portion.length + others.length;
        });
        if (isFirst) {
          written();
          buffer.written(taken);
        }
        kept += portion.length;
        if (kept < taken.attempts.length) await pause(SPREAD_MS / portions);
      } while (kept < taken.attempts.length);
    } catch (error) {
      totals.failedFlushes += 1;
      if (kept === 0) {
        buffer.lost(taken);
        // The owner must learn that a key was seen in a browser, so these are tried again.
        refusedCalls.putBack(refused);
      } else {
        buffer.lost({ attempts: taken.attempts.slice(kept), drops: [] });
      }
      options.onFailure?.(error);
    }
  };

  // One flush after the other; neither chain ever rejects.
  let flushing: Promise<void> = Promise.resolve();
  let waiting = 0;
  let flushedAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    waiting += 1;
    flushing = flushing.then(write).then(() => {
      waiting -= 1;
    });
    return flushing;
  };
  const timer = setInterval(() => {
    if (waiting > 0) return;
    hurry = new AbortController();
    void flush();
  }, FLUSH_INTERVAL_MS);
  timer.unref();
  let early: NodeJS.Timeout | null = null;
  const flushSoon = () => {
    if (early !== null) return;
    early = setTimeout(() => {
      early = null;
      // A flush under way has taken its attempts already; queue a single one behind it.
      if (waiting <= 1) void flush();
    }, EARLY_FLUSH_MS);
    early.unref();
  };
  const flushNow = () => {
    hurry.abort();
    return flush();
  };
  const isQuiet = (): boolean => waiting === 0 && performance.now() - flushedAt >= FLUSH_INTERVAL_MS;

  return {
    wants: buffer.hasRoom,
    record: (attempt) => {
      const isFirst = buffer.add(attempt);
      if (isFirst || (buffer.size() === 1 && isQuiet())) flushSoon();
    },
    touch: keyUses.touch,
    recordBrowserCall: (call) => {
      if (refusedCalls.addBrowserCall(call, context.now())) flushSoon();
    },
    recordWrongMethod: (call) => {
      refusedCalls.addWrongMethod(call, context.now());
      flushSoon();
    },
    stats: () => ({ buffered: buffer.size(), dropped: buffer.dropped() + refusedCalls.dropped(), ...totals }),
    flush: flushNow,
    close: async () => {
      clearInterval(timer);
      if (early !== null) clearTimeout(early);
      await flushNow();
    },
  };
}
