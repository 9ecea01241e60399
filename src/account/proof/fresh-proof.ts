import { FRESH_PROOF_MS } from '../../accounts/session.ts';
import { type PageContext, proveFirst, requireViewer } from '../../http/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * The person signed in, who proved who they are a few minutes ago; anyone else does so first and comes back to the
 * account page. For what a borrowed session must not do. An operator who has a second factor and signed in without it
 * uses it first: else a stolen password could add another one.
 */
export function requireFreshProof(c: PageContext, now: number): Viewer {
  const viewer = requireViewer(c);
  const isFresh = Date.parse(viewer.provenAt) > now - FRESH_PROOF_MS;
  if (isFresh && viewer.deskLock !== 'prove') return viewer;
  throw proveFirst(c, ACCOUNT_PATH);
}
