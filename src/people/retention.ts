/** How long data of people is kept, as far as an operator decides it at the desk. Settings of the environment stay there. */
import { changeSettings, type SettingsChange } from '../accounts/policy.ts';
import { MAIL_KEPT_DAYS } from '../accounts/sweep.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../store/database.ts';
import { readSetting } from '../store/settings.ts';

export interface Retention {
  /** Accounts that nobody has signed in to for this long are deleted; `null`: none. */
  readonly unusedMonths: number | null;
  /** Mail that was not sent, or that waits in the Outbox. */
  readonly mailDays: number;
  /** The network addresses of sign-ins in the event log; `null`: as long as their events. */
  readonly signInDays: number | null;
}

export const DEFAULT_RETENTION: Retention = {
  unusedMonths: null,
  mailDays: MAIL_KEPT_DAYS,
  signInDays: null,
};

/** Shorter than this an account may just be between two claims. */
export const MIN_UNUSED_MONTHS = 6;
export const MAX_UNUSED_MONTHS = 120;
/** A mail is tried again for a day. */
export const MIN_MAIL_DAYS = 2;
export const MAX_MAIL_DAYS = 90;
/** Operators look at sign-ins of the last days. */
export const MIN_SIGN_IN_DAYS = 7;
export const MAX_SIGN_IN_DAYS = 3_650;

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
  await changeSettings(context, input, {
    key: RETENTION,
    names: NAMES,
    read: readRetention,
    to: input.retention,
  });
}

const NAMES: Readonly<Record<keyof Retention, string>> = {
  unusedMonths: 'Months until an unused account is deleted',
  mailDays: 'Days until mail that was not sent is deleted',
  signInDays: 'Days until network addresses of sign-ins are deleted',
};
