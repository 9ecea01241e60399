/** The signed-in person behind a request for a page, from the cookies of their browser. */
import { cookieOf, modeCookieName, sessionCookieName } from '../accounts/cookies.ts';
import { deskLock } from '../accounts/session.ts';
import { findSession } from '../accounts/session-queries.ts';
import { touchSession } from '../accounts/sessions.ts';
import type { Background } from '../background.ts';
import { secondFactorRule } from '../config/sign-in.ts';
import { audienceOf, type FindViewer } from '../http/pages.ts';
import type { Mode } from '../keys/key.ts';
import { usualMode } from '../keys/usual-mode.ts';
import type { OpenContext } from '../open-context.ts';

export interface ViewerParts {
  readonly context: OpenContext;
  readonly background: Background;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export function createFindViewer({ context, background, baseUrl }: ViewerParts): FindViewer {
  const { config, db, now } = context;
  const isLocked = secondFactorRule(config.operatorSecondFactor, baseUrl) === 'required';
  /** The mode chosen in this browser, else the account's usual mode in the dashboard and `live` elsewhere. */
  const modeFor = async (request: Request, accountId: string): Promise<Mode> => {
    const chosen = cookieOf(request.headers.get('cookie'), modeCookieName(baseUrl));
    if (chosen === 'live' || chosen === 'test') return chosen;
    const isDashboard = audienceOf(new URL(request.url).pathname) === 'dashboard';
    return isDashboard ? usualMode(context, accountId) : 'live';
  };
  return async (request) => {
    const cookie = cookieOf(request.headers.get('cookie'), sessionCookieName(baseUrl));
    const session = cookie === null ? null : await findSession(db.read, cookie, now());
    if (session === null) return null;
    // In the background: the page does not wait for this write.
    background.start(() => touchSession(context, session));
    return {
      ...session,
      deskLock: deskLock(session, isLocked),
      mode: await modeFor(request, session.accountId),
    };
  };
}
