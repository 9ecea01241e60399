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
import { PLANS_PATH } from '../../../base/paths.ts';
import { changePlans } from '../../../base/settings/change-brand.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../../marketplace/listings/listing.ts';
import { MAX_OFFERS_OF_LISTING } from '../../../marketplace/offers/offer.ts';
import { DEFAULT_PLAN, PLANS, type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import { MAX_MEMBERS } from '../../../people/members/member.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { optionalCount, type SettingField, toggle } from '../../../platform/text/setting.ts';
import { isolated, optional } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { Button } from '../../ui/button.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { strong } from '../../ui/site.tsx';
import { SeenValues } from '../../ui/stale-form.tsx';
import { addSettings, SettingControl, textsOf } from './parts.tsx';

export function planDeskPages(app: PageRouter, context: Context): void {
  addSettings(app, {
    path: PLANS_PATH,
    lead: message(
      'What owners read about the plans, and what each plan allows. Changes apply as soon as you save. If you lower a limit, accounts above the limit keep the listings, offers and members they already have.',
    ),
    saved: message('The plans are saved.'),
    read: () => context.marketplace.plans,
    texts: (plans) => textsOf(flatPlans(plans)),
    parse: plansIn,
    save: (plans, change) => changePlans(context, { plans, ...change }),
    content: (form) => <PlanSettings form={form} plans={context.marketplace.plans} />,
  });
}

const limit = (label: Message, max: number) =>
  optionalCount({
    label,
    hint: message('Leave it empty for the maximum, {max, number}.', { max }),
    max,
    optional: 'depends',
  });

const TERMS: { readonly [Term in keyof PlanTerms]: SettingField<PlanTerms[Term]> } = {
  name: { label: message('Name'), short: true, optional: false, parse: parsePlanName },
  price: {
    label: message('Price'),
    hint: message('The price as owners see it, such as “€29 a month”.'),
    short: true,
    optional: true,
    parse: (text) => optional(text, parsePrice),
  },
  about: {
    label: message('Text'),
    hint: message('A sentence for owners. Several lines are shown as a list.'),
    control: 'text',
    rows: 3,
    optional: true,
    parse: (text) => optional(text, parsePlanAbout),
  },
  listings: limit(message('Listings'), MAX_LISTINGS_OF_ACCOUNT),
  offersOfListing: limit(message('Offers per listing'), MAX_OFFERS_OF_LISTING),
  members: limit(message('Members'), MAX_MEMBERS),
  isHidden: toggle({
    label: message('Hide this plan'),
    hint: message('Accounts on this plan keep it, and you can still assign it.'),
  }),
};

const TERM_NAMES = Object.keys(TERMS) as readonly (keyof PlanTerms)[];
const LIMIT_NAMES = ['listings', 'offersOfListing', 'members'] as const;

/** New accounts get the default plan, so it can't be hidden. */
const isHideable = (plan: Plan): boolean => plan !== DEFAULT_PLAN;

const fieldOf = (plan: Plan, term: keyof PlanTerms) => `${plan}.${term}` as const;

function plansIn(form: FormInput): Plans | null {
  const terms = form.read(Object.fromEntries(PLANS.flatMap(parsersOf)));
  if (terms === null) return null;
  const plans = plansFrom(terms as FlatPlans);
  const twice = PLANS.find((plan, index) =>
    PLANS.slice(0, index).some((before) => plans[before].name === plans[plan].name),
  );
  if (twice === undefined) return plans;
  form.refuse(fieldOf(twice, 'name'), message('Another plan has this name.'));
  return null;
}

const parsersOf = (plan: Plan) =>
  TERM_NAMES.map((term) => {
    const parse = term === 'isHidden' && !isHideable(plan) ? () => false : TERMS[term].parse;
    return [fieldOf(plan, term), parse];
  });

const PlanSettings = ({ form, plans }: { form: FormState; plans: Plans }) => (
  <>
    {areAlike(plans) && (
      <Notice
        title={t('{plan} and {other} have the same limits', {
          plan: isolated(plans.studio.name),
          other: isolated(plans.everything.name),
        })}
      >
        {t(
          'Lower a limit of one of these plans, or hide one of them. A hidden plan is not offered to owners. Accounts that already have the plan keep it.',
        )}
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
        <Button tone="primary">{t('Save plans')}</Button>
      </FormActions>
    </form>
  </>
);

/** Whether both plans with API keys are offered to owners and have the same limits. */
const areAlike = ({ studio, everything }: Plans): boolean =>
  !studio.isHidden && !everything.isHidden && LIMIT_NAMES.every((name) => studio[name] === everything[name]);

function PlanFields({ form, plan }: { form: FormState; plan: Plan }) {
  const control = (term: keyof PlanTerms) => ({ form, name: fieldOf(plan, term), setting: TERMS[term] });
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset would be drawn in the card's border
    <div class="card" role="group" aria-labelledby={`plan-${plan}`}>
      <h2 id={`plan-${plan}`}>{FIRST_PLANS[plan].name}</h2>
      <div class="form">
        <p>
          {planHasApiKeys(plan)
            ? t('API keys: <b>yes</b>', { b: strong })
            : t('API keys: <b>no</b>', { b: strong })}
        </p>
        <SettingControl {...control('name')} hint={t('In the API: {plan}', { plan: <code>{plan}</code> })} />
        <SettingControl {...control('price')} />
        <SettingControl {...control('about')} />
        {LIMIT_NAMES.map((name) => (
          <SettingControl {...control(name)} label={t('{limit}, at most', { limit: TERMS[name].label })} />
        ))}
        {isHideable(plan) ? (
          <SettingControl {...control('isHidden')} />
        ) : (
          <p class="hint">{t('New accounts get this plan.')}</p>
        )}
      </div>
    </div>
  );
}
