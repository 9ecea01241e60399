/** The plans, and whether each has API keys, are fixed in code. Operators edit the values in `PlanTerms`. */

import { Refusal } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { AccountsTable } from '../../platform/store/tables/accounts.ts';
import { parseLine, parseText } from '../../platform/text/text.ts';

type Plan = AccountsTable['plan'];

export interface PlanTerms {
  readonly name: string;
  /** Such as `€29 a month`; `null`: no price is shown. */
  readonly price: string | null;
  /** A sentence, or several lines that are shown as a list. */
  readonly about: string | null;
  /** Limits of the plan; `null`: only the limit for all accounts applies. */
  readonly listings: number | null;
  readonly offersOfListing: number | null;
  readonly members: number | null;
  /** A hidden plan is shown only to accounts that already have it. */
  readonly isHidden: boolean;
}

export type Plans = Readonly<Record<Plan, PlanTerms>>;

export const MAX_PLAN_NAME_LENGTH = 30;
export const MAX_PRICE_LENGTH = 60;
export const MAX_PLAN_ABOUT_LENGTH = 600;

const named = (name: string): PlanTerms => ({
  name,
  price: null,
  about: null,
  listings: null,
  offersOfListing: null,
  members: null,
  isHidden: false,
});

export const FIRST_PLANS: Plans = {
  starter: named('Starter'),
  studio: named('Studio'),
  everything: named('Everything'),
};

/** The terms of all plans, with keys such as `studio.name`, for storage and comparison. */
export type FlatPlans = Readonly<Record<`${Plan}.${keyof PlanTerms}`, string | number | boolean | null>>;

export const flatPlans = (plans: Plans): FlatPlans =>
  Object.fromEntries(
    Object.entries(plans).flatMap(([plan, terms]) =>
      Object.entries(terms).map(([term, value]) => [`${plan}.${term}`, value]),
    ),
  ) as FlatPlans;

/** `stored` contains only the terms that differ from `FIRST_PLANS`. Unknown terms are ignored. */
export function plansFrom(stored: Partial<FlatPlans>): Plans {
  const termsOf = (plan: Plan): PlanTerms =>
    Object.fromEntries(
      Object.entries(FIRST_PLANS[plan]).map(([term, first]) => {
        const value = stored[`${plan}.${term as keyof PlanTerms}`];
        return [term, value === undefined ? first : value];
      }),
    ) as unknown as PlanTerms;
  return { starter: termsOf('starter'), studio: termsOf('studio'), everything: termsOf('everything') };
}

export const limitsOf = ({ listings, offersOfListing: offers, members }: PlanTerms): readonly Message[] =>
  [
    listings !== null &&
      message('at most {listings, plural, one {# listing} other {# listings}}', { listings }),
    offers !== null &&
      message('at most {offers, plural, one {# offer} other {# offers}} per listing', { offers }),
    members !== null && message('at most {members, plural, one {# member} other {# members}}', { members }),
  ].filter((limit) => limit !== false);

export const parsePlanName = (text: string): string =>
  parseLine(text, message('The name of a plan'), MAX_PLAN_NAME_LENGTH);
export const parsePrice = (text: string): string => parseLine(text, message('The price'), MAX_PRICE_LENGTH);
export const parsePlanAbout = (text: string): string =>
  parseText(text, message('The text of a plan'), MAX_PLAN_ABOUT_LENGTH);

/** A limit on listings, offers or members is reached. */
export class TooMany extends Refusal {
  override name = 'TooMany';
  /** Whether a larger plan may allow more. */
  readonly isOfPlan: boolean;

  constructor(sentence: Message, isOfPlan: boolean) {
    super('invalid_request', sentence);
    this.isOfPlan = isOfPlan;
  }
}

/** Returns `null` if one more is allowed. `ofPlan`: limit of the account's plan. `most`: limit for all accounts. */
export function findTooMany(
  count: number,
  ofPlan: number | null,
  most: number,
  sentenceOf: (limit: { readonly most: number; readonly isOfPlan: boolean }) => Message,
): TooMany | null {
  const limit = { most: ofPlan ?? most, isOfPlan: ofPlan !== null && ofPlan < most };
  return count < limit.most ? null : new TooMany(sentenceOf(limit), limit.isOfPlan);
}
