import { ACCOUNT_PATH } from '../../../base/paths.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import { type PageContext, proveFirst, requireViewer } from '../../frame/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';

/** An operator who signed in without their second factor: a password must not be enough to replace it. */
export const isLocked = ({ deskLock }: Viewer): boolean => deskLock === 'prove';

/** For changes that a thief of the session could keep: to keys, credentials and the address, and for deletion. */
export const hasFreshProof = (viewer: Viewer): boolean => viewer.isFreshlyProven && !isLocked(viewer);

/** For everything else that a stolen session must not be enough for. */
export const hasRecentProof = (viewer: Viewer): boolean => viewer.isRecentlyProven && !isLocked(viewer);

/** Without a fresh proof of identity, throws the page that asks for it. `next`: where the person then continues. */
export const requireFreshProof = (c: PageContext, next: string = ACCOUNT_PATH): Promise<Viewer> =>
  requireProofOf(c, hasFreshProof, next);

export const requireRecentProof = (c: PageContext): Promise<Viewer> =>
  requireProofOf(c, hasRecentProof, ACCOUNT_PATH);

async function requireProofOf(
  c: PageContext,
  suffices: (viewer: Viewer) => boolean,
  next: string,
): Promise<Viewer> {
  if (c.req.method === 'POST') return requireProof(c, suffices, next);
  const viewer = requireViewer(c);
  if (suffices(viewer)) return viewer;
  throw proveFirst(c, next);
}

/** For forms that ask for the password. Throws a redirect to the proof page if the viewer `isLocked`. */
export function requireUnlocked(c: PageContext): Viewer {
  const viewer = requireViewer(c);
  if (isLocked(viewer)) throw proveFirst(c, ACCOUNT_PATH);
  return viewer;
}
