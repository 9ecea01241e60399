import type { Context } from '../../../base/context.ts';
import { DASHBOARD_PATH, INVITATIONS_PATH, MEMBERS_PATH, SWITCH_PATH } from '../../../base/paths.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import type { Mailer } from '../../../people/mail/mail.ts';
import { inviteMember, withdrawInvitation } from '../../../people/members/invite.ts';
import { setRole, workIn } from '../../../people/members/leave.ts';
import { findTooManyMembers, parseInvitedEmail, parseRole } from '../../../people/members/member.ts';
import { findMember, listInvitations, listMembers } from '../../../people/members/queries.ts';
import { parseKeyEnd } from '../../../people/members/role-end.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  changeBy,
  nextPath,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
} from '../../frame/pages.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { type InvitationLink, MembersPage, rolePath } from './members-page.tsx';
import { roleEndPages } from './role-end-pages.tsx';

interface MemberServices {
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
  readonly baseUrl: string;
}

export function memberPages(app: PageRouter, context: Context, services: MemberServices): void {
  listPages(app, context, services);
  roleEndPages(app, context);
  app.post(SWITCH_PATH, { for: 'signed-in', fromAnyAccount: true }, async (c, { sessionId, personId }) => {
    const form = await readForm(c);
    await workIn(context, { sessionId, personId, accountId: form.text('account') });
    return redirect(c, nextPath(form.text('next') || undefined, DASHBOARD_PATH));
  });
}

function listPages(app: PageRouter, context: Context, { mailer, baseUrl }: MemberServices): void {
  const { db } = context;
  const show = async (
    c: PageContext,
    viewer: Viewer,
    form: FormState,
    link: InvitationLink | null = null,
  ) => {
    const { accountId } = viewer;
    const [account, members, invitations] = await Promise.all([
      findAccount(db.read, accountId),
      listMembers(db.read, accountId),
      listInvitations(db.read, accountId, context.at()),
    ]);
    const own = { ...account, isViewer: viewer.worksIn === null };
    const tooMany = findTooManyMembers(members.length, context.marketplace.plans[account.plan].members);
    const props = { own, members, invitations, tooMany, form, link, sendsMail: mailer.isReal };
    return page(c, <MembersPage {...props} viewerId={viewer.personId} done={c.req.query('done') ?? null} />, {
      title: t('Members'),
      status: form.status,
    });
  };

  app.get(MEMBERS_PATH, { for: 'owner' }, (c, viewer) => show(c, viewer, emptyForm(context)));

  // If the invitation is not mailed, only this response shows the invitation's link, so don't redirect.
  app.post(MEMBERS_PATH, { for: 'owner' }, async (c, viewer) => {
    const form = await readForm(c);
    const input = form.read({ email: parseInvitedEmail, role: parseRole });
    if (input === null) return show(c, viewer, form);
    await requireProof(c);
    const invitation = await form.attempt(null, () =>
      inviteMember(
        { context, mailer, baseUrl },
        {
          ...changeBy(viewer),
          ...input,
          address: clientAddressOf(c.env.incoming),
          formId: form.text('form'),
        },
      ),
    );
    if (invitation === null) return show(c, viewer, form);
    if (invitation.link === null) return redirect(c, `${MEMBERS_PATH}?done=invited`);
    return show(c, viewer, emptyForm(context), {
      link: invitation.link,
      email: input.email,
      isUnmailed: input.email !== null && mailer.isReal,
      wait: invitation.wait,
    });
  });

  app.post(rolePath(':id'), { for: 'owner' }, async (c, viewer) => {
    const { id: memberId } = requireFound(
      await findMember(db.read, viewer.accountId, c.req.param('id') ?? ''),
    );
    const form = await readForm(c);
    await requireProof(c);
    await form.attempt(null, async () => {
      const role = parseRole(form.text('role'));
      const keysEnd = parseKeyEnd(form.text('keys'), 'demoted');
      await setRole(context, { ...changeBy(viewer), memberId, role, keysEnd });
    });
    if (!form.isFine) return show(c, viewer, form);
    // A person who gave up their own owner role can no longer open the Members page.
    return redirect(c, memberId === viewer.personId ? DASHBOARD_PATH : `${MEMBERS_PATH}?done=role`);
  });

  app.post(`${INVITATIONS_PATH}/:id/withdraw`, { for: 'owner', counts: false }, async (c, viewer) => {
    const form = await readForm(c);
    const id = c.req.param('id') ?? '';
    const open = await listInvitations(db.read, viewer.accountId, context.at());
    requireFound(open.find((invitation) => invitation.id === id));
    await form.attempt(null, () => withdrawInvitation(context, { ...changeBy(viewer), id }));
    return form.isFine ? redirect(c, `${MEMBERS_PATH}?done=withdrawn`) : show(c, viewer, form);
  });
}

const emptyForm = (context: Context) => newForm({ role: 'member', form: uuidv7(context) });
