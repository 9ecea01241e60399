import type { Context } from '../context.ts';
import { changeSettings, type SettingsChange } from '../events/change-settings.ts';
import { BRAND_FIELDS, type Brand, changedFrom } from './brand.ts';
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

const NAMES = Object.fromEntries(
  Object.entries(BRAND_FIELDS).map(([field, [label]]) => [field, label]),
) as Record<keyof Brand, string>;
