/**
 * Calls are buffered and flushed once a second, so no response waits for a write; within 50 ms after a quiet second or
 * for an account's first verification. Calls beyond the buffer's limits are only counted.
 */
import type { Context } from '../../base/context.ts';
import type { RefusedCall } from '../../platform/errors.ts';
import { createFlushes, type Pause } from '../../platform/process/flushes.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { type Attempt, toRow } from './attempt.ts';
import { createAttemptBuffer, createKeyUses } from './attempt-buffer.ts';
import {
  type AttemptRow,
  addFirstVerifications,
  addUnrecordedCalls,
  insertAttempts,
  type KeyUse,
  type UnrecordedCalls,
  writeKeyUses,
} from './queries.ts';
import {
  createKeylessLimit,
  createRefusedCalls,
  findAccountsOfCalls,
  type RefusalCause,
  writeRefusedCalls,
} from './refused-calls.ts';

/** Maximum number of attempts buffered between two flushes, per account and in total. */
const ATTEMPTS_PER_ACCOUNT = 400;
const BUFFERED_ATTEMPTS = 5_000;
const FLUSH_INTERVAL_MS = 1_000;
/** Delay of an early flush. Short, because a person may be waiting for their first verification to appear on a page. */
const EARLY_FLUSH_MS = 50;
/** Takes no longer than a batch of redemptions (1 ms on SQLite), so it delays a redemption no more than they do. */
const ATTEMPTS_PER_TRANSACTION = 20;
/** Pauses spread the transactions of a flush over this time, so that redemptions can run between them. */
const PAUSES_MS = FLUSH_INTERVAL_MS / 2;

/** Never throws. `onFailure`: for each failed flush. `mayGrow`: while it returns false, attempts are only counted. */
export function createAttemptRecorder(
  { db, now }: Pick<Context, 'db' | 'now'>,
  options: { readonly onFailure?: (error: unknown) => void; readonly mayGrow?: () => boolean } = {},
) {
  const { onFailure, mayGrow = () => true } = options;
  const buffer = createAttemptBuffer({ perAccount: ATTEMPTS_PER_ACCOUNT, total: BUFFERED_ATTEMPTS });
  const keyUses = createKeyUses();
  const refusedCalls = createRefusedCalls();
  const mayRecord = createKeylessLimit();
  let unrecorded = 0;
  const leaveOut = (accountId: string, atMs: number): void => {
    unrecorded += 1;
    buffer.count({ accountId, calls: 1, lastMs: atMs });
  };

  let flushedAt = Number.NEGATIVE_INFINITY;
  const write = async (pause: Pause): Promise<void> => {
    const batch = { ...buffer.take(), ...keyUses.due(now()) };
    const waiting = refusedCalls.take();
    const { attempts } = batch;
    const others = batch.unrecorded.length + batch.uses.length;
    if (attempts.length + waiting.size + others === 0) return;
    flushedAt = performance.now();
    const portions = Math.ceil(attempts.length / ATTEMPTS_PER_TRANSACTION);
    let written = 0;
    try {
      const refused = waiting.size === 0 ? [] : await findAccountsOfCalls(db.read, waiting);
      if (attempts.length + refused.length + others === 0) return;
      do {
        const portion = attempts.slice(written, written + ATTEMPTS_PER_TRANSACTION);
        const isFirst = written === 0;
        await writePortion(db, portion, isFirst ? { ...batch, refused, mayRecord } : null);
        if (isFirst) {
          batch.written();
          buffer.written(batch.firsts);
        }
        written += portion.length;
        if (written < attempts.length) await pause(PAUSES_MS / portions);
      } while (written < attempts.length);
    } catch (error) {
      if (written === 0) {
        // The next flush writes the refused calls, because the owner must learn that a key was seen in a browser.
        refusedCalls.putBack(waiting);
        for (const counted of batch.unrecorded) buffer.count(counted);
      }
      for (const { accountId, atMs } of attempts.slice(written)) leaveOut(accountId, atMs);
      onFailure?.(error);
    }
  };
  const flushes = createFlushes(write, FLUSH_INTERVAL_MS);
  const isQuiet = (): boolean => flushes.isIdle() && performance.now() - flushedAt >= FLUSH_INTERVAL_MS;

  const recordRefused = (cause: RefusalCause, call: RefusedCall): void => {
    refusedCalls.add(cause, call, now());
    if (isQuiet()) flushes.soon(EARLY_FLUSH_MS);
  };

  return {
    /** Call before building an attempt. If it returns false, the call is counted as unrecorded. */
    wants: (accountId: string): boolean => {
      const isRecorded = buffer.accepts(accountId) && mayGrow();
      if (!isRecorded) leaveOut(accountId, now());
      return isRecorded;
    },
    record: (attempt: Attempt): void => {
      const isFirst = buffer.add(attempt);
      if (isFirst || (buffer.size() === 1 && isQuiet())) flushes.soon(EARLY_FLUSH_MS);
    },
    touch: keyUses.touch,
    recordBrowserCall: (call: RefusedCall) => recordRefused('browser_call', call),
    recordWrongMethod: (call: RefusedCall) => recordRefused('method_not_allowed', call),
    recordOutsideCall: (call: RefusedCall) => recordRefused('network_not_allowed', call),
    /** Number of unrecorded calls since the process started. */
    unrecorded: () => unrecorded + refusedCalls.unrecorded(),
    /** Flushes all records without pauses. Attempts that can't be written are counted as unrecorded. */
    flush: flushes.now,
    /** Flushes a last time; later records are lost. */
    close: flushes.close,
  };
}

export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>;

interface Others {
  readonly refused: Parameters<typeof writeRefusedCalls>[1];
  readonly mayRecord: ReturnType<typeof createKeylessLimit>;
  readonly unrecorded: readonly UnrecordedCalls[];
  readonly uses: readonly KeyUse[];
  readonly firsts: readonly Attempt[];
}

const writePortion = (
  db: Context['db'],
  attempts: readonly Attempt[],
  others: Others | null,
): Promise<void> =>
  db.transaction(async (tx) => {
    // A crash may lose the latest calls, but must not lose the mark that a key was seen in a browser.
    if (others === null || others.refused.length === 0) await DIALECTS[db.engine].commitUnflushed(tx);
    const refused = others === null ? [] : await writeOthers(tx, others);
    await insertAttempts(tx, db.engine, [...attempts.map(toRow), ...refused]);
  });

async function writeOthers(tx: Transaction, batch: Others): Promise<readonly AttemptRow[]> {
  const { rows, unrecorded } = await writeRefusedCalls(tx, batch.refused, batch.mayRecord);
  await addUnrecordedCalls(tx, [...batch.unrecorded, ...unrecorded]);
  await writeKeyUses(tx, batch.uses);
  await addFirstVerifications(tx, batch.firsts.map(toRow));
  return rows;
}
