import type { Child } from 'hono/jsx';
import type { Check, CheckName } from '../../../background/system/check.ts';
import {
  DESK_PATH,
  deskListingPath,
  NEW_LISTING_PATH,
  PEOPLE_PATH,
  SYSTEM_PATH,
} from '../../../base/paths.ts';
import { chartPoints, dayText, rated } from '../../../marketplace/campaigns/count.ts';
import { RANGES, type ShownRange } from '../../../marketplace/campaigns/range.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { amountOf, capital } from '../../../platform/text/text.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { NameCell } from '../../ui/table.tsx';
import { comparedText, Num, numberText, percentText, pointsText, Time } from '../../ui/time.tsx';
import { ChecksBadge, FindingText, ResultBadge, timeIn } from '../system/findings.tsx';
import { AttentionItems } from './attention-items.tsx';
import { FirstStepsList } from './first-steps.tsx';
import type { Overview } from './overview.ts';

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
        lead={isQuiet ? 'Your marketplace is ready for its first apps.' : undefined}
      />
      <div class="stack-loose">
        <AttentionItems overview={overview} />
        {isQuiet && steps !== null && <FirstStepsList steps={steps} />}
        <div class="stack-loose" id="business">
          <div class="columns">
            {isQuiet ? (
              <FirstDay {...props} />
            ) : (
              <div>
                <PeriodPicker names={RANGES} range={range} action={DESK_PATH} results="business" />
                <Figures overview={overview} range={range} />
              </div>
            )}
            <Health overview={overview} />
          </div>
          {!isQuiet && (
            <>
              <OverTime overview={overview} />
              {steps !== null && <FirstStepsList steps={steps} />}
              <Tops overview={overview} range={range} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

const FirstDay = ({ overview, baseUrl }: OverviewPageProps) =>
  overview.listings.live === 0 ? (
    <EmptyState
      sentence="Visits, claims and redemptions are counted here once the first app is live."
      action={
        <div class="row">
          <ButtonLink href={NEW_LISTING_PATH} tone="primary">
            Publish an app
          </ButtonLink>
          <ButtonLink href={PEOPLE_PATH}>Choose who may sign up</ButtonLink>
        </div>
      }
      example={EXAMPLE}
    />
  ) : (
    <EmptyState
      sentence={`${overview.listings.live === 1 ? '1 app is' : `${numberText(overview.listings.live)} apps are`} live, but there have been no visitors yet. Share the address of your marketplace.`}
      action={<CopyLine text={baseUrl} what="the address of the marketplace" />}
      example={EXAMPLE}
    />
  );

const EXAMPLE = '4,210 visitors · 610 claims · 488 redeemed · 96 new accounts';

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly notes: readonly (string | null)[];
}

function figuresOf({
  counts,
  countsBefore: before,
  numbers,
  numbersBefore,
  listings,
}: Overview): readonly Figure[] {
  const { visitors, claims, redeemed } = counts;
  const [rate, rateBefore] = [rated(counts), rated(before)];
  const shareOf = (part: number, whole: number, of: string) =>
    whole === 0 ? null : `${percentText(part, whole)} of ${of}`;
  const figure = (name: string, now: number, earlier: number, note: string | null = null): Figure => ({
    name,
    value: numberText(now),
    notes: [note, comparedText(now, earlier)],
  });
  const rateChange =
    rate.redeemable === 0 || rateBefore.redeemable === 0 ? null : pointsText(rate.rate, rateBefore.rate);
  return [
    figure('Visitors', visitors, before.visitors),
    figure('Claims', claims, before.claims, shareOf(claims, visitors, 'visitors')),
    figure('Redeemed', redeemed, before.redeemed),
    {
      name: 'Redemption rate',
      value: percentText(redeemed, rate.redeemable),
      notes: [
        `of ${numberText(rate.redeemable)} ${rate.redeemable === 1 ? 'claim' : 'claims'} with a link`,
        rateChange,
      ],
    },
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
          ? ['nothing reviewed in this period']
          : [
              `median of ${amountOf(numbers.reviews, 'review')}`,
              numbersBefore.reviewMs === null ? null : `previously ${durationText(numbersBefore.reviewMs)}`,
            ],
    },
  ];
}

/** Abbreviated, such as `44 h`, because it is shown in large type. */
function durationText(ms: number): string {
  if (ms < MINUTE_MS) return '< 1 min';
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}

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
    <div class="card exchange">
      <Chart
        title={`Claims by ${unit}`}
        unit={unit}
        days={texts}
        series={[
          { name: 'Claims', values: points.claims, amount: (count) => amountOf(count, 'claim') },
          { name: 'Redeemed', values: points.redeemed, amount: (count) => `${numberText(count)} redeemed` },
        ]}
        isOver={isOver}
      />
      {counts.visits > 0 && (
        <Chart
          title={`Visits by ${unit}`}
          unit={unit}
          days={texts}
          series={[
            { name: 'Visits', values: points.visits, amount: (count) => amountOf(count, 'visit') },
            { name: 'Visitors', values: points.visitors, amount: (count) => amountOf(count, 'visitor') },
          ]}
          isOver={isOver}
        />
      )}
    </div>
  );
}

function Tops({ overview: { ranking }, range }: Omit<OverviewPageProps, 'baseUrl'>) {
  if (range.name === 'custom') {
    return (
      <p class="hint">Top offers and labels are ranked only for the ranges above, not for custom ones.</p>
    );
  }
  if (ranking === null || ranking.offers.length + ranking.labels.length === 0) return null;
  return (
    <div class="stack">
      <div class="exchange">
        <Top
          title="Top offers"
          rows={ranking.offers.map(({ offer, listing, listing_id, claims }) => ({
            name: <NameCell href={deskListingPath(listing_id)} name={listing} sub={offer} />,
            claims,
          }))}
        />
        <Top
          title="Top campaign labels"
          rows={ranking.labels.map(({ via, claims, redeemed }) => ({
            name: (
              <>
                <Label text={via} />
                <span class="sub">{numberText(redeemed)} redeemed</span>
              </>
            ),
            claims,
          }))}
        />
      </div>
      <p class="hint">
        Ranked by claims in this period, as of <Time at={ranking.at} />.
      </p>
    </div>
  );
}

const Top = ({ title, rows }: { title: string; rows: readonly { name: Child; claims: number }[] }) => (
  <section>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="soft-text">None in this period.</p>
    ) : (
      <ol class="ranking">
        {rows.map(({ name, claims }) => (
          <li>
            <div>{name}</div>
            <span>
              <Num value={claims} />
              <span class="visually-hidden">{claims === 1 ? ' claim' : ' claims'}</span>
            </span>
          </li>
        ))}
      </ol>
    )}
  </section>
);

/** The checks shown on the overview. The overview omits a check that the installation doesn't have. */
const SHOWN_CHECKS: readonly CheckName[] = ['backup', 'background work', 'mail', 'mail delivery', 'disk'];

/** A check has its own row if it fails, or if it has a note or a time to show. The other checks share one row. */
function Health({ overview: { checks, waiting } }: { overview: Overview }) {
  const visibleChecks = SHOWN_CHECKS.flatMap((name) => checks.filter(({ check }) => check === name));
  const endpoints = waiting.endpoints.reduce((sum, one) => sum + Number(one.endpoints), 0);
  const callers = waiting.callers.length;
  const isPlain = ({ ok, note, detail }: Check) => ok && !note && timeIn(detail) === null;
  const fine = [
    ...visibleChecks.filter(isPlain).map(({ check }) => check),
    ...(endpoints === 0 ? ['webhooks'] : []),
    ...(callers === 0 ? ['owners’ API calls in the last 24 hours'] : []),
  ];
  return (
    <aside aria-labelledby="health">
      <div class="spread">
        <h2 id="health">Health</h2>
        <ChecksBadge checks={checks} />
      </div>
      <ul class="ranking">
        {visibleChecks
          .filter((check) => !isPlain(check))
          .map((check) => {
            const at = timeIn(check.detail);
            return (
              <HealthRow
                name={capital(check.check)}
                sub={
                  at === null ? <FindingText detail={check.detail.split(/[,;:] /)[0]!} /> : <Time at={at} />
                }
              >
                <ResultBadge check={check} />
              </HealthRow>
            );
          })}
        {endpoints > 0 && (
          <HealthRow name="Webhooks">
            <Failing amount={endpoints} />
          </HealthRow>
        )}
        {callers > 0 && (
          <HealthRow name="Owners’ API calls" sub="In the last 24 hours">
            <Failing amount={callers} />
          </HealthRow>
        )}
        {fine.length > 0 && (
          <HealthRow name={capital(fine.join(', '))}>
            <Badge tone="good">Fine</Badge>
          </HealthRow>
        )}
      </ul>
      <p class="small-text top-space">
        <a href={SYSTEM_PATH}>All system checks</a>
      </p>
    </aside>
  );
}

const HealthRow = (props: { name: string; sub?: Child; children: Child }) => (
  <li>
    <div>
      {props.name}
      {props.sub && <span class="sub">{props.sub}</span>}
    </div>
    {props.children}
  </li>
);

const Failing = ({ amount }: { amount: number }) => (
  <Badge tone="warn">{`${numberText(amount)} failing`}</Badge>
);
