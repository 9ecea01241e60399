import type { Context } from '../context.ts';
import { changeSettings, type SettingsChange } from '../events/change-settings.ts';
import { changedFrom } from './brand.ts';
import { PLANS_SETTING, readPlans } from './marketplace.ts';
import { FIRST_PLANS, type FlatPlans, flatPlans, type Plans, type PlanTerms } from './plans.ts';

/** The change applies immediately in this process, and within a second in others. */
export async function changePlans(
  context: Context,
  { plans, ...change }: SettingsChange & { readonly plans: Plans },
): Promise<void> {
  const to = flatPlans(plans);
  await changeSettings(context, change, {
    key: PLANS_SETTING,
    names: NAMES,
    read: async (db) => flatPlans(await readPlans(db)),
    to,
    stored: changedFrom(flatPlans(FIRST_PLANS), to),
  });
  await context.marketplace.reload();
}

const TERMS: Readonly<Record<keyof PlanTerms, string>> = {
  name: 'name',
  price: 'price',
  about: 'text',
  listings: 'listings',
  offersOfListing: 'offers of a listing',
  members: 'members',
  isHidden: 'hidden',
};

const NAMES = Object.fromEntries(
  Object.entries(FIRST_PLANS).flatMap(([plan, { name }]) =>
    Object.entries(TERMS).map(([term, words]) => [`${plan}.${term}`, `${name}: ${words}`]),
  ),
) as Readonly<Record<keyof FlatPlans, string>>;
