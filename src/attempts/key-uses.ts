/** When each API key was last used: kept in memory and written from time to time. */
import { toIso } from '../text/time-text.ts';
import type { KeyUse } from './queries.ts';

/** Between two writes of a key's last use, so that it is at most a minute stale. */
const KEY_USE_INTERVAL_MS = 30_000;
const TRACKED_KEYS = 20_000;

interface TrackedKey {
  readonly accountId: string;
  usedMs: number;
  writtenMs: number;
}

export interface KeyUses {
  touch(accountId: string, keyId: string, nowMs: number): void;
  /** The uses to write now, in the order of their keys. Call `written` when they are in the database. */
  due(nowMs: number): { readonly uses: readonly KeyUse[]; written(): void };
}

export function createKeyUses(): KeyUses {
  const keys = new Map<string, TrackedKey>();
  return {
    touch: (accountId, keyId, nowMs) => {
      const key = keys.get(keyId);
      if (key !== undefined) key.usedMs = nowMs;
      else if (keys.size < TRACKED_KEYS) keys.set(keyId, { accountId, usedMs: nowMs, writtenMs: 0 });
    },
    due: (nowMs) => {
      const uses: KeyUse[] = [];
      const due: { readonly key: TrackedKey; readonly usedMs: number }[] = [];
      for (const [keyId, key] of keys) {
        if (nowMs - key.writtenMs < KEY_USE_INTERVAL_MS) continue;
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
      // All processes update these rows in the same order, which avoids deadlocks.
      uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
      return { uses, written };
    },
  };
}
