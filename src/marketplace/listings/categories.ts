import type { Context } from '../../base/context.ts';
import { loggedChanges } from '../../base/events/logged-changes.ts';
import {
  changeSettings,
  type SettingsChange,
  type SettingsUpdate,
} from '../../base/settings/change-settings.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { readJsonSetting } from '../../platform/store/settings.ts';
import { quote } from '../../platform/text/text.ts';
import { type Category, categoryOf } from './category.ts';

const CATEGORIES = 'categories';

export const readCategories = async (db: Queryable): Promise<readonly Category[]> =>
  (await readJsonSetting<readonly Category[]>(db, CATEGORIES)) ?? [];

const nameOf = ({ name }: Category): string => name;
const nameChanges = loggedChanges({ categories: message('Categories') });

/** Listings of a removed category keep its id, but show no category until the category is added again. */
export const changeCategories = (
  context: Context,
  { categories, ...change }: SettingsChange & { readonly categories: SettingsUpdate<readonly Category[]> },
): Promise<void> =>
  changeSettings(context, change, {
    key: CATEGORIES,
    read: readCategories,
    to: categories,
    changes: (from, to) => nameChanges({ categories: from.map(nameOf) }, { categories: to.map(nameOf) }),
  });

/** `text`: the id or name of a category. Returns the id. If no category matches, throws a refusal. */
export async function requireCategory(db: Queryable, text: string): Promise<string> {
  const categories = await readCategories(db);
  const category = categoryOf(categories, text);
  if (category !== null) return category.id;
  const names = categories.map(({ name }) => name).join(', ');
  throw invalid(
    names === ''
      ? message('This marketplace has no categories.')
      : message('There is no category {category}. Categories: {names}.', { category: quote(text), names }),
  );
}
