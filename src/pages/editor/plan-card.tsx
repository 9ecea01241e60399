import type { Child } from 'hono/jsx';
import { limitsOf, type Plans } from '../../base/brand/plans.ts';
import { PLANS, type Plan, planHasApiKeys } from '../../people/accounts/account.ts';
import { message, t } from '../../platform/languages/translate.ts';
import { capital, isolated } from '../../platform/text/text.ts';

interface PlanCardProps {
  readonly plans: Plans;
  readonly plan: Plan;
  /** The account's plan, which is marked, and shown even if it is hidden; `null` without an account. */
  readonly own: Plan | null;
  readonly children?: Child;
}

/** The plans to show, from the smallest. */
export const shownPlans = ({ plans, own }: Pick<PlanCardProps, 'plans' | 'own'>): readonly Plan[] =>
  PLANS.filter((plan) => plan === own || !plans[plan].isHidden);

/** A card must have three children, because a CSS subgrid aligns the children across the cards. */
export function PlanCard(props: PlanCardProps) {
  const { plans, plan, own, children } = props;
  const { name, price } = plans[plan];
  const points = pointsOf(plans[plan]);
  return (
    <section
      class="card plan"
      aria-labelledby={`plan-${plan}`}
      aria-current={plan === own ? 'true' : undefined}
    >
      <div class="stack">
        <h2 id={`plan-${plan}`}>{isolated(name)}</h2>
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
      <div class="row top-space">{children}</div>
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

function Contents(props: PlanCardProps & { readonly points: readonly string[] }) {
  const { plans, plan, points } = props;
  const smaller = shownPlans(props).findLast((each) => PLANS.indexOf(each) < PLANS.indexOf(plan));
  const hasKeys = planHasApiKeys(plan);
  const limits = limitsOf(plans[plan]);
  const isFirstUnlimited =
    limits.length === 0 && (smaller === undefined || limitsOf(plans[smaller]).length > 0);
  const items = [
    ...(smaller === undefined ? WITHOUT_KEYS : []),
    ...(hasKeys && (smaller === undefined || !planHasApiKeys(smaller)) ? WITH_KEYS : []),
    ...(isFirstUnlimited ? [UNLIMITED] : limits),
  ];
  if (smaller !== undefined && items.length + points.length === 0) {
    return <p>{t('The same as {name}', { name: isolated(plans[smaller].name) })}</p>;
  }
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
