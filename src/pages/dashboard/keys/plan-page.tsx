import type { Plans } from '../../../base/brand/plans.ts';
import { PLAN_PATH } from '../../../base/paths.ts';
import { type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import type { AccountRequest } from '../../../people/accounts/request-queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { PlanCard, shownPlans } from '../../editor/plan-card.tsx';
import { Lines } from '../../ui/breakable.tsx';
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
          {shownPlans({ plans, own: plan }).map((each) => (
            <OfferedPlan {...props} offeredPlan={each} />
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
      <Lines>{request.reason}</Lines>
    </Notice>
  );
}

function OfferedPlan(props: PlanPageProps & { offeredPlan: Plan }) {
  const { plan, plans, offeredPlan, request } = props;
  const mayAsk = offeredPlan !== plan && (request === null || request.declined_at !== null);
  return (
    <PlanCard plans={plans} plan={offeredPlan} own={plan}>
      {offeredPlan === plan && <Badge tone="plain">{t('Your plan')}</Badge>}
      {mayAsk && <AskFor {...props} />}
    </PlanCard>
  );
}

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
  const visiblePlans = shownPlans({ plans, own: plan });
  const larger = visiblePlans[visiblePlans.indexOf(plan) + 1];
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
