/** All that the findings of a check-up are made from. */
import { isCause, isFixed, outcomeOf } from '../../attempts/cause.ts';
import { findUnrecordedCalls } from '../../attempts/queries.ts';
import type { CheckUp } from '../../checkups/check-up.ts';
import { type Call, findExaminedClaim, readCalls } from '../../checkups/queries.ts';
import type { Context } from '../../context.ts';
import { listKeyViews } from '../../keys/view.ts';
import { type Diagnosis, diagnose } from '../requests/diagnosis.ts';
import type { Examination, ExaminedCall } from './finding.ts';

export async function readExamination(
  context: Pick<Context, 'db' | 'now'>,
  checkUp: CheckUp,
  baseUrl: string,
): Promise<Examination> {
  const { accountId, claimId, browserClaimId, startedAt, walk, openedAt, openedAgainAt } = checkUp;
  const db = context.db.read;
  const [ofWalk, ofBrowser, keys, unrecorded] = await Promise.all([
    findExaminedClaim(context.db, accountId, claimId),
    browserClaimId === null ? null : findExaminedClaim(context.db, accountId, browserClaimId),
    listKeyViews(context, accountId),
    findUnrecordedCalls(db, accountId),
  ]);
  const tokens = { walk: ofWalk.token_hash, browser: ofBrowser?.token_hash ?? null };
  const visits = [walk.head?.at ?? null, walk.get?.at ?? null, openedAt, openedAgainAt];
  const calls = await readCalls(db, accountId, {
    from: startedAt,
    tokenHashes: Object.values(tokens).filter((hash) => hash !== null),
    visits: visits.filter((at) => at !== null),
  });
  return {
    checkUp,
    calls: calls.flatMap((call) => {
      // Both parts may have the same claim, so the time decides which part a call belongs to.
      const part = openedAt !== null && call.at >= openedAt ? 'browser' : 'walk';
      const isOwn = isSame(call.token_hash, tokens[part]);
      // After the walk a call with another token belongs to another trial.
      const isLate = part === 'walk' && checkUp.walkedAt !== null && call.at > checkUp.walkedAt;
      return isLate && !isOwn ? [] : [examined(call, part, isOwn)];
    }),
    redeemedAt: ofBrowser?.redeemed_at ?? null,
    exposedKeys: keys
      .filter((key) => key.state === 'active' && key.seen_in_browser_at !== null && key.rolled_to_id === null)
      .map(({ name }) => name),
    hasUnrecorded: unrecorded !== undefined && unrecorded.last_at >= startedAt,
    baseUrl,
    nowMs: context.now(),
  };
}

const examined = (call: Call, part: ExaminedCall['part'], isOwn: boolean): ExaminedCall => ({
  at: call.at,
  requestId: call.request_id,
  outcome: outcomeOf(call.cause),
  redeem: call.redeem === 1,
  ip: call.ip,
  keyName: call.key_name,
  keyMode: call.key_mode,
  part,
  isOwn,
  diagnosis: diagnosisOf(call, isOwn),
});

function diagnosisOf(call: Call, isOwn: boolean): Diagnosis | null {
  if (isCause(call.cause) && isFixed(call.cause)) {
    return { what: 'It had a fixed test token.', fix: 'Send the token that is in the link.' };
  }
  return diagnose(call, isOwn ? 'test' : null);
}

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one !== null && other !== null && Buffer.compare(one, other) === 0;
