/** The signed-in person behind a request for a page, from the cookies of their browser. */
import { cookieOf, modeCookieName, sessionCookieName } from '../accounts/cookies.ts';
import { deskLock } from '../accounts/session.ts';
import { findSession, type SignedIn } from '../accounts/session-queries.ts';
import { touchSession } from '../accounts/sessions.ts';
import { secondFactorRule } from '../config/sign-in.ts';
import { hasListing } from '../dashboard/start/queries.ts';
import { type FindViewer, isAccountPage, shellOf } from '../http/pages/pages.ts';
import type { Mode } from '../keys/key.ts';
import { usualMode } from '../keys/view.ts';
import type { Background } from '../process/background.ts';
import type { Viewer } from '../ui/viewer.ts';
import type { OpenContext } from './open-context.ts';

export interface ViewerParts {
  readonly context: OpenContext;
  readonly background: Background;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export function createFindViewer({ context, background, baseUrl }: ViewerParts): FindViewer {
  const { config, db, now } = context;
  const isLocked = secondFactorRule(config.operatorSecondFactor, baseUrl) === 'required';
  /** The desk while it is open to the operator; without it, the dashboard of those who have listings. */
  const workplaceOf = async (session: SignedIn, path: string): Promise<Viewer['workplace']> => {
    if (!isAccountPage(path)) return null;
    if (session.isOperator && deskLock(session, isLocked) === null) return 'desk';
    return (await hasListing(db.read, session.accountId)) ? 'dashboard' : null;
  };
  /** The mode chosen in this browser, else the account's usual mode in the dashboard and `live` elsewhere. */
  const modeFor = async (request: Request, viewer: Omit<Viewer, 'mode'>, path: string): Promise<Mode> => {
    const chosen = cookieOf(request.headers.get('cookie'), modeCookieName(baseUrl));
    if (chosen === 'live' || chosen === 'test') return chosen;
    return shellOf(path, viewer) === 'dashboard' ? usualMode(context, viewer.accountId) : 'live';
  };
  return async (request) => {
    const cookie = cookieOf(request.headers.get('cookie'), sessionCookieName(baseUrl));
    const session = cookie === null ? null : await findSession(db.read, cookie, now());
    if (session === null) return null;
    // In the background: the page does not wait for this write.
    background.start(() => touchSession(context, session));
    const path = new URL(request.url).pathname;
    const workplace = await workplaceOf(session, path);
    const viewer = { ...session, deskLock: deskLock(session, isLocked), workplace };
    return { ...viewer, mode: await modeFor(request, viewer, path) };
  };
}
