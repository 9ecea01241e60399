import { claimLookPath, claimPath, HELP_PATH, listingPath, MY_CLAIMS_PATH } from '../../../base/paths.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import type { Picture } from '../../../marketplace/pictures/picture.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isLoopbackHost } from '../../../platform/network/network.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyLine, ExternalLink, Mono, More, QrCode } from '../../ui/code.tsx';
import { DefinitionList, Timeline, type TimelineEntry } from '../../ui/facts.tsx';
import { Live } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { Badge, StateBadge } from '../../ui/state-badge.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { MoreApps, type OpenApps } from '../more-apps.tsx';
import { Conditions } from '../offer-limits.tsx';
import { ClaimBadge, canBeUsed, Use } from './list-page.tsx';
import type { MyClaim, MyClaimDetail } from './my-claims.ts';

/** How often an open page checks whether its claim was redeemed, for example on another device. */
const LOOK_MS = 3_000;

interface ClaimPageProps {
  readonly claim: MyClaimDetail;
  readonly baseUrl: string;
  readonly icon: Picture['files'] | null;
  /** Why the owner's page could not be opened. */
  readonly refusal: string | null;
  readonly openApps: OpenApps;
}

export function ClaimPage({ claim, baseUrl, icon, refusal, openApps }: ClaimPageProps) {
  const { listing_name: name } = claim;
  const url = baseUrl + claimPath(claim.id);
  const isWaiting = claim.state === 'not_redeemed' && claim.origin !== null;
  const hasPhoneCode =
    claim.state === 'not_redeemed' && claim.linkFault === null && !isLoopbackHost(new URL(baseUrl).hostname);
  return (
    <Live id="claim" path={claimLookPath(claim.id)} everyMs={isWaiting ? LOOK_MS : null}>
      <Breadcrumb trail={[[t('My claims'), MY_CLAIMS_PATH]]} />
      {refusal !== null && (
        <div class="end-space">
          <Notice tone="bad" title={t('{name} was not opened', { name: isolated(name) })}>
            {refusal}
          </Notice>
        </div>
      )}
      <div class="columns">
        <div class="stack-loose">
          <Ticket
            heading="h1"
            kind={
              <span class="faced">
                <Face name={name} icon={icon} size={40} />
                <span>
                  {kindName(claim.kind)} ·{' '}
                  {claim.isPublic ? (
                    <a href={listingPath(claim.listing_slug)}>{isolated(name)}</a>
                  ) : (
                    isolated(name)
                  )}
                </span>
              </span>
            }
            title={claim.offer}
            spent={claim.state !== 'not_redeemed'}
            meta={
              <>
                <p>{leadOf(claim)}</p>
                {(!isWaiting || claim.mode === 'test') && (
                  <div class="row">
                    {!isWaiting && <ClaimBadge claim={claim} />}
                    {claim.mode === 'test' && <StateBadge state="test" />}
                  </div>
                )}
              </>
            }
            stub={(canBeUsed(claim) || claim.state === 'replaced') && <Stub claim={claim} address={url} />}
          />
          <Notices claim={claim} />
          {claim.conditions !== null && <Conditions text={claim.conditions} />}
          <DefinitionList
            facts={[
              claim.linkFault === null && [t('Website'), <Website url={claim.origin ?? claim.shopUrl} />],
              [
                t('Short ID'),
                <>
                  <Mono>{shortClaimId(claim.id)}</Mono>
                  <p class="hint">{t('Quote it when you ask for help. It is not a secret.')}</p>
                </>,
              ],
              [t('Help'), <a href={HELP_PATH}>{t('Problem with this claim?')}</a>],
            ]}
          />
        </div>
        <div class="stack">
          <Card title={t('History')} id="history">
            <Timeline entries={timelineOf(claim)} />
          </Card>
          {hasPhoneCode && <ContinueOnPhone url={url} />}
        </div>
      </div>
      {!isWaiting && <MoreApps apps={openApps} besides={{ id: claim.listing_id }} />}
    </Live>
  );
}

const Website = ({ url }: { url: string }) => (
  <ExternalLink href={url}>
    <Breakable text={new URL(url).host} />
  </ExternalLink>
);

function leadOf(claim: MyClaim): string {
  const { state, origin, code } = claim;
  const name = isolated(claim.listing_name);
  if (state === 'replaced') return t('The claim was redeemed. A newer claim replaces it.');
  if (state === 'redeemed')
    return t('This claim was redeemed at {name}. A claim can be redeemed only once.', { name });
  if (origin === null) {
    if (code === null) return t('This claim can’t be used at the moment.');
    return claim.hasOwnCode
      ? t('Only you have this code. Enter it at checkout.')
      : t('Enter the code at checkout. That’s all you need.');
  }
  if (claim.isTooLate) return t('This claim can’t be redeemed any more.');
  if (claim.isOwnerSuspended) return t('This claim can’t be redeemed at the moment.');
  return code === null
    ? t('Open {name} to redeem your claim.', { name })
    : t('Open {name} to redeem your claim, and enter the code at checkout there.', { name });
}

function Stub({ claim, address }: { claim: MyClaimDetail; address: string }) {
  if (claim.state === 'replaced') {
    return claim.newer_id === null ? (
      <ButtonLink href={MY_CLAIMS_PATH}>{t('My claims')}</ButtonLink>
    ) : (
      <ButtonLink href={claimPath(claim.newer_id)}>{t('Show the newer claim')}</ButtonLink>
    );
  }
  if (claim.linkFault !== null) {
    return (
      <>
        {claim.code !== null && <CopyLine text={claim.code} what={t('the code')} label={t('Copy code')} />}
        <Badge tone="bad">{t('Cannot be opened')}</Badge>
      </>
    );
  }
  return (
    <>
      <Use claim={claim} />
      {claim.origin !== null && (
        <p class="print-only break" translate="no">
          <Breakable text={address} />
        </p>
      )}
      {/* For shops that scan the code at the till. */}
      {claim.code !== null && (
        <More summary={t('Show as QR code')}>
          <QrCode text={claim.code} label={t('QR code of the checkout code')} />
        </More>
      )}
    </>
  );
}

function Notices({ claim }: { claim: MyClaimDetail }) {
  const name = isolated(claim.listing_name);
  if (claim.linkFault !== null) {
    return (
      <Notice tone="bad" title={t(claim.linkFault)}>
        {t('Your claim is safe. Report this problem to the operator of this marketplace.')}
      </Notice>
    );
  }
  if (claim.state !== 'not_redeemed' || claim.isPublic) return null;
  if (claim.isOwnerSuspended && claim.origin !== null) {
    return (
      <Notice tone="warn" title={t('The account behind {name} is suspended', { name })}>
        {t(
          'Your claim is safe. You’ll be able to redeem it once the operator of this marketplace restores that account.',
        )}
      </Notice>
    );
  }
  if (claim.redeemableUntil !== null && claim.origin !== null) {
    const day = <TimeWithZone at={claim.redeemableUntil} />;
    return (
      <Notice tone="warn" title={t('{name} has left this marketplace', { name })}>
        {claim.isTooLate
          ? t('Claims could be redeemed until {day}.', { day })
          : t('You can redeem your claim until {day}.', { day })}
      </Notice>
    );
  }
  return <Notice title={t('{name} no longer offers this', { name })}>{t('Your claim still works.')}</Notice>;
}

function timelineOf(claim: MyClaim): readonly TimelineEntry[] {
  const name = isolated(claim.listing_name);
  const done = (what: string, at: string | null): readonly TimelineEntry[] =>
    at === null ? [] : [{ what, when: <Time at={at} />, state: 'done' }];
  const entries = [
    ...done(t('Claimed'), claim.claimed_at),
    ...done(t('Opened {name} for the first time', { name }), claim.opened_at),
    ...done(t('Redeemed at {name}', { name }), claim.redeemed_at),
  ];
  // Claims on code-only offers are never verified, so it is unknown whether their codes were used.
  const isOpen = claim.redeemed_at === null && claim.origin !== null;
  return isOpen ? [...entries, { what: t('Not redeemed yet'), state: 'open' }] : entries;
}

/**
 * The QR code contains this page's URL instead of the redemption link. With the link, anyone who scans the QR code or a
 * photo of it could redeem the claim.
 */
const ContinueOnPhone = ({ url }: { url: string }) => (
  <section class="card wide-only" aria-labelledby="phone">
    <h2 id="phone">{t('Continue on your phone')}</h2>
    <div class="stack">
      <QrCode text={url} label={t('QR code with the URL of this page')} />
      <p class="small-text soft-text">
        {t('Scan to open this page; you’ll need to sign in. The QR code doesn’t contain your claim.')}
      </p>
    </div>
  </section>
);
