import type { Context } from '../base/context.ts';
import { countListings } from '../marketplace/listings/queries.ts';
import type { LimitChange } from '../pages/frame/page-router.ts';
import {
  type FindViewer,
  type IsStillAllowed,
  isAccountPage,
  isOfAccount,
  shellOf,
} from '../pages/frame/pages.ts';
import type { Viewer } from '../pages/ui/viewer.ts';
import { findActiveRole, listWorkAccounts } from '../people/accounts/membership-queries.ts';
import { growthOfForm } from '../people/growth/growth.ts';
import type { Mode } from '../people/keys/key.ts';
import { usualMode } from '../people/keys/view.ts';
import type { Limit } from '../people/sign-in/limits/limits.ts';
import { countAttempt } from '../people/sign-in/limits/throttle.ts';
import { cookieOf } from '../people/sign-in/sessions/cookies.ts';
import { findHolder, findSessions, type SignedIn } from '../people/sign-in/sessions/queries.ts';
import { deskLock, isFreshProof, isRecentProof, touchSession } from '../people/sign-in/sessions/sessions.ts';
import { message } from '../platform/languages/translate.ts';
import { ask, createBatchQueue, MAX_BATCH_SIZE } from '../platform/store/batch-queue.ts';
import { HOUR_MS, SECOND_MS } from '../platform/text/durations.ts';
import { secondFactorRule } from './config/sign-in.ts';
import type { ServingParts } from './parts.ts';

const LOOK_UP_WITHIN_MS = 10 * SECOND_MS;

export function createFindViewer({ context, background, baseUrl }: ServingParts): FindViewer {
  const { config, db } = context;
  const isLocked = secondFactorRule(config.operatorSecondFactor, baseUrl) === 'required';
  const lookUp = createSessionLookUp(context);
  /** The menu to show on account pages; `null` on other pages, and for people without a desk or dashboard. */
  const menuOf = async (session: SignedIn, path: string): Promise<Viewer['menu']> => {
    if (!isAccountPage(path)) return null;
    if (session.isOperator && deskLock(session, isLocked) === null) return 'desk';
    if (session.worksIn !== null) return 'dashboard';
    return (await countListings(db.read, session.accountId)) > 0 ? 'dashboard' : null;
  };
  /** The mode chosen in this browser. Default: the account's usual mode in the dashboard, `live` elsewhere. */
  const modeFor = async (cookie: string | null, session: SignedIn, isDashboard: boolean): Promise<Mode> => {
    const chosen = cookieOf(baseUrl, cookie, 'mode');
    if (chosen === 'live' || chosen === 'test') return chosen;
    return isDashboard ? usualMode(context, (session.worksIn ?? session).accountId) : 'live';
  };
  return async ({ cookie, path }) => {
    const secret = cookieOf(baseUrl, cookie, 'session_token');
    const session = secret === null ? null : await lookUp(secret);
    if (session === null) return null;
    background.start(() => touchSession(context, session));
    const menu = await menuOf(session, path);
    const isDashboard = shellOf(path, { menu }) === 'dashboard';
    const { accountId, plan, role } = (isOfAccount(path) && session.worksIn) || { ...session, role: 'owner' };
    return {
      ...session,
      personId: session.accountId,
      accountId,
      plan,
      role,
      workAccounts: isDashboard ? await listWorkAccounts(db.read, session.accountId) : [],
      isRecentlyProven: isRecentProof(session, context.now()),
      isFreshlyProven: isFreshProof(session, context.now()),
      deskLock: deskLock(session, isLocked),
      menu,
      mode: await modeFor(cookie, session, isDashboard),
    };
  };
}

export const createIsStillAllowed =
  (context: Context): IsStillAllowed =>
  async ({ sessionId, personId, accountId, role, isOperator }) => {
    const holder = await findHolder(context.db.read, sessionId, context.at());
    if (holder === undefined || (isOperator && holder.operator_since === null)) return false;
    return (await findActiveRole(context.db.read, accountId, personId)) === role;
  };

/** Batches the session lookups of concurrent requests. */
function createSessionLookUp({ db, now }: Context): (secret: string) => Promise<SignedIn | null> {
  const queue = createBatchQueue<string, { readonly session: SignedIn | null }>({
    concurrency: 2,
    fullEnough: MAX_BATCH_SIZE,
    timeoutMs: LOOK_UP_WITHIN_MS,
    run: async (secrets) =>
      (await findSessions(db.byKey.read, secrets, now())).map((session) => ({ session })),
  });
  return async (secret) => (await ask(queue, secret)).session;
}

/** A limit on a person's changes, too high to reach by hand. The CLI and the operator API are not limited. */
const limitOf = (name: string, attempts: number, windowMs: number): Limit => ({
  name,
  attempts,
  windowMs,
  refusal: (wait) =>
    windowMs === HOUR_MS
      ? message(
          'Your account has made {attempts, number} changes within an hour, which is the limit. Nothing was changed. Try again in {wait}.',
          { attempts, wait },
        )
      : message(
          'Your account has made {attempts, number} changes within a day, which is the limit. Nothing was changed. Try again in {wait}.',
          { attempts, wait },
        ),
});
export const CHANGES_AN_HOUR = limitOf('changes', 600, HOUR_MS);
export const CHANGES_A_DAY = limitOf('changes-day', 5_000, 24 * HOUR_MS);

export const createLimitChange =
  (context: Context): LimitChange =>
  async ({ personId, accountId, isOperator }, formBytes) => {
    await countAttempt(context, [
      [CHANGES_AN_HOUR, personId],
      [CHANGES_A_DAY, personId],
      ...(isOperator ? [] : await growthOfForm(context.db.read, { accountId, formBytes })),
    ]);
  };
