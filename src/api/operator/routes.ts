import { ACCOUNT_ROUTES } from './accounts.ts';
import { CLAIM_ROUTES } from './claims.ts';
import type { OperatorRoute } from './definitions.ts';
import { KEY_ROUTES } from './keys.ts';
import { LISTING_ROUTES } from './listings.ts';
import { OFFER_ROUTES } from './offers.ts';
import { REVIEW_ROUTES } from './reviews.ts';

const ROUTES = [
  ...CLAIM_ROUTES,
  ...ACCOUNT_ROUTES,
  ...LISTING_ROUTES,
  ...REVIEW_ROUTES,
  ...OFFER_ROUTES,
  ...KEY_ROUTES,
] as const;

export type NamedOperation = (typeof ROUTES)[number]['operation'];

export const OPERATOR_ROUTES: readonly OperatorRoute[] = ROUTES;
