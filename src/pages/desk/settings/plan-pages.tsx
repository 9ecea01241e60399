import { changePlans } from '../../../base/brand/change.ts';
import {
  FIRST_PLANS,
  type FlatPlans,
  flatPlans,
  type Plans,
  type PlanTerms,
  parsePlanAbout,
  parsePlanName,
  parsePrice,
  plansFrom,
} from '../../../base/brand/plans.ts';
import type { Context } from '../../../base/context.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../../marketplace/listings/listing.ts';
import { MAX_OFFERS_OF_LISTING } from '../../../marketplace/offers/offer.ts';
import { DEFAULT_PLAN, PLANS, type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import { MAX_MEMBERS } from '../../../people/members/member.ts';
import { isolated, optional } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, NumberField, TextAreaField, TextField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { SeenValues } from '../../ui/stale-form.tsx';
import { PLANS_PATH } from '../paths.ts';
import { addSettings, isTicked, optionalCount, SettingsPage, showSettings, textsOf } from './parts.tsx';

export function planDeskPages(app: PageRouter, context: Context): void {
  addSettings(app, {
    path: PLANS_PATH,
    read: () => context.marketplace.plans,
    texts: (plans) => textsOf(flatPlans(plans)),
    parse: plansIn,
    save: (plans, change) => changePlans(context, { plans, ...change }),
    show: (c, form, isSaved) => {
      const { plans } = context.marketplace;
      return showSettings(c, PLANS_PATH, form, <PlansPage {...{ form, plans, isSaved }} />);
    },
  });
}

const LIMITS = {
  listings: { label: 'Listings', max: MAX_LISTINGS_OF_ACCOUNT },
  offersOfListing: { label: 'Offers per listing', max: MAX_OFFERS_OF_LISTING },
  members: { label: 'Members', max: MAX_MEMBERS },
} as const;
type LimitName = keyof typeof LIMITS;
const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** New accounts get the default plan, so it can't be hidden. */
const isHideable = (plan: Plan): boolean => plan !== DEFAULT_PLAN;

const fieldOf = (plan: Plan, term: keyof PlanTerms) => `${plan}.${term}` as const;

function plansIn(form: FormInput): Plans | null {
  const terms = form.read(Object.fromEntries(PLANS.flatMap((plan) => parsersOf(form, plan))));
  if (terms === null) return null;
  const plans = plansFrom(terms as FlatPlans);
  const twice = PLANS.find((plan, index) =>
    PLANS.slice(0, index).some((before) => plans[before].name === plans[plan].name),
  );
  if (twice === undefined) return plans;
  form.refuse(fieldOf(twice, 'name'), 'Another plan has this name.');
  return null;
}

function parsersOf(form: FormInput, plan: Plan) {
  const parsers: Readonly<Record<keyof PlanTerms, (text: string) => unknown>> = {
    name: parsePlanName,
    price: (text) => optional(text, parsePrice),
    about: (text) => optional(text, parsePlanAbout),
    listings: optionalCount(LIMITS.listings),
    offersOfListing: optionalCount(LIMITS.offersOfListing),
    members: optionalCount(LIMITS.members),
    isHidden: () => isHideable(plan) && isTicked(form, fieldOf(plan, 'isHidden')),
  };
  return Object.entries(parsers).map(([term, parse]) => [fieldOf(plan, term as keyof PlanTerms), parse]);
}

interface PlansPageProps {
  readonly form: FormState;
  readonly plans: Plans;
  readonly isSaved: boolean;
}

const PlansPage = ({ form, plans, isSaved }: PlansPageProps) => (
  <SettingsPage
    path={PLANS_PATH}
    lead="What owners read about the plans, and what each plan allows. Changes apply as soon as you save. If you lower a limit, accounts above the limit keep the listings, offers and members they already have."
    saved={isSaved && 'The plans are saved.'}
  >
    {areAlike(plans) && (
      <Notice
        title={`${isolated(plans.studio.name)} and ${isolated(plans.everything.name)} have the same limits`}
      >
        Lower a limit of one of these plans, or hide one of them. A hidden plan is not offered to owners.
        Accounts that already have the plan keep it.
      </Notice>
    )}
    <form class="stack-loose" method="post" action={PLANS_PATH} novalidate>
      <FormProblems form={form} />
      <SeenValues form={form} />
      <div class="tiles">
        {PLANS.map((plan) => (
          <PlanFields form={form} plan={plan} />
        ))}
      </div>
      <FormActions>
        <Button tone="primary">Save plans</Button>
      </FormActions>
    </form>
  </SettingsPage>
);

/** Whether both plans with API keys are offered to owners and have the same limits. */
const areAlike = ({ studio, everything }: Plans): boolean =>
  !studio.isHidden && !everything.isHidden && LIMIT_NAMES.every((name) => studio[name] === everything[name]);

function PlanFields({ form, plan }: { form: FormState; plan: Plan }) {
  const control = (term: keyof PlanTerms) => ({ form, name: fieldOf(plan, term) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset would be drawn in the card's border
    <div class="card" role="group" aria-labelledby={`plan-${plan}`}>
      <h2 id={`plan-${plan}`}>{FIRST_PLANS[plan].name}</h2>
      <div class="form">
        <p>
          API keys: <strong>{planHasApiKeys(plan) ? 'yes' : 'no'}</strong>
        </p>
        <TextField
          {...control('name')}
          label="Name"
          hint={
            <>
              In the API: <code>{plan}</code>
            </>
          }
          short
        />
        <TextField
          {...control('price')}
          label="Price"
          hint="The price as owners see it, such as “€29 a month”."
          short
          optional
        />
        <TextAreaField
          {...control('about')}
          label="Text"
          hint="A sentence for owners. Several lines are shown as a list."
          rows={3}
          optional
        />
        {LIMIT_NAMES.map((name) => (
          <NumberField
            {...control(name)}
            label={`${LIMITS[name].label}, at most`}
            hint={`Leave it empty for the maximum, ${LIMITS[name].max}.`}
            optional="depends"
          />
        ))}
        {isHideable(plan) ? (
          <CheckboxField
            {...control('isHidden')}
            label="Hide this plan"
            hint="Accounts on this plan keep it, and you can still assign it."
          />
        ) : (
          <p class="hint">New accounts get this plan.</p>
        )}
      </div>
    </div>
  );
}
