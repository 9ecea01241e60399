import {
  listingPath,
  NEW_KEY_PATH,
  OWN_KEYS_PATH,
  OWNER_CLAIMS_PATH,
  offerCodesPath,
  ownListingPath,
  ownOfferPath,
  PLAN_PATH,
} from '../../../base/paths.ts';
import { chartPoints } from '../../../marketplace/campaigns/chart-points.ts';
import { hasWaitingTexts, readTextChanges } from '../../../marketplace/listings/text-changes.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { CountChart } from '../../ui/count-chart.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { type State, StateBadge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { FunnelFigures, hasCounts } from '../campaigns/funnel.tsx';
import { claimColumns } from '../claims/list-page.tsx';
import { VerificationPart } from './set-up-steps.tsx';
import { OVERVIEW_DAYS, type Start } from './start.ts';

/** Shown first, also before the help to share a listing: without a live key, shared claims can't be redeemed. */
export function OpenProblems({ start }: { start: Start }) {
  const waiting = waitingOf(start);
  return (
    <>
      <KeyNotice start={start} />
      {start.lowOnCodes.length > 0 && <LowOnCodes offers={start.lowOnCodes} />}
      {waiting.length > 0 && <Waits waiting={waiting} now={start.now} />}
    </>
  );
}

export function OverviewSections({ start }: { start: Start }) {
  const { overview, latest } = start;
  return (
    <>
      {start.shows.exchange && (
        <section class="card" aria-label={t('Your verification')}>
          <VerificationPart setUp={start.setUp} />
        </section>
      )}
      <Section
        title={t('Last {days} days, compared with the {days} days before', { days: OVERVIEW_DAYS })}
        id="days"
        isStack
      >
        <FunnelFigures
          funnel={overview.funnel}
          hasApiKeys={start.setUp.mayHaveKeys}
          steps={['visitors', 'claims', 'redeemed']}
        />
        <Charts overview={overview} />
      </Section>
      <Section
        title={t('Latest claims')}
        id="latest"
        action={
          latest.length > 0 && (
            <ButtonLink href={OWNER_CLAIMS_PATH} small>
              {t('{count, plural, one {Open the claim} other {All # claims}}', { count: overview.allClaims })}
            </ButtonLink>
          )
        }
      >
        {latest.length === 0 ? (
          <NoClaims start={start} />
        ) : (
          <Table
            caption={t('Latest claims')}
            rows={latest}
            columns={claimColumns(start.listings, start.now)}
          />
        )}
      </Section>
    </>
  );
}

/** A line of redemptions is drawn only if claims can be redeemed. */
function Charts({ overview: { funnel, days, daily } }: Pick<Start, 'overview'>) {
  if (!hasCounts(funnel)) return null;
  const points = chartPoints(days, daily, false);
  return (
    <div class="card exchange">
      <CountChart {...points} title={t('Visits by day')} counted={['visits', 'visitors']} />
      <CountChart
        {...points}
        title={t('Claims by day')}
        counted={funnel.redeemable > 0 ? ['claims', 'redeemed'] : ['claims']}
      />
    </div>
  );
}

/** Explains what keeps the owner's server from redeeming real claims: no active API key, or no live key. */
function KeyNotice({ start }: { start: Start }) {
  const { mayHaveKeys, keyModes, verification } = start.setUp;
  if (!mayHaveKeys && verification === null) return <LinkWithoutKeys start={start} />;
  if (mayHaveKeys && keyModes.length > 0) return keyModes.includes('live') ? null : <TestKeysOnly />;
  if (verification === null) return null;
  return (
    <Notice
      tone="bad"
      title={t('No API key is active')}
      actions={
        mayHaveKeys && (
          <ButtonLink href={OWN_KEYS_PATH} small>
            {t('API keys')}
          </ButtonLink>
        )
      }
    >
      {mayHaveKeys
        ? t('Every call from your server is refused. Create a key and put it on your server.')
        : t('Every call from your server is refused, because your plan has no API keys.')}
    </Notice>
  );
}

const TestKeysOnly = () => (
  <Notice
    tone="warn"
    title={t('Go live: create a live key')}
    actions={
      <ButtonLink href={`${NEW_KEY_PATH}?mode=live`} small>
        {t('Create a live key')}
      </ButtonLink>
    }
  >
    {t(
      'You only have test keys. With a test key, your server gets {code} for real claims. Create a live key and put it on your server before you share your listing.',
      { code: <code>not_found</code> },
    )}
  </Notice>
);

function LinkWithoutKeys({ start }: { start: Start }) {
  const offer = start.offers.find(
    ({ redemption_link, code, code_list }) => redemption_link !== null && code === null && code_list === null,
  );
  if (offer === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={t('Your server cannot verify claims yet')}
      actions={
        <>
          <ButtonLink href={ownOfferPath(offer.id)} small>
            {t('Add a code')}
          </ButtonLink>
          <ButtonLink href={PLAN_PATH} small>
            {t('Compare the plans')}
          </ButtonLink>
        </>
      }
    >
      {t(
        '{offer} has a redemption link but no code. To verify the tokens of its claims, your server needs an API key, but your plan has no API keys.',
        { offer: <strong>{isolated(offer.offer)}</strong> },
      )}
    </Notice>
  );
}

const LowOnCodes = ({ offers }: { offers: readonly CountedOffer[] }) => (
  <Notice tone="warn" title={t('Codes are running out')}>
    <ul>
      {offers.map(({ id, offer, codes_left, code_list }) => (
        <li>
          {t('{offer}: {codesLeft, plural, one {# code} other {# codes}} left.', {
            offer: <a href={offerCodesPath(id)}>{isolated(offer)}</a>,
            codesLeft: codes_left,
          })}
          {codes_left === 0 &&
            (code_list === 'close'
              ? ` ${t('The offer is closed until you add codes.')}`
              : ` ${t('New claims get the shared code.')}`)}
        </li>
      ))}
    </ul>
  </Notice>
);

interface WaitingThing {
  readonly name: string;
  readonly href: string;
  readonly what: string;
  readonly badge: State;
  readonly since: string | null;
}

function waitingOf({ listings, offers }: Start): readonly WaitingThing[] {
  const ofListings = listings.flatMap((listing): WaitingThing[] => {
    const thing = { name: listing.name, href: ownListingPath(listing.id) };
    const { state, submitted_at, decided_at, declined_reason, proposed_url, proposed_at } = listing;
    if (state === 'pending') return [{ ...thing, what: t('Listing'), badge: state, since: submitted_at }];
    if (state === 'changes_requested' || state === 'suspended') {
      return [{ ...thing, what: t('Listing'), badge: state, since: decided_at }];
    }
    if (state !== 'approved') return [];
    const badgeOf = (reason: string | null) => (reason === null ? 'in_review' : 'declined');
    const texts = readTextChanges(listing);
    const isTextsWaiting = texts.declined !== null || hasWaitingTexts(texts);
    return [
      ...(proposed_url === null
        ? []
        : [
            {
              ...thing,
              what: t('New website'),
              badge: badgeOf(declined_reason),
              since: proposed_at,
            } as const,
          ]),
      ...(isTextsWaiting
        ? [
            {
              ...thing,
              what: t('Changed texts'),
              badge: badgeOf(texts.declined),
              since: listing.texts_changed_at,
            } as const,
          ]
        : []),
    ];
  });
  const ofOffers = offers
    .filter(({ proposed_link }) => proposed_link !== null)
    .map(
      (offer): WaitingThing => ({
        name: offer.offer,
        href: ownOfferPath(offer.id),
        what: t('New redemption link'),
        badge: offer.declined_reason === null ? 'in_review' : 'declined',
        since: offer.proposed_at,
      }),
    );
  return [...ofListings, ...ofOffers];
}

const Waits = ({ waiting, now }: { waiting: readonly WaitingThing[]; now: EpochMs }) => (
  <Section title={t('In review, sent back or suspended')} id="waits">
    <Table
      caption={t('In review, sent back or suspended')}
      rows={waiting}
      columns={[
        { header: t('Name'), isName: true, cell: ({ name, href }) => <a href={href}>{name}</a> },
        { header: t('What'), cell: ({ what }) => what },
        { header: t('State'), cell: ({ badge }) => <StateBadge state={badge} /> },
        {
          header: t('Since'),
          isNowrap: true,
          cell: ({ since }) => (since === null ? '' : <Time at={since} now={now} />),
        },
      ]}
    />
  </Section>
);

function NoClaims({ start }: { start: Start }) {
  if (start.launch !== null) return <EmptyState sentence={t('No offer has been claimed yet.')} />;
  const live = start.listings.find(({ state }) => state === 'approved');
  return (
    <EmptyState
      sentence={t('No offer has been claimed yet. Share the URL of your listing.')}
      action={
        live !== undefined && (
          <CopyLine text={start.setUp.baseUrl + listingPath(live.slug)} what={t('the URL of the listing')}>
            <ButtonLink href={listingPath(live.slug)} small>
              {t('Open the listing')}
            </ButtonLink>
          </CopyLine>
        )
      }
    />
  );
}
