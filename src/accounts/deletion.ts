/** The deletion of an account: its times, and what it leaves. `docs/guide/privacy.md` says so to people. */
import { invalid } from '../errors.ts';
import type { AccountsTable } from '../store/tables/accounts.ts';
import { DAY_MS } from '../text/durations.ts';

/** How long a deletion can be undone. */
export const UNDO_DAYS = 7;
export const UNDO_MS = UNDO_DAYS * DAY_MS;

/** How long claims on the offers of a deleted account can still be redeemed: its API keys end then. */
export const KEYS_KEPT_DAYS = 90;
export const KEYS_KEPT_MS = KEYS_KEPT_DAYS * DAY_MS;

/** The name of a deleted account, and the text that replaces addresses and names in its events. */
export const DELETED_NAME = 'Deleted account';
export const DELETED_TEXT = '(deleted)';

/** What the key of the marks of mailboxes is encrypted for, and what its hashes are of. */
export const MARK_PURPOSE = 'mailbox marks';

/** Throws `invalid_request` for an account that was deleted. */
export function refuseDeleted({ deleted_at }: Pick<AccountsTable, 'deleted_at'>): void {
  if (deleted_at !== null) throw invalid('This account has been deleted.');
}

/** When an account will be deleted; `null`: it won't, or it has been. */
export const plannedDeletion = ({
  delete_at,
  deleted_at,
}: Pick<AccountsTable, 'delete_at' | 'deleted_at'>): string | null =>
  deleted_at === null ? delete_at : null;
