/** Attempts in memory between two flushes, with a share for each account. What does not fit is counted by minute. */
import { escapeUnprintable } from '../text.ts';
import { toIso } from '../time-text.ts';
import { CAUSES, type Cause, isFailure, isFound, statusOf } from './cause.ts';
import type { AttemptRow, Drop, Whose } from './queries.ts';

/** Attempts of one account kept between two flushes, so that a busy account does not displace the others. */
export const ATTEMPTS_PER_FLUSH_AND_ACCOUNT = 500;
/** The part of these that is kept for failures, which are rarer than good calls and which owners look for. */
export const KEPT_FOR_FAILURES = 100;
/** Attempts in memory between two flushes. */
export const BUFFERED_ATTEMPTS = 5_000;
/** Counts of dropped attempts held in memory, one per account and minute, while the database is away. */
const BUFFERED_DROPS = 10_000;
/** Accounts known to have verified before. */
const REMEMBERED_ACCOUNTS = 20_000;

/** One answered verification. */
export interface Attempt extends Whose {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly cause: Cause;
  /** Of a problem. */
  readonly detail: string | null;
  /** `null`: the body was not read. */
  readonly redeem: boolean | null;
  readonly tokenLast4: string | null;
  /** `hashToken` of a token that a claim could have; finds the claim the attempt was on. */
  readonly tokenHash: Uint8Array | null;
  /** Of the claim that was found. */
  readonly offerId: string | null;
  readonly via: string | null;
  /** The header as it was sent; its end is kept. */
  readonly idempotencyKey: string | null;
  readonly latencyUs: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

interface NewDrop extends Whose {
  dropped: number;
  failures: number;
}

/** What could not be written. */
export interface LostAttempts {
  readonly attempts: readonly Attempt[];
  readonly drops: readonly Drop[];
}

interface TakenAttempts extends LostAttempts {
  /** The first attempt that found a claim, for each account and cause not known to have had one. */
  readonly firsts: readonly Attempt[];
}

export interface AttemptBuffer {
  /** False where there is no room; the attempt was then counted as dropped. */
  hasRoom(whose: Whose, cause: Cause): boolean;
  /** True for what may be the first verification of its account with this cause. */
  add(attempt: Attempt): boolean;
  size(): number;
  /** Attempts dropped since the start. */
  dropped(): number;
  /** `minute`: the current one, which new drops are counted in. */
  take(minute: string): TakenAttempts;
  written(taken: TakenAttempts): void;
  /** Counts attempts that could not be written as dropped. */
  lost(lost: LostAttempts): void;
}

/** `mayGrow`: whether the request log may take more now. */
export function createAttemptBuffer(mayGrow: () => boolean = () => true): AttemptBuffer {
  let attempts: Attempt[] = [];
  let shares = new Map<string, number>();
  let newDrops = new Map<string, NewDrop>();
  let unwrittenDrops = new Map<string, Drop>();
  let dropped = 0;
  const verified = new Set<string>();

  const drop = ({ accountId, mode }: Whose, cause: Cause) => {
    dropped += 1;
    const key = `${accountId} ${mode}`;
    const counts = newDrops.get(key) ?? { accountId, mode, dropped: 0, failures: 0 };
    newDrops.set(key, counts);
    counts.dropped += 1;
    if (isFailure(cause)) counts.failures += 1;
  };
  const keepDrop = (added: Drop) => {
    const key = keyOf(added);
    const before = unwrittenDrops.get(key);
    if (before === undefined && unwrittenDrops.size >= BUFFERED_DROPS) return;
    unwrittenDrops.set(key, {
      ...added,
      dropped: (before?.dropped ?? 0) + added.dropped,
      failures: (before?.failures ?? 0) + added.failures,
    });
  };

  return {
    hasRoom: (whose, cause) => {
      const share = ATTEMPTS_PER_FLUSH_AND_ACCOUNT - (isFailure(cause) ? 0 : KEPT_FOR_FAILURES);
      const isRoomy = attempts.length < BUFFERED_ATTEMPTS && (shares.get(whose.accountId) ?? 0) < share;
      if (isRoomy && mayGrow()) return true;
      drop(whose, cause);
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
      for (const drop of newDrops.values()) keepDrop({ ...drop, minute });
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
      for (const attempt of firsts) verified.add(firstKeyOf(attempt));
    },
    lost: ({ attempts: unwritten, drops }) => {
      for (const attempt of unwritten) drop(attempt, attempt.cause);
      for (const each of drops) keepDrop(each);
    },
  };
}

export const toRow = (attempt: Attempt): AttemptRow => ({
  account_id: attempt.accountId,
  mode: attempt.mode,
  at: toIso(attempt.atMs),
  request_id: attempt.requestId,
  api_key_id: attempt.keyId,
  status: statusOf(attempt.cause),
  outcome: CAUSES[attempt.cause].outcome,
  cause: attempt.cause,
  detail: attempt.detail === null ? null : withoutSecrets(attempt.detail, MAX_DETAIL_LENGTH),
  redeem: attempt.redeem === null ? null : Number(attempt.redeem),
  token_last4: attempt.tokenLast4,
  token_hash: attempt.tokenHash === null ? null : Buffer.from(attempt.tokenHash).toString('hex'),
  offer_id: attempt.offerId,
  via: attempt.via,
  idempotency_last4: attempt.idempotencyKey === null ? null : endOf(attempt.idempotencyKey),
  latency_us: Math.round(attempt.latencyUs),
  ip: attempt.ip,
  user_agent: attempt.userAgent === null ? null : withoutSecrets(attempt.userAgent, MAX_USER_AGENT_LENGTH),
  origin: null,
  request_line: null,
});

/** Characters of a detail and of a User-Agent header that are kept. */
const MAX_DETAIL_LENGTH = 300;
const MAX_USER_AGENT_LENGTH = 150;

/** Tokens and API keys by their prefixes, with what follows. */
const SECRET = /(clm|cck)_\w+/g;

/** Text that the caller chose, cut off, on one line; a token or key that is in the wrong place is left out. */
export const withoutSecrets = (text: string, length: number): string =>
  escapeUnprintable(text.toWellFormed().replace(SECRET, '$1_…').slice(0, length));

/** Characters of an Idempotency-Key that are kept. */
const KEPT_OF_IDEMPOTENCY_KEY = 4;

/** The end of an Idempotency-Key, at most half of it. Quotation marks are not part of it. */
function endOf(header: string): string | null {
  const key = header.replace(/^"(.*)"$/, '$1');
  const kept = Math.min(KEPT_OF_IDEMPOTENCY_KEY, Math.floor(key.length / 2));
  return kept === 0 ? null : withoutSecrets(key.slice(-kept), kept);
}

const firstKeyOf = ({ accountId, cause }: Attempt): string => `${accountId} ${cause}`;

const isFirst = (attempt: Attempt, known: ReadonlySet<string>): boolean =>
  isFound(attempt.cause) && !known.has(firstKeyOf(attempt));

function firstVerifications(attempts: readonly Attempt[], known: ReadonlySet<string>): Attempt[] {
  const firsts = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const key = firstKeyOf(attempt);
    if (isFirst(attempt, known) && !firsts.has(key)) firsts.set(key, attempt);
  }
  // One order in all processes avoids deadlocks.
  return [...firsts.values()].sort((a, b) => (firstKeyOf(a) < firstKeyOf(b) ? -1 : 1));
}

/** All processes update the rows of drops in the same order, which avoids deadlocks. */
export const inOneOrder = (drops: Drop[]): Drop[] => drops.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const keyOf = ({ accountId, mode, minute }: Drop): string => `${accountId} ${mode} ${minute}`;
