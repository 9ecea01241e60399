import type { Words } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { writeSetting } from '../../platform/store/settings.ts';
import type { Context } from '../context.ts';
import { type LoggedChange, loggedValue } from '../events/logged-changes.ts';
import { type Actor, appendEvent } from '../events/queries.ts';

export interface SettingsChange {
  readonly operatorId: string;
  readonly actor: Actor;
}

/**
 * A function gets the stored settings, so that no concurrent change is lost; it may be called again. `null`: no change.
 */
export type SettingsUpdate<S> = S | ((stored: S) => S | null);

interface StoredSettings<S extends object, InEvent = S> {
  /** Key in the table `settings`. */
  readonly key: string;
  /** Label of each setting in the event. */
  readonly names: Readonly<Record<keyof InEvent, Words>>;
  /** What a setting belongs to. */
  readonly of?: (name: keyof InEvent) => string;
  /** The settings as the event shows them; by default as they are. */
  readonly toEvent?: (settings: S) => InEvent;
  readonly read: (db: Queryable) => Promise<S>;
  readonly to: SettingsUpdate<S>;
  /** What is written; the settings by default. */
  readonly toStored?: (settings: S) => object;
}

/** The key of a lock that serializes changes of settings. Nothing has this id. */
const SETTINGS_LOCK = '00000000-0000-0000-0000-000000000002';

export async function changeSettings<S extends object, InEvent = S>(
  context: Context,
  by: SettingsChange,
  settings: StoredSettings<S, InEvent>,
): Promise<void> {
  const { key, names, of, read, to: update, toStored } = settings;
  const { toEvent = (one) => one as unknown as InEvent } = settings;
  await context.db.transaction(async (tx) => {
    await DIALECTS[context.db.engine].takeLock(tx, SETTINGS_LOCK);
    const from = await read(tx);
    const to = typeof update === 'function' ? update(from) : update;
    if (to === null) return;
    const [eventFrom, eventTo] = [toEvent(from), toEvent(to)];
    const changes = (Object.keys(names) as (keyof InEvent)[]).flatMap((name) => {
      const [before, after] = [eventFrom[name], eventTo[name]];
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      const values = { from: loggedValue(before), to: loggedValue(after) };
      return [{ name: String(names[name]), ...(of && { of: of(name) }), ...values }];
    });
    if (changes.length === 0) return;
    await writeSetting(tx, key, JSON.stringify(toStored?.(to) ?? to));
    await appendSettingsEvent(context, tx, by, changes);
  });
}

export const appendSettingsEvent = (
  context: Context,
  tx: Transaction,
  { operatorId, actor }: SettingsChange,
  changes: readonly LoggedChange[],
): Promise<unknown> =>
  appendEvent(tx, {
    accountId: operatorId,
    type: 'settings.changed',
    at: context.at(),
    actor,
    subjectId: operatorId,
    data: { changes },
  });
