/** Components shared by the list of claims and the page of a claim. */
import { isolated } from '../../text/text.ts';
import { CopyingLink, PostButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { MyClaim } from './my-claims.ts';
import { claimOpenPath } from './paths.ts';

/** Claims with only a code are never verified. */
export function ClaimBadge({ claim }: { claim: MyClaim }): Markup {
  if (claim.state !== 'not_redeemed') return <StateBadge state={claim.state} />;
  return <StateBadge state={claim.origin === null ? 'code_given' : 'claimed'} />;
}

export const hostOf = (origin: string): string => new URL(origin).host;

/** The button that leads to the owner's page with the token. */
export const HopButton = ({ claim }: { claim: MyClaim }): Markup => (
  <PostButton
    action={claimOpenPath(claim.id)}
    tone={claim.state === 'not_redeemed' && !claim.isOwnerSuspended && !claim.isTooLate ? 'primary' : 'plain'}
    label={`Open ${claim.listing_name}: ${claim.offer}`}
    leaves
  >
    Open {isolated(claim.listing_name)}
  </PostButton>
);

export const CodeLine = ({ code }: { code: string }): Markup => <CopyLine text={code} what="the code" />;

/** Copies the code and opens the page where people enter it, in a new tab. */
export const ShopButton = ({ claim, code }: { claim: MyClaim; code: string }): Markup => (
  <CopyingLink
    href={claim.shopUrl}
    text={code}
    copyWords={`Copy and open ${isolated(claim.listing_name)}`}
    tone="primary"
  >
    Open {isolated(claim.listing_name)}
  </CopyingLink>
);
