/** Limits what signed-in people change, since each change stays as a row or an event. */
import type { Limit } from '../accounts/limits.ts';
import { countAttempt } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { type AdmitChange, audienceOf } from '../http/pages/pages.ts';
import { HOUR_MS } from '../text/durations.ts';

/** Far more than a person does by hand. The command line and the operator's API have no such limit. */
const limitOf = (name: string, attempts: number, windowMs: number): Limit => ({
  name,
  attempts,
  windowMs,
  refusal: (wait) =>
    `Your account has made ${attempts.toLocaleString('en')} changes within ${windowMs === HOUR_MS ? 'an hour' : 'a day'}, which is the most. Nothing was changed. Try again in ${wait}.`,
});
export const CHANGES_AN_HOUR = limitOf('changes', 600, HOUR_MS);
export const CHANGES_A_DAY = limitOf('changes-day', 5_000, 24 * HOUR_MS);

/**
 * Forms that only show what a change would look like; their scripts send them while a person types. Whole paths, since a
 * listing is also edited under its slug, which may be `preview`.
 */
const PREVIEW =
  /^\/dashboard\/(?:listings\/(?:new\/slug|[^/]+\/preview|[^/]+\/offers\/new\/check)|offers\/[^/]+\/check)$/;
/** What ends access is never refused, and it is bounded by what gave the access. */
const ENDS_ACCESS = /^\/sign-out$|^\/account\/sessions\/|^\/dashboard\/settings\/keys\/[^/]+\/revoke$/;

/** Decisions of operators are not counted. */
export const createAdmitChange =
  (context: Context): AdmitChange =>
  async ({ accountId, isOperator }, path) => {
    if (isOperator && audienceOf(path) === 'desk') return;
    if (PREVIEW.test(path) || ENDS_ACCESS.test(path)) return;
    await countAttempt(context, [
      [CHANGES_AN_HOUR, accountId],
      [CHANGES_A_DAY, accountId],
    ]);
  };
