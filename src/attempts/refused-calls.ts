/** Calls that were refused before their key was looked up: from a browser, or with another method than POST. */
import { ERRORS } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import { toIso } from '../time-text.ts';
import {
  type AttemptRow,
  type Drop,
  findAccountsByOrigin,
  findKeyBySecretHash,
  markSeenInBrowser,
} from './queries.ts';

/** Distinct refused calls (by key or origin) in memory between two flushes. */
const BUFFERED_CALLS = 500;

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

/** A call refused before its key was looked up. */
export interface RefusedCall extends RefusedBrowserCall {
  readonly outcome: 'browser_call' | 'method_not_allowed';
  readonly atMs: number;
  /** Repeats of this call, which are dropped. */
  repeats: number;
}

type RefusedCallsByCaller = ReadonlyMap<string, RefusedCall>;

export interface RefusedCalls {
  /** False for a call with neither key nor origin, which cannot be assigned to an account. */
  addBrowserCall(call: RefusedBrowserCall, atMs: number): boolean;
  addWrongMethod(call: WrongMethodCall, atMs: number): void;
  take(): RefusedCallsByCaller;
  /** Keeps calls that could not be written. */
  putBack(calls: RefusedCallsByCaller): void;
}

export function createRefusedCalls(): RefusedCalls {
  let calls = new Map<string, RefusedCall>();
  const keep = (caller: string, call: RefusedCall) => {
    const known = calls.get(caller);
    if (known !== undefined) known.repeats += call.repeats + 1;
    else if (calls.size < BUFFERED_CALLS) calls.set(caller, call);
  };
  return {
    addBrowserCall: (call, atMs) => {
      const caller = call.keyHash === null ? call.origin : Buffer.from(call.keyHash).toString('hex');
      if (caller !== null) keep(caller, { ...call, outcome: 'browser_call', atMs, repeats: 0 });
      return caller !== null;
    },
    addWrongMethod: (call, atMs) => {
      const outcome = 'method_not_allowed';
      const caller = `${outcome} ${Buffer.from(call.keyHash).toString('hex')}`;
      keep(caller, { ...call, origin: null, outcome, atMs, repeats: 0 });
    },
    take: () => {
      const taken = calls;
      calls = new Map();
      return taken;
    },
    putBack: (taken) => {
      for (const [caller, call] of taken) keep(caller, call);
    },
  };
}

interface WrittenCalls {
  readonly rows: AttemptRow[];
  readonly drops: (minute: string) => Drop[];
}

/** Marks keys seen in a browser, with one event for each, and returns the attempts to keep. */
export async function writeRefusedCalls(
  tx: Transaction,
  calls: Iterable<RefusedCall>,
): Promise<WrittenCalls> {
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
