/** Appends an event when a check of the system begins to fail, and one when it passes again. */
import type { Context } from '../../base/context.ts';
import { appendEvent } from '../../base/events/queries.ts';
import { findFirstOperator } from '../../people/accounts/queries.ts';
import { moveSetting, readSetting } from '../../platform/store/settings.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { type EpochMs, type Iso, toIso } from '../../platform/text/time-text.ts';
import type { Check } from './check.ts';

/** Key in `settings`: the failing checks, as `FailingChecks`. */
const FAILING_CHECKS = 'failing_checks';
/** A check passes again once it has passed for this long, so that one that changes all the time causes few events. */
export const STEADY_MS = 15 * MINUTE_MS;

/** By check: since when it has passed; `null`: it fails. */
type FailingChecks = Readonly<Record<string, Iso | null>>;

interface Edge {
  readonly type: 'system.check_failed' | 'system.check_recovered';
  readonly check: string;
}

/** A check without a result passes: several checks return nothing if they don't apply. */
export function failingAfter(before: FailingChecks, checks: readonly Check[], nowMs: EpochMs) {
  const failing = new Set<string>(checks.filter(({ ok }) => !ok).map(({ check }) => check));
  const after: Record<string, Iso | null> = {};
  const edges: Edge[] = [];
  for (const check of new Set([...Object.keys(before), ...failing])) {
    if (failing.has(check)) {
      if (!Object.hasOwn(before, check)) edges.push({ type: 'system.check_failed', check });
      after[check] = null;
      continue;
    }
    const stored = before[check] ?? null;
    // A time in the future comes from a clock that was ahead.
    const since = stored !== null && Date.parse(stored) <= nowMs ? stored : toIso(nowMs);
    if (nowMs - Date.parse(since) >= STEADY_MS) edges.push({ type: 'system.check_recovered', check });
    else after[check] = since;
  }
  return { after, edges };
}

export async function watchChecks(
  context: Pick<Context, 'db' | 'now' | 'at'>,
  examine: () => Promise<readonly Check[]>,
): Promise<void> {
  const { db } = context;
  const stored = await readSetting(db.read, FAILING_CHECKS);
  const before = JSON.parse(stored ?? '{}') as FailingChecks;
  const { after, edges } = failingAfter(before, await examine(), context.now());
  const value = JSON.stringify(after);
  if (value === (stored ?? '{}')) return;
  const at = context.at();
  await db.transaction(async (tx) => {
    // If two processes overlap, only one of them changes the state, so each change causes one event.
    if (!(await moveSetting(tx, FAILING_CHECKS, stored, value))) return;
    const accountId = await findFirstOperator(tx);
    if (accountId === null) return;
    const head = { accountId, subjectId: accountId, at, actor: 'service' } as const;
    for (const { type, check } of edges) await appendEvent(tx, { ...head, type, data: { check } });
  });
}
