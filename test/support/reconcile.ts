/** Whether the database holds exactly the redemptions that callers got answers for, once no call is under way. */
import { countLabels } from '../../src/campaigns/count.ts';
import { hashToken } from '../../src/claims/token.ts';
import type { Context } from '../../src/context.ts';
import { DEFAULT_TIME_ZONE } from '../../src/text/time-zone.ts';
import { checkHistory, type Operation } from './history.ts';
import type { Call } from './load.ts';
import type { Stock } from './server-process.ts';

export interface CallMix {
  /** `null` once all tokens are used. */
  next(): Call | null;
}

/**
 * Calls on used tokens pick from this many of the most recently used ones, whose first callers may still be waiting.
 */
const RECENT = 16;

/**
 * Calls on fresh tokens one after the other: most redeem with an Idempotency-Key of their own, some without one;
 * now and then a token used shortly before is verified, or redeemed by another caller.
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
 * Returns a sentence for each fault in the history, and for each difference from the database: a lost acknowledged
 * redemption, a redemption that no caller requested, events or label counts that don't match the redemptions.
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
      faults.push(`${token}: answered redeemed at ${answered}, the database has ${claim.redeemed_at}`);
    }
  }
  for (const { id } of redeemed) if (!asked.has(id)) faults.push(`claim ${id} was redeemed without a call`);

  const events = await db.read
    .selectFrom('events')
    .select('subject_id')
    .where('type', '=', 'claim.redeemed')
    .execute();
  const eventsOf = Map.groupBy(events, (event) => event.subject_id);
  for (const { id } of redeemed) {
    const found = eventsOf.get(id)?.length ?? 0;
    if (found !== 1) faults.push(`claim ${id} has ${found} events of its redemption`);
  }
  if (events.length !== redeemed.length) {
    faults.push(`${events.length} events for ${redeemed.length} redemptions`);
  }

  let counted = 0;
  const counting = { db, now: Date.now, marketplace: { timeZone: DEFAULT_TIME_ZONE } };
  for (const { slug } of await db.read.selectFrom('listings').select('slug').execute()) {
    for (const label of await countLabels(counting, { listing: slug })) counted += label.redeemed;
  }
  if (counted !== redeemed.length) faults.push(`labels count ${counted} of ${redeemed.length} redemptions`);
  return faults;
}
