/** The data of the event `settings.changed`: facts, which the audit log shows in the language of its reader. */
import { storedText, t, type Words } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';

/** Of a list, only the first items. */
type LoggedValue =
  | string
  | number
  | boolean
  | null
  | { readonly items: readonly string[]; readonly others: number };

/** `name`: the label in English. `of`: what the setting belongs to, such as the name of a plan. */
export type LoggedChange =
  | { readonly name: string; readonly of?: string; readonly from: LoggedValue; readonly to: LoggedValue }
  | { readonly name: string; readonly picture: 'new' | 'removed' };

const LOGGED_ITEMS = 5;

/** The settings that differ between `from` and `to`. `names`: the label of each setting. */
export const loggedChanges =
  <S extends object>(names: Readonly<Record<keyof S, Words>>) =>
  (from: S, to: S): readonly LoggedChange[] =>
    (Object.keys(names) as (keyof S)[])
      .filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]))
      .map((key) => ({ name: String(names[key]), from: loggedValue(from[key]), to: loggedValue(to[key]) }));

function loggedValue(value: unknown): LoggedValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (!Array.isArray(value)) return String(value);
  const items = value.slice(0, LOGGED_ITEMS).map(String);
  return { items, others: value.length - items.length };
}

/** `changes`: as stored, maybe by another version. `null` if there are none. */
export function changesText(changes: unknown): string | null {
  const logged = Array.isArray(changes) ? changes.filter(isChange) : [];
  return logged.length === 0 ? null : `${logged.map(changeText).join('; ')}.`;
}

const isChange = (one: unknown): one is LoggedChange =>
  typeof one === 'object' && one !== null && typeof (one as Partial<LoggedChange>).name === 'string';

function changeText(change: LoggedChange): string {
  const label = storedText(change.name);
  if ('picture' in change) {
    return change.picture === 'new'
      ? t('{name}: new picture', { name: label })
      : t('{name}: removed', { name: label });
  }
  const name = change.of === undefined ? label : `${isolated(change.of)}: ${label}`;
  return t('{name}: {to} (was {from})', { name, to: valueText(change.to), from: valueText(change.from) });
}

function valueText(value: LoggedValue | undefined): string {
  if (value === null || value === undefined) return t('not set');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (typeof value !== 'object') return isolated(String(value));
  const names = (value.items ?? []).map(isolated).join(', ');
  if (names === '') return t('none');
  return value.others > 0 ? t('{names} and {count, number} more', { names, count: value.others }) : names;
}
