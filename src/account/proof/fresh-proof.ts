import { FRESH_PROOF_MS } from '../../accounts/session.ts';
import { type PageContext, proveFirst, requireViewer } from '../../http/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * The viewer, with a proof of identity from the last few minutes; without one, redirects to the proof and then to
 * `next`. For changes that a stolen session must not make. An operator with a second factor who signed in
 * without it must use it first: otherwise a stolen password could add another one.
 */
export function requireFreshProof(c: PageContext, now: number, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  const isFresh = Date.parse(viewer.provenAt) > now - FRESH_PROOF_MS;
  if (isFresh && viewer.deskLock !== 'prove') return viewer;
  throw proveFirst(c, next);
}
