import type { Context } from '../../base/context.ts';
import { ACCOUNT_PATH, SWITCH_PATH, WORK_ACCOUNTS_PATH } from '../../base/paths.ts';
import {
  findWorkAccount,
  listWorkAccounts,
  type WorkAccount,
} from '../../people/accounts/membership-queries.ts';
import { leaveAccount } from '../../people/members/change-membership.ts';
import { ROLE_NAMES } from '../../people/members/member.ts';
import {
  type CreatedKeyOfMember,
  type EndpointOfMember,
  listEndpointsSetBy,
  listKeysCreatedBy,
} from '../../people/members/queries.ts';
import { parseKeyEnd, partsOf } from '../../people/members/role-end.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { requireProof } from '../frame/kept-forms.tsx';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from '../frame/pages.ts';
import { Button, ButtonLink, CancelLink, PostButton } from '../ui/button.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { RoleEndFields } from '../ui/role-end-fields.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Table } from '../ui/table.tsx';
import type { Viewer } from '../ui/viewer.ts';

const leavePath = (accountId: string): string => `${WORK_ACCOUNTS_PATH}/${accountId}/leave`;

export function membershipPages(app: PageRouter, context: Context): void {
  const { db } = context;
  app.get(WORK_ACCOUNTS_PATH, { for: 'signed-in' }, async (c, viewer) => {
    const workAccounts = await listWorkAccounts(db.read, viewer.personId);
    return page(c, <AccountsPage viewer={viewer} workAccounts={workAccounts} />, { title: t('Accounts') });
  });

  const read = async (c: PageContext, { personId }: Viewer) => {
    const id = c.req.param('id') ?? '';
    const workAccount = requireFound(await findWorkAccount(db.read, personId, id));
    const [keys, endpoints] = await Promise.all([
      listKeysCreatedBy(db.read, workAccount.accountId, personId, context.at()),
      listEndpointsSetBy(db.read, workAccount.accountId, personId),
    ]);
    return { workAccount, keys, endpoints };
  };
  const show = async (c: PageContext, viewer: Viewer, form: FormState) =>
    page(c, <LeavePage {...(await read(c, viewer))} form={form} />, {
      title: t('Leave an account'),
      status: form.status,
    });

  app.get(leavePath(':id'), { for: 'signed-in' }, (c, viewer) => show(c, viewer, newForm({ keys: '7d' })));

  app.post(leavePath(':id'), { for: 'signed-in', counts: false }, async (c, viewer) => {
    const { personId } = viewer;
    const { workAccount } = await read(c, viewer);
    const form = await readForm(c);
    const keysEnd = await form.attempt('keys', async () => parseKeyEnd(form.text('keys'), 'left'));
    if (keysEnd === null) return show(c, viewer, form);
    // Leaving can't be undone, and revokes keys that the account's servers use.
    await requireProof(c);
    await form.attempt(null, () =>
      leaveAccount(context, { accountId: workAccount.accountId, personId, keysEnd }),
    );
    return form.isFine ? redirect(c, WORK_ACCOUNTS_PATH) : show(c, viewer, form);
  });
}

interface Row extends WorkAccount {
  readonly isOwn: boolean;
}

function AccountsPage({ viewer, workAccounts }: { viewer: Viewer; workAccounts: readonly WorkAccount[] }) {
  const present = viewer.worksIn?.accountId ?? viewer.personId;
  const own: Row = { accountId: viewer.personId, name: viewer.name, role: 'owner', isOwn: true };
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Account'), ACCOUNT_PATH]]} />}
        title={t('Accounts')}
        lead={t(
          'You can work in these accounts. Your claims, sessions and mail are the same whichever account is open.',
        )}
      />
      <Table
        caption={t('Accounts')}
        rows={[own, ...workAccounts.map((workAccount): Row => ({ ...workAccount, isOwn: false }))]}
        columns={[
          {
            header: t('Account'),
            isName: true,
            cell: ({ name, accountId }) => (
              <>
                {isolated(name)} {accountId === present && <Badge tone="plain">{t('Open now')}</Badge>}
              </>
            ),
          },
          { header: t('Role'), cell: ({ isOwn, role }) => (isOwn ? t('Your own') : t(ROLE_NAMES[role])) },
          {
            header: t('Actions'),
            isActions: true,
            cell: ({ accountId, name, isOwn }) => (
              <div class="row">
                <PostButton
                  action={SWITCH_PATH}
                  values={{ account: accountId }}
                  small
                  label={t('account|Open {name}', { name })}
                >
                  {t('Open')}
                </PostButton>
                {!isOwn && (
                  <ButtonLink href={leavePath(accountId)} small label={t('Leave… {name}', { name })}>
                    {t('Leave…')}
                  </ButtonLink>
                )}
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

interface LeavePageProps {
  readonly workAccount: WorkAccount;
  readonly keys: readonly CreatedKeyOfMember[];
  readonly endpoints: readonly EndpointOfMember[];
  readonly form: FormState;
}

const LeavePage = ({ workAccount, keys, endpoints, form }: LeavePageProps) => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            [t('Account'), ACCOUNT_PATH],
            [t('Accounts'), WORK_ACCOUNTS_PATH],
          ]}
        />
      }
      title={t('Leave {name}?', { name: isolated(workAccount.name) })}
      lead={t('Only an owner can invite you again.')}
    />
    <Form form={form} action={leavePath(workAccount.accountId)}>
      <RoleEndFields form={form} what={partsOf('left')} keys={keys} endpoints={endpoints} />
      <FormActions>
        <Button tone="danger-solid">{t('Leave')}</Button>
        <CancelLink href={WORK_ACCOUNTS_PATH} />
      </FormActions>
    </Form>
  </>
);
