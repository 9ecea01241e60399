import type { Child } from 'hono/jsx';
import type { Check, CheckName } from '../../../background/system/check.ts';
import {
  DESK_INVITATIONS_PATH,
  DESK_PATH,
  deskListingPath,
  NEW_LISTING_PATH,
  SYSTEM_PATH,
} from '../../../base/paths.ts';
import { chartPoints } from '../../../marketplace/campaigns/chart-points.ts';
import { rated } from '../../../marketplace/campaigns/funnel.ts';
import { RANGES, type ShownRange } from '../../../marketplace/campaigns/range.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { CLAIMS_BY, CountChart, VISITS_BY } from '../../ui/count-chart.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { NameCell } from '../../ui/table.tsx';
import { comparedText, Num, numberText, percentText, pointsText, Time } from '../../ui/time.tsx';
import { CHECK_NAMES, ChecksBadge, FindingText, ResultBadge, timeIn } from '../system/findings.tsx';
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
        title={t('Overview')}
        actions={<ButtonLink href="/">{t('Open the marketplace')}</ButtonLink>}
        lead={isQuiet ? t('Your marketplace is ready for its first apps.') : undefined}
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
      sentence={t('Visits, claims and redemptions are counted here once the first app is live.')}
      action={
        <div class="row">
          <ButtonLink href={NEW_LISTING_PATH} tone="primary">
            {t('Publish an app')}
          </ButtonLink>
          <ButtonLink href={DESK_INVITATIONS_PATH}>{t('Invite owners')}</ButtonLink>
        </div>
      }
      example={exampleText()}
    />
  ) : (
    <EmptyState
      sentence={t(
        '{count, plural, one {# app is} other {# apps are}} live, but there have been no visitors yet. Share the address of your marketplace.',
        { count: overview.listings.live },
      )}
      action={<CopyLine text={baseUrl} what={t('the address of the marketplace')} />}
      example={exampleText()}
    />
  );

const exampleText = () => t('4,210 visitors · 610 claims · 488 redeemed · 96 new accounts');

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
  const figure = (name: string, now: number, earlier: number, note: string | null = null): Figure => ({
    name,
    value: numberText(now),
    notes: [note, comparedText(now, earlier)],
  });
  const rateChange =
    rate.redeemable === 0 || rateBefore.redeemable === 0 ? null : pointsText(rate.rate, rateBefore.rate);
  return [
    figure(t('Visitors'), visitors, before.visitors),
    figure(
      t('Claims'),
      claims,
      before.claims,
      visitors === 0 ? null : t('{share} of visitors', { share: percentText(claims, visitors) }),
    ),
    figure(t('Redeemed'), redeemed, before.redeemed),
    {
      name: t('Redemption rate'),
      value: percentText(redeemed, rate.redeemable),
      notes: [
        t('of {count, plural, one {# claim} other {# claims}} with a link', { count: rate.redeemable }),
        rateChange,
      ],
    },
    figure(t('New accounts'), numbers.accounts, numbersBefore.accounts),
    figure(t('New owners'), numbers.owners, numbersBefore.owners),
    {
      name: t('Live listings'),
      value: numberText(listings.live),
      notes: [
        listings.fresh === 0
          ? t('none approved in this period')
          : t('{count, number} approved in this period', { count: listings.fresh }),
      ],
    },
    {
      name: t('Time to review'),
      value: numbers.reviewMs === null ? '–' : durationText(numbers.reviewMs),
      notes:
        numbers.reviewMs === null
          ? [t('nothing reviewed in this period')]
          : [
              t('median of {count, plural, one {# review} other {# reviews}}', { count: numbers.reviews }),
              numbersBefore.reviewMs === null
                ? null
                : t('previously {duration}', { duration: durationText(numbersBefore.reviewMs) }),
            ],
    },
  ];
}

/** Abbreviated, such as `44 h`, because it is shown in large type. */
function durationText(ms: number): string {
  if (ms < MINUTE_MS) return t('under 1 min');
  if (ms < HOUR_MS) return t('{count, number} min', { count: Math.round(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('{count, number} h', { count: Math.round(ms / HOUR_MS) });
  return t('{count, plural, one {# day} other {# days}}', { count: Math.round(ms / DAY_MS) });
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
      {t(
        '{from} to {to}, compared with the {days, plural, one {day} other {# days}} before. Test claims don’t count.',
        {
          from: <Time at={range.span.from} precision="day" />,
          to: <Time at={range.span.to} precision="day" />,
          days: overview.days.length,
        },
      )}
    </p>
  </div>
);

function OverTime({ overview }: { overview: Overview }) {
  const { counts } = overview;
  if (counts.visits + counts.claims + counts.redeemed === 0) {
    return <p class="soft-text">{t('Nobody visited or claimed anything in this period.')}</p>;
  }
  const points = chartPoints(overview.days, overview.daily, overview.isOver);
  return (
    <div class="card exchange">
      {counts.visits > 0 && (
        <CountChart {...points} title={t(VISITS_BY[points.unit])} counted={['visits', 'visitors']} />
      )}
      <CountChart {...points} title={t(CLAIMS_BY[points.unit])} counted={['claims', 'redeemed']} />
    </div>
  );
}

function Tops({ overview: { ranking }, range }: Omit<OverviewPageProps, 'baseUrl'>) {
  if (range.name === 'custom') {
    return (
      <p class="hint">
        {t('Top offers and labels are ranked only for the ranges above, not for custom ones.')}
      </p>
    );
  }
  if (ranking === null || ranking.offers.length + ranking.labels.length === 0) return null;
  return (
    <div class="stack">
      <div class="exchange">
        <Top
          title={t('Top offers')}
          rows={ranking.offers.map(({ offer, listing, listing_id, claims }) => ({
            name: <NameCell href={deskListingPath(listing_id)} name={listing} sub={offer} />,
            claims,
          }))}
        />
        <Top
          title={t('Top campaign labels')}
          rows={ranking.labels.map(({ via, claims, redeemed }) => ({
            name: (
              <>
                <Label text={via} />
                <span class="sub">{t('{count, number} redeemed', { count: redeemed })}</span>
              </>
            ),
            claims,
          }))}
        />
      </div>
      <p class="hint">
        {t('Ranked by claims in this period, as of {time}.', { time: <Time at={ranking.at} /> })}
      </p>
    </div>
  );
}

const Top = ({ title, rows }: { title: string; rows: readonly { name: Child; claims: number }[] }) => (
  <section>
    <h2>{title}</h2>
    {rows.length === 0 ? (
      <p class="soft-text">{t('None in this period.')}</p>
    ) : (
      <ol class="ranking">
        {rows.map(({ name, claims }) => (
          <li>
            <div>{name}</div>
            <span>
              {t('{number}<hidden> {count, plural, one {claim} other {claims}}</hidden>', {
                number: <Num value={claims} />,
                count: claims,
                hidden: (words: Child) => <span class="visually-hidden">{words}</span>,
              })}
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
    ...visibleChecks.filter(isPlain).map(({ check }) => t(CHECK_NAMES[check])),
    ...(endpoints === 0 ? [t('Webhooks')] : []),
    ...(callers === 0 ? [t('Owners’ API calls in the last 24 hours')] : []),
  ];
  return (
    <aside aria-labelledby="health">
      <div class="spread">
        <h2 id="health">{t('Health')}</h2>
        <ChecksBadge checks={checks} />
      </div>
      <ul class="ranking">
        {visibleChecks
          .filter((check) => !isPlain(check))
          .map((check) => {
            const at = timeIn(check.detail);
            return (
              <HealthRow
                name={t(CHECK_NAMES[check.check])}
                sub={
                  at === null ? (
                    <FindingText detail={wordsOf(check.detail).split(/[,;:] /)[0]!} />
                  ) : (
                    <Time at={at} />
                  )
                }
              >
                <ResultBadge check={check} />
              </HealthRow>
            );
          })}
        {endpoints > 0 && (
          <HealthRow name={t('Webhooks')}>
            <Failing amount={endpoints} />
          </HealthRow>
        )}
        {callers > 0 && (
          <HealthRow name={t('Owners’ API calls')} sub={t('In the last 24 hours')}>
            <Failing amount={callers} />
          </HealthRow>
        )}
        {fine.length > 0 && (
          <HealthRow name={fine.join(', ')}>
            <Badge tone="good">{t('Fine')}</Badge>
          </HealthRow>
        )}
      </ul>
      <p class="small-text top-space">
        <a href={SYSTEM_PATH}>{t('All system checks')}</a>
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
  <Badge tone="warn">{t('{count, number} failing', { count: amount })}</Badge>
);
