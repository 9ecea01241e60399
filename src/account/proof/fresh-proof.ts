import { type PageContext, proveFirst, requireViewer } from '../../http/pages/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/** An operator must use their second factor first: otherwise a stolen password would be enough to replace it. */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

export const hasFreshProof = (viewer: Viewer): boolean => viewer.isProven && !isLocked(viewer);

/** The viewer, for a change that a stolen session must not make. Redirects to the proof if needed, then to `next`. */
export function requireFreshProof(c: PageContext, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer)) return viewer;
  throw proveFirst(c, next);
}

/** The viewer, for a form whose password is proof enough. Redirects if the second factor must be used first. */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
