/** Calls that were refused before their key was looked up: from a browser, or with another method than POST. */
import { appendEvent } from '../events/queries.ts';
import type { Mode } from '../keys/key.ts';
import type { Transaction } from '../store/database.ts';
import { toIso } from '../time-text.ts';
import { toRow, withoutSecrets } from './attempt-buffer.ts';
import {
  type AttemptRow,
  type Drop,
  findAccountsByOrigin,
  findKeyBySecretHash,
  markSeenInBrowser,
} from './queries.ts';

/** Distinct refused calls (by key or origin) in memory between two flushes. */
export const BUFFERED_CALLS = 500;

/** A call refused because it came from a browser; a preflight has no key. */
export interface RefusedBrowserCall {
  /** SHA-256 of the API key as it was sent; `null` without one or with a malformed one. */
  readonly keyHash: Uint8Array | null;
  /** The detail of the answer. */
  readonly detail: string;
  /** Method and path, without the query. */
  readonly requestLine: string;
  readonly origin: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
}

/** A call with a key and a method other than POST, such as an opened link: its body was not read. */
export type WrongMethodCall = RefusedBrowserCall & { readonly keyHash: Uint8Array };

/** A call refused before its key was looked up. */
export interface RefusedCall extends RefusedBrowserCall {
  readonly cause: 'browser_call' | 'method_not_allowed';
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
  /** Calls since the start that get no row of their own. The accounts of those beyond the limit are not known. */
  dropped(): number;
}

export function createRefusedCalls(): RefusedCalls {
  let calls = new Map<string, RefusedCall>();
  let dropped = 0;
  const keep = (caller: string, call: RefusedCall) => {
    const known = calls.get(caller);
    if (known === undefined && calls.size < BUFFERED_CALLS) {
      calls.set(caller, call);
      return;
    }
    if (known !== undefined) known.repeats += call.repeats + 1;
    // Its repeats were counted when they came.
    dropped += 1;
  };
  return {
    addBrowserCall: (call, atMs) => {
      const caller = call.keyHash === null ? call.origin : Buffer.from(call.keyHash).toString('hex');
      if (caller !== null) keep(caller, { ...call, cause: 'browser_call', atMs, repeats: 0 });
      return caller !== null;
    },
    addWrongMethod: (call, atMs) => {
      const cause = 'method_not_allowed';
      const caller = `${cause} ${Buffer.from(call.keyHash).toString('hex')}`;
      keep(caller, { ...call, cause, atMs, repeats: 0 });
    },
    take: () => {
      const taken = calls;
      calls = new Map();
      return taken;
    },
    putBack: (taken) => {
      for (const [caller, call] of taken) keep(caller, call);
    },
    dropped: () => dropped,
  };
}

/** What is not known of a call whose body and key were not read. */
const UNREAD = {
  redeem: null,
  tokenLast4: null,
  tokenHash: null,
  offerId: null,
  via: null,
  idempotencyKey: null,
  latencyUs: 0,
} as const;

/** Characters of an Origin header, and of method and path, that are kept. */
const MAX_ORIGIN_LENGTH = 300;
const MAX_REQUEST_LINE_LENGTH = 300;

const shownOrigin = ({ origin }: RefusedCall): string | null =>
  origin === null ? null : withoutSecrets(origin, MAX_ORIGIN_LENGTH);

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
  const repeats: Omit<Drop, 'minute'>[] = [];
  const keep = (call: RefusedCall, accountId: string, mode: Mode, keyId: string | null) => {
    const attempt = { ...call, ...UNREAD, accountId, mode, keyId };
    const request_line = withoutSecrets(call.requestLine, MAX_REQUEST_LINE_LENGTH);
    rows.push({ ...toRow(attempt), origin: shownOrigin(call), request_line });
    if (call.repeats > 0) {
      repeats.push({ accountId, mode, dropped: call.repeats, failures: call.repeats });
    }
  };
  for (const call of calls) {
    if (call.keyHash !== null) {
      const key = await findKeyBySecretHash(tx, call.keyHash);
      if (key === undefined) continue;
      keep(call, key.account_id, key.mode, key.id);
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
        keep(call, accountId, 'live', null);
      }
    }
  }
  return { rows, drops: (minute) => repeats.map((repeat) => ({ ...repeat, minute })) };
}
