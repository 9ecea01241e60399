import { t } from '../../languages/translate.ts';
import { kindName } from '../../offers/offer.ts';
import type { Picture } from '../../pictures/picture.ts';
import type { ShownPictures } from '../../pictures/queries.ts';
import { isolated } from '../../text/text.ts';
import { ButtonLink, CopyingLink, PostButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Pager } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Time } from '../../ui/time.tsx';
import { claimOpenPath, claimPath, MY_CLAIMS_PATH } from '../paths.ts';
import type { MyClaim } from './my-claims.ts';

export interface MyClaimsPageProps {
  readonly claims: readonly MyClaim[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** The pictures of the claimed listings, by listing id. */
  readonly pictures: ReadonlyMap<string, ShownPictures>;
}

export const MyClaimsPage = ({ claims, next, isFirst, pictures }: MyClaimsPageProps) => (
  <>
    <PageHeader title={t('My claims')} lead={t('Claims you can still use come first.')} />
    {claims.length === 0 ? (
      <Nothing />
    ) : (
      <div class="stack">
        {claims.map((claim) => (
          <ClaimTicket claim={claim} icon={pictures.get(claim.listing_id)?.icon?.files ?? null} />
        ))}
      </div>
    )}
    <Pager
      previous={null}
      next={next === null ? null : `${MY_CLAIMS_PATH}?after=${encodeURIComponent(next)}`}
      summary={isFirst ? undefined : <a href={MY_CLAIMS_PATH}>{t('First page')}</a>}
    />
  </>
);

const ClaimTicket = ({ claim, icon }: { claim: MyClaim; icon: Picture['files'] | null }) => (
  <Ticket
    picture={<Face name={claim.listing_name} icon={icon} size={40} />}
    kind={`${kindName(claim.kind)} · ${isolated(claim.listing_name)}`}
    title={<a href={claimPath(claim.id)}>{isolated(claim.offer)}</a>}
    meta={
      claim.redeemed_at === null
        ? t('Claimed {time}', { time: <Time at={claim.claimed_at} /> })
        : t('Redeemed {time}', { time: <Time at={claim.redeemed_at} /> })
    }
    spent={claim.state !== 'not_redeemed'}
    stub={
      <>
        <ClaimBadge claim={claim} />
        {claim.state === 'not_redeemed' && claim.code !== null && <CodeLine code={claim.code} />}
        {claim.state === 'not_redeemed' && <WayOut claim={claim} />}
      </>
    }
  />
);

/** A claim on a code-only offer is never verified, so its badge only says that the code was given. */
export function ClaimBadge({ claim }: { claim: MyClaim }) {
  if (claim.state !== 'not_redeemed') return <StateBadge state={claim.state} />;
  return <StateBadge state={claim.origin === null ? 'code_given' : 'claimed'} />;
}

/** The button that opens the owner's page with the token, or the shop where the code is entered. */
export const WayOut = ({ claim }: { claim: MyClaim }) => {
  if (claim.origin !== null) return <HopButton claim={claim} />;
  return claim.code === null ? null : <ShopButton claim={claim} code={claim.code} />;
};

/** The button that opens the owner's page with the token. */
const HopButton = ({ claim }: { claim: MyClaim }) => (
  <PostButton
    action={claimOpenPath(claim.id)}
    tone={claim.state === 'not_redeemed' && !claim.isOwnerSuspended && !claim.isTooLate ? 'primary' : 'plain'}
    label={t('Open {name}: {offer}', { name: claim.listing_name, offer: claim.offer })}
    leaves
  >
    {t('Open {name}', { name: isolated(claim.listing_name) })}
  </PostButton>
);

export const CodeLine = ({ code }: { code: string }) => <CopyLine text={code} what={t('the code')} />;

/** Copies the code and opens the page where people enter it, in a new tab. */
const ShopButton = ({ claim, code }: { claim: MyClaim; code: string }) => (
  <CopyingLink
    href={claim.shopUrl}
    text={code}
    copyWords={t('Copy and open {name}', { name: isolated(claim.listing_name) })}
    tone="primary"
  >
    {t('Open {name}', { name: isolated(claim.listing_name) })}
  </CopyingLink>
);

const Nothing = () => (
  <EmptyState
    sentence={t('Offers you claim appear here, with their codes and a button that opens the app.')}
    action={
      <ButtonLink href="/" tone="primary">
        {t('Browse offers')}
      </ButtonLink>
    }
    example={
      <Ticket kind="Notes" title={t('20% off the first year')} stub={<StateBadge state="claimed" />} />
    }
  />
);
