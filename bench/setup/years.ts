/** Inserts five years of claims and events with SQL, because `claimcheck` commands would take hours. */
import { monthStart, PARTITIONED_TABLES } from '../../src/platform/store/partitions.ts';
import { accountNumber, type Installation } from './installation.ts';
import { query } from './postgres.ts';

const MONTHS = 60;
/** Events per claim. A redeemed claim usually has only two, so this event log is larger than in practice. */
export const EVENTS_A_CLAIM = 10;
/** Number of events of which one is about a key. All others are about claims. */
const EVENTS_AN_AUDIT_EVENT = 50;

/** Adds `claims` claims and their events, spread over the previous `MONTHS` months. Half of the claims are redeemed. */
export async function addYears(
  installation: Installation,
  claims: number,
  say: (text: string) => void,
): Promise<void> {
  const url = installation.databaseUrl!;
  const account = await accountNumber(installation);
  const [offer] = await query(url, 'select number from offers where id = $1', [installation.offerId]);
  const each = Math.floor(claims / MONTHS);
  for (let before = MONTHS; before >= 1; before -= 1) {
    const [from, until] = [monthStart(Date.now(), -before), monthStart(Date.now(), 1 - before)];
    for (const table of PARTITIONED_TABLES) {
      const name = `${table}_${from.slice(0, 7).replace('-', '_')}`;
      await query(
        url,
        `create table ${name} partition of ${table} for values from ('${from}') to ('${until}')`,
      );
    }
    const [last] = await query(url, 'select coalesce(max(seq), 0) as seq from claim_rows');
    const time = (n: string, count: number): string =>
      `timestamptz '${from}' + (timestamptz '${until}' - timestamptz '${from}') * (${n}::float8 / ${count})`;
    await query(
      url,
      `insert into claim_rows (account_number, offer_number, claimed_at, redeemed_at, is_imported, id, mode,
         token_hash, via)
       select ${account}, ${Number(offer!['number'])}, ${time('n', each)},
         case n % 2 when 0 then ${time('n', each)} end, 0, gen_random_uuid(), 'live',
         decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), 'newsletter'
       from generate_series(0, ${each - 1}) n`,
    );
    const events = each * EVENTS_A_CLAIM;
    await query(
      url,
      `insert into event_rows (account_number, type, at, claim_seq, actor, subject_id, data)
       select ${account}, case when is_audit then 'key.created' when n % 2 = 0 then 'claim.redeemed' else 'claim.created' end,
         ${time('n', events)}, case when not is_audit then ${Number(last!['seq'])} + 1 + n / ${EVENTS_A_CLAIM} end,
         case when is_audit then 'operator' end, case when is_audit then gen_random_uuid() end,
         case when is_audit then '{"name": "web server", "mode": "live", "start": "cck_live_0000"}'::jsonb end
       from (select n, n % ${EVENTS_AN_AUDIT_EVENT} = 7 as is_audit from generate_series(0, ${events - 1}) n) of_month`,
    );
    say(`  ${from.slice(0, 7)}`);
  }
  for (const table of ['claim_rows', 'event_rows']) await query(url, `vacuum (analyze) ${table}`);
  await query(url, 'checkpoint');
}
