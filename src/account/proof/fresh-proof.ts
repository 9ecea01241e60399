import { isFreshProof } from '../../accounts/session.ts';
import { type PageContext, proveFirst, requireViewer } from '../../http/pages/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * An operator with a second factor who signed in without it must use it first: otherwise a stolen password could add
 * another one.
 */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

/** Whether the viewer has proved who they are in the last few minutes. */
export const hasFreshProof = (viewer: Viewer, now: number): boolean =>
  isFreshProof(viewer, now) && !isLocked(viewer);

/**
 * The viewer, with a fresh proof of identity; without one, redirects to the proof and then to `next`. For changes that a
 * stolen session must not make.
 */
export function requireFreshProof(c: PageContext, now: number, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer, now)) return viewer;
  throw proveFirst(c, next);
}

/**
 * The viewer of a form that asks for the password, which is itself a proof of identity. It is not enough where the second factor
 * must be used first.
 */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
