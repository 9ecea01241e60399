/** A change applies immediately in this process, and within a second in other processes. */
import { type Message, message } from '../../platform/languages/translate.ts';
import { ANNOUNCEMENT_NAMES, type Announcement } from '../brand/announcement.ts';
import { BRAND_NAMES, type Brand, changedFrom } from '../brand/brand.ts';
import {
  ANNOUNCEMENT_SETTING,
  BRAND_SETTING,
  PLANS_SETTING,
  readAnnouncement,
  readBrand,
  readPlans,
} from '../brand/marketplace.ts';
import { FIRST_PLANS, flatPlans, type Plans, type PlanTerms } from '../brand/plans.ts';
import type { Context } from '../context.ts';
import { type LoggedChange, loggedChanges } from '../events/logged-changes.ts';
import { changeSettings, type SettingsChange, type SettingsUpdate } from './change-settings.ts';

export async function changeBrand(
  context: Context,
  { brand, ...change }: SettingsChange & { readonly brand: SettingsUpdate<Brand> },
): Promise<void> {
  const { first } = context.marketplace;
  await changeSettings(context, change, {
    key: BRAND_SETTING,
    read: (db) => readBrand(db, first),
    to: brand,
    changes: loggedChanges(BRAND_NAMES),
    toStored: (to) => changedFrom(first, to),
  });
  await context.marketplace.reload();
}

export async function changePlans(
  context: Context,
  { plans, ...change }: SettingsChange & { readonly plans: SettingsUpdate<Plans> },
): Promise<void> {
  await changeSettings(context, change, {
    key: PLANS_SETTING,
    read: readPlans,
    to: plans,
    changes: planChanges,
    toStored: (to) => changedFrom(flatPlans(FIRST_PLANS), flatPlans(to)),
  });
  await context.marketplace.reload();
}

export async function changeAnnouncement(
  context: Context,
  { announcement, ...change }: SettingsChange & { readonly announcement: SettingsUpdate<Announcement> },
): Promise<void> {
  await changeSettings(context, change, {
    key: ANNOUNCEMENT_SETTING,
    read: readAnnouncement,
    to: announcement,
    changes: loggedChanges(ANNOUNCEMENT_NAMES),
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

const termChanges = loggedChanges<PlanTerms>(TERM_NAMES);

const planChanges = (from: Plans, to: Plans): readonly LoggedChange[] =>
  (Object.keys(FIRST_PLANS) as (keyof Plans)[]).flatMap((plan) =>
    termChanges(from[plan], to[plan]).map((change) => ({ ...change, of: FIRST_PLANS[plan].name })),
  );
