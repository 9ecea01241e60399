import { claimOpenPath, claimPath, MY_CLAIMS_PATH } from '../../../base/paths.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import type { Picture } from '../../../marketplace/pictures/picture.ts';
import type { ShownPictures } from '../../../marketplace/pictures/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { ButtonLink, CopyingLink, PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Pager } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Time } from '../../ui/time.tsx';
import type { MyClaim } from './my-claims.ts';

interface MyClaimsPageProps {
  readonly claims: readonly MyClaim[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** Keyed by listing id. */
  readonly pictures: ReadonlyMap<string, ShownPictures>;
}

export function MyClaimsPage({ claims, next, isFirst, pictures }: MyClaimsPageProps) {
  const unredeemed = claims.filter(({ state }) => state === 'not_redeemed');
  const redeemed = claims.filter(({ state }) => state !== 'not_redeemed');
  const usable = unredeemed.filter(isUsable);
  const unusable = unredeemed.filter((claim) => !isUsable(claim));
  return (
    <>
      <PageHeader title={t('My claims')} />
      {claims.length === 0 && <Nothing />}
      <div class="stack-loose">
        <Group id="usable" title={t('Ready to use')} claims={usable} pictures={pictures} />
        <Group id="unusable" title={t('Can’t be used')} claims={unusable} pictures={pictures} />
        <Group id="redeemed" title={t('Redeemed')} claims={redeemed} pictures={pictures} />
      </div>
      <Pager
        previous={null}
        next={next === null ? null : `${MY_CLAIMS_PATH}?after=${encodeURIComponent(next)}`}
        summary={isFirst ? undefined : <a href={MY_CLAIMS_PATH}>{t('First page')}</a>}
      />
    </>
  );
}

interface GroupProps extends Pick<MyClaimsPageProps, 'claims' | 'pictures'> {
  readonly id: string;
  readonly title: string;
}

const Group = ({ id, title, claims, pictures }: GroupProps) =>
  claims.length === 0 ? null : (
    <Section title={title} id={id} isStack>
      {claims.map((claim) => (
        <ClaimTicket claim={claim} icon={pictures.get(claim.listing_id)?.icon?.files ?? null} />
      ))}
    </Section>
  );

function ClaimTicket({ claim, icon }: { claim: MyClaim; icon: Picture['files'] | null }) {
  const { state, listing_name: name } = claim;
  const isRedeemed = state !== 'not_redeemed';
  return (
    <Ticket
      picture={<Face name={name} icon={icon} size={40} />}
      kind={`${kindName(claim.kind)} · ${isolated(name)}`}
      title={<a href={claimPath(claim.id)}>{isolated(claim.offer)}</a>}
      heading="h3"
      meta={
        isRedeemed ? (
          <div class="row">
            {claim.redeemed_at !== null && (
              <span>{t('Redeemed {time}', { time: <Time at={claim.redeemed_at} /> })}</span>
            )}
            {state === 'replaced' && <ClaimBadge claim={claim} />}
          </div>
        ) : (
          t('Claimed {time}', { time: <Time at={claim.claimed_at} /> })
        )
      }
      stub={!isRedeemed && (canBeUsed(claim) ? <Use claim={claim} /> : <ClaimBadge claim={claim} />)}
      spent={isRedeemed}
    />
  );
}

/** Claims on code-only offers are never verified, so their badge only says that the code was given out. */
export function ClaimBadge({ claim }: { claim: MyClaim }) {
  if (claim.state !== 'not_redeemed') return <StateBadge state={claim.state} />;
  return <StateBadge state={claim.origin === null ? 'code_given' : 'claimed'} />;
}

export const canBeUsed = ({ code, origin }: MyClaim): boolean => code !== null || origin !== null;

/**
 * Whether an unredeemed claim can be used now. A claim with only a code is always usable, because this service doesn't
 * verify the code.
 */
const isUsable = (claim: MyClaim): boolean =>
  claim.origin === null ? claim.code !== null : !claim.isOwnerSuspended && !claim.isTooLate;

export const Use = ({ claim }: { claim: MyClaim }) => {
  const { code, origin } = claim;
  if (code === null) return <HopButton claim={claim} />;
  return (
    <CopyLine text={code} what={t('the code')} label={t('Copy code')}>
      {origin === null ? <ShopButton claim={claim} code={code} /> : <HopButton claim={claim} />}
    </CopyLine>
  );
};

const HopButton = ({ claim }: { claim: MyClaim }) => (
  <PostButton
    action={claimOpenPath(claim.id)}
    tone={claim.state === 'not_redeemed' && isUsable(claim) ? 'primary' : 'plain'}
    label={t('Open {name}: {offer}', { name: claim.listing_name, offer: claim.offer })}
    leaves
  >
    {t('Open {name}', { name: isolated(claim.listing_name) })}
  </PostButton>
);

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
    sentence={t('The offers that you claim appear here, with their codes and a button that opens the app.')}
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
