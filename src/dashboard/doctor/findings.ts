/** What a check-up found, in words: each step with what to change where it failed. */
import { isWalking, WATCHED_MS } from '../../checkups/check-up.ts';
import { browserFindings, refused } from './browser-findings.ts';
import type { Examination, Finding } from './finding.ts';
import { walkFindings } from './walk-findings.ts';

export interface Findings {
  readonly fromHere: readonly Finding[];
  readonly inBrowser: readonly Finding[];
  /** What the owner does next in the browser. */
  readonly next: 'open' | 'redeem' | 'open-again' | 'press-again' | 'nothing';
  /** Whether the page is to look again by itself. */
  readonly isLive: boolean;
}

export function findingsOf(examination: Examination): Findings {
  const { checkUp, nowMs } = examination;
  const inBrowser = browserFindings(examination);
  const lastAt = checkUp.openedAgainAt ?? checkUp.openedAt ?? checkUp.startedAt;
  const isWatched = nowMs - Date.parse(lastAt) < WATCHED_MS;
  const isOver = inBrowser.every(({ state }) => state !== 'waiting' && state !== 'later');
  return {
    fromHere: walkFindings(examination),
    inBrowser,
    next: nextOf(examination),
    isLive: isWalking(checkUp, nowMs) || (isWatched && !isOver),
  };
}

function nextOf(examination: Examination): Findings['next'] {
  const { checkUp, redeemedAt, nowMs } = examination;
  // Calls of the walk and of the browser are told apart by their time.
  if (isWalking(checkUp, nowMs)) return 'nothing';
  if (checkUp.openedAt === null) return 'open';
  if (redeemedAt === null) return 'redeem';
  if (checkUp.openedAgainAt === null) return 'open-again';
  return refused(examination).state === 'waiting' ? 'press-again' : 'nothing';
}
