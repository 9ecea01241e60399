/** Attempts in memory between two flushes, with a share for each account. What does not fit is counted by minute. */
import { toIso } from '../time-text.ts';
import type { AttemptRow, Drop } from './queries.ts';

/** Attempts of one account kept between two flushes, so that a busy account does not displace the others. */
export const ATTEMPTS_PER_FLUSH_AND_ACCOUNT = 500;
/** Attempts in memory between two flushes. */
export const BUFFERED_ATTEMPTS = 5_000;
/** Counts of dropped attempts held in memory, one per account and minute, while the database is away. */
const BUFFERED_DROPS = 10_000;
/** Accounts known to have verified before. */
const REMEMBERED_ACCOUNTS = 20_000;

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
  /** A claim of the account has the token. */
  readonly foundClaim: boolean;
  readonly latencyUs: number;
  readonly ip: string | null;
}

interface TakenAttempts {
  readonly attempts: readonly Attempt[];
  readonly drops: readonly Drop[];
  /** The first attempt that found a claim, for each account not known to have had one. */
  readonly firsts: readonly Attempt[];
}

export interface AttemptBuffer {
  /** False where there is no room; the attempt has been counted as dropped then. */
  hasRoom(accountId: string): boolean;
  /** True for what may be the first verification of its account. */
  add(attempt: Attempt): boolean;
  size(): number;
  /** Attempts dropped since the start. */
  dropped(): number;
  /** `minute`: the current one, which new drops are counted in. */
  take(minute: string): TakenAttempts;
  written(taken: TakenAttempts): void;
  /** Counts attempts that could not be written as dropped. */
  lost(taken: TakenAttempts): void;
}

export function createAttemptBuffer(): AttemptBuffer {
  let attempts: Attempt[] = [];
  let shares = new Map<string, number>();
  let newDrops = new Map<string, number>();
  let unwrittenDrops = new Map<string, Drop>();
  let dropped = 0;
  const verified = new Set<string>();

  const drop = (accountId: string) => {
    dropped += 1;
    newDrops.set(accountId, (newDrops.get(accountId) ?? 0) + 1);
  };
  const keepDrop = (added: Drop) => {
    const key = `${added.accountId} ${added.minute}`;
    const before = unwrittenDrops.get(key)?.dropped ?? 0;
    if (before === 0 && unwrittenDrops.size >= BUFFERED_DROPS) return;
    unwrittenDrops.set(key, { ...added, dropped: before + added.dropped });
  };

  return {
    hasRoom: (accountId) => {
      const share = shares.get(accountId) ?? 0;
      if (attempts.length < BUFFERED_ATTEMPTS && share < ATTEMPTS_PER_FLUSH_AND_ACCOUNT) return true;
      drop(accountId);
      return false;
    },
    add: (attempt) => {
      attempts.push(attempt);
      shares.set(attempt.accountId, (shares.get(attempt.accountId) ?? 0) + 1);
      return isFirst(attempt, verified);
    },
    size: () => attempts.length,
    dropped: () => dropped,
    take: (minute) => {
      for (const [accountId, count] of newDrops) keepDrop({ accountId, minute, dropped: count });
      const firsts = firstVerifications(attempts, verified);
      const taken = { attempts, drops: [...unwrittenDrops.values()], firsts };
      attempts = [];
      shares = new Map();
      newDrops = new Map();
      unwrittenDrops = new Map();
      return taken;
    },
    written: ({ firsts }) => {
      if (verified.size + firsts.length > REMEMBERED_ACCOUNTS) verified.clear();
      for (const { accountId } of firsts) verified.add(accountId);
    },
    lost: (taken) => {
      for (const { accountId } of taken.attempts) drop(accountId);
      for (const unwritten of taken.drops) keepDrop(unwritten);
    },
  };
}

export const toRow = (attempt: Attempt): AttemptRow => ({
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

const isFirst = ({ accountId, foundClaim }: Attempt, known: ReadonlySet<string>): boolean =>
  foundClaim && !known.has(accountId);

function firstVerifications(attempts: readonly Attempt[], known: ReadonlySet<string>): Attempt[] {
  const firsts = new Map<string, Attempt>();
  for (const attempt of attempts) {
    if (isFirst(attempt, known) && !firsts.has(attempt.accountId)) firsts.set(attempt.accountId, attempt);
  }
  return [...firsts.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
}

/** All processes update the rows of drops in the same order, which avoids deadlocks. */
export const inOneOrder = (drops: Drop[]): Drop[] =>
  drops.sort((a, b) => (`${a.accountId} ${a.minute}` < `${b.accountId} ${b.minute}` ? -1 : 1));
