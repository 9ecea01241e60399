/** Compares the redemptions in the database with the answers that callers received. No call may be in progress. */
import type { Context } from '../../src/base/context.ts';
import { hashToken } from '../../src/claims/token.ts';
import { countLabels } from '../../src/marketplace/campaigns/count.ts';
import { DEFAULT_TIME_ZONE } from '../../src/platform/text/time-zone.ts';
import { checkHistory, type Operation } from './history.ts';
import type { Call } from './load.ts';
import type { Stock } from './server-process.ts';

export interface CallMix {
  /** Returns the next call; `null` once all tokens are used. */
  next(): Call | null;
}

/** Number of recent tokens that calls reuse. The redemptions of these tokens may still be in progress. */
const RECENT = 16;

/**
 * Most calls redeem the next unused token, usually with an idempotency key. The other calls verify a recently used
 * token, or try to redeem it with a different idempotency key.
 */
export function createCalls({ owner, tokens }: Stock): CallMix {
  let count = 0;
  let fresh = 0;
  const apiKey = owner.liveKey;
  return {
    next: () => {
      count += 1;
      const recent = tokens[fresh - 1 - (count % RECENT)];
      if (recent !== undefined && count % 7 === 0) return { apiKey, token: recent, redeem: false };
      if (recent !== undefined && count % 11 === 0) {
        return { apiKey, token: recent, redeem: true, idempotencyKey: `stranger-${count}` };
      }
      const token = tokens[fresh];
      if (token === undefined) return null;
      fresh += 1;
      return { apiKey, token, redeem: true, idempotencyKey: fresh % 5 === 0 ? null : `order-${token}` };
    },
  };
}

/**
 * Returns a message for each fault in the history and for each mismatch with the database: acknowledged redemptions
 * that were lost, redemptions that no call requested, wrong events, and wrong label counts.
 */
export async function reconcile({ db }: Context, history: readonly Operation[]): Promise<string[]> {
  const faults = checkHistory(history);
  const claims = await db.read.selectFrom('claims').select(['id', 'token_hash', 'redeemed_at']).execute();
  const byToken = new Map(claims.map((claim) => [Buffer.from(claim.token_hash).toString('hex'), claim]));
  const redeemed = claims.filter((claim) => claim.redeemed_at !== null);
  const asked = new Set<string>();

  for (const { token, redeem, answer } of history) {
    const claim = byToken.get(Buffer.from(hashToken(token)).toString('hex'));
    if (claim === undefined) {
      faults.push(`${token} is not in the database`);
      continue;
    }
    if (redeem) asked.add(claim.id);
    if (answer?.status !== 200) continue;
    const answered = (JSON.parse(answer.body) as { redeemed_at: string | null }).redeemed_at;
    if (answered !== null && answered !== claim.redeemed_at) {
      faults.push(
        `${token}: redeemed_at is ${answered} in the answer, but ${claim.redeemed_at} in the database`,
      );
    }
  }
  for (const { id } of redeemed)
    if (!asked.has(id)) faults.push(`claim ${id} was redeemed, but no call requested it`);

  const events = await db.read
    .selectFrom('events')
    .select('subject_id')
    .where('type', '=', 'claim.redeemed')
    .execute();
  const eventsOf = Map.groupBy(events, (event) => event.subject_id);
  for (const { id } of redeemed) {
    const found = eventsOf.get(id)?.length ?? 0;
    if (found !== 1) faults.push(`claim ${id} has ${found} claim.redeemed events`);
  }
  if (events.length !== redeemed.length) {
    faults.push(`${events.length} claim.redeemed events for ${redeemed.length} redemptions`);
  }

  let counted = 0;
  const counting = { db, now: Date.now, marketplace: { timeZone: DEFAULT_TIME_ZONE } };
  for (const { slug } of await db.read.selectFrom('listings').select('slug').execute()) {
    for (const label of await countLabels(counting, { listing: slug })) counted += label.redeemed;
  }
  if (counted !== redeemed.length)
    faults.push(`the label counts add up to ${counted}, but there are ${redeemed.length} redemptions`);
  return faults;
}
