/** Accounts and their plans. Owners and claimants have the same kind of account; operator is a flag. */
import { invalid } from '../errors.ts';
import { parseLine, quote } from '../text.ts';

export const PLANS = ['starter', 'studio', 'everything'] as const;
export type Plan = (typeof PLANS)[number];

export const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  starter: 'Starter',
  studio: 'Studio',
  everything: 'Everything',
};

/** Characters of an e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets of a path). */
export const MAX_EMAIL_LENGTH = 254;
/** Characters before the @ (RFC 5321 section 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64;
/** Characters of an account's name. */
export const MAX_ACCOUNT_NAME_LENGTH = 100;

/** API keys come with the Everything and Studio plans. */
export const planHasApiKeys = (plan: Plan): boolean => plan !== 'starter';

export function parsePlan(text: string): Plan {
  const plan = PLANS.find((known) => known === text);
  if (!plan) throw invalid(`The plan is one of ${PLANS.join(', ')}; found ${quote(text)}.`);
  return plan;
}

/** A dot-atom on either side of the @, with a dot in the domain unless it is `localhost`. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:localhost|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** An e-mail address in lower case, without white space around it. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === '') throw invalid('The e-mail address is empty.');
  if (email.length > MAX_EMAIL_LENGTH) {
    throw invalid(
      `The e-mail address has ${email.length} characters; at most ${MAX_EMAIL_LENGTH} are allowed.`,
    );
  }
  if (!EMAIL.test(email) || email.indexOf('@') > MAX_LOCAL_PART_LENGTH) {
    throw invalid(`The e-mail address must look like ada@example.com; found ${quote(text)}.`);
  }
  return email;
}

export const parseAccountName = (text: string): string =>
  parseLine(text, 'The name of the account', MAX_ACCOUNT_NAME_LENGTH);
