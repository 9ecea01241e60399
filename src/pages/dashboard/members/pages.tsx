import type { Context } from '../../../base/context.ts';
import { DASHBOARD_PATH, MEMBERS_PATH, SWITCH_PATH } from '../../../base/paths.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import type { Mailer } from '../../../people/mail/mail.ts';
import { setRole, workIn } from '../../../people/members/change-membership.ts';
import {
  type Invited,
  inviteMember,
  inviteMemberAgain,
  withdrawInvitation,
} from '../../../people/members/invite.ts';
import { findTooManyMembers, parseInvitedEmail, parseRole } from '../../../people/members/member.ts';
import {
  findInvitationById,
  findMember,
  listInvitations,
  listMembers,
} from '../../../people/members/queries.ts';
import { parseKeyEnd } from '../../../people/members/role-end.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isUuid, uuidv7 } from '../../../platform/store/uuid.ts';
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
import { type InvitationLink, invitationPath, MembersPage, rolePath } from './members-page.tsx';
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
  const inviting = { context, mailer, baseUrl };
  /** `refused`: the form of an existing invitation. */
  const show = async (
    c: PageContext,
    viewer: Viewer,
    form: FormState,
    { link = null, refused = null }: { link?: InvitationLink | null; refused?: FormState | null } = {},
  ) => {
    const { accountId } = viewer;
    const [account, members, invitations] = await Promise.all([
      findAccount(db.read, accountId),
      listMembers(db.read, accountId),
      listInvitations(db.read, accountId),
    ]);
    const own = { ...account, isViewer: viewer.worksIn === null };
    const tooMany = findTooManyMembers(members.length, context.marketplace.plans[account.plan].members);
    const props = { own, members, invitations, tooMany, form, refused, link, sendsMail: mailer.isReal };
    return page(
      c,
      <MembersPage
        {...props}
        viewerId={viewer.personId}
        at={context.at()}
        done={c.req.query('done') ?? null}
      />,
      { title: t('Members'), status: (refused ?? form).status },
    );
  };
  // If the invitation is not mailed, only this response shows the invitation's link, so don't redirect.
  const showInvited = (c: PageContext, viewer: Viewer, { link, wait }: Invited, email: string | null) =>
    link === null
      ? redirect(c, `${MEMBERS_PATH}?done=invited`)
      : show(c, viewer, emptyForm(context), {
          link: { link, email, isUnmailed: email !== null && mailer.isReal, wait },
        });
  const findInvitation = async (c: PageContext, { accountId }: Viewer) => {
    const id = c.req.param('id') ?? '';
    return { id, ...requireFound(isUuid(id) ? await findInvitationById(db.read, accountId, id) : null) };
  };

  app.get(MEMBERS_PATH, { for: 'owner' }, (c, viewer) => show(c, viewer, emptyForm(context)));

  app.post(MEMBERS_PATH, { for: 'owner' }, async (c, viewer) => {
    const form = await readForm(c);
    const input = form.read({ email: parseInvitedEmail, role: parseRole });
    if (input === null) return show(c, viewer, form);
    await requireProof(c);
    const invitation = await form.attempt(null, () =>
      inviteMember(inviting, {
        ...changeBy(viewer),
        ...input,
        address: clientAddressOf(c.env.incoming),
        formId: form.text('form'),
      }),
    );
    return invitation === null ? show(c, viewer, form) : showInvited(c, viewer, invitation, input.email);
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

  app.post(invitationPath(':id', 'again'), { for: 'owner' }, async (c, viewer) => {
    const form = await readForm(c);
    const { id, email } = await findInvitation(c, viewer);
    await requireProof(c);
    const address = clientAddressOf(c.env.incoming);
    const invitation = await form.attempt(null, () =>
      inviteMemberAgain(inviting, { ...changeBy(viewer), id, address }),
    );
    if (!form.isFine) return show(c, viewer, emptyForm(context), { refused: form });
    return showInvited(c, viewer, requireFound(invitation), email);
  });

  app.post(invitationPath(':id', 'withdraw'), { for: 'owner', counts: false }, async (c, viewer) => {
    const form = await readForm(c);
    const { id } = await findInvitation(c, viewer);
    await form.attempt(null, () => withdrawInvitation(context, { ...changeBy(viewer), id }));
    if (!form.isFine) return show(c, viewer, emptyForm(context), { refused: form });
    return redirect(c, `${MEMBERS_PATH}?done=withdrawn`);
  });
}

const emptyForm = (context: Context) => newForm({ role: 'member', form: uuidv7(context) });
