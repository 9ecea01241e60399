import { FUNNEL, type FunnelCounts } from '../../../marketplace/campaigns/funnel.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { changeText, Num, numberText, percentText } from '../../ui/time.tsx';
import type { Funnel } from './campaigns.ts';

type StepName = keyof FunnelCounts;

interface Step {
  readonly name: Message;
  /** The denominator of this step's percentage. */
  readonly whole?: 'visitors' | 'redeemable';
}

export const FUNNEL_STEPS: Readonly<Record<StepName, Step>> = {
  visits: { name: message('Visits') },
  visitors: { name: message('Visitors') },
  claims: { name: message('Claims'), whole: 'visitors' },
  arrived: { name: message('Arrived'), whole: 'redeemable' },
  redeemed: { name: message('Redeemed'), whole: 'redeemable' },
};

export const hasCounts = ({
  visits,
  claims,
  redeemed,
}: Pick<FunnelCounts, 'visits' | 'claims' | 'redeemed'>): boolean => visits + claims + redeemed > 0;

interface StepProps {
  readonly count: StepName;
  readonly funnel: Funnel;
  readonly hasApiKeys: boolean;
}

/** In a period, claims from before the period can arrive, so there can be more arrivals than claims. */
function wholeOf({ count, funnel }: StepProps): number {
  const { whole } = FUNNEL_STEPS[count];
  if (whole === undefined) return 0;
  return whole === 'redeemable' ? Math.max(funnel.redeemable, funnel[count]) : funnel.visitors;
}

/** Returns `null` if no percentage is shown. */
function shareText(props: StepProps): string | null {
  const whole = wholeOf(props);
  return whole === 0 || isUncounted(props) ? null : percentText(props.funnel[props.count], whole);
}

/** Whether zero would mislead: nobody reports the use of these claims. */
export function isUncounted({ count, funnel, hasApiKeys }: StepProps): boolean {
  if (FUNNEL_STEPS[count].whole !== 'redeemable' || funnel[count] > 0) return false;
  return givesOnlyCodes(funnel) || (count === 'redeemed' && !hasApiKeys);
}

const givesOnlyCodes = ({ claims, redeemable }: Funnel): boolean => claims > 0 && redeemable === 0;

const StepValue = (props: StepProps) =>
  isUncounted(props) ? <span class="num">–</span> : <Num value={props.funnel[props.count]} />;

export function FunnelStep(props: StepProps) {
  const { count, funnel } = props;
  const notes = [shareText(props), changeText(funnel[count], funnel.before[count])].filter(
    (text) => text !== null,
  );
  return (
    <>
      <StepValue {...props} />
      {notes.length > 0 && <span class="sub">{notes.join(' · ')}</span>}
    </>
  );
}

/** The share with its denominator, or why there is none. */
function shareNote(props: StepProps): string | null {
  const { count, funnel } = props;
  if (isUncounted(props)) {
    if (count === 'arrived') return t('codes have no link');
    return givesOnlyCodes(funnel)
      ? t('not counted: people use the codes in your shop')
      : t('not counted without an API key');
  }
  const share = shareText(props);
  if (share === null) return null;
  return count === 'claims'
    ? t('{share} of visitors', { share })
    : t('{share} of {of, plural, one {# claim} other {# claims}} with a link', { share, of: wholeOf(props) });
}

interface FunnelFiguresProps extends Omit<StepProps, 'count'> {
  readonly steps?: readonly StepName[];
}

/** The number of visits is a note under visitors. */
const FIGURES = FUNNEL.filter((count) => count !== 'visits');

export const FunnelFigures = ({ funnel, hasApiKeys, steps = FIGURES }: FunnelFiguresProps) => (
  <dl class="figures">
    {steps.map((count) => {
      const props = { count, funnel, hasApiKeys };
      const note = shareNote(props);
      const before = funnel.before[count];
      const change = changeText(funnel[count], before);
      return (
        <div>
          <dt>
            {t(FUNNEL_STEPS[count].name)}
            {count === 'visitors' && (
              <span class="sub">
                {t('in {visits, plural, one {# visit} other {# visits}}', { visits: funnel.visits })}
              </span>
            )}
            {note !== null && <span class="sub">{note}</span>}
            {hasCounts(funnel.before) && !isUncounted(props) && (
              <span class="sub">
                {change === null
                  ? t('none before')
                  : t('{change}, {before} before', { change, before: numberText(before) })}
              </span>
            )}
          </dt>
          <dd>
            <StepValue {...props} />
          </dd>
        </div>
      );
    })}
  </dl>
);

/** The redemptions of a listing in a list, whose caption names the denominator. */
export const RedeemedCell = (props: Omit<StepProps, 'count'>) => {
  const step = { ...props, count: 'redeemed' } as const;
  const note = isUncounted(step) ? shareNote(step) : shareText(step);
  return (
    <>
      <StepValue {...step} />
      {note !== null && <span class="sub">{note}</span>}
    </>
  );
};
