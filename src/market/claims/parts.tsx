/** Components shared by the list of claims and the page of a claim. */
import { isolated } from '../../text/text.ts';
import { PostButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Badge, StateBadge } from '../../ui/state-badge.tsx';
import type { MyClaim } from './my-claims.ts';
import { claimOpenPath } from './paths.ts';

/** Code-only offers are never verified, so show only "claimed". */
export function ClaimBadge({ claim }: { claim: MyClaim }): Markup {
  if (claim.state !== 'not_redeemed') return <StateBadge state={claim.state} />;
  return claim.origin === null ? <Badge tone="accent">Claimed</Badge> : <StateBadge state="claimed" />;
}

export const hostOf = (origin: string): string => new URL(origin).host;

/** The button that leads to the owner's page with the token. */
export const HopButton = ({ claim }: { claim: MyClaim }): Markup => (
  <PostButton
    action={claimOpenPath(claim.id)}
    tone={claim.state === 'not_redeemed' && !claim.isOwnerSuspended ? 'primary' : 'plain'}
    label={`Open ${claim.listing_name}: ${claim.offer}`}
    leaves
  >
    Open {isolated(claim.listing_name)}
  </PostButton>
);

export const SharedCode = ({ code }: { code: string }): Markup => <CopyLine text={code} what="the code" />;
