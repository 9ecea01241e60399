import { limitsOf, type Plans } from '../../../base/brand/plans.ts';
import { PLAN_PATH } from '../../../base/paths.ts';
import { PLANS, type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import type { AccountRequest } from '../../../people/accounts/request-queries.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { HiddenField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toOperator } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { RequestForm } from '../request-form.tsx';

export const ASK_FOR_PLAN_PATH = `${PLAN_PATH}/ask`;

interface PlanPageProps {
  readonly plan: Plan;
  readonly plans: Plans;
  readonly request: AccountRequest | null;
  /** The submitted form if it had errors. Otherwise, an empty form. */
  readonly form: FormState;
}

export function PlanPage(props: PlanPageProps) {
  const { plan, plans } = props;
  const visiblePlans = PLANS.filter((each) => isShown(plans, plan, each));
  return (
    <>
      <PageHeader
        title={t('Plan')}
        lead={t(
          'Your plan is {name}. Ask for another plan here, or write to <operator>the operator of this marketplace</operator>.',
          { name: isolated(plans[plan].name), operator: toOperator },
        )}
      />
      <div class="stack-loose">
        <Answer {...props} />
        <div class="tiles">
          {visiblePlans.map((each) => (
            <PlanCard {...props} offeredPlan={each} />
          ))}
        </div>
        {planHasApiKeys(plan) && (
          <p class="soft-text narrow">
            {t(
              'Moving to a plan without API keys deletes nothing. Your keys are refused until you move back, and people can still claim your offers.',
            )}
          </p>
        )}
      </div>
    </>
  );
}

function Answer({ plans, request }: PlanPageProps) {
  if (request === null || request.plan === null) return null;
  const name = isolated(plans[request.plan].name);
  if (request.declined_at === null) {
    return (
      <Notice title={t('You asked for {name}', { name })}>
        {t('Asked on {time}. You’ll see the answer here.', { time: <Time at={request.created_at} /> })}
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title={t('Your request for {name} was declined', { name })}>
      <span class="plain-text" dir="auto">
        {request.reason}
      </span>
    </Notice>
  );
}

/** A card must have three children, because a CSS subgrid aligns the children across the cards. */
function PlanCard(props: PlanPageProps & { offeredPlan: Plan }) {
  const { plan, plans, offeredPlan, request } = props;
  const { price } = plans[offeredPlan];
  const points = pointsOf(plans[offeredPlan]);
  const mayAsk = offeredPlan !== plan && (request === null || request.declined_at !== null);
  return (
    <section
      class="card plan"
      aria-labelledby={`plan-${offeredPlan}`}
      aria-current={offeredPlan === plan ? 'true' : undefined}
    >
      <div class="stack">
        <h2 id={`plan-${offeredPlan}`}>{isolated(plans[offeredPlan].name)}</h2>
        {price !== null && (
          <p class="ticket-title">
            <bdi>{price}</bdi>
          </p>
        )}
      </div>
      <div class="stack">
        {points.length === 1 && (
          <p class="soft-text">
            <bdi>{points[0]}</bdi>
          </p>
        )}
        <Contents {...props} points={points.length === 1 ? [] : points} />
      </div>
      <div class="row top-space">
        {offeredPlan === plan && <Badge tone="plain">{t('Your plan')}</Badge>}
        {mayAsk && <AskFor {...props} />}
      </div>
    </section>
  );
}

/** The operator's description of a plan: one sentence or several bullet points. */
const pointsOf = ({ about }: Plans[Plan]): readonly string[] =>
  (about ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^\s*[-*•]\s*/, ''));

const UNLIMITED = message('As many listings, offers and members as this marketplace allows');

const WITHOUT_KEYS = [
  message('Listings with offers and codes'),
  message('Redemption links'),
  message('Claims and campaigns'),
];

const WITH_KEYS = [
  message('API keys: your server verifies each claim, and each claim can be redeemed only once'),
  message('Reports that show which campaigns lead to redemptions'),
];

interface ContentsProps extends PlanPageProps {
  readonly offeredPlan: Plan;
  readonly points: readonly string[];
}

function Contents({ plan, plans, offeredPlan, points }: ContentsProps) {
  const smaller = PLANS.slice(0, PLANS.indexOf(offeredPlan)).findLast((each) => isShown(plans, plan, each));
  const hasKeys = planHasApiKeys(offeredPlan);
  const limits = limitsOf(plans[offeredPlan]);
  const items = [
    ...(smaller === undefined ? WITHOUT_KEYS : []),
    ...(hasKeys && (smaller === undefined || !planHasApiKeys(smaller)) ? WITH_KEYS : []),
    ...(limits.length === 0 ? [UNLIMITED] : limits),
  ];
  return (
    <div class="prose">
      {smaller !== undefined && (
        <p>{t('Everything in {name}, plus:', { name: isolated(plans[smaller].name) })}</p>
      )}
      <ul class="apart">
        {items.map((each) => (
          <li>{capital(t(each))}</li>
        ))}
        {points.map((each) => (
          <li>
            <bdi>{each}</bdi>
          </li>
        ))}
        {!hasKeys && <li class="without">{t('No API keys')}</li>}
      </ul>
    </div>
  );
}

const isShown = (plans: Plans, own: Plan, plan: Plan): boolean => plan === own || !plans[plan].isHidden;

function AskFor({ plan, plans, offeredPlan, form }: PlanPageProps & { offeredPlan: Plan }) {
  const name = isolated(plans[offeredPlan].name);
  const id = `ask-${offeredPlan}`;
  const isSent = form.problems.length > 0 && form.typed('plan') === offeredPlan;
  const fields = (
    <RequestForm
      {...{ form, id }}
      action={ASK_FOR_PLAN_PATH}
      isInDialog={!isSent}
      hint={t('Anything the operator should know.')}
      send={t('Ask for {name}', { name })}
    >
      <HiddenField name="plan" value={offeredPlan} />
    </RequestForm>
  );
  if (isSent) return fields;
  const larger = PLANS.slice(PLANS.indexOf(plan) + 1).find((each) => isShown(plans, plan, each));
  return (
    <Dialog
      id={id}
      opener={t('Ask for {name}…', { name })}
      small
      openerTone={offeredPlan === larger ? 'primary' : 'plain'}
      title={t('Ask for {name}', { name })}
    >
      {fields}
    </Dialog>
  );
}
