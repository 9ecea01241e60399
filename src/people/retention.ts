/** How long data of people is kept, as far as an operator decides it at the desk. Settings of the environment stay there. */
import { MAIL_KEPT_DAYS } from '../accounts/sweep.ts';
import { invalid } from '../errors.ts';

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

/** A whole number of days or months, in the field `label`. */
export function parseSpan(
  text: string,
  { label, min, max }: { readonly label: string; readonly min: number; readonly max: number },
): number {
  const typed = text.trim();
  const span = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (span < min || span > max) {
    throw invalid(`“${label}” must be a whole number from ${min} to ${max}.`);
  }
  return span;
}
