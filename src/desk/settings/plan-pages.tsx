import { PLANS, type Plan, planHasApiKeys } from '../../accounts/account.ts';
import { DEFAULT_PLAN } from '../../accounts/create.ts';
import { parseCount } from '../../accounts/policy.ts';
import { changePlans } from '../../brand/change-plans.ts';
import {
  FIRST_PLANS,
  type Plans,
  type PlanTerms,
  parsePlanAbout,
  parsePlanName,
  parsePrice,
} from '../../brand/plans.ts';
import type { Context } from '../../context.ts';
import { actorOf, type DeskApp, type PageContext, page, readForm, redirect } from '../../http/pages/pages.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../listings/listing.ts';
import { MAX_MEMBERS } from '../../members/member.ts';
import { MAX_OFFERS_OF_LISTING } from '../../offers/offer.ts';
import { isolated, optional } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, NumberField, TextAreaField, TextField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PLANS_PATH } from '../paths.ts';
import { SettingsHeader } from './parts.tsx';

export function planDeskPages(app: DeskApp, context: Context): void {
  const { marketplace } = context;
  const show = (c: PageContext, form: FormState, isSaved: boolean) =>
    page(c, <PlansPage {...{ form, isSaved }} plans={marketplace.plans} />, {
      title: 'Plans · Settings',
      status: form.status,
    });

  app.get(PLANS_PATH, (c) => show(c, newForm(textsOf(marketplace.plans)), c.req.query('done') !== undefined));

  app.post(PLANS_PATH, async (c, viewer) => {
    const form = await readForm(c);
    const plans = plansIn(form);
    if (plans === null) return show(c, form, false);
    await changePlans(context, { plans, operatorId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, `${PLANS_PATH}?done`);
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

const fieldOf = (plan: Plan, term: keyof PlanTerms): string => `${plan}.${term}`;

function plansIn(form: FormInput): Plans | null {
  const read = PLANS.map((plan) => [plan, termsIn(form, plan)] as const);
  const plans = Object.fromEntries(read) as Readonly<Record<Plan, PlanTerms | null>>;
  const { starter, studio, everything } = plans;
  if (starter === null || studio === null || everything === null) return null;
  const twice = PLANS.find((plan, index) =>
    PLANS.slice(0, index).some((before) => plans[before]?.name === plans[plan]?.name),
  );
  if (twice === undefined) return { starter, studio, everything };
  form.refuse(fieldOf(twice, 'name'), 'Another plan has this name.');
  return null;
}

function termsIn(form: FormInput, plan: Plan): PlanTerms | null {
  const limit = (name: LimitName) => (text: string) =>
    optional(text, (typed) => parseCount(typed, LIMITS[name]));
  const parsers: Readonly<Record<Exclude<keyof PlanTerms, 'isHidden'>, (text: string) => unknown>> = {
    name: parsePlanName,
    price: (text) => optional(text, parsePrice),
    about: (text) => optional(text, parsePlanAbout),
    listings: limit('listings'),
    offersOfListing: limit('offersOfListing'),
    members: limit('members'),
  };
  const names = Object.keys(parsers) as readonly (keyof typeof parsers)[];
  const typed = form.read(Object.fromEntries(names.map((name) => [fieldOf(plan, name), parsers[name]])));
  if (typed === null) return null;
  const terms = Object.fromEntries(names.map((name) => [name, typed[fieldOf(plan, name)]]));
  const isHidden = isHideable(plan) && form.has(fieldOf(plan, 'isHidden'));
  return { ...(terms as unknown as Omit<PlanTerms, 'isHidden'>), isHidden };
}

const textsOf = (plans: Plans): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PLANS.flatMap((plan) =>
      Object.entries(plans[plan]).flatMap(([term, value]) => {
        if (value === false) return [];
        return [[fieldOf(plan, term as keyof PlanTerms), value === true ? 'yes' : String(value ?? '')]];
      }),
    ),
  );

interface PlansPageProps {
  readonly form: FormState;
  readonly plans: Plans;
  readonly isSaved: boolean;
}

const PlansPage = ({ form, plans, isSaved }: PlansPageProps) => (
  <>
    <SettingsHeader
      path={PLANS_PATH}
      lead="What owners read about the plans, and what each allows. Changes apply as soon as you save. Accounts above a lowered limit keep the listings, offers and members they already have."
    />
    <div class="stack">
      {isSaved && <Notice tone="good">The plans are saved.</Notice>}
      {areAlike(plans) && (
        <Notice
          title={`${isolated(plans.studio.name)} and ${isolated(plans.everything.name)} have the same limits`}
        >
          Lower a limit of one of these plans, or hide one. A hidden plan is not offered, but accounts on it
          keep it.
        </Notice>
      )}
      <form class="stack-loose" method="post" action={PLANS_PATH} novalidate>
        <FormProblems form={form} />
        <div class="tiles">
          {PLANS.map((plan) => (
            <PlanFields form={form} plan={plan} />
          ))}
        </div>
        <FormActions>
          <Button tone="primary">Save plans</Button>
        </FormActions>
      </form>
    </div>
  </>
);

/** Whether both plans with API keys are offered with the same limits. */
const areAlike = ({ studio, everything }: Plans): boolean =>
  !studio.isHidden && !everything.isHidden && LIMIT_NAMES.every((name) => studio[name] === everything[name]);

const PlanFields = ({ form, plan }: { form: FormState; plan: Plan }) => (
  // biome-ignore lint/a11y/useSemanticElements: not a fieldset, whose legend would be drawn in the border of the card
  <div class="card" role="group" aria-labelledby={`plan-${plan}`}>
    <h2 id={`plan-${plan}`}>{FIRST_PLANS[plan].name}</h2>
    <div class="form">
      <p>
        API keys: <strong>{planHasApiKeys(plan) ? 'yes' : 'no'}</strong>
      </p>
      <TextField
        form={form}
        name={fieldOf(plan, 'name')}
        label="Name"
        hint={
          <>
            In the API: <code>{plan}</code>
          </>
        }
        short
      />
      <TextField
        form={form}
        name={fieldOf(plan, 'price')}
        label="Price"
        hint="The price as owners see it, such as “€29 a month”."
        short
        optional
      />
      <TextAreaField
        form={form}
        name={fieldOf(plan, 'about')}
        label="Text"
        hint="A sentence for owners. Several lines are shown as a list."
        rows={3}
        optional
      />
      {LIMIT_NAMES.map((name) => (
        <NumberField
          form={form}
          name={fieldOf(plan, name)}
          label={`${LIMITS[name].label}, at most`}
          hint={`Leave it empty for the maximum, ${LIMITS[name].max}.`}
          optional="depends"
        />
      ))}
      {isHideable(plan) ? (
        <CheckboxField
          form={form}
          name={fieldOf(plan, 'isHidden')}
          label="Hide this plan"
          hint="Accounts on this plan keep it, and you can still assign it."
        />
      ) : (
        <p class="hint">New accounts get this plan.</p>
      )}
    </div>
  </div>
);
