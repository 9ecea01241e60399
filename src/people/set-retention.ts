/** Reads and changes how long data of people is kept. */
import { changeSettings, type SettingsChange } from '../accounts/set-policy.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../store/database.ts';
import { readSetting } from '../store/settings.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';

const RETENTION = 'retention';

export async function readRetention(db: Queryable): Promise<Retention> {
  const stored = await readSetting(db, RETENTION);
  return { ...DEFAULT_RETENTION, ...(stored !== null && (JSON.parse(stored) as Partial<Retention>)) };
}

/** Stores the settings, with an event that names what changed. The next run of the job applies them. */
export async function setRetention(
  context: Context,
  input: SettingsChange & { readonly retention: Retention },
): Promise<void> {
  const { retention } = input;
  await changeSettings(context, input, RETENTION, retention, async (tx) => {
    const before = await readRetention(tx);
    return (Object.keys(NAMES) as (keyof Retention)[]).flatMap((name) =>
      before[name] === retention[name]
        ? []
        : [`${NAMES[name]}: ${retention[name] ?? 'off'} (was ${before[name] ?? 'off'})`],
    );
  });
}

const NAMES: Readonly<Record<keyof Retention, string>> = {
  unusedMonths: 'Months until an unused account is deleted',
  mailDays: 'Days until mail that was not sent is deleted',
  signInDays: 'Days until network addresses of sign-ins are deleted',
};
