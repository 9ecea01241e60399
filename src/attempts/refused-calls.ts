/** Calls that were refused before their key was looked up: from a browser, or with a method other than POST. */
import type { RefusedCall } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import type { Mode } from '../keys/key.ts';
import type { Transaction } from '../store/database.ts';
import { type EpochMs, toIso } from '../text/time-text.ts';
import { toRow, withoutSecrets } from './attempt.ts';
import {
  type AttemptRow,
  findAccountsByOrigin,
  findKeyBySecretHash,
  markSeenInBrowser,
  type UnrecordedCalls,
} from './queries.ts';

/** Maximum pairs of cause and caller kept between two flushes. Each costs a lookup, even if the caller is unknown. */
const WAITING_CALLERS = 500;

export type RefusalCause = 'browser_call' | 'method_not_allowed';

interface WaitingCall extends RefusedCall {
  readonly cause: RefusalCause;
  readonly atMs: number;
  /** Later calls of the same caller with the same cause, and the time of the last of them. */
  more: number;
  lastMs: number;
}

/** By cause and caller. */
export type WaitingCalls = ReadonlyMap<string, WaitingCall>;

/** Between two flushes, keeps the first call of each caller and cause for the request log, and counts later ones. */
export function createRefusedCalls() {
  let waiting = new Map<string, WaitingCall>();
  let unrecorded = 0;
  const keep = (caller: string, call: WaitingCall): void => {
    const first = waiting.get(caller);
    if (first === undefined && waiting.size < WAITING_CALLERS) {
      waiting.set(caller, call);
      return;
    }
    // If too many callers are waiting already, a new caller's call is counted, but for no account.
    unrecorded += 1;
    if (first === undefined) return;
    first.more += 1 + call.more;
    first.lastMs = call.lastMs;
  };
  return {
    /** Ignores calls with neither key nor origin, whose account is unknown. */
    add: (cause: RefusalCause, call: RefusedCall, atMs: EpochMs): void => {
      const caller = call.keyHash === null ? call.origin : Buffer.from(call.keyHash).toString('hex');
      if (caller !== null) keep(`${cause} ${caller}`, { ...call, cause, atMs, more: 0, lastMs: atMs });
    },
    take: (): WaitingCalls => {
      const taken = waiting;
      waiting = new Map();
      return taken;
    },
    putBack: (taken: WaitingCalls): void => {
      const newer = waiting;
      waiting = new Map(taken);
      for (const [caller, call] of newer) keep(caller, call);
    },
    /** How many calls were not kept since the process started: repeated calls, and calls beyond `WAITING_CALLERS`. */
    unrecorded: () => unrecorded,
  };
}

/** The call was refused before its body was read. */
const UNREAD = {
  redeem: null,
  tokenLast4: null,
  tokenHash: null,
  offerId: null,
  via: null,
  idempotencyKey: null,
  latencyUs: 0,
} as const;

const MAX_ORIGIN_LENGTH = 300;
const MAX_REQUEST_LINE_LENGTH = 300;

const shownOrigin = ({ origin }: RefusedCall): string | null =>
  origin === null ? null : withoutSecrets(origin, MAX_ORIGIN_LENGTH);

/** Marks keys seen in a browser, each with one event. Returns the rows and the counts for the request log. */
export async function writeRefusedCalls(
  tx: Transaction,
  calls: WaitingCalls,
): Promise<{ readonly rows: readonly AttemptRow[]; readonly unrecorded: readonly UnrecordedCalls[] }> {
  const rows: AttemptRow[] = [];
  const unrecorded: UnrecordedCalls[] = [];
  const record = (call: WaitingCall, accountId: string, mode: Mode, keyId: string | null): void => {
    const attempt = { ...call, ...UNREAD, accountId, mode, keyId };
    const request_line = withoutSecrets(call.requestLine, MAX_REQUEST_LINE_LENGTH);
    rows.push({ ...toRow(attempt), origin: shownOrigin(call), request_line });
    if (call.more > 0) unrecorded.push({ accountId, calls: call.more, lastMs: call.lastMs });
  };
  for (const call of calls.values()) {
    if (call.keyHash !== null) {
      const key = await findKeyBySecretHash(tx, call.keyHash);
      if (key === undefined) continue;
      record(call, key.account_id, key.mode, key.id);
      if (call.cause !== 'browser_call') continue;
      const at = toIso(call.atMs);
      if (await markSeenInBrowser(tx, key.id, at)) {
        await appendEvent(tx, {
          accountId: key.account_id,
          type: 'key.seen_in_browser',
          at,
          actor: `key:${key.id}`,
          subjectId: key.id,
          data: { origin: shownOrigin(call), ip: call.ip, request_id: call.requestId },
        });
      }
    } else if (call.origin !== null) {
      for (const accountId of await findAccountsByOrigin(tx, call.origin)) {
        record(call, accountId, 'live', null);
      }
    }
  }
  return { rows, unrecorded };
}
