import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { writeSetting } from '../store/settings.ts';
import { type Actor, appendEvent } from './queries.ts';

export interface SettingsChange {
  readonly operatorId: string;
  readonly actor: Actor;
}

interface StoredSettings<S> {
  /** Key in the table `settings`. */
  readonly key: string;
  /** Label of each setting in the event. */
  readonly names: Readonly<Record<keyof S, string>>;
  readonly read: (db: Queryable) => Promise<S>;
  readonly to: S;
  /** The value to write; `to` by default. */
  readonly stored?: object;
}

export async function changeSettings<S extends object>(
  context: Context,
  by: SettingsChange,
  { key, names, read, to, stored = to }: StoredSettings<S>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const from = await read(tx);
    const changes = (Object.keys(names) as (keyof S)[]).flatMap((name) => {
      const [before, after] = [from[name], to[name]];
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      return isSame ? [] : [`${names[name]}: ${wordsOf(after)} (was ${wordsOf(before)})`];
    });
    if (changes.length === 0) return;
    await writeSetting(tx, key, JSON.stringify(stored));
    await appendSettingsEvent(context, tx, by, changes);
  });
}

export const appendSettingsEvent = (
  context: Context,
  tx: Transaction,
  { operatorId, actor }: SettingsChange,
  changes: readonly string[],
): Promise<unknown> =>
  appendEvent(tx, {
    accountId: operatorId,
    type: 'settings.changed',
    at: context.at(),
    actor,
    subjectId: operatorId,
    data: { changes: `${changes.join('; ')}.` },
  });

const NAMED_ITEMS = 5;

function wordsOf(value: unknown): string {
  if (value === null) return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!Array.isArray(value)) return String(value);
  const rest = value.length - NAMED_ITEMS;
  if (value.length === 0) return 'none';
  return `${value.slice(0, NAMED_ITEMS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
