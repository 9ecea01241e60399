import type { Role } from '../../accounts/membership-queries.ts';
import { type Message, message, t } from '../../languages/translate.ts';
import { INVITATION_DAYS, ROLE_NAMES, ROLES } from '../../members/member.ts';
import type { Member, OpenInvitation } from '../../members/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { RadioField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export const MEMBERS_PATH = '/dashboard/settings/members';
export const INVITATIONS_PATH = '/dashboard/settings/invitations';

export const removePath = (memberId: string): string => `${MEMBERS_PATH}/${memberId}/remove`;

const DONE: Readonly<Record<string, Message>> = {
  invited: message('The invitation is on its way.'),
  role: message('The role has been changed.'),
  withdrawn: message('The invitation no longer works.'),
  removed: message('The person no longer has access.'),
};

/** `email`: the address of the only person who can use the link; `null`: anyone who has the link can. */
export interface InvitationLink {
  readonly link: string;
  readonly email: string | null;
}

interface MembersPageProps {
  /** The account's own login, which is not a member. */
  readonly own: Pick<Member, 'name' | 'email' | 'created_at'> & { readonly isViewer: boolean };
  readonly members: readonly Member[];
  readonly invitations: readonly OpenInvitation[];
  readonly viewerId: string;
  readonly sendsMail: boolean;
  readonly form: FormState;
  /** The link of a new invitation, which is shown only once; `null`: no invitation was just made. */
  readonly link: InvitationLink | null;
  readonly done: string | null;
}

export function MembersPage(props: MembersPageProps) {
  const { own, members, invitations, form, link, done, viewerId } = props;
  const said = done === null ? undefined : DONE[done];
  return (
    <>
      <PageHeader
        title={t('Members')}
        lead={t('Everyone works here with their own login, and every change is recorded under their name.')}
      />
      <div class="stack-loose">
        {said !== undefined && form.status === 200 && link === null && <Notice tone="good">{t(said)}</Notice>}
        {link !== null && <LinkOnce {...link} />}
        <PeopleTable own={own} members={members} viewerId={viewerId} />
        {invitations.length > 0 && <Invitations invitations={invitations} />}
        <Invite form={form} sendsMail={props.sendsMail} />
      </div>
    </>
  );
}

const Invitations = ({ invitations }: Pick<MembersPageProps, 'invitations'>) => (
  <section class="section">
    <h2>{t('Open invitations')}</h2>
    <Table
      caption={t('Open invitations')}
      rows={invitations}
      columns={[
        { header: t('For'), isName: true, cell: ({ email }) => email ?? t('Whoever has the link') },
        { header: t('Role'), cell: ({ role }) => t(ROLE_NAMES[role]) },
        { header: t('Invited by'), cell: ({ invited_by }) => isolated(invited_by) },
        { header: t('Expires'), cell: ({ expires_at }) => <Time at={expires_at} />, isNowrap: true },
        {
          header: t('Actions'),
          isActions: true,
          cell: ({ id, email }) => (
            <PostButton
              action={`${INVITATIONS_PATH}/${id}/withdraw`}
              small
              label={t('Withdraw the invitation for {email}', { email: email ?? t('whoever has the link') })}
            >
              {t('Withdraw')}
            </PostButton>
          ),
        },
      ]}
    />
  </section>
);

const LinkOnce = ({ link, email }: InvitationLink) => (
  <Notice
    tone="good"
    title={
      email === null ? t('Pass this link on') : t('Pass this link on to {email}', { email: isolated(email) })
    }
  >
    <div class="stack">
      <p>
        {t('It works once, within {days} days. It isn’t shown again.', {
          days: INVITATION_DAYS,
        })}
      </p>
      <CopyLine text={link} what={t('link')} />
    </div>
  </Notice>
);

interface Person {
  readonly id: string | null;
  readonly name: string;
  readonly about: string;
  readonly role: Role;
  readonly since: string;
  readonly isSuspended: boolean;
}

function PeopleTable({ own, members, viewerId }: Pick<MembersPageProps, 'own' | 'members' | 'viewerId'>) {
  const first: Person = {
    id: null,
    name: own.name,
    about: own.isViewer ? t('You, {email}', { email: own.email }) : own.email,
    role: 'owner',
    since: own.created_at,
    isSuspended: false,
  };
  const people = members.map(
    (member): Person => ({
      id: member.id,
      name: member.name,
      about: member.id === viewerId ? t('You, {email}', { email: member.email }) : member.email,
      role: member.role,
      since: member.created_at,
      isSuspended: member.suspended_at !== null,
    }),
  );
  return (
    <section class="section">
      <h2>{t('People')}</h2>
      <Table
        caption={t('People')}
        rows={[first, ...people]}
        columns={[
          {
            header: t('Name'),
            isName: true,
            cell: ({ name, about, isSuspended }) => (
              <>
                {isolated(name)} {isSuspended && <Badge tone="bad">{t('Suspended')}</Badge>}
                <span class="sub">{isolated(about)}</span>
              </>
            ),
          },
          { header: t('Role'), cell: ({ role }) => t(ROLE_NAMES[role]) },
          {
            header: t('Since'),
            cell: ({ since }) => <Time at={since} precision="day" />,
            isNowrap: true,
          },
          {
            header: t('Actions'),
            isActions: true,
            cell: (person) => <Actions {...person} viewerId={viewerId} />,
          },
        ]}
      />
      <p class="soft-text narrow top-space">
        {t(
          'This account belongs to {email}, who always stays an owner. To hand it over, change its email address.',
          { email: own.email },
        )}
      </p>
    </section>
  );
}

function Actions({ id, name, role, viewerId }: Person & { viewerId: string }) {
  if (id === null) return null;
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    <>
      <PostButton
        action={`${MEMBERS_PATH}/${id}/role`}
        values={{ role: other }}
        small
        label={other === 'owner' ? t('Make owner: {name}', { name }) : t('Make member: {name}', { name })}
      >
        {other === 'owner' ? t('Make owner') : t('Make member')}
      </PostButton>
      {id === viewerId ? (
        <ButtonLink href={`/account/accounts`} small label={t('Leave this account')}>
          {t('Leave…')}
        </ButtonLink>
      ) : (
        <ButtonLink href={removePath(id)} small label={t('Remove… {name}', { name })}>
          {t('Remove…')}
        </ButtonLink>
      )}
    </>
  );
}

const ROLE_HINTS: Readonly<Record<Role, Message>> = {
  member: message('Listings, offers, claims, campaigns, requests, webhooks.'),
  owner: message('API keys, plan and members too.'),
};

const Invite = ({ form, sendsMail }: Pick<MembersPageProps, 'form' | 'sendsMail'>) => (
  <section class="card narrow">
    <h2>{t('Invite somebody')}</h2>
    <Form form={form} action={MEMBERS_PATH}>
      <TextField
        form={form}
        name="email"
        type="email"
        inputmode="email"
        label={t('Email address')}
        optional
        hint={
          sendsMail
            ? t(
                'We’ll send the invitation to this address. If you leave it empty, you get a link to pass on, which works for anyone who has it.',
              )
            : t(
                'With an address, only that person can use the link. If you leave this empty, the link works for anyone who has it.',
              )
        }
      />
      <RadioField
        form={form}
        name="role"
        label={t('Role')}
        choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value], hint: ROLE_HINTS[value] }))}
      />
      <FormActions>
        <Button tone="primary">{t('Invite')}</Button>
      </FormActions>
    </Form>
  </section>
);
