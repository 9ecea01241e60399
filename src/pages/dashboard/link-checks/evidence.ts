import { type LinkCheck, type Visits, visitsOf } from '../../../background/link-checks/link-check.ts';
import { findTestClaim, readCalls } from '../../../background/link-checks/queries.ts';
import type { Context } from '../../../base/context.ts';
import { outcomeOf } from '../../../claims/attempts/cause.ts';
import type { CallWithKey } from '../../../claims/attempts/queries.ts';
import { type Diagnosis, diagnose } from '../requests/diagnosis.ts';

export interface CheckedCall
  extends Pick<CallWithKey, 'at' | 'request_id' | 'cause' | 'redeem' | 'ip' | 'key_name' | 'key_mode'> {
  readonly outcome: string;
  readonly isOwn: boolean;
  /** Time from the most recent opening of the link to the call. */
  readonly delayMs: number;
  /** `null` if nothing is wrong with the call. */
  readonly diagnosis: Diagnosis | null;
}

export interface Evidence {
  readonly check: LinkCheck;
  readonly visits: Visits | null;
  /** Calls to the verify endpoint that the link check may have caused, oldest first. */
  readonly calls: readonly CheckedCall[];
  /** Redemption time of the browser visit's test claim. `null`: not redeemed yet. */
  readonly redeemedAt: string | null;
  readonly nowMs: number;
}

export async function readEvidence(
  context: Pick<Context, 'db' | 'now'>,
  check: LinkCheck,
): Promise<Evidence> {
  const { account_id: accountId, claim_id, browser_claim_id, started_at, opened_at, reopened_at } = check;
  const [serviceClaim, browserClaim] = await Promise.all([
    findTestClaim(context.db, accountId, claim_id),
    browser_claim_id === null ? null : findTestClaim(context.db, accountId, browser_claim_id),
  ]);
  const visits = visitsOf(check);
  const tokenHashes = [serviceClaim, browserClaim].flatMap((claim) => claim?.token_hash ?? []);
  const openings = [visits?.head.at, visits?.get.at, opened_at, reopened_at].filter((at) => at != null);
  const calls = await readCalls(context.db.read, accountId, { from: started_at, tokenHashes, openings });
  const checkedCall = (call: CallWithKey) => {
    const isOwn = tokenHashes.some(
      (hash) => call.token_hash !== null && Buffer.compare(hash, call.token_hash) === 0,
    );
    const openedAt = openings.findLast((at) => at <= call.at) ?? started_at;
    const delayMs = Date.parse(call.at) - Date.parse(openedAt);
    return {
      ...call,
      outcome: outcomeOf(call.cause),
      isOwn,
      delayMs,
      diagnosis: diagnose(call, isOwn ? 'test' : null),
    };
  };
  return {
    check,
    visits,
    calls: calls.map(checkedCall).filter(({ isOwn, at }) => isOwn || !isBetweenVisits(check, at)),
    redeemedAt: browserClaim?.redeemed_at ?? null,
    nowMs: context.now(),
  };
}

/** Calls between the service's visits and the browser's visit may be unrelated tests by the owner. */
const isBetweenVisits = ({ visited_at, opened_at }: LinkCheck, at: string): boolean =>
  visited_at !== null && at > visited_at && (opened_at === null || at < opened_at);
