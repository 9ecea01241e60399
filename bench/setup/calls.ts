/** Inserts calls into the request log with SQL. A server logs at most a few hundred calls of an account per second. */
import type { Installation } from './installation.ts';

const CALLS_A_STATEMENT = 100;

/**
 * Adds `count` redemptions as the newest entries of the log. Rounds `count` up to whole statements. All rows of a
 * statement have the same time, one millisecond after the previous statement's time.
 */
export async function addCalls({ accountId, query }: Installation, count: number): Promise<void> {
  const statements = Math.ceil(count / CALLS_A_STATEMENT);
  const startedMs = Date.now() - statements;
  for (let statement = 0; statement < statements; statement++) {
    const at = new Date(startedMs + statement).toISOString();
    await query(
      `insert into attempts (account_id, mode, at, request_id, cause, redeem, latency_us)
       with recursive calls (n) as (select 1 union all select n + 1 from calls where n < ${CALLS_A_STATEMENT})
       select '${accountId}', 'live', '${at}', 'bench-${statement}-' || n, 'redeemed', 1, 500
       from calls`,
    );
  }
}

export async function countCalls({ query }: Installation): Promise<number> {
  return Number((await query('select count(*) as calls from attempts'))[0]?.['calls']);
}
