/** The planner uses a partial index only if the query contains the same condition, without parameters. */

/** Offers that have given out codes and have few left (`isLow` in `src/marketplace/offers/code.ts`). */
export const LOW_ON_CODES = 'codes_given > 0 and (codes_left <= 20 or codes_left * 9 <= codes_given)';

/** Calls that suggest a fault in an integration. Excludes unknown tokens, because made-up tokens are common. */
export const FAILED_CALLS =
  "cause not in ('redeemed', 'repeated', 'valid', 'already_redeemed', 'token_unknown') and cause not like 'fixed%'";

/** Events that the audit log shows by default. */
export const NOT_OF_CLAIMS = "type <> 'claim.created' and type <> 'claim.redeemed'";

export const FAILING_ENDPOINTS =
  "deleted_at is null and (disabled_reason in ('gone', 'failing') or (disabled_at is null and failing_since is not null))";

/** Codes of mails that strangers can cause. */
export const OF_MAILED_CODES =
  "purpose in ('email-sign-in', 'set-password', 'change-email', 'join-waiting-list')";
