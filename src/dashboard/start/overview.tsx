/** The overview on an owner's start page: the last days, the latest claims, and what is in review or was sent back. */

import { dayText } from '../../campaigns/days.ts';
import { shownClaimState } from '../../claims/claim.ts';
import { isolated } from '../../text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { Figures } from '../../ui/facts.tsx';
import { Label } from '../../ui/label.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { type State, StateBadge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Num, percentText, Time } from '../../ui/time.tsx';
import { OWNER_CLAIMS_PATH, ownerClaimPath } from '../claims/paths.ts';
import { ownListingPath } from '../listings/paths.ts';
import { ownOfferPath } from '../offers/paths.ts';
import { OVERVIEW_DAYS } from './counts.ts';
import { VerificationPart } from './set-up-steps.tsx';
import type { Start } from './start.ts';

export interface OverviewProps {
  readonly start: Start;
  readonly baseUrl: string;
}

export function OverviewSections({ start, baseUrl }: OverviewProps): Markup {
  const { overview, latest } = start;
  const waiting = waitingOf(start);
  const claims = sum(overview.claims);
  const redeemed = sum(overview.redeemed);
  return (
    <>
      <KeyNotice start={start} />
      {waiting.length > 0 && <Waits waiting={waiting} />}
      {start.shows.exchange && (
        <section class="card" aria-label="Your verification">
          <VerificationPart setUp={start.setUp} />
        </section>
      )}
      <section class="section" aria-labelledby="days">
        <h2 id="days">Last {OVERVIEW_DAYS} days</h2>
        <div class="stack">
          <Figures
            figures={[
              ['Claims', <Num value={claims} />],
              ['Redeemed', <Num value={redeemed} />],
              start.setUp.progress.keyed.possible && [
                'Rate',
                percentText(redeemed, Math.max(redeemed, claims - overview.codeClaims)),
              ],
              ['Claims ever', <Num value={overview.allClaims} />],
            ]}
          />
          {claims + redeemed > 0 && (
            <div class="card">
              <Chart
                title="Claims and redemptions"
                kind="line"
                unit="Day"
                isLastOpen
                labels={overview.days.map(dayText)}
                series={[
                  { name: 'Claims', values: overview.claims },
                  { name: 'Redeemed', values: overview.redeemed },
                ]}
              />
            </div>
          )}
        </div>
      </section>
      <section class="section" aria-labelledby="latest">
        <div class="spread">
          <h2 id="latest">Latest claims</h2>
          {latest.length > 0 && (
            <ButtonLink href={OWNER_CLAIMS_PATH} small>
              All claims
            </ButtonLink>
          )}
        </div>
        {latest.length === 0 ? <NoClaims start={start} baseUrl={baseUrl} /> : <Latest start={start} />}
      </section>
    </>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Why the owner's server cannot redeem the claims of customers, although people can claim. */
function KeyNotice({ start }: { start: Start }): Markup | null {
  const { keyed, verified } = start.setUp.progress;
  if (!keyed.possible && !verified.done) return <LinkWithoutKeys start={start} />;
  if (keyed.possible && keyed.done) return keyed.live ? null : <TestKeysOnly />;
  if (!verified.done) return null;
  return (
    <Notice
      tone="bad"
      title="No API key is active"
      actions={
        keyed.possible && (
          <ButtonLink href="/dashboard/settings/keys" small>
            API keys
          </ButtonLink>
        )
      }
    >
      {keyed.possible
        ? 'Every verification of your server is refused. Create a key, or roll one before it ends.'
        : 'The Starter plan has none, so every verification of your server is refused.'}
    </Notice>
  );
}

const TestKeysOnly = (): Markup => (
  <Notice
    tone="warn"
    title="Go live: create a live key"
    actions={
      <ButtonLink href="/dashboard/settings/keys/new?mode=live" small>
        Create a live key
      </ButtonLink>
    }
  >
    You have test keys only. With one, your server gets <code>not_found</code> for the claims of real people.
    Put a live key in its place before you share your listing.
  </Notice>
);

/** For a plan without API keys. */
function LinkWithoutKeys({ start }: { start: Start }): Markup | null {
  const offer = start.offers.find(({ redemption_link, code }) => redemption_link !== null && code === null);
  if (offer === undefined) return null;
  return (
    <Notice
      tone="warn"
      title="Your server cannot check these claims yet"
      actions={
        <>
          <ButtonLink href={ownOfferPath(offer.id)} small>
            Put a code on it
          </ButtonLink>
          <ButtonLink href="/dashboard/settings/plan" small>
            Compare the plans
          </ButtonLink>
        </>
      }
    >
      <strong>{isolated(offer.offer)}</strong> has a redemption link and no shared code. Its tokens are
      verified with an API key, which the Starter plan does not have.
    </Notice>
  );
}

interface WaitingThing {
  readonly name: string;
  readonly href: string;
  readonly what: string;
  readonly badge: State;
  /** ISO 8601 UTC. */
  readonly since: string | null;
}

/** Listings and offers that are in review, were sent back or were stopped. */
function waitingOf({ listings, offers }: Start): readonly WaitingThing[] {
  const ofListings = listings.flatMap((listing): WaitingThing[] => {
    const thing = { name: listing.name, href: ownListingPath(listing.id) };
    const { state, submitted_at, decided_at, declined_reason, proposed_url, proposed_at } = listing;
    if (state === 'pending') return [{ ...thing, what: 'Listing', badge: state, since: submitted_at }];
    if (state === 'changes_requested' || state === 'suspended') {
      return [{ ...thing, what: 'Listing', badge: state, since: decided_at }];
    }
    if (state !== 'approved' || proposed_url === null) return [];
    const badge = declined_reason === null ? 'in_review' : 'declined';
    return [{ ...thing, what: 'New website', badge, since: proposed_at }];
  });
  const ofOffers = offers
    .filter(({ proposed_link }) => proposed_link !== null)
    .map(
      (offer): WaitingThing => ({
        name: offer.offer,
        href: ownOfferPath(offer.id),
        what: 'New redemption link',
        badge: offer.declined_reason === null ? 'in_review' : 'declined',
        since: offer.proposed_at,
      }),
    );
  return [...ofListings, ...ofOffers];
}

const Waits = ({ waiting }: { waiting: readonly WaitingThing[] }): Markup => (
  <section class="section" aria-labelledby="waits">
    <h2 id="waits">In review and sent back</h2>
    <Table
      caption="What is in review or was sent back"
      rows={waiting}
      columns={[
        { header: 'Name', isName: true, cell: ({ name, href }) => <a href={href}>{name}</a> },
        { header: 'What', cell: ({ what }) => what },
        { header: 'State', cell: ({ badge }) => <StateBadge state={badge} /> },
        {
          header: 'Since',
          isNowrap: true,
          cell: ({ since }) => (since === null ? '' : <Time at={since} />),
        },
      ]}
    />
  </section>
);

/** A listing's name by its slug; the slug itself for a listing that is not among the loaded ones. */
const nameOf = ({ listings }: Start, slug: string): string =>
  listings.find((listing) => listing.slug === slug)?.name ?? slug;

const Latest = ({ start }: { start: Start }): Markup => (
  <Table
    caption="Latest claims"
    rows={start.latest}
    columns={[
      {
        header: 'Offer',
        isName: true,
        cell: ({ id, offer, listing }) => (
          <>
            <a href={ownerClaimPath(id)}>{offer}</a>
            <span class="sub">{nameOf(start, listing)}</span>
          </>
        ),
      },
      {
        header: 'State',
        cell: (claim) => <StateBadge state={shownClaimState(claim)} />,
      },
      {
        header: 'Label',
        cell: ({ via }) => (via === null ? <span class="quiet-text">none</span> : <Label text={via} />),
      },
      { header: 'Claimed', isNowrap: true, cell: ({ claimed_at }) => <Time at={claimed_at} /> },
    ]}
  />
);

function NoClaims({ start, baseUrl }: OverviewProps): Markup {
  const live = start.listings.find(({ state }) => state === 'approved');
  return (
    <EmptyState
      sentence="No offer has been claimed yet. Share the address of your listing."
      action={
        live !== undefined && (
          <CopyLine text={`${baseUrl}/l/${live.slug}`} what="the address of the listing">
            <ButtonLink href={`/l/${live.slug}`} small>
              Open it
            </ButtonLink>
          </CopyLine>
        )
      }
      example={
        <Ticket
          kind="Discount"
          heading="h3"
          title="20% off the first year"
          meta="Claimed through the label newsletter"
          stub={<StateBadge state="redeemed" />}
        />
      }
    />
  );
}
