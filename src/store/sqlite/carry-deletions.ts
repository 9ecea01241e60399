/**
 * Carries deletions of accounts over in a restore. The address goes here; the rest is deleted by the same steps as
 * before, once the restored database is opened (`src/people/erase.ts`).
 */
import { MAILBOX_MARK_KEY } from '../settings.ts';
import { change, countOf, type Databases } from './two-databases.ts';

/** Accounts that were deleted since the backup. */
const DELETED_SINCE = `from main.accounts as o
  where o.id = r.id and o.deleted_at is not null and r.deleted_at is null`;

/** Returns how many accounts are deleted again. */
export function carryDeletions(databases: Databases): number {
  carryMarks(databases);
  change(
    databases,
    `delete from restored.mails where recipient in
       (select r.email from restored.accounts as r where exists (select 1 ${DELETED_SINCE}))`,
  );
  return change(
    databases,
    `update restored.accounts as r set email = r.id, name = o.name, operator_since = null, deleted_at = o.deleted_at,
       delete_at = ?, delete_reason = 'asked' ${DELETED_SINCE}`,
    databases.at,
  );
}

/** Marks of mailboxes can only be compared with the key that made them. */
function carryMarks(databases: Databases): void {
  const key = (schema: string) => `(select value from ${schema}.settings where name = '${MAILBOX_MARK_KEY}')`;
  change(
    databases,
    `insert into restored.settings (name, value) select name, value from main.settings
     where name = '${MAILBOX_MARK_KEY}' on conflict do nothing`,
  );
  if (countOf(databases, `select ${key('main')} is ${key('restored')} as count`) === 0) return;
  change(
    databases,
    `insert or ignore into restored.mailbox_marks (account_number, offer_id, mark)
     select f.account_number, o.offer_id, o.mark
     from main.mailbox_marks as o join restored.offers as f on f.id = o.offer_id`,
  );
}
