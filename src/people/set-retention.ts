/** Reads and changes how long data of people is kept. */
import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import type { Queryable } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';

const RETENTION = 'retention';

export async function readRetention(db: Queryable): Promise<Retention> {
  const stored = await readSetting(db, RETENTION);
  return { ...DEFAULT_RETENTION, ...(stored !== null && (JSON.parse(stored) as Partial<Retention>)) };
}

/** Stores the settings, with an event that names what changed. The next run of the job applies them. */
export async function setRetention(
  context: Context,
  input: { readonly retention: Retention; readonly operatorId: string; readonly actor: Actor },
): Promise<void> {
  const { retention, operatorId, actor } = input;
  await context.db.transaction(async (tx) => {
    const before = await readRetention(tx);
    const changes = (Object.keys(NAMES) as (keyof Retention)[]).flatMap((name) =>
      before[name] === retention[name]
        ? []
        : [`${NAMES[name]}: ${retention[name] ?? 'off'} (was ${before[name] ?? 'off'})`],
    );
    if (changes.length === 0) return;
    await writeSetting(tx, RETENTION, JSON.stringify(retention));
    await appendEvent(tx, {
      accountId: operatorId,
      type: 'settings.changed',
      at: context.at(),
      actor,
      subjectId: operatorId,
      data: { changes: `${changes.join('; ')}.` },
    });
  });
}

const NAMES: Readonly<Record<keyof Retention, string>> = {
  unusedMonths: 'Months until an unused account is deleted',
  mailDays: 'Days until mail that was not sent is deleted',
  signInDays: 'Days until network addresses of sign-ins are deleted',
};
