/**
 * Conditions of partial indexes that queries repeat. An engine uses the index only for the same condition, so it is
 * written here once, without parameters.
 */

/** Offers that have given codes and have few left, see `isLow` in `src/offers/code.ts`. */
export const LOW_ON_CODES = 'codes_given > 0 and (codes_left <= 20 or codes_left * 9 <= codes_given)';

/**
 * Calls that show that something is wrong with an integration. Made-up tokens are normal, so `token_unknown` isn't one.
 */
export const FAILED_CALLS =
  "cause not in ('redeemed', 'repeated', 'valid', 'already_redeemed', 'token_unknown') and cause not like 'fixed%'";

/** Endpoints of webhooks that fail, or were disabled because they failed. */
export const FAILING_ENDPOINTS =
  "deleted_at is null and (disabled_reason in ('gone', 'failing') or (disabled_at is null and failing_since is not null))";
