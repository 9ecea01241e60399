import { type PageContext, proveFirst, requireViewer } from '../../http/pages/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * Whether the viewer is an operator who must use their second factor first. Without this, a stolen password would be
 * enough to replace the second factor.
 */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

export const hasFreshProof = (viewer: Viewer): boolean => viewer.isProven && !isLocked(viewer);

/**
 * The viewer, for a change that a stolen session must not make. If needed, redirects to the page where people confirm
 * their identity, which then leads to `next`.
 */
export function requireFreshProof(c: PageContext, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer)) return viewer;
  throw proveFirst(c, next);
}

/**
 * The viewer, for a form that asks for the password, which is proof enough. Redirects if the second factor must be used
 * first.
 */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
