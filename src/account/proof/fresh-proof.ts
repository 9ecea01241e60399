import { FRESH_PROOF_MS } from '../../accounts/session.ts';
import { type PageContext, proveFirst, requireViewer } from '../../http/pages.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';

/**
 * Whether the viewer has proved who they are in the last few minutes. An operator with a second factor who signed in
 * without it must use it first: otherwise a stolen password could add another one.
 */
export const hasFreshProof = ({ provenAt, deskLock }: Viewer, now: number): boolean =>
  Date.parse(provenAt) > now - FRESH_PROOF_MS && deskLock !== 'prove';

/**
 * The viewer, with a fresh proof of identity; without one, redirects to the proof and then to `next`. For changes that a
 * stolen session must not make.
 */
export function requireFreshProof(c: PageContext, now: number, next: string = ACCOUNT_PATH): Viewer {
  const viewer = requireViewer(c);
  if (hasFreshProof(viewer, now)) return viewer;
  throw proveFirst(c, next);
}
