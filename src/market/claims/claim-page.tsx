import { isLoopbackHost } from '../../network/network.ts';
import { kindName } from '../../offers/offer.ts';
import type { Picture } from '../../pictures/picture.ts';
import { isolated } from '../../text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { More, QrCode } from '../../ui/code.tsx';
import { Timeline, type TimelineEntry } from '../../ui/facts.tsx';
import { Live } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { Badge, StateBadge } from '../../ui/state-badge.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Time } from '../../ui/time.tsx';
import { Conditions } from '../offer-limits.tsx';
import { claimLookPath, claimPath, MY_CLAIMS_PATH } from '../paths.ts';
import { ClaimBadge, CodeLine, WayOut } from './list-page.tsx';
import type { MyClaim, MyClaimDetail } from './my-claims.ts';

/** How often an open page checks whether its claim was redeemed, perhaps on a phone. */
const LOOK_MS = 3_000;

export interface ClaimPageProps {
  readonly claim: MyClaimDetail;
  readonly baseUrl: string;
  /** Of the listing. */
  readonly icon: Picture['files'] | null;
  /** Why the owner's page could not be opened. */
  readonly refusal: string | null;
}

export function ClaimPage({ claim, baseUrl, icon, refusal }: ClaimPageProps) {
  const { listing_name: name } = claim;
  const url = baseUrl + claimPath(claim.id);
  const isWaiting = claim.state === 'not_redeemed' && claim.origin !== null;
  return (
    <Live id="claim" path={claimLookPath(claim.id)} everyMs={isWaiting ? LOOK_MS : null}>
      <PageHeader
        above={<Breadcrumb trail={[['My claims', MY_CLAIMS_PATH]]} />}
        face={<Face name={name} icon={icon} size={56} />}
        title="Your claim"
        badge={
          <>
            <ClaimBadge claim={claim} />
            {claim.mode === 'test' && <StateBadge state="test" />}
          </>
        }
        lead={leadOf(claim)}
      />
      {refusal !== null && (
        <div class="end-space">
          <Notice tone="bad" title={`${isolated(name)} was not opened`}>
            {refusal}
          </Notice>
        </div>
      )}
      <div class="columns">
        <div class="stack-loose">
          <Ticket
            kind={`${kindName(claim.kind)} · ${isolated(name)}`}
            title={claim.offer}
            spent={claim.state !== 'not_redeemed'}
            meta={
              <>
                Claimed <Time at={claim.claimed_at} />
              </>
            }
            stub={<Stub claim={claim} address={url} />}
          />
          <Notices claim={claim} />
          {claim.conditions !== null && <Conditions text={claim.conditions} />}
          <section class="section" aria-labelledby="history">
            <h2 id="history">History</h2>
            <Timeline entries={timelineOf(claim)} />
          </section>
        </div>
        {claim.state === 'not_redeemed' &&
          claim.linkFault === null &&
          !isLoopbackHost(new URL(baseUrl).hostname) && <ContinueOnPhone url={url} />}
      </div>
    </Live>
  );
}

function leadOf({
  state,
  origin,
  code,
  listing_name,
  isOwnerSuspended,
  isTooLate,
  hasOwnCode,
}: MyClaim): string {
  if (state === 'replaced') return 'It was redeemed. A newer claim, under My claims, replaces it.';
  if (state === 'redeemed')
    return `It was redeemed at ${isolated(listing_name)}. A claim can be redeemed only once.`;
  if (origin === null) {
    return hasOwnCode
      ? 'Only you have this code. Enter it at checkout.'
      : 'Enter the code at checkout. That’s all you need.';
  }
  if (isTooLate) return 'It can’t be redeemed any more.';
  if (isOwnerSuspended) return 'It cannot be redeemed at the moment.';
  const open = `Open ${isolated(listing_name)} to redeem your claim`;
  return code === null ? `${open}.` : `${open}, and enter the code at checkout there.`;
}

function Stub({ claim, address }: { claim: MyClaimDetail; address: string }) {
  if (claim.state === 'replaced') return <ButtonLink href={MY_CLAIMS_PATH}>My claims</ButtonLink>;
  if (claim.origin === null && claim.code === null) return <p>It can’t be used at the moment.</p>;
  return (
    <>
      {claim.code !== null && (
        <>
          <CodeLine code={claim.code} />
          {/* For a till that scans codes. */}
          <More summary="Show as QR code">
            <QrCode text={claim.code} label="QR code with the code for checkout" />
          </More>
        </>
      )}
      {claim.linkFault === null ? (
        <>
          <WayOut claim={claim} />
          <p>
            <Breakable text={new URL(claim.origin ?? claim.shopUrl).host} />
          </p>
          {claim.origin !== null && (
            <p class="print-only break">
              <Breakable text={address} />
            </p>
          )}
        </>
      ) : (
        <Badge tone="bad">Cannot be opened</Badge>
      )}
    </>
  );
}

function Notices({ claim }: { claim: MyClaimDetail }) {
  if (claim.linkFault !== null) {
    return (
      <Notice tone="bad" title={claim.linkFault}>
        Your claim is safe. Tell the operator of this marketplace.
      </Notice>
    );
  }
  if (claim.state !== 'not_redeemed' || claim.isPublic) return null;
  if (claim.isOwnerSuspended && claim.origin !== null) {
    return (
      <Notice tone="warn" title={`The account behind ${isolated(claim.listing_name)} is suspended`}>
        Your claim is safe. You’ll be able to redeem it once the operator of this marketplace restores that
        account.
      </Notice>
    );
  }
  if (claim.redeemableUntil !== null && claim.origin !== null) {
    return (
      <Notice tone="warn" title={`${isolated(claim.listing_name)} has left this marketplace`}>
        {claim.isTooLate ? 'Claims could be redeemed until' : 'You can redeem your claim until'}{' '}
        <Time at={claim.redeemableUntil} precision="day" />.
      </Notice>
    );
  }
  return (
    <Notice title={`${isolated(claim.listing_name)} no longer offers this`}>Your claim still works.</Notice>
  );
}

function timelineOf(claim: MyClaim): readonly TimelineEntry[] {
  const name = isolated(claim.listing_name);
  const done = (what: string, at: string | null): readonly TimelineEntry[] =>
    at === null ? [] : [{ what, when: <Time at={at} />, state: 'done' }];
  const entries = [
    ...done('Claimed', claim.claimed_at),
    ...done(`First opened ${name}`, claim.opened_at),
    ...done(`Redeemed at ${name}`, claim.redeemed_at),
  ];
  // Code-only offers are never verified, so they have no open state.
  const isOpen = claim.redeemed_at === null && claim.origin !== null;
  return isOpen ? [...entries, { what: 'Not redeemed yet', state: 'open' }] : entries;
}

/**
 * The QR code contains the URL of this page and not the redemption link: a camera app that opens scanned links cannot
 * redeem the claim, and a photo of the screen is useless to anyone else.
 */
const ContinueOnPhone = ({ url }: { url: string }) => (
  <section class="card wide-only" aria-labelledby="phone">
    <h2 id="phone">Continue on your phone</h2>
    <div class="stack">
      <QrCode text={url} label="QR code with the URL of this page" />
      <p class="small-text soft-text">
        Scan to open this page; you’ll need to sign in. The code doesn’t contain your claim.
      </p>
    </div>
  </section>
);
