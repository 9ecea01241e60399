/** The plans, and which of them have API keys, are fixed. Operators set how plans are presented and what they limit. */

import { Refusal } from '../errors.ts';
import { type Message, message } from '../languages/translate.ts';
import type { AccountsTable } from '../store/tables/accounts.ts';
import { parseLine, parseText } from '../text/text.ts';

type Plan = AccountsTable['plan'];

export interface PlanTerms {
  readonly name: string;
  /** A text such as `€29 a month`; `null` shows no price. */
  readonly price: string | null;
  /** A sentence, or several lines, which are shown as a list. */
  readonly about: string | null;
  /** The most that an account may have; `null`: only the limits for all accounts apply. */
  readonly listings: number | null;
  readonly offersOfListing: number | null;
  readonly members: number | null;
  /** Shown only to accounts that already have it. */
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

/** The terms of all plans in one object, as they are stored and compared, with keys such as `studio.name`. */
export type FlatPlans = Readonly<Record<`${Plan}.${keyof PlanTerms}`, string | number | boolean | null>>;

export const flatPlans = (plans: Plans): FlatPlans =>
  Object.fromEntries(
    Object.entries(plans).flatMap(([plan, terms]) =>
      Object.entries(terms).map(([term, value]) => [`${plan}.${term}`, value]),
    ),
  ) as FlatPlans;

/** `stored` has the terms that differ from `FIRST_PLANS`. Terms that this version doesn't know are ignored. */
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
  parseLine(text, 'The name of a plan', MAX_PLAN_NAME_LENGTH);
export const parsePrice = (text: string): string => parseLine(text, 'The price', MAX_PRICE_LENGTH);
export const parsePlanAbout = (text: string): string =>
  parseText(text, 'The text of a plan', MAX_PLAN_ABOUT_LENGTH);

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

/** `null`: one more is allowed. `ofPlan`: the limit of the account's plan, if it has one; `most`: for all accounts. */
export function findTooMany(
  count: number,
  ofPlan: number | null,
  most: number,
  sentenceOf: (limit: { readonly most: number; readonly isOfPlan: boolean }) => Message,
): TooMany | null {
  const limit = { most: ofPlan ?? most, isOfPlan: ofPlan !== null && ofPlan < most };
  return count < limit.most ? null : new TooMany(sentenceOf(limit), limit.isOfPlan);
}
