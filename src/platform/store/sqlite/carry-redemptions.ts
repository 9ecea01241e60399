import { amountOf } from '../../text/text.ts';
import type { Databases } from './two-databases.ts';

/**
 * Every redemption through the API since the backup, with its event and counts; first, claims newer than the backup.
 */
export function carryRedemptions(databases: Databases): number {
  const { change, count, lose } = databases;
  findRedemptions(databases);
  replaceClaims(databases);
  insertClaims(databases);
  change(`insert into temp.carried (seq, old_seq, is_new)
    select r.seq, f.old_seq, r.seq > f.last_seq from temp.found f
      join main.claim_rows o on o.seq = f.old_seq join restored.claim_rows r on r.id = o.id
    where r.redeemed_at is null`);
  redeem(databases);
  appendEvents(databases);
  countCarried(databases);
  const redeemed = count('select count(*) from temp.carried');
  const toRedeem = count('select count(*) from temp.found');
  if (toRedeem > redeemed) {
    lose(
      `${amountOf(toRedeem - redeemed, 'redemption')} could not be carried over: the offer is not in the backup, or the backup has another claim of the same person.`,
    );
  }
  const newClaims = count(`select count(*) from main.claim_rows o
    where not exists (select 1 from restored.claim_rows r where r.id = o.id)`);
  if (newClaims > 0) lose(`Claims created since the backup and not carried over are lost: ${newClaims}.`);
  return redeemed;
}

/** Finds redemptions made through the API since the backup. Unlike imported redemptions, they have an API key. */
function findRedemptions({ connection, change }: Databases): void {
  connection.exec(`
    pragma temp_store = memory;
    create temp table found (old_seq integer primary key, last_seq integer not null);
    create temp table carried (seq integer primary key, old_seq integer not null, is_new integer not null)`);
  change(`insert into temp.found (old_seq, last_seq)
    select o.seq, (select coalesce(max(seq), 0) from restored.claim_rows) from main.claim_rows o
    where o.redeemed_at is not null and o.key_number is not null
      and not exists (select 1 from restored.claim_rows r where r.id = o.id and r.redeemed_at is not null)`);
}

/** Marks claims that were replaced since the backup, so that they don't conflict with the person's new claim. */
function replaceClaims({ change }: Databases): void {
  change(`update restored.claim_rows as r set replaced_at = o.replaced_at from main.claim_rows as o
    where o.id = r.id and o.replaced_at is not null and r.replaced_at is null`);
}

function insertClaims({ change }: Databases): void {
  change(`insert into restored.claim_rows (account_number, offer_number, claimed_at, replaced_at, claimant_number,
      is_imported, id, mode, token_hash, via, claimant_ref)
    select rf.account_number, rf.number, o.claimed_at, o.replaced_at, rp.number, o.is_imported,
      o.id, o.mode, o.token_hash, o.via, o.claimant_ref
    from temp.found f join main.claim_rows o on o.seq = f.old_seq
      join main.offers mf on mf.number = o.offer_number join restored.offers rf on rf.id = mf.id
      left join main.accounts mp on mp.number = o.claimant_number left join restored.accounts rp on rp.id = mp.id
    where not exists (select 1 from restored.claim_rows r where r.id = o.id)
    order by o.seq
    on conflict do nothing`);
}

function redeem({ change }: Databases): void {
  change(`insert or ignore into restored.offer_wordings (offer_id, offer, kind)
    select w.offer_id, w.offer, w.kind from temp.carried c join main.claim_rows o on o.seq = c.old_seq
      join main.offer_wordings w on w.number = o.wording_number`);
  change(`update restored.claim_rows as r
    set redeemed_at = o.redeemed_at, key_number = rk.number, wording_number = rw.number, padding = x''
    from temp.carried c join main.claim_rows o on o.seq = c.old_seq
      join main.api_keys k on k.number = o.key_number left join restored.api_keys rk on rk.id = k.id
      left join main.offer_wordings w on w.number = o.wording_number
      left join restored.offer_wordings rw on rw.offer_id = w.offer_id and rw.kind = w.kind and rw.offer = w.offer
    where r.seq = c.seq`);
  change(`update or ignore restored.claim_rows as r set idempotency_hash = o.idempotency_hash
    from temp.carried c join main.claim_rows o on o.seq = c.old_seq
    where r.seq = c.seq and o.idempotency_hash is not null`);
  change(`insert into restored.claim_references (account_number, claim_seq, reference)
    select r.account_number, r.seq, f.reference from temp.carried c join restored.claim_rows r on r.seq = c.seq
      join main.claim_rows o on o.seq = c.old_seq
      join main.claim_references f on f.account_number = o.account_number and f.claim_seq = o.seq`);
}

function appendEvents({ change }: Databases): void {
  change(`insert into restored.event_rows (account_number, type, actor, claim_seq)
    select r.account_number, 'claim.created', 'account:' || p.id, r.seq
    from temp.carried c join restored.claim_rows r on r.seq = c.seq
      left join restored.accounts p on p.number = r.claimant_number
    where c.is_new = 1 order by r.seq`);
  change(`insert into restored.event_rows (account_number, type, claim_seq)
    select r.account_number, 'claim.redeemed', r.seq
    from temp.carried c join restored.claim_rows r on r.seq = c.seq order by r.redeemed_at, r.seq`);
}

function countCarried(databases: Databases): void {
  databases.change(`insert into restored.offer_claims (account_number, offer_id, claims)
    select r.account_number, f.id, count(*) from temp.carried c
      join restored.claim_rows r on r.seq = c.seq join restored.offers f on f.number = r.offer_number
    where c.is_new = 1 and r.mode = 'live' group by r.account_number, f.id
    on conflict (account_number, offer_id) do update set claims = claims + excluded.claims`);
  countByLabel(databases, 'claimed_at', 'is_new', '0');
  countByLabel(databases, 'redeemed_at', '0', '1');
}

function countByLabel({ change }: Databases, time: string, claims: string, redeemed: string): void {
  change(`insert into restored.label_deltas (account_number, listing_id, via, claims, redeemed, at)
    select * from (
      select r.account_number, f.listing_id, coalesce(r.via, '') as via, sum(${claims}) as claims,
        sum(${redeemed}) as redeemed, strftime('%Y-%m-%dT00:00:00.000Z', r.${time} / 1000.0, 'unixepoch') as day
      from temp.carried c join restored.claim_rows r on r.seq = c.seq
        join restored.offers f on f.number = r.offer_number
      where r.mode = 'live' group by 1, 2, 3, 6)
    where claims + redeemed > 0`);
}
