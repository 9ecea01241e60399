import type { Counts } from '../../campaigns/queries.ts';
import { type Message, message, t } from '../../languages/translate.ts';
import { changeText, Num, numberText, percentText } from '../../ui/time.tsx';
import type { Funnel } from './campaigns.ts';

interface Step {
  readonly count: keyof Counts;
  /** The step's count is shown as a share of `whole`, which `of` names; `null`: the step has no share. */
  readonly share: { readonly of: 'visitors' | 'claims'; readonly whole: (funnel: Funnel) => number } | null;
}

export const FUNNEL_STEPS: readonly (Step & { readonly name: Message })[] = [
  { name: message('Visits'), count: 'visits', share: null },
  { name: message('Visitors'), count: 'visitors', share: null },
  { name: message('Claims'), count: 'claims', share: { of: 'visitors', whole: ({ visitors }) => visitors } },
  { name: message('Arrived'), count: 'arrived', share: { of: 'claims', whole: ({ claims }) => claims } },
  {
    name: message('Redeemed'),
    count: 'redeemed',
    share: { of: 'claims', whole: ({ redeemable }) => redeemable },
  },
];

export const hasCounts = ({ visits, claims, redeemed }: Counts): boolean => visits + claims + redeemed > 0;

interface StepProps {
  readonly step: Step;
  readonly funnel: Funnel;
  readonly hasApiKeys: boolean;
}

/** `null`: the step has no share. Without API keys, nothing is redeemed. */
function shareText({ step, funnel, hasApiKeys }: StepProps): string | null {
  const whole = step.share?.whole(funnel) ?? 0;
  if (whole === 0 || (step.count === 'redeemed' && !hasApiKeys)) return null;
  return percentText(funnel[step.count], whole);
}

export function FunnelStep(props: StepProps) {
  const { step, funnel } = props;
  const [now, before] = [funnel[step.count], funnel.before[step.count]];
  const share = shareText(props);
  const change = changeText(now, before);
  return (
    <>
      <Num value={now} />
      {(share ?? change) !== null && (
        <span class="sub">{[share, change].filter((text) => text !== null).join(' · ')}</span>
      )}
    </>
  );
}

/** Visits are not a separate figure, but a note under visitors. */
export function FunnelFigures({ funnel, hasApiKeys }: Omit<StepProps, 'step'>) {
  return (
    <dl class="figures">
      {FUNNEL_STEPS.filter(({ count }) => count !== 'visits').map(({ name, ...step }) => {
        const share = shareText({ step, funnel, hasApiKeys });
        const before = funnel.before[step.count];
        const change = changeText(funnel[step.count], before);
        return (
          <div>
            <dt>
              {t(name)}
              {step.count === 'visitors' && (
                <span class="sub">
                  {t('in {visits, plural, one {# visit} other {# visits}}', { visits: funnel.visits })}
                </span>
              )}
              {share !== null && (
                <span class="sub">
                  {t('{share} of {of, select, visitors {visitors} other {claims}}', {
                    share,
                    of: step.share?.of ?? '',
                  })}
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
              <Num value={funnel[step.count]} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
