import { type PageContext, proveFirst, requireViewer } from '../../http/pages/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * Whether an operator has signed in without their second factor and must use it before changing the account. A password
 * alone must not be enough to replace the factor.
 */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

export const hasFreshProof = (viewer: Viewer): boolean => viewer.isProven && !isLocked(viewer);

/** For a change that a stolen session must not make. Throws a redirect to the proof, which leads back to `next`. */
export function requireFreshProof(c: PageContext, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer)) return viewer;
  throw proveFirst(c, next);
}

/** For a form that asks for the password. Throws a redirect if the second factor must be used first. */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
