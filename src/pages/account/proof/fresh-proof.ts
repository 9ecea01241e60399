import { ACCOUNT_PATH } from '../../../base/paths.ts';
import { type PageContext, proveFirst, requireViewer } from '../../frame/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';

/**
 * Whether the viewer is an operator who signed in without their second factor. Such an operator must use the second
 * factor before changing the account: a password alone must not be enough to replace the second factor.
 */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

export const hasFreshProof = (viewer: Viewer): boolean => viewer.isProven && !isLocked(viewer);

/** Without a fresh proof of identity, throws a redirect to the proof page, which returns to `next`. */
export function requireFreshProof(c: PageContext, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer)) return viewer;
  throw proveFirst(c, next);
}

/** For forms that ask for the password. Throws a redirect to the proof page if the viewer `isLocked`. */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
