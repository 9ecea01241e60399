import type { Context } from '../../../base/context.ts';
import { DESK_INVITATIONS_PATH, inviteOwnerPath } from '../../../base/paths.ts';
import { parsePlan } from '../../../people/accounts/account.ts';
import {
  parseInvitedRole,
  parseMailLanguage,
  parseNote,
  parsePeople,
} from '../../../people/invitations/invitation.ts';
import {
  type InvitedPeople,
  inviteAgain,
  inviteOwner,
  invitePeople,
  withdrawMarketInvitation,
} from '../../../people/invitations/invite.ts';
import { findMarketInvitationById, listMarketInvitations } from '../../../people/invitations/queries.ts';
import type { InviteServices } from '../../../people/members/invite.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { optional } from '../../../platform/text/text.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { findAccountNamed } from '../accounts/queries.ts';
import { requireById } from '../lookups.ts';
import { InvitationsPage } from './invitations-page.tsx';

export function invitationDeskPages(
  app: PageRouter,
  context: Context,
  services: Omit<InviteServices, 'context'>,
): void {
  const { db, marketplace } = context;
  const inviting: InviteServices = { ...services, context };
  const emptyForm = () => newForm({ role: 'owner', plan: '', language: marketplace.language });
  /** `refused`: the form of an existing invitation. */
  const show = async (
    c: PageContext,
    form: FormState,
    { invited = [], refused = null }: { invited?: InvitedPeople; refused?: FormState | null } = {},
  ) =>
    page(
      c,
      <InvitationsPage
        form={form}
        refused={refused}
        invited={invited}
        invitations={await listMarketInvitations(db.read)}
        at={context.at()}
        sendsMail={services.mailer.isReal}
        done={c.req.query('done') ?? null}
      />,
      { title: t('Invite people'), status: (refused ?? form).status },
    );
  const byOperator = (viewer: Viewer) => ({ actor: actorOf(viewer), operatorId: viewer.accountId });
  const findInvitation = async (c: PageContext) => {
    const id = c.req.param('id') ?? '';
    return requireFound(isUuid(id) ? await findMarketInvitationById(db.read, id) : null);
  };

  app.get(DESK_INVITATIONS_PATH, { for: 'operator' }, (c) => show(c, emptyForm()));

  // Shows links that are not mailed only in this response, so it doesn't redirect.
  app.post(DESK_INVITATIONS_PATH, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const input = form.read({
      people: parsePeople,
      role: parseInvitedRole,
      plan: (text) => optional(text, parsePlan),
      note: (text) => optional(text, parseNote),
      // Without a mail server, the form has no such field.
      language: (text) => optional(text, parseMailLanguage) ?? marketplace.language,
    });
    if (input === null) return show(c, form);
    await requireProof(c);
    const invited = await form.attempt(null, () =>
      invitePeople(inviting, { ...input, ...byOperator(viewer) }),
    );
    return invited === null ? show(c, form) : show(c, emptyForm(), { invited });
  });

  app.post(inviteOwnerPath(':id'), { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const account = await requireById(c, (id) => findAccountNamed(db.read, id));
    const { email, name } = account;
    await requireProof(c);
    const outcome = await form.attempt(null, () => inviteOwner(inviting, account, byOperator(viewer)));
    return outcome === null
      ? show(c, emptyForm(), { refused: form })
      : show(c, emptyForm(), { invited: [{ email, name, outcome }] });
  });

  app.post(`${DESK_INVITATIONS_PATH}/:id/again`, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const { id, email, name } = await findInvitation(c);
    await requireProof(c);
    const outcome = await form.attempt(null, () => inviteAgain(inviting, { id, ...byOperator(viewer) }));
    if (!form.isFine) return show(c, emptyForm(), { refused: form });
    return show(c, emptyForm(), { invited: [{ email, name, outcome: requireFound(outcome) }] });
  });

  app.post(`${DESK_INVITATIONS_PATH}/:id/withdraw`, { for: 'operator' }, async (c, viewer) => {
    await readForm(c);
    const { id } = await findInvitation(c);
    const isWithdrawn = await withdrawMarketInvitation(inviting, { id, ...byOperator(viewer) });
    return redirect(c, `${DESK_INVITATIONS_PATH}?done=${isWithdrawn ? 'withdrawn' : 'ended'}`);
  });
}
