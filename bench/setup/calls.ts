/** Calls in the request log, written by SQL: a server logs at most some hundred good calls of an account a second. */
import type { Installation } from './installation.ts';

/** Adds `count` redemptions of the owner that were just logged. */
export async function addCalls({ accountId, query }: Installation, count: number): Promise<void> {
  const at = new Date().toISOString();
  await query(
    `insert into attempts (account_id, mode, at, request_id, status, outcome, cause, redeem, latency_us)
     with recursive calls (n) as (select 1 union all select n + 1 from calls where n < ${count})
     select '${accountId}', 'live', '${at}', 'bench-' || n, 200, 'redeemed', 'redeemed', 1, 500 from calls`,
  );
}

export async function countCalls({ query }: Installation): Promise<number> {
  return Number((await query('select count(*) as calls from attempts'))[0]?.['calls']);
}
