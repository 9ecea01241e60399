/** Accounts at the desk: search, plans, suspension, operator rights. */

import {
  endAllSessions,
  resetTwoFactor,
  restoreAccount,
  setOperator,
  suspendAccount,
} from '../../accounts/access.ts';
import { PLANS, parsePlan } from '../../accounts/account.ts';
import { type DeleteAccount, planDeletion, undoDeletion } from '../../accounts/delete.ts';
import { type AccountChange, setPlan } from '../../accounts/edit.ts';
import type { Account } from '../../accounts/queries.ts';
import { isFreshProof } from '../../accounts/session.ts';
import { readClaimsOf } from '../../claims/claimant-queries.ts';
import type { Context } from '../../context.ts';
import {
  actorOf,
  missing,
  type PageApp,
  type PageContext,
  page,
  proveFirst,
  readForm,
  redirect,
  requireOperator,
} from '../../http/pages/pages.ts';
import { download } from '../../http/server/downloads.ts';
import { listKeyViews } from '../../keys/view.ts';
import { listOwnListings } from '../../listings/counted-queries.ts';
import { readAllPersonData } from '../../people/data.ts';
import { DATA_FORMATS, dataFile } from '../../people/data-file.ts';
import { isUuid, shortId } from '../../store/uuid.ts';
import { withoutDirectionMarks } from '../../text/text.ts';
import { dayIn } from '../../text/time-zone.ts';
import { newForm } from '../../ui/form-state.ts';
import { readSaved } from '../../ui/stale-form.tsx';
import { nameEvents } from '../audit/name-queries.ts';
import { readAuditLog } from '../audit/queries.ts';
import { ACCOUNTS_PATH, accountPath } from '../paths.ts';
import { type AccountForms, AccountPage } from './account-page.tsx';
import { AccountsPage } from './list-page.tsx';
import { findLookAlikes, findSuspended } from './look-alike-queries.ts';
import { ACCOUNT_ROLES, findAccountNamed, searchAccounts } from './queries.ts';

const ACCOUNT_PATH = accountPath(':id');
const EVENTS_SHOWN = 8;
const CLAIMS_SHOWN = 20;

/** `notice`: how people learn that their account will be deleted. */
export function accountDeskPages(app: PageApp, context: Context, notice: DeleteAccount['notice']): void {
  app.get(ACCOUNTS_PATH, async (c) => {
    requireOperator(c);
    const filter = {
      search: withoutDirectionMarks(c.req.query('q') ?? '').trim(),
      role: ACCOUNT_ROLES.find((known) => known === c.req.query('who')),
      plan: PLANS.find((known) => known === c.req.query('plan')),
    };
    const after = c.req.query('after');
    const found = await searchAccounts(context.db.read, { ...filter, after });
    return page(c, <AccountsPage {...{ found, filter, isFirst: after === undefined }} />, {
      title: 'Accounts',
    });
  });

  app.get(ACCOUNT_PATH, async (c) => {
    requireOperator(c);
    return showAccount(c, context, await requireAccount(context, c));
  });

  app.post(`${ACCOUNT_PATH}/plan`, async (c) => {
    const { form, account, actor } = await readChange(context, c);
    const typed = form.read({ plan: parsePlan });
    const set =
      typed && (await form.attempt('plan', () => setPlan(context, { account: account.id, ...typed, actor })));
    return set === null
      ? showAccount(c, context, account, { plan: form })
      : redirect(c, `${accountPath(account.id)}?saved`);
  });

  accessPages(app, context);
  dataPages(app, context, notice);
}

function dataPages(app: PageApp, context: Context, notice: DeleteAccount['notice']): void {
  for (const format of DATA_FORMATS) {
    app.get(`${ACCOUNT_PATH}/data.${format}`, async (c) => {
      const viewer = requireOperator(c);
      const { id } = await requireAccount(context, c);
      if (!isFreshProof(viewer, context.now())) throw proveFirst(c, accountPath(id));
      const name = `account-${shortId(id)}-${dayIn(context.timeZone, context.at())}`;
      return download(c, { accountId: viewer.accountId, name, format }, () =>
        dataFile(readAllPersonData(context, id), format),
      );
    });
  }

  for (const [path, verb] of [
    ['delete', (input: AccountChange) => planDeletion(context, { ...input, notice })],
    ['keep', (input: AccountChange) => undoDeletion(context, input)],
  ] as const) {
    app.post(`${ACCOUNT_PATH}/${path}`, async (c) => {
      const { form, account, actor } = await readChange(context, c);
      const changed = await form.attempt<unknown>(null, () => verb({ account: account.id, actor }));
      return changed === null ? showAccount(c, context, account, { suspension: form }) : back(c, account);
    });
  }
}

function accessPages(app: PageApp, context: Context): void {
  for (const [path, verb] of [
    ['suspend', suspendAccount],
    ['restore', restoreAccount],
    ['end-sessions', endAllSessions],
    ['reset-two-factor', resetTwoFactor],
  ] as const) {
    app.post(`${ACCOUNT_PATH}/${path}`, async (c) => {
      const { form, account, actor } = await readChange(context, c);
      const changed = await form.attempt<unknown>(null, () =>
        verb(context, { account: account.id, actor, reason: form.text('reason') }),
      );
      return changed === null ? showAccount(c, context, account, { suspension: form }) : back(c, account);
    });
  }

  app.post(`${ACCOUNT_PATH}/suspend-look-alikes`, async (c) => {
    const { form, account, actor } = await readChange(context, c);
    const shown = new Set((await findLookAlikes(context.db.read, account)).map((each) => each.account.id));
    const chosen = form.fields.flatMap(([name, id]) => (name === 'account' && shown.has(id) ? [id] : []));
    if (chosen.length === 0) form.refuse(null, 'Select the accounts to suspend.');
    for (const id of chosen) {
      await form.attempt(null, () =>
        suspendAccount(context, {
          account: id,
          actor,
          reason: [form.text('reason').trim(), `Suspended together with the account ${account.id}`]
            .filter(Boolean)
            .join(' – '),
        }),
      );
    }
    if (!form.isFine) return showAccount(c, context, account, { lookAlikes: form });
    const suspended = new URLSearchParams(chosen.map((id) => ['suspended', id]));
    return redirect(c, `${accountPath(account.id)}?${suspended}`);
  });

  // Operators can read and change everything.
  app.post(`${ACCOUNT_PATH}/operator`, async (c) => {
    const { viewer, form, account, actor } = await readChange(context, c);
    if (!isFreshProof(viewer, context.now())) throw proveFirst(c, accountPath(account.id));
    const input = { account: account.id, operator: form.text('operator') === 'on', actor };
    const changed = await form.attempt(null, () => setOperator(context, input));
    if (changed === null) return showAccount(c, context, account, { suspension: form });
    // Operators who gave up their own rights can no longer open the desk.
    const isClosed = account.id === viewer.accountId && !input.operator;
    return isClosed ? redirect(c, '/account?done=operator') : back(c, account);
  });
}

async function readChange(context: Context, c: PageContext) {
  const viewer = requireOperator(c);
  const form = await readForm(c);
  return { viewer, form, account: await requireAccount(context, c), actor: actorOf(viewer) };
}

const back = (c: PageContext, { id }: Account): Response => redirect(c, accountPath(id));

async function requireAccount(context: Context, c: PageContext): Promise<Account> {
  const id = c.req.param('id') ?? '';
  const account = isUuid(id) ? await findAccountNamed(context.db.read, id) : undefined;
  if (account === undefined) throw missing();
  return account;
}

async function showAccount(
  c: PageContext,
  context: Context,
  account: Account,
  refused: Partial<AccountForms> = {},
): Promise<Response> {
  const viewer = requireOperator(c);
  const db = context.db.read;
  const [{ listings, next }, keys, claims, log, lookAlikes, suspended] = await Promise.all([
    listOwnListings(db, account.id),
    listKeyViews(context, account.id),
    readClaimsOf(db, account.id, { after: null, limit: CLAIMS_SHOWN + 1 }),
    readAuditLog(context.db.read, { filter: { accountId: account.id }, limit: EVENTS_SHOWN }),
    findLookAlikes(db, account),
    findSuspended(db, c.req.queries('suspended') ?? []),
  ]);
  const names = await nameEvents(db, log.events);
  const forms: AccountForms = {
    plan: newForm({ plan: account.plan }),
    suspension: newForm(),
    lookAlikes: newForm(),
    ...refused,
  };
  return page(
    c,
    <AccountPage
      {...{ account, listings, keys, names, forms, lookAlikes, suspended }}
      claims={claims.slice(0, CLAIMS_SHOWN)}
      hasMoreClaims={claims.length > CLAIMS_SHOWN}
      hasMoreListings={next !== null}
      events={log.events}
      saved={readSaved(c.req.query('saved'))}
      isSelf={viewer.accountId === account.id}
    />,
    { title: account.name, status: Object.keys(refused).length > 0 ? 422 : 200 },
  );
}
