/** Pages that end a role in the account: from owner to member, or altogether. */

import type { Context } from '../../../base/context.ts';
import { MEMBERS_PATH } from '../../../base/paths.ts';
import { removeMember } from '../../../people/members/change-membership.ts';
import {
  type CreatedKeyOfMember,
  type EndpointOfMember,
  findMember,
  listEndpointsSetBy,
  listKeysCreatedBy,
  type Member,
} from '../../../people/members/queries.ts';
import { isEndedBy, parseKeyEnd, partsOf } from '../../../people/members/role-end.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { changeBy, type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { Button, CancelLink } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { RoleEndFields } from '../../ui/role-end-fields.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { demotePath, removePath, rolePath } from './members-page.tsx';

type Ending = 'demoted' | 'removed';

interface Words {
  readonly title: Message;
  readonly question: Message;
  readonly button: Message;
}

const WORDS: Readonly<Record<Ending, Words>> = {
  demoted: {
    title: message('Make an owner a member'),
    question: message('Make {name} a member?'),
    button: message('Make member'),
  },
  removed: {
    title: message('Remove a member'),
    question: message('Remove {name}?'),
    button: message('Remove'),
  },
};

export function roleEndPages(app: PageRouter, context: Context): void {
  const { db } = context;
  const read = async (c: PageContext, { accountId }: Viewer, end: Ending) => {
    const member = requireFound(await findMember(db.read, accountId, c.req.param('id') ?? ''));
    const [keys, endpoints] = await Promise.all([
      listKeysCreatedBy(db.read, accountId, member.id, context.at()),
      isEndedBy('endpoints', end) ? listEndpointsSetBy(db.read, accountId, member.id) : [],
    ]);
    return { end, member, keys, endpoints };
  };
  const show = async (c: PageContext, viewer: Viewer, end: Ending, form: FormState) =>
    page(c, <RoleEndPage {...(await read(c, viewer, end))} form={form} />, {
      title: t(WORDS[end].title),
      status: form.status,
    });

  app.get(demotePath(':id'), { for: 'owner' }, (c, viewer) =>
    show(c, viewer, 'demoted', newForm({ keys: '24h' })),
  );

  app.get(removePath(':id'), { for: 'owner' }, (c, viewer) =>
    show(c, viewer, 'removed', newForm({ keys: '24h', endpoints: 'pause' })),
  );

  app.post(removePath(':id'), { for: 'owner', counts: false }, async (c, viewer) => {
    const { member } = await read(c, viewer, 'removed');
    const form = await readForm(c);
    const keysEnd = await form.attempt('keys', async () => parseKeyEnd(form.text('keys'), 'removed'));
    if (keysEnd === null) return show(c, viewer, 'removed', form);
    await requireProof(c);
    const keepsEndpoints = form.text('endpoints') === 'keep';
    const input = { ...changeBy(viewer), memberId: member.id, keysEnd, keepsEndpoints };
    await form.attempt(null, () => removeMember(context, input));
    return form.isFine ? redirect(c, `${MEMBERS_PATH}?done=removed`) : show(c, viewer, 'removed', form);
  });
}

interface RoleEndPageProps {
  readonly end: Ending;
  readonly member: Member;
  readonly keys: readonly CreatedKeyOfMember[];
  readonly endpoints: readonly EndpointOfMember[];
  readonly form: FormState;
}

const RoleEndPage = ({ end, member: { id, name, email }, keys, endpoints, form }: RoleEndPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Members'), MEMBERS_PATH]]} />}
      title={t(WORDS[end].question, { name: isolated(name) })}
      lead={email}
    />
    <Form form={form} action={end === 'demoted' ? rolePath(id) : removePath(id)}>
      {end === 'demoted' && <HiddenField name="role" value="member" />}
      <RoleEndFields
        form={form}
        what={partsOf(end)}
        keys={keys}
        endpoints={endpoints}
        canKeepKeys={end === 'demoted'}
        canHandOver
      />
      <FormActions>
        <Button tone="danger-solid">{t(WORDS[end].button)}</Button>
        <CancelLink href={MEMBERS_PATH} />
      </FormActions>
    </Form>
  </>
);
