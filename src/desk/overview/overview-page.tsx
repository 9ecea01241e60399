import { chartPoints, dayText } from '../../campaigns/count.ts';
import { RANGES, type ShownRange } from '../../campaigns/range.ts';
import { HOUR_MS, MINUTE_MS } from '../../text/durations.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { toIso } from '../../text/time-text.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { Table } from '../../ui/table.tsx';
import { ageText, changeText, Num, numberText, percentText, Time } from '../../ui/time.tsx';
import { deskListingPath, OVERVIEW_PATH, SYSTEM_PATH } from '../paths.ts';
import { ChecksBadge, Found } from '../system/findings.tsx';
import { FirstStepsList } from './first-steps.tsx';
import type { Overview } from './overview.ts';
import { Waits } from './waits.tsx';

interface OverviewPageProps {
  readonly overview: Overview;
  readonly range: ShownRange;
  readonly baseUrl: string;
}

export function OverviewPage(props: OverviewPageProps) {
  const { overview, range } = props;
  const { steps, isQuiet } = overview;
  return (
    <>
      <PageHeader
        title="Overview"
        actions={<ButtonLink href="/">Open the marketplace</ButtonLink>}
        lead={isQuiet ? 'Your marketplace is ready to be filled.' : undefined}
      />
      <div class="stack-loose">
        {isQuiet && steps !== null ? <FirstStepsList steps={steps} /> : <Waits overview={overview} />}
        <div class="columns">
          {isQuiet ? (
            <FirstDay {...props} />
          ) : (
            <div class="stack-loose" id="business">
              <PeriodPicker names={RANGES} range={range} action={OVERVIEW_PATH} results="business" />
              <Figures overview={overview} range={range} />
              <OverTime overview={overview} />
              <Tops overview={overview} />
              {steps !== null && <FirstStepsList steps={steps} />}
            </div>
          )}
          <Health overview={overview} />
        </div>
      </div>
    </>
  );
}

/** Nobody has visited or claimed anything yet. */
const FirstDay = ({ overview, baseUrl }: OverviewPageProps) =>
  overview.listings.live === 0 ? (
    <EmptyState
      sentence="Visits, claims and redemptions are counted here once the first app is live."
      action={
        <div class="row">
          <ButtonLink href="/dashboard/listings/new" tone="primary">
            Publish an app
          </ButtonLink>
          <ButtonLink href="/desk/settings/people">Choose who may sign up</ButtonLink>
        </div>
      }
      example={EXAMPLE}
    />
  ) : (
    <EmptyState
      sentence={`${overview.listings.live === 1 ? '1 app is' : `${numberText(overview.listings.live)} apps are`} live, and nobody has opened one yet. Share the address of your marketplace.`}
      action={<CopyLine text={baseUrl} what="the address of the marketplace" />}
      example={EXAMPLE}
    />
  );

const EXAMPLE = 'Last 30 days: 4,210 visitors · 610 claims · 488 redeemed · 96 new accounts';

interface Figure {
  readonly name: string;
  readonly value: string;
  /** Lines below the name. */
  readonly notes: readonly (string | null)[];
}

const compared = (now: number, before: number): string => {
  const change = changeText(now, before);
  if (change !== null) return `${change}, before ${numberText(before)}`;
  return now === 0 ? 'none before either' : 'none before';
};

function figuresOf({ counts, countsBefore, numbers, numbersBefore, listings }: Overview): readonly Figure[] {
  const { visitors, claims, redeemed } = counts;
  const shareOf = (part: number, whole: number, of: string) =>
    whole === 0 ? null : `${percentText(part, whole)} of ${of}`;
  const figure = (name: string, now: number, before: number, note: string | null = null): Figure => ({
    name,
    value: numberText(now),
    notes: [note, compared(now, before)],
  });
  const rateBefore =
    countsBefore.claims === 0 ? null : `before ${percentText(countsBefore.redeemed, countsBefore.claims)}`;
  return [
    figure('Visitors', visitors, countsBefore.visitors),
    figure('Claims', claims, countsBefore.claims, shareOf(claims, visitors, 'visitors')),
    figure('Redeemed', redeemed, countsBefore.redeemed),
    { name: 'Redemption rate', value: percentText(redeemed, claims), notes: ['of claims', rateBefore] },
    figure('New accounts', numbers.accounts, numbersBefore.accounts),
    figure('New owners', numbers.owners, numbersBefore.owners),
    {
      name: 'Live listings',
      value: numberText(listings.live),
      notes: [
        listings.fresh === 0
          ? 'none approved in this period'
          : `${numberText(listings.fresh)} approved in this period`,
      ],
    },
    {
      name: 'Time to review',
      value: numbers.reviewMs === null ? '–' : durationText(numbers.reviewMs),
      notes:
        numbers.reviewMs === null
          ? ['nothing was reviewed']
          : [
              `median of ${amountOf(numbers.reviews, 'review')}`,
              numbersBefore.reviewMs === null ? null : `before ${durationText(numbersBefore.reviewMs)}`,
            ],
    },
  ];
}

/** `3 hours`. */
const durationText = (ms: number): string =>
  ms < MINUTE_MS ? 'a moment' : ageText(toIso(0), ms < HOUR_MS ? ms : Math.round(ms / HOUR_MS) * HOUR_MS);

const Figures = ({ overview, range }: Pick<OverviewPageProps, 'overview' | 'range'>) => (
  <div class="stack">
    <dl class="figures">
      {figuresOf(overview).map(({ name, value, notes }) => (
        <div>
          <dt>
            {name}
            {notes.map((note) => note !== null && <span class="sub">{note}</span>)}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <p class="hint">
      <Time at={range.span.from} precision="day" /> to <Time at={range.span.to} precision="day" />, compared
      with the {overview.days.length === 1 ? 'day' : amountOf(overview.days.length, 'day')} before. Test
      claims don’t count.
    </p>
  </div>
);

function OverTime({ overview }: { overview: Overview }) {
  const { counts } = overview;
  if (counts.visits + counts.claims + counts.redeemed === 0) {
    return <p class="soft-text">Nobody visited or claimed anything in this period.</p>;
  }
  const { unit, days, counts: points, isOver } = chartPoints(overview.days, overview.daily, overview.isOver);
  const texts = days.map(dayText);
  return (
    <div class="card stack-loose">
      <Chart
        title={`Claims by ${unit}`}
        days={texts}
        series={[
          { name: 'Claims', values: points.claims },
          { name: 'Redeemed', values: points.redeemed },
        ]}
        isOver={isOver}
      />
      {counts.visits > 0 && (
        <Chart
          title={`Visitors by ${unit}`}
          days={texts}
          series={[{ name: 'Visitors', values: points.visitors }]}
          isOver={isOver}
        />
      )}
    </div>
  );
}

function Tops({ overview: { ranking } }: { overview: Overview }) {
  if (ranking === null || ranking.offers.length + ranking.labels.length === 0) return null;
  return (
    <div class="stack">
      <div class="exchange">
        {ranking.offers.length > 0 && (
          <section class="section">
            <h2>Top offers</h2>
            <Table
              caption="Top offers"
              rows={ranking.offers}
              columns={[
                {
                  header: 'Offer',
                  isName: true,
                  cell: ({ offer, listing, listing_id }) => (
                    <>
                      <a href={deskListingPath(listing_id)}>{isolated(listing)}</a>
                      <span class="sub">{isolated(offer)}</span>
                    </>
                  ),
                },
                { header: 'Claims', isNumeric: true, cell: ({ claims }) => <Num value={claims} /> },
              ]}
            />
          </section>
        )}
        {ranking.labels.length > 0 && (
          <section class="section">
            <h2>Top campaign labels</h2>
            <Table
              caption="Top campaign labels"
              rows={ranking.labels}
              columns={[
                {
                  header: 'Label',
                  isName: true,
                  cell: ({ via }) => (
                    <Mono>
                      <Label text={via} />
                    </Mono>
                  ),
                },
                { header: 'Claims', isNumeric: true, cell: ({ claims }) => <Num value={claims} /> },
                { header: 'Redeemed', isNumeric: true, cell: ({ redeemed }) => <Num value={redeemed} /> },
              ]}
            />
          </section>
        )}
      </div>
      <p class="hint">
        By claims, as of <Time at={ranking.at} />.
      </p>
    </div>
  );
}

function Health({ overview: { checks, waiting } }: { overview: Overview }) {
  const found = (name: string) => {
    const check = checks.find((one) => one.check === name);
    return check === undefined ? 'unknown' : <Found detail={check.detail} />;
  };
  const failing = waiting.endpoints.reduce((sum, { endpoints }) => sum + Number(endpoints), 0);
  return (
    <aside class="card" aria-labelledby="health">
      <div class="spread">
        <h2 id="health">Health</h2>
        <ChecksBadge checks={checks} />
      </div>
      <DefinitionList
        facts={[
          ['Backup', found('backup')],
          ['Mail', found('mail')],
          ['Background work', found('background work')],
          ['Webhooks', failing === 0 ? 'None is failing.' : `${numberText(failing)} failing.`],
          [
            'Calls',
            waiting.callers.length === 0
              ? 'No owner’s calls failed in the last 24 hours.'
              : `Calls of ${amountOf(waiting.callers.length, 'owner')} failed in the last 24 hours.`,
          ],
        ]}
      />
      <a href={SYSTEM_PATH}>All checks</a>
    </aside>
  );
}
