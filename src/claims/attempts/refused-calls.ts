/** Calls that were refused whatever they sent: from a browser, with a wrong method, or from outside the key's networks. */
import { appendEvent } from '../../base/events/queries.ts';
import type { Mode } from '../../people/keys/key.ts';
import type { RefusedCall } from '../../platform/errors.ts';
import { networkOf, widestNetworkOf } from '../../platform/network/network.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { toRow, withoutSecrets } from './attempt.ts';
import { type AttemptRow, findCallers, markSeenInBrowser, type UnrecordedCalls } from './queries.ts';

/** Maximum number of cause-caller pairs per flush. Each pair costs a lookup, even for unknown callers. */
const WAITING_CALLERS = 500;
/** Of those, from one network, so that made-up callers can't crowd out the report that a key was seen in a browser. */
const WAITING_CALLERS_OF_NETWORK = 50;

export type RefusalCause = 'browser_call' | 'method_not_allowed' | 'network_not_allowed';

interface WaitingCall extends RefusedCall {
  readonly cause: RefusalCause;
  readonly atMs: number;
  /** Number of later calls with the same caller and cause. `lastMs` is the time of the latest call. */
  more: number;
  lastMs: number;
}

/** Keyed by cause and caller. */
export type WaitingCalls = ReadonlyMap<string, WaitingCall>;

/** Keeps the first call per caller and cause until the next flush, and counts later calls. */
export function createRefusedCalls() {
  let waiting = new Map<string, WaitingCall>();
  let ofNetwork = new Map<string, number>();
  let unrecorded = 0;
  const clear = (): void => {
    waiting = new Map();
    ofNetwork = new Map();
  };
  const keep = (caller: string, call: WaitingCall): void => {
    const first = waiting.get(caller);
    const network = widestNetworkOf(networkOf(call.ip));
    const callers = ofNetwork.get(network) ?? 0;
    if (first === undefined && waiting.size < WAITING_CALLERS && callers < WAITING_CALLERS_OF_NETWORK) {
      waiting.set(caller, call);
      ofNetwork.set(network, callers + 1);
      return;
    }
    // Beyond these limits, calls of new callers are counted only in the total.
    unrecorded += 1;
    if (first === undefined) return;
    first.more += 1 + call.more;
    first.lastMs = call.lastMs;
  };
  return {
    /** Ignores calls with neither key nor origin, because their account is unknown. */
    add: (cause: RefusalCause, call: RefusedCall, atMs: EpochMs): void => {
      const caller = call.keyHash === null ? call.origin : Buffer.from(call.keyHash).toString('hex');
      if (caller !== null) keep(`${cause} ${caller}`, { ...call, cause, atMs, more: 0, lastMs: atMs });
    },
    take: (): WaitingCalls => {
      const calls = waiting;
      clear();
      return calls;
    },
    putBack: (calls: WaitingCalls): void => {
      const newer = waiting;
      clear();
      for (const [caller, call] of [...calls, ...newer]) keep(caller, call);
    },
    /** Number of calls dropped since the process started: repeated calls and calls beyond `WAITING_CALLERS`. */
    unrecorded: () => unrecorded,
  };
}

/** How many calls of strangers are recorded for an account: this many, then one per interval. */
export const KEYLESS_CALLS = 20;
const KEYLESS_INTERVAL_MS = MINUTE_MS;

/**
 * Anybody can send calls without a key, and whoever has a leaked key can send calls from elsewhere. These calls must not
 * push the owner's own calls out of the request log.
 */
export function createKeylessLimit() {
  const accounts = new Map<string, { readonly left: number; readonly atMs: EpochMs }>();
  return (accountId: string, atMs: EpochMs): boolean => {
    const before = accounts.get(accountId) ?? { left: KEYLESS_CALLS, atMs };
    const regained = Math.max(0, atMs - before.atMs) / KEYLESS_INTERVAL_MS;
    const left = Math.min(KEYLESS_CALLS, before.left + regained);
    accounts.set(accountId, { left: left < 1 ? left : left - 1, atMs });
    return left >= 1;
  };
}

/** Values for a call that was rejected before its body was read. */
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

/** A refused call of a known caller. */
interface CallOfAccount {
  readonly call: WaitingCall;
  readonly accountId: string;
  readonly mode: Mode;
  /** `null`: the call has no key, but the origin of an owner's site. */
  readonly keyId: string | null;
}

/**
 * Looks up the accounts of the calls. Calls of unknown callers are left out. Outside the transaction that writes them,
 * because redemptions would wait for the lookups, whose number strangers choose.
 */
export async function findAccountsOfCalls(
  db: Queryable,
  calls: WaitingCalls,
): Promise<readonly CallOfAccount[]> {
  const all = [...calls.values()];
  const { keys, sites } = await findCallers(db, {
    keyHashes: all.flatMap(({ keyHash }) => keyHash ?? []),
    origins: all.flatMap(({ keyHash, origin }) => (keyHash === null && origin !== null ? origin : [])),
  });
  const keysByHash = new Map(keys.map((key) => [Buffer.from(key.secret_hash).toString('hex'), key]));
  const sitesByOrigin = Map.groupBy(sites, ({ origin }) => origin);
  return all.flatMap((call): readonly CallOfAccount[] => {
    if (call.keyHash === null) {
      const owners = sitesByOrigin.get(call.origin) ?? [];
      return owners.map(({ account_id }) => ({ call, accountId: account_id, mode: 'live', keyId: null }));
    }
    const key = keysByHash.get(Buffer.from(call.keyHash).toString('hex'));
    return key === undefined ? [] : [{ call, accountId: key.account_id, mode: key.mode, keyId: key.id }];
  });
}

/** Marks keys seen in a browser, with an event each. Returns the rows and counts for the request log. */
export async function writeRefusedCalls(
  tx: Transaction,
  calls: readonly CallOfAccount[],
  mayRecord: ReturnType<typeof createKeylessLimit>,
): Promise<{ readonly rows: readonly AttemptRow[]; readonly unrecorded: readonly UnrecordedCalls[] }> {
  const rows: AttemptRow[] = [];
  const unrecorded: UnrecordedCalls[] = [];
  const record = ({ call, accountId, mode, keyId }: CallOfAccount): void => {
    const { more, lastMs } = call;
    const isOfStranger = keyId === null || call.cause === 'network_not_allowed';
    if (isOfStranger && !mayRecord(accountId, call.atMs)) {
      unrecorded.push({ accountId, calls: more + 1, lastMs });
      return;
    }
    const attempt = { ...call, ...UNREAD, accountId, mode, keyId };
    const request_line = withoutSecrets(call.requestLine, MAX_REQUEST_LINE_LENGTH);
    rows.push({ ...toRow(attempt), origin: shownOrigin(call), request_line });
    if (more > 0) unrecorded.push({ accountId, calls: more, lastMs });
  };
  for (const one of calls) {
    record(one);
    const { call, accountId, keyId } = one;
    if (keyId === null || call.cause !== 'browser_call') continue;
    const at = toIso(call.atMs);
    if (await markSeenInBrowser(tx, keyId, at)) {
      await appendEvent(tx, {
        accountId,
        type: 'key.seen_in_browser',
        at,
        actor: `key:${keyId}`,
        subjectId: keyId,
        trace: call.trace,
        data: { origin: shownOrigin(call), ip: call.ip, request_id: call.requestId },
      });
    }
  }
  return { rows, unrecorded };
}
