/**
 * Records the request log, the last use of each API key, and keys seen in a browser. Records stay in memory while a
 * request is answered and are written once a second; the first one after a quiet second and the first verification of an
 * account are written at once. No answer waits for that. Attempts beyond the limits are only counted, by account and
 * minute.
 */
import type { Context } from '../context.ts';
import { ERRORS } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import {
  type AttemptRow,
  addDrops,
  addFirstVerifications,
  type Drop,
  findAccountsByOrigin,
  findKeyBySecretHash,
  insertAttempts,
  type KeyUse,
  markSeenInBrowser,
  writeKeyUses,
} from './queries.ts';

/** Interval of the writes. */
export const FLUSH_INTERVAL_MS = 1_000;
/** Delay of a write "at once": a person may be waiting on a page for their first verification. */
export const EARLY_FLUSH_MS = 50;
/** Attempts of one account kept between two flushes, so that a busy account does not displace the others. */
export const ATTEMPTS_PER_FLUSH_AND_ACCOUNT = 500;
/** Attempts in memory between two flushes. */
export const BUFFERED_ATTEMPTS = 5_000;
/** Counts of dropped attempts held in memory, one per account and minute, while the database is away. */
export const BUFFERED_DROPS = 10_000;
/** Distinct browser calls (by key or origin) in memory between two flushes. */
export const BUFFERED_BROWSER_CALLS = 500;
/** Least time between two writes of a key's last use, so that it is at most a minute stale. */
export const KEY_USE_INTERVAL_MS = 30_000;
/** Keys whose last use is held in memory. */
export const TRACKED_KEYS = 20_000;
/** Accounts known to have verified before. */
const REMEMBERED_ACCOUNTS = 20_000;
const MINUTE_MS = 60_000;

/** One answered verification. */
export interface Attempt {
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly requestId: string;
  readonly keyId: string | null;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The outcome's `status` or the problem's `code`. */
  readonly outcome: string;
  readonly redeem: boolean;
  readonly tokenLast4: string | null;
  /** SHA-256 of a token that a claim could have; finds the claim the attempt was on. */
  readonly tokenHash: Uint8Array | null;
  readonly via: string | null;
  readonly latencyUs: number;
  readonly ip: string | null;
}

/** A call refused because it came from a browser; a preflight has no key. */
export interface RefusedBrowserCall {
  /** SHA-256 of the API key as it was sent; `null` without one or with a malformed one. */
  readonly keyHash: Uint8Array | null;
  readonly origin: string | null;
  readonly ip: string | null;
  readonly requestId: string;
}

/** A call with a key and a method other than POST, such as an opened link: its body was not read. */
export type WrongMethodCall = Pick<RefusedBrowserCall, 'ip' | 'requestId'> & { readonly keyHash: Uint8Array };

export interface RecorderStats {
  readonly buffered: number;
  /** Totals since the start: written attempts, dropped attempts, failed flushes. */
  readonly written: number;
  readonly dropped: number;
  readonly failedFlushes: number;
}

/** No function throws; only `flush` and `close` wait. */
export interface AttemptRecorder {
  /** Called before an attempt is built. `false`: no room, and the attempt has been counted as dropped. */
  wants(accountId: string): boolean;
  record(attempt: Attempt): void;
  /** The key was used now (milliseconds since the epoch). */
  touch(accountId: string, keyId: string, nowMs: number): void;
  recordBrowserCall(call: RefusedBrowserCall): void;
  recordWrongMethod(call: WrongMethodCall): void;
  stats(): RecorderStats;
  /** Resolves when everything recorded so far is written or counted as dropped. */
  flush(): Promise<void>;
  /** Flushes a last time; later records are dropped. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Called for each failed flush, for the log. */
  readonly onFailure?: (error: unknown) => void;
}

interface TrackedKey {
  readonly accountId: string;
  usedMs: number;
  writtenMs: number;
}

/** A call refused before its key was looked up. */
interface RefusedCall extends RefusedBrowserCall {
  readonly outcome: 'browser_call' | 'method_not_allowed';
  readonly atMs: number;
  /** Repeats of this call, which are dropped. */
  repeats: number;
}

export function createAttemptRecorder(
  context: Pick<Context, 'db' | 'now'>,
  options: RecorderOptions = {},
): AttemptRecorder {
  let attempts: Attempt[] = [];
  let shares = new Map<string, number>();
  let fresh = new Map<string, number>();
  let unwritten = new Map<string, Drop>();
  let refusedCalls = new Map<string, RefusedCall>();
  const verified = new Set<string>();
  const keys = new Map<string, TrackedKey>();
  const totals = { written: 0, dropped: 0, failedFlushes: 0 };

  const drop = (accountId: string, count = 1) => {
    totals.dropped += count;
    fresh.set(accountId, (fresh.get(accountId) ?? 0) + count);
  };

  const keepDrop = (added: Drop) => {
    const key = `${added.accountId} ${added.minute}`;
    const before = unwritten.get(key)?.dropped ?? 0;
    if (before === 0 && unwritten.size >= BUFFERED_DROPS) return;
    unwritten.set(key, { ...added, dropped: before + added.dropped });
  };

  const dueKeys = (): { uses: KeyUse[]; written: () => void } => {
    const now = context.now();
    const uses: KeyUse[] = [];
    const due: { key: TrackedKey; usedMs: number }[] = [];
    for (const [keyId, key] of keys) {
      if (now - key.writtenMs < KEY_USE_INTERVAL_MS) continue;
      if (key.usedMs > key.writtenMs) {
        uses.push({ accountId: key.accountId, keyId, usedAt: toIso(key.usedMs) });
        due.push({ key, usedMs: key.usedMs });
      } else {
        keys.delete(keyId);
      }
    }
    const written = () => {
      for (const { key, usedMs } of due) key.writtenMs = usedMs;
    };
    return { uses, written };
  };

  const write = async () => {
    const minute = toIso(Math.floor(context.now() / MINUTE_MS) * MINUTE_MS);
    for (const [accountId, dropped] of fresh) keepDrop({ accountId, minute, dropped });
    const { uses, written } = dueKeys();
    const taken = { attempts, drops: [...unwritten.values()], refusedCalls };
    const firsts = firstVerifications(attempts, verified);
    attempts = [];
    shares = new Map();
    fresh = new Map();
    unwritten = new Map();
    refusedCalls = new Map();
    if (taken.attempts.length + taken.drops.length + uses.length + taken.refusedCalls.size === 0) return;
    flushedAt = performance.now();
    try {
      totals.written += await context.db.transaction(async (tx) => {
        const seen = await writeRefusedCalls(tx, [...taken.refusedCalls.values()]);
        const rows = [...taken.attempts.map(toRow), ...seen.rows];
        await insertAttempts(tx, context.db.engine, rows);
        await addDrops(tx, inOneOrder([...taken.drops, ...seen.drops(minute)]));
        await writeKeyUses(tx, uses);
        await addFirstVerifications(tx, firsts.map(toRow));
        return rows.length;
      });
      written();
      if (verified.size + firsts.length > REMEMBERED_ACCOUNTS) verified.clear();
      for (const { accountId } of firsts) verified.add(accountId);
    } catch (error) {
      totals.failedFlushes += 1;
      for (const attempt of taken.attempts) drop(attempt.accountId);
      for (const lost of taken.drops) keepDrop(lost);
      // The owner must learn that a key was seen in a browser, so these are tried again.
      for (const [key, call] of taken.refusedCalls) keepRefusedCall(key, call);
      options.onFailure?.(error);
    }
  };

  const keepRefusedCall = (key: string, call: RefusedCall) => {
    const known = refusedCalls.get(key);
    if (known !== undefined) known.repeats += call.repeats + 1;
    else if (refusedCalls.size < BUFFERED_BROWSER_CALLS) refusedCalls.set(key, call);
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
    if (waiting === 0) void flush();
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
  const isQuiet = (): boolean => waiting === 0 && performance.now() - flushedAt >= FLUSH_INTERVAL_MS;

  return {
    wants: (accountId) => {
      if (
        attempts.length < BUFFERED_ATTEMPTS &&
        (shares.get(accountId) ?? 0) < ATTEMPTS_PER_FLUSH_AND_ACCOUNT
      ) {
        return true;
      }
      drop(accountId);
      return false;
    },
    record: (attempt) => {
      attempts.push(attempt);
      shares.set(attempt.accountId, (shares.get(attempt.accountId) ?? 0) + 1);
      if (isFirst(attempt, verified) || (attempts.length === 1 && isQuiet())) flushSoon();
    },
    touch: (accountId, keyId, nowMs) => {
      const key = keys.get(keyId);
      if (key !== undefined) key.usedMs = nowMs;
      else if (keys.size < TRACKED_KEYS) keys.set(keyId, { accountId, usedMs: nowMs, writtenMs: 0 });
    },
    recordBrowserCall: (call) => {
      const key = call.keyHash === null ? call.origin : Buffer.from(call.keyHash).toString('hex');
      if (key === null) return;
      keepRefusedCall(key, { ...call, outcome: 'browser_call', atMs: context.now(), repeats: 0 });
      flushSoon();
    },
    recordWrongMethod: (call) => {
      const outcome = 'method_not_allowed';
      const key = `${outcome} ${Buffer.from(call.keyHash).toString('hex')}`;
      keepRefusedCall(key, { ...call, origin: null, outcome, atMs: context.now(), repeats: 0 });
      flushSoon();
    },
    stats: () => ({ buffered: attempts.length, ...totals }),
    flush,
    close: async () => {
      clearInterval(timer);
      if (early !== null) clearTimeout(early);
      await flush();
    },
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const toRow = (attempt: Attempt): AttemptRow => ({
  account_id: attempt.accountId,
  at: toIso(attempt.atMs),
  request_id: attempt.requestId,
  api_key_id: attempt.keyId,
  status: attempt.status,
  outcome: attempt.outcome,
  redeem: attempt.redeem ? 1 : 0,
  token_last4: attempt.tokenLast4,
  token_hash: attempt.tokenHash === null ? null : Buffer.from(attempt.tokenHash).toString('hex'),
  via: attempt.via,
  latency_us: Math.round(attempt.latencyUs),
  ip: attempt.ip,
  origin: null,
});

const FOUND: readonly string[] = ['redeemed', 'valid', 'already_redeemed'];

const isFirst = ({ accountId, outcome }: Attempt, known: ReadonlySet<string>): boolean =>
  !known.has(accountId) && FOUND.includes(outcome);

/** The first attempt that found a claim, for each account not known to have had one. */
function firstVerifications(attempts: readonly Attempt[], known: ReadonlySet<string>): Attempt[] {
  const firsts = new Map<string, Attempt>();
  for (const attempt of attempts) {
    if (isFirst(attempt, known) && !firsts.has(attempt.accountId)) firsts.set(attempt.accountId, attempt);
  }
  return [...firsts.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
}

/** All processes update the rows of drops in the same order, which avoids deadlocks. */
const inOneOrder = (drops: Drop[]): Drop[] =>
  drops.sort((a, b) => (`${a.accountId} ${a.minute}` < `${b.accountId} ${b.minute}` ? -1 : 1));

interface SeenInBrowser {
  readonly rows: AttemptRow[];
  readonly drops: (minute: string) => Drop[];
}

/** Marks keys seen in a browser, with one event for each, and returns the attempts to keep. */
async function writeRefusedCalls(tx: Transaction, calls: readonly RefusedCall[]): Promise<SeenInBrowser> {
  const rows: AttemptRow[] = [];
  const repeats: { accountId: string; dropped: number }[] = [];
  const keep = (call: RefusedCall, accountId: string, keyId: string | null) => {
    rows.push({
      account_id: accountId,
      at: toIso(call.atMs),
      request_id: call.requestId,
      api_key_id: keyId,
      status: ERRORS[call.outcome].status,
      outcome: call.outcome,
      redeem: 0,
      token_last4: null,
      token_hash: null,
      via: null,
      latency_us: 0,
      ip: call.ip,
      origin: call.origin,
    });
    if (call.repeats > 0) repeats.push({ accountId, dropped: call.repeats });
  };
  for (const call of calls) {
    if (call.keyHash !== null) {
      const key = await findKeyBySecretHash(tx, call.keyHash);
      if (key === undefined) continue;
      keep(call, key.account_id, key.id);
      if (call.outcome !== 'browser_call') continue;
      const at = toIso(call.atMs);
      if (await markSeenInBrowser(tx, key.id, at)) {
        await appendEvent(tx, {
          accountId: key.account_id,
          type: 'key.seen_in_browser',
          at,
          actor: `key:${key.id}`,
          subjectId: key.id,
          data: { origin: call.origin, ip: call.ip, request_id: call.requestId },
        });
      }
    } else if (call.origin !== null) {
      for (const accountId of await findAccountsByOrigin(tx, call.origin)) keep(call, accountId, null);
    }
  }
  return { rows, drops: (minute) => repeats.map((repeat) => ({ ...repeat, minute })) };
}
