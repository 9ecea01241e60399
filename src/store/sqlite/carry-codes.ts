/**
 * Carries given codes over in a restore: a code that somebody was given is not given to anybody else. Needs offers as
 * they are in the backup, and accounts.
 */
import { change, type Databases } from './two-databases.ts';

/** The same code in both databases, which needs the same key. */
const SAME_CODE = 'r.offer_id = o.offer_id and r.code_hash = o.code_hash';

/** Returns how many codes were added or given. Codes that their owner has withdrawn since are withdrawn again. */
export function carryCodes(databases: Databases): number {
  if (!databases.isContinuation) return 0;
  change(
    databases,
    `update restored.offers as r set code_key = o.code_key from main.offers as o
     where o.id = r.id and r.code_key is null and o.code_key is not null`,
  );
  change(
    databases,
    `delete from restored.offer_codes as r where claim_id is null and offer_id in (select id from main.offers)
       and not exists (select 1 from main.offer_codes as o where ${SAME_CODE})`,
  );
  const added = change(
    databases,
    `insert or ignore into restored.offer_codes (account_number, offer_id, code_hash, code, added_at, claim_id)
     select f.account_number, o.offer_id, o.code_hash, o.code, o.added_at, o.claim_id
     from main.offer_codes as o join restored.offers as f on f.id = o.offer_id
     where not exists (select 1 from restored.offer_codes as r where ${SAME_CODE})
     order by o.seq`,
  );
  const given = change(
    databases,
    `update or ignore restored.offer_codes as r set claim_id = o.claim_id from main.offer_codes as o
     where ${SAME_CODE} and o.claim_id is not null and r.claim_id is null`,
  );
  recount(databases);
  return added + given;
}

function recount(databases: Databases): void {
  change(
    databases,
    `insert into restored.offer_claims (account_number, offer_id, claims, codes_left, codes_given)
     select account_number, offer_id, 0, sum(claim_id is null), sum(claim_id is not null)
     from restored.offer_codes where true group by account_number, offer_id
     on conflict (account_number, offer_id) do update
       set codes_left = excluded.codes_left, codes_given = excluded.codes_given`,
  );
}

/** Codes that nobody was given as far as the backup knows: an operator releases them. Returns how many. */
export function withholdCodes(databases: Pick<Databases, 'connection'>, at: string): number {
  const withheld = change(
    databases,
    'update restored.offer_codes set withheld_at = ? where claim_id is null and withheld_at is null',
    at,
  );
  change(databases, 'update restored.offer_claims set codes_left = 0 where codes_left <> 0');
  return withheld;
}
