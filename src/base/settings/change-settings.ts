import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { writeSetting } from '../../platform/store/settings.ts';
import type { Context } from '../context.ts';
import type { LoggedChange } from '../events/logged-changes.ts';
import { type Actor, appendEvent } from '../events/queries.ts';

export interface SettingsChange {
  readonly operatorId: string;
  readonly actor: Actor;
}

/**
 * A function gets the stored settings, so that no concurrent change is lost; it may be called again. `null`: no change.
 */
export type SettingsUpdate<S> = S | ((stored: S) => S | null);

interface StoredSettings<S extends object> {
  /** Key in the table `settings`. */
  readonly key: string;
  readonly read: (db: Queryable) => Promise<S>;
  readonly to: SettingsUpdate<S>;
  /** What the event shows. Without a change, nothing is written. */
  readonly changes: (from: S, to: S) => readonly LoggedChange[];
  /** What is written; the settings by default. */
  readonly toStored?: (settings: S) => object;
}

/** The key of a lock that serializes changes of settings. Nothing has this id. */
const SETTINGS_LOCK = '00000000-0000-0000-0000-000000000002';

export async function changeSettings<S extends object>(
  context: Context,
  by: SettingsChange,
  { key, read, to: update, changes: changesOf, toStored }: StoredSettings<S>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await DIALECTS[context.db.engine].takeLock(tx, SETTINGS_LOCK);
    const from = await read(tx);
    const to = typeof update === 'function' ? update(from) : update;
    if (to === null) return;
    const changes = changesOf(from, to);
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
