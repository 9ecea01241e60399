import { COUNTED, type Counts } from '../../../marketplace/campaigns/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { changeText, Num, numberText, percentText } from '../../ui/time.tsx';
import type { Funnel } from './campaigns.ts';

interface Step {
  readonly name: Message;
  /** The denominator of this step's percentage. */
  readonly whole?: 'visitors' | 'claims' | 'redeemable';
}

export const FUNNEL_STEPS: Readonly<Record<keyof Counts, Step>> = {
  visits: { name: message('Visits') },
  visitors: { name: message('Visitors') },
  claims: { name: message('Claims'), whole: 'visitors' },
  arrived: { name: message('Arrived'), whole: 'claims' },
  redeemed: { name: message('Redeemed'), whole: 'redeemable' },
};

export const hasCounts = ({ visits, claims, redeemed }: Counts): boolean => visits + claims + redeemed > 0;

interface StepProps {
  readonly count: keyof Counts;
  readonly funnel: Funnel;
  readonly hasApiKeys: boolean;
}

/** Returns `null` if there is no percentage to show, for example for redemptions on a plan without API keys. */
function shareText({ count, funnel, hasApiKeys }: StepProps): string | null {
  const { whole } = FUNNEL_STEPS[count];
  if (whole === undefined || funnel[whole] === 0 || (count === 'redeemed' && !hasApiKeys)) return null;
  return percentText(funnel[count], funnel[whole]);
}

export function FunnelStep(props: StepProps) {
  const { count, funnel } = props;
  const notes = [shareText(props), changeText(funnel[count], funnel.before[count])].filter(
    (text) => text !== null,
  );
  return (
    <>
      <Num value={funnel[count]} />
      {notes.length > 0 && <span class="sub">{notes.join(' · ')}</span>}
    </>
  );
}

/** Shows the number of visits as a note under visitors, not as a separate figure. */
export const FunnelFigures = ({ funnel, hasApiKeys }: Omit<StepProps, 'count'>) => (
  <dl class="figures">
    {COUNTED.filter((count) => count !== 'visits').map((count) => {
      const { name, whole } = FUNNEL_STEPS[count];
      const share = shareText({ count, funnel, hasApiKeys });
      const before = funnel.before[count];
      const change = changeText(funnel[count], before);
      return (
        <div>
          <dt>
            {t(name)}
            {count === 'visitors' && (
              <span class="sub">
                {t('in {visits, plural, one {# visit} other {# visits}}', { visits: funnel.visits })}
              </span>
            )}
            {share !== null && (
              <span class="sub">
                {t('{share} of {of, select, visitors {visitors} other {claims}}', { share, of: whole ?? '' })}
              </span>
            )}
            {hasCounts(funnel.before) && (
              <span class="sub">
                {change === null
                  ? t('none before')
                  : t('{change}, {before} before', { change, before: numberText(before) })}
              </span>
            )}
          </dt>
          <dd>
            <Num value={funnel[count]} />
          </dd>
        </div>
      );
    })}
  </dl>
);
