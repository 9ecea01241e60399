import type { Context } from '../context.ts';
import { changeSettings, type SettingsChange } from '../events/change-settings.ts';
import { type Brand, changedFrom } from './brand.ts';
import { BRAND_SETTING, readBrand } from './marketplace.ts';

/** The change applies immediately in this process, and within a second in others. */
export async function changeBrand(
  context: Context,
  { brand, ...change }: SettingsChange & { readonly brand: Brand },
): Promise<void> {
  const { first } = context.marketplace;
  await changeSettings(context, change, {
    key: BRAND_SETTING,
    names: NAMES,
    read: (db) => readBrand(db, first),
    to: brand,
    stored: changedFrom(first, brand),
  });
  await context.marketplace.reload();
}

const NAMES: Readonly<Record<keyof Brand, string>> = {
  name: 'Name',
  accent: 'Accent colour',
  headline: 'Headline',
  lead: 'Lead',
  contact: 'Contact',
  imprint: 'Imprint',
  privacy: 'Privacy policy',
  terms: 'Terms',
  termsChangedOn: 'Terms changed on',
  asksConsent: 'Box to accept the terms',
  footer: 'Footer text',
  timeZone: 'Time zone',
  language: 'Language',
  showsSoftware: '“Runs on” line',
};
