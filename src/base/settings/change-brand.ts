/** A change applies immediately in this process, and within a second in other processes. */
import { type Message, message } from '../../platform/languages/translate.ts';
import { readSetting } from '../../platform/store/settings.ts';
import {
  ANNOUNCEMENT_NAMES,
  ANNOUNCEMENT_SETTING,
  type Announcement,
  announcementFrom,
} from '../brand/announcement.ts';
import { BRAND_NAMES, type Brand, changedFrom } from '../brand/brand.ts';
import { BRAND_SETTING, PLANS_SETTING, readBrand, readPlans } from '../brand/marketplace.ts';
import {
  FIRST_PLANS,
  type FlatPlans,
  flatPlans,
  type Plans,
  type PlanTerms,
  plansFrom,
} from '../brand/plans.ts';
import type { Context } from '../context.ts';
import { changeSettings, type SettingsChange, type SettingsUpdate } from './change-settings.ts';

export async function changeBrand(
  context: Context,
  { brand, ...change }: SettingsChange & { readonly brand: SettingsUpdate<Brand> },
): Promise<void> {
  const { first } = context.marketplace;
  await changeSettings(context, change, {
    key: BRAND_SETTING,
    names: BRAND_NAMES,
    read: (db) => readBrand(db, first),
    to: brand,
    toStored: (to) => changedFrom(first, to),
  });
  await context.marketplace.reload();
}

export async function changePlans(
  context: Context,
  { plans, ...change }: SettingsChange & { readonly plans: SettingsUpdate<Plans> },
): Promise<void> {
  const update = (stored: FlatPlans): FlatPlans | null => {
    const to = typeof plans === 'function' ? plans(plansFrom(stored)) : plans;
    return to && flatPlans(to);
  };
  await changeSettings(context, change, {
    key: PLANS_SETTING,
    names: PLAN_TERM_NAMES,
    of: (term) => PLANS_OF_TERMS.get(term) ?? '',
    read: async (db) => flatPlans(await readPlans(db)),
    to: update,
    toStored: (to) => changedFrom(flatPlans(FIRST_PLANS), to),
  });
  await context.marketplace.reload();
}

export async function changeAnnouncement(
  context: Context,
  { announcement, ...change }: SettingsChange & { readonly announcement: SettingsUpdate<Announcement> },
): Promise<void> {
  await changeSettings(context, change, {
    key: ANNOUNCEMENT_SETTING,
    names: ANNOUNCEMENT_NAMES,
    read: async (db) => announcementFrom(await readSetting(db, ANNOUNCEMENT_SETTING)),
    to: announcement,
  });
  await context.marketplace.reload();
}

const TERM_NAMES: Readonly<Record<keyof PlanTerms, Message>> = {
  name: message('name'),
  price: message('price'),
  about: message('text'),
  listings: message('listings'),
  offersOfListing: message('offers of a listing'),
  members: message('members'),
  isHidden: message('hidden'),
};

const TERMS_OF_PLANS = Object.entries(FIRST_PLANS).flatMap(([plan, { name }]) =>
  Object.entries(TERM_NAMES).map(([term, label]) => ({ key: `${plan}.${term}`, plan: name, label })),
);
const PLAN_TERM_NAMES = Object.fromEntries(TERMS_OF_PLANS.map(({ key, label }) => [key, label])) as Readonly<
  Record<keyof FlatPlans, Message>
>;
const PLANS_OF_TERMS: ReadonlyMap<string, string> = new Map(
  TERMS_OF_PLANS.map(({ key, plan }) => [key, plan]),
);
