/**
 * The name of an account. Listings show it as “By …”. Until an operator has approved a listing of the account, the
 * review of the listing covers the name; after that, a new name waits for its own review.
 */
import type { Context } from '../../base/context.ts';
import { UNDO_WINDOW_MS } from '../../base/events/decision-queries.ts';
import { appendEdit } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { refuseDeleted } from './account.ts';
import { type AccountChange, type Changing, changeAccount } from './edit.ts';
import { type Account, hasApprovedListing, renewPendingListings, updateAccount } from './queries.ts';
import {
  type AccountRequest,
  deleteRequest,
  findRequest,
  insertRequest,
  isOpen,
  updateRequest,
} from './request-queries.ts';

interface Rename {
  readonly accountId: string;
  /** Already parsed by `parseAccountName`. */
  readonly name: string;
}

/** Returns whether the name applies now. If not, it waits for the operator. The current name withdraws a proposal. */
export async function renameAccount(
  context: Context,
  { accountId, name }: Rename,
): Promise<'renamed' | 'proposed'> {
  const actor = `account:${accountId}` as const;
  const id = uuidv7(context);
  return await changeAccount(context, { account: accountId, actor }, async (changing) => {
    const { tx, account, at } = changing;
    refuseDeleted(account);
    if (name === account.name) {
      await withdrawProposal(changing);
      return 'renamed';
    }
    if (await needsReview(tx, account)) {
      await propose(changing, name, id);
      return 'proposed';
    }
    await deleteRequest(tx, accountId, 'name');
    await updateAccount(tx, accountId, { name });
    await appendEdit(tx, {
      accountId,
      type: 'account.renamed',
      at,
      actor,
      subjectId: accountId,
      data: { from: account.name, to: name },
    });
    return 'renamed';
  });
}

/** If not, gives pending listings a new version: an operator can't approve them with a name that the page didn't show. */
async function needsReview(tx: Transaction, { id, operator_since }: Account): Promise<boolean> {
  if (operator_since === null && (await hasApprovedListing(tx, id))) return true;
  await renewPendingListings(tx, id);
  // A concurrent approval may have committed until the statement above had the locks of its rows.
  return operator_since === null && (await hasApprovedListing(tx, id));
}

/** A proposal that replaces one that waits keeps its position in the queue. */
async function propose({ tx, account, at, record }: Changing, name: string, id: string): Promise<void> {
  const request = await findRequest(tx, account.id, 'name');
  if (request?.name === name && request.approved_at === null) {
    if (request.declined_at === null) return;
    throw invalid(message('The operator has declined this name. Propose another one.'));
  }
  if (request !== undefined && isOpen(request)) {
    await updateRequest(tx, request, { name });
  } else {
    await deleteRequest(tx, account.id, 'name');
    await insertRequest(tx, { id, account_id: account.id, wish: 'name', name, created_at: at });
  }
  await record('account.asked', { wish: 'name', name });
}

/** Does nothing if no proposed or declined name is stored. */
export const withdrawName = (context: Context, { accountId }: Pick<Rename, 'accountId'>): Promise<void> =>
  changeAccount(context, { account: accountId, actor: `account:${accountId}` }, withdrawProposal);

async function withdrawProposal({ tx, account, record }: Changing): Promise<void> {
  const request = await findRequest(tx, account.id, 'name');
  if (request === undefined || request.approved_at !== null) return;
  await deleteRequest(tx, account.id, 'name');
  if (isOpen(request)) await record('account.request_withdrawn', { wish: 'name', name: request.name });
}

/** Approves a proposed name. The request is kept for `undoNameDecision`. */
export async function applyName(
  { tx, account, at, record }: Changing,
  request: AccountRequest,
  name: string,
): Promise<Account> {
  await renewPendingListings(tx, account.id);
  await updateAccount(tx, account.id, { name });
  await updateRequest(tx, request, { former_name: account.name, approved_at: at });
  await record('account.renamed', { from: account.name, to: name, approved: true });
  return { ...account, name };
}

/** The operator's last decision about the account's name; `null` if there is none, or if the name has changed since. */
export function nameDecision(
  { name }: Pick<Account, 'name'>,
  request: AccountRequest | undefined,
): { readonly decision: 'approve' | 'decline'; readonly at: string } | null {
  if (request?.declined_at != null) return { decision: 'decline', at: request.declined_at };
  if (request?.approved_at != null && request.name === name) {
    return { decision: 'approve', at: request.approved_at };
  }
  return null;
}

/** Undoes the last decision about the account's name within `UNDO_WINDOW_MS`. The proposal waits again. */
export const undoNameDecision = (context: Context, input: AccountChange): Promise<void> =>
  changeAccount(context, input, async ({ tx, account, at, record }) => {
    refuseDeleted(account);
    const request = await findRequest(tx, account.id, 'name');
    const decided = nameDecision(account, request);
    if (request === undefined || decided === null) {
      throw invalid(message('This decision cannot be undone: the name has changed since.'));
    }
    if (Date.parse(at) - Date.parse(decided.at) > UNDO_WINDOW_MS) {
      throw invalid(
        message('The {seconds} seconds to undo this decision have passed.', {
          seconds: UNDO_WINDOW_MS / 1_000,
        }),
      );
    }
    if (decided.decision === 'approve') {
      await renewPendingListings(tx, account.id);
      await updateAccount(tx, account.id, { name: request.former_name! });
    }
    const open = { former_name: null, approved_at: null, declined_at: null, reason: null };
    await updateRequest(tx, request, open);
    const { decision, at: decided_at } = decided;
    await record('account.decision_undone', { decision, name: request.name!, decided_at });
  });
