/** What a link check found, and what comes next. */

import { isUnderWay } from '../../link-checks/link-check.ts';
import { MINUTE_MS } from '../../text/durations.ts';
import { callFindings } from './call-findings.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { visitFindings } from './visit-findings.ts';

/** How long the page waits for the owner's next step. */
export const WATCHED_MS = 15 * MINUTE_MS;

export interface Findings {
  readonly steps: readonly Finding[];
  /** What the owner does next in the browser; `null`: nothing. */
  readonly next: 'open' | 'redeem' | 'reopen' | null;
  /** Whether the page keeps looking for new results. */
  readonly isLive: boolean;
}

export function findingsOf(evidence: Evidence): Findings {
  const { check, nowMs, redeemedAt } = evidence;
  const steps = [...visitFindings(evidence), ...callFindings(evidence)];
  const isOver = steps.at(-1)?.state !== 'waiting' && redeemedAt !== null;
  const lastAt = check.reopened_at ?? check.opened_at ?? check.started_at;
  const isWatched = nowMs - Date.parse(lastAt) < WATCHED_MS;
  // The times of calls say which visit they belong to, so the browser waits for the service.
  if (isUnderWay(check, nowMs)) return { steps, next: null, isLive: true };
  if (isOver) return { steps, next: null, isLive: false };
  const next = check.opened_at === null ? 'open' : redeemedAt === null ? 'redeem' : 'reopen';
  return { steps, next, isLive: isWatched };
}
