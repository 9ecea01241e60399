import { createHash } from 'node:crypto';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { foldCase } from '../../platform/text/fold-case.ts';
import { parseLine, quote } from '../../platform/text/text.ts';
import { suggestSlug } from './fields.ts';

export interface Category {
  /** Doesn't change when the category is renamed, because listings and URLs refer to it. */
  readonly id: string;
  readonly name: string;
}

/** A longer list would be hard to choose from. */
export const MAX_CATEGORIES = 30;
const MAX_CATEGORY_LENGTH = 40;

/** `text`: the id or name of a category. */
export const categoryOf = (categories: readonly Category[], text: string | null): Category | null =>
  categories.find(({ id, name }) => id === text || (text !== null && foldCase(name) === foldCase(text))) ??
  null;

const parseCategoryName = (text: string): string =>
  parseLine(text, message('The name of the category'), MAX_CATEGORY_LENGTH);

/** The id derives from the name, so listings of a removed category show it again once it is added again. */
export function addCategory(categories: readonly Category[], typed: string): readonly Category[] {
  const name = parseCategoryName(typed);
  // The form was sent twice.
  if (categories.some((category) => category.name === name)) return categories;
  if (categories.length >= MAX_CATEGORIES) {
    throw invalid(
      message('There can be at most {count} categories. Remove one first.', { count: MAX_CATEGORIES }),
    );
  }
  refuseTaken(categories, name);
  const slug = suggestSlug(name) || createHash('sha256').update(foldCase(name)).digest('hex').slice(0, 12);
  let id = slug;
  for (let number = 2; categories.some((category) => category.id === id); number += 1)
    id = `${slug}-${number}`;
  return [...categories, { id, name }];
}

export function renameCategory(
  categories: readonly Category[],
  id: string,
  typed: string,
): readonly Category[] {
  const name = parseCategoryName(typed);
  if (!categories.some((category) => category.id === id)) {
    throw invalid(message('Somebody else has removed this category. Add it again to rename it.'));
  }
  refuseTaken(
    categories.filter((category) => category.id !== id),
    name,
  );
  return categories.map((category) => (category.id === id ? { id, name } : category));
}

function refuseTaken(others: readonly Category[], name: string): void {
  const other = others.find((category) => foldCase(category.name) === foldCase(name));
  if (other !== undefined) {
    throw invalid(message('There is already a category {name}.', { name: quote(other.name) }));
  }
}

/** Moves an element up (-1) or down (1). Returns the same list if the element is already at that end. */
export function moveItem<T>(list: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);
}
