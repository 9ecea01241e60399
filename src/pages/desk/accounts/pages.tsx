import { DATA_FORMATS, dataFile, readAllPersonData } from '../../../background/personal-data/data.ts';
import type { Context } from '../../../base/context.ts';
import { ACCOUNT_PATH, DESK_ACCOUNTS_PATH, deskAccountPath } from '../../../base/paths.ts';
import { PLANS } from '../../../people/accounts/account.ts';
import {
  type AccountChange,
  planDeletion,
  setPlan,
  setPublisher,
  undoDeletion,
} from '../../../people/accounts/edit.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { undoNameDecision } from '../../../people/accounts/rename.ts';
import { declineRequest, grantRequest } from '../../../people/accounts/requests.ts';
import type { Mailer } from '../../../people/mail/mail.ts';
import { parseKeyEnd } from '../../../people/members/role-end.ts';
import { restoreAccount, suspendAccount } from '../../../people/members/suspend.ts';
import { endAllSessions, resetTwoFactor, setOperator } from '../../../people/sign-in/access.ts';
import { invalid } from '../../../platform/errors.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { shortId } from '../../../platform/store/uuid.ts';
import { withoutDirectionMarks } from '../../../platform/text/text.ts';
import { dayIn } from '../../../platform/text/time-zone.ts';
import { csvStyleOf, download } from '../../frame/downloads.ts';
import { isFreshlyProven, requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, proveFirst, readForm, redirect } from '../../frame/pages.ts';
import { type FormInput, newForm } from '../../ui/form-state.ts';
import { readSaved } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { requireById } from '../lookups.ts';
import { type AccountForms, AccountPage } from './account-page.tsx';
import { AccountsPage } from './list-page.tsx';
import { ACCOUNT_ROLES, findAccountNamed, findLookAlikes, searchAccounts } from './queries.ts';
import { readAccountPage } from './read-account.ts';

const DESK_ACCOUNT_PATH = deskAccountPath(':id');

interface DeskServices {
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
  readonly baseUrl: string;
}

export function accountDeskPages(app: PageRouter, context: Context, services: DeskServices): void {
  app.get(DESK_ACCOUNTS_PATH, { for: 'operator' }, async (c) => {
    const filter = {
      search: withoutDirectionMarks(c.req.query('q') ?? '').trim(),
      role: ACCOUNT_ROLES.find((each) => each === c.req.query('who')),
      plan: PLANS.find((each) => each === c.req.query('plan')),
    };
    const after = c.req.query('after');
    const results = await searchAccounts(context.db, { ...filter, after });
    return page(c, <AccountsPage {...{ results, filter, isFirst: after === undefined }} />, {
      title: t('Accounts'),
    });
  });

  app.get(DESK_ACCOUNT_PATH, { for: 'operator' }, async (c, viewer) =>
    showAccount(c, context, { viewer, account: await requireAccount(context, c) }),
  );

  for (const format of DATA_FORMATS) {
    app.get(`${DESK_ACCOUNT_PATH}/data.${format}`, { for: 'operator' }, async (c, viewer) => {
      const { id } = await requireAccount(context, c);
      if (!viewer.isFreshlyProven) throw proveFirst(c, deskAccountPath(id));
      const name = `account-${shortId(id)}-${dayIn(context.marketplace.timeZone, context.at())}`;
      return download(c, { accountId: viewer.accountId, name, format }, () =>
        dataFile(readAllPersonData(context, id), format, csvStyleOf(c)),
      );
    });
  }

  changes(app, context, services);
}

/** By form: the field that a refusal belongs to. Without an entry, the refusal belongs to the whole form. */
const FIELDS: Readonly<Partial<Record<keyof AccountForms, string>>> = {
  plan: 'plan',
  'decline-plan': 'reason',
  'decline-publish': 'reason',
  'decline-name': 'reason',
};

interface Change extends AccountChange {
  readonly c: PageContext;
  readonly viewer: Viewer;
  readonly form: FormInput;
}

function changes(app: PageRouter, context: Context, notice: DeskServices): void {
  const hasMail = notice.mailer.isReal;
  /** `make` can return the path to redirect to; the default is the account's page. */
  const add = (
    path: string,
    make: (change: Change) => Promise<unknown>,
    shownIn: keyof AccountForms = 'suspension',
  ) =>
    app.post(`${DESK_ACCOUNT_PATH}/${path}`, { for: 'operator' }, async (c, viewer) => {
      const form = await readForm(c);
      const account = await requireAccount(context, c);
      const change = { c, viewer, form, account: account.id, actor: actorOf(viewer) };
      const result = await form.attempt(FIELDS[shownIn] ?? null, () => make(change));
      if (!form.isFine) return showAccount(c, context, { viewer, account, forms: { [shownIn]: form } });
      return redirect(c, typeof result === 'string' ? result : deskAccountPath(account.id));
    });

  // A stolen session must not be enough to lock people out, also other operators, or to let them in again.
  const proven =
    (make: (change: Change) => Promise<unknown>) =>
    async (change: Change): Promise<unknown> => {
      await requireProof(change.c, isFreshlyProven);
      return make(change);
    };
  add(
    'suspend',
    proven(async ({ account, actor, form }) =>
      suspendAccount(context, {
        account,
        actor,
        reason: form.text('reason'),
        keysEnd: parseKeyEnd(form.text('keys'), 'suspended'),
      }),
    ),
  );
  add(
    'restore',
    proven(({ account, actor }) => restoreAccount(context, { account, actor })),
  );
  add('end-sessions', ({ account, actor }) => endAllSessions(context, { account, actor }));
  add(
    'reset-two-factor',
    proven(({ account, actor }) => resetTwoFactor(context, { account, actor })),
  );
  add(
    'delete',
    proven(({ account, actor }) => planDeletion(context, { account, actor, notice })),
  );
  add('keep', ({ account, actor }) => undoDeletion(context, { account, actor }));

  const setPlanOf = async ({ account, actor, form }: Change) => {
    await setPlan(context, { account, actor, plan: form.text('plan') });
    return `${deskAccountPath(account)}?saved`;
  };
  add('plan', setPlanOf, 'plan');
  add('publisher', ({ account, actor, form }) =>
    setPublisher(context, { account, actor, isAllowed: form.text('publisher') === 'on' }),
  );
  for (const wish of ['plan', 'publish', 'name'] as const) {
    const decline = ({ account, actor, form }: Change) => {
      const seen = wish === 'name' ? form.text('name') : undefined;
      return declineRequest(context, { account, actor, wish, seen, reason: form.text('reason') });
    };
    add(`decline-${wish}`, decline, `decline-${wish}`);
  }
  add('approve-name', ({ account, actor, form }) =>
    grantRequest(context, { account, actor, wish: 'name', seen: form.text('name') }),
  );
  add('undo-name', ({ account, actor }) => undoNameDecision(context, { account, actor }));

  // Operators can read and change everything.
  const setOperatorOf = async ({ viewer, form, account, actor }: Change) => {
    const operator = form.text('operator') === 'on';
    await setOperator(context, { account, actor, operator, hasMail });
    // Operators who gave up their own rights can no longer open the desk.
    return account === viewer.accountId && !operator
      ? `${ACCOUNT_PATH}?done=operator`
      : deskAccountPath(account);
  };
  add('operator', proven(setOperatorOf));

  const suspendTogether = async ({ c, form, account, actor }: Change) => {
    const lookAlikes = await findLookAlikes(context.db.read, await requireAccount(context, c));
    const lookAlikeIds = new Set(lookAlikes.map((each) => each.account.id));
    const chosen = form.fields.flatMap(([name, id]) =>
      name === 'account' && lookAlikeIds.has(id) ? [id] : [],
    );
    if (chosen.length === 0) throw invalid(message('Select the accounts to suspend.'));
    const suspension = { actor, reason: form.text('reason'), withAccount: account };
    for (const id of chosen) {
      await form.attempt(null, () => suspendAccount(context, { account: id, ...suspension }));
    }
    return `${deskAccountPath(account)}?${new URLSearchParams(chosen.map((id) => ['suspended', id]))}`;
  };
  add('suspend-look-alikes', proven(suspendTogether), 'lookAlikes');
}

const requireAccount = ({ db }: Context, c: PageContext): Promise<Account> =>
  requireById(c, (id) => findAccountNamed(db.read, id));

interface AccountPageState {
  readonly viewer: Viewer;
  readonly account: Account;
  /** Refused forms with their problems. */
  readonly forms?: Partial<AccountForms>;
}

async function showAccount(c: PageContext, context: Context, state: AccountPageState): Promise<Response> {
  const { viewer, account, forms: refused } = state;
  const forms: AccountForms = {
    plan: newForm({ plan: account.plan }),
    suspension: newForm({ keys: 'now' }),
    'decline-plan': newForm(),
    'decline-publish': newForm(),
    'decline-name': newForm(),
    lookAlikes: newForm(),
    ...refused,
  };
  return page(
    c,
    <AccountPage
      {...(await readAccountPage(context, account, {
        suspendedIds: c.req.queries('suspended') ?? [],
        claimsBefore: c.req.query('claims'),
      }))}
      forms={forms}
      saved={readSaved(c.req.query('saved'))}
      isSelf={viewer.accountId === account.id}
    />,
    { title: account.name, status: refused === undefined ? 200 : 422 },
  );
}
