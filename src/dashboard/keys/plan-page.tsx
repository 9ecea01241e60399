import type { Child } from 'hono/jsx';
import { PLANS, type Plan, planHasApiKeys } from '../../accounts/account.ts';
import type { AccountRequest } from '../../accounts/request-queries.ts';
import { limitsOf, type Plans } from '../../brand/plans.ts';
import { type Message, message, t } from '../../languages/translate.ts';
import { capital, isolated } from '../../text/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { HiddenField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Operator } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { PLAN_PATH } from '../paths.ts';
import { RequestForm } from '../request-form.tsx';

export const ASK_FOR_PLAN_PATH = `${PLAN_PATH}/ask`;

interface PlanPageProps {
  readonly plan: Plan;
  readonly plans: Plans;
  /** What the account asked for; `null`: nothing. */
  readonly request: AccountRequest | null;
  /** A refused request, or an empty form. */
  readonly form: FormState;
}

export function PlanPage(props: PlanPageProps) {
  const { plan, plans } = props;
  const shown = PLANS.filter((each) => each === plan || !plans[each].isHidden);
  return (
    <>
      <PageHeader
        title={t('Plan')}
        badge={<Badge tone="accent">{isolated(plans[plan].name)}</Badge>}
        lead={t(
          'Ask for another plan here, or write to <operator>the operator of this marketplace</operator>.',
          { operator: (words: Child) => <Operator>{words}</Operator> },
        )}
      />
      <div class="stack-loose">
        <Answer {...props} />
        <div class="tiles">
          {shown.map((each) => (
            <PlanCard {...props} shown={each} />
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

function PlanCard(props: PlanPageProps & { shown: Plan }) {
  const { plan, plans, shown, request } = props;
  const terms = plans[shown];
  const mayAsk = shown !== plan && (request === null || request.declined_at !== null);
  const about = terms.about?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const [sentence] = about;
  // If the operator's text has several lines, they are the first entries of the list.
  const listed = about.length > 1 ? about.map((line) => line.replace(/^\s*[-*•]\s*/, '')) : [];
  return (
    <section class="card" aria-labelledby={`plan-${shown}`}>
      <h2 id={`plan-${shown}`}>{isolated(terms.name)}</h2>
      <div class="stack">
        {terms.price !== null && (
          <p class="ticket-title">
            <bdi>{terms.price}</bdi>
          </p>
        )}
        {about.length === 1 && (
          <p>
            <bdi>{sentence}</bdi>
          </p>
        )}
        {shown === plan && (
          <p>
            <Badge tone="accent">{t('Yours')}</Badge>
          </p>
        )}
        {mayAsk && <AskFor {...props} />}
        <div class="prose">
          <ul>
            {listed.map((line) => (
              <li>
                <bdi>{line}</bdi>
              </li>
            ))}
            {includedIn(shown).map((each) => (
              <li>{t(each)}</li>
            ))}
            {limitsOf(terms).map((each) => (
              <li>{capital(t(each))}</li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

const WITHOUT_KEYS = [
  message('Listings with offers and codes'),
  message('Redemption links'),
  message('Claims and campaigns'),
];

const includedIn = (plan: Plan): readonly Message[] =>
  planHasApiKeys(plan)
    ? [
        ...WITHOUT_KEYS,
        message('API keys: your server verifies each claim, and each can be redeemed only once'),
        message('Reports that show which campaigns lead to redemptions'),
      ]
    : [...WITHOUT_KEYS, message('No API keys')];

/** The button of the next larger plan is the primary one. */
function AskFor({ plan, plans, shown, form }: PlanPageProps & { shown: Plan }) {
  const name = isolated(plans[shown].name);
  const id = `ask-${shown}`;
  const isSent = form.problems.length > 0 && form.text('plan') === shown;
  const fields = (
    <RequestForm
      {...{ form, id }}
      action={ASK_FOR_PLAN_PATH}
      isInDialog={!isSent}
      hint={t('Anything the operator should know.')}
      send={t('Ask for {name}', { name })}
    >
      <HiddenField name="plan" value={shown} />
    </RequestForm>
  );
  if (isSent) return fields;
  const larger = PLANS.slice(PLANS.indexOf(plan) + 1).find((each) => !plans[each].isHidden);
  return (
    <Dialog
      id={id}
      opener={t('Ask for {name}…', { name })}
      openerTone={shown === larger ? 'primary' : 'plain'}
      title={t('Ask for {name}', { name })}
    >
      {fields}
    </Dialog>
  );
}
