import type { Role } from '../../accounts/membership-queries.ts';
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
import { Table, TableSection } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export const MEMBERS_PATH = '/dashboard/settings/members';
export const INVITATIONS_PATH = '/dashboard/settings/invitations';

export const removePath = (memberId: string): string => `${MEMBERS_PATH}/${memberId}/remove`;

const DONE: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way.',
  role: 'The role has been changed.',
  withdrawn: 'The invitation no longer works.',
  removed: 'The person no longer has access.',
};

/** `email`: whom it is for; `null`: whoever has it. */
export interface InvitationLink {
  readonly link: string;
  readonly email: string | null;
}

interface MembersPageProps {
  /** The account with its own person. */
  readonly own: { readonly name: string; readonly isViewer: boolean };
  readonly members: readonly Member[];
  readonly invitations: readonly OpenInvitation[];
  readonly viewerId: string;
  readonly sendsMail: boolean;
  readonly form: FormState;
  /** Of the invitation that was just made; shown once. */
  readonly link: InvitationLink | null;
  readonly done: string | null;
}

export function MembersPage(props: MembersPageProps) {
  const { own, members, invitations, form, link, done, viewerId } = props;
  const said = done === null ? undefined : DONE[done];
  return (
    <>
      <PageHeader
        title="Members"
        lead="Everyone works here with their own login, and every change is recorded under their name."
      />
      <div class="stack-loose">
        {said !== undefined && form.status === 200 && link === null && <Notice tone="good">{said}</Notice>}
        {link !== null && <LinkOnce {...link} />}
        <PeopleTable own={own} members={members} viewerId={viewerId} />
        <Invite form={form} sendsMail={props.sendsMail} />
        <TableSection
          title="Open invitations"
          empty="No invitation is open."
          rows={invitations}
          columns={[
            { header: 'For', isName: true, cell: ({ email }) => email ?? 'Whoever has the link' },
            { header: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
            { header: 'Invited by', cell: ({ invited_by }) => isolated(invited_by) },
            { header: 'Works until', cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              header: 'Actions',
              isActions: true,
              cell: ({ id, email }) => (
                <PostButton
                  action={`${INVITATIONS_PATH}/${id}/withdraw`}
                  small
                  label={`Withdraw the invitation for ${email ?? 'whoever has the link'}`}
                >
                  Withdraw
                </PostButton>
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

const LinkOnce = ({ link, email }: InvitationLink) => (
  <Notice
    tone="good"
    title={email === null ? 'Pass this link on' : `Pass this link on to ${isolated(email)}`}
  >
    <p>It works once, for {INVITATION_DAYS} days. It isn’t shown again.</p>
    <CopyLine text={link} what="link" />
  </Notice>
);

interface Person {
  readonly id: string | null;
  readonly name: string;
  readonly about: string;
  readonly role: Role;
  readonly since: string | null;
  readonly isSuspended: boolean;
}

function PeopleTable({ own, members, viewerId }: Pick<MembersPageProps, 'own' | 'members' | 'viewerId'>) {
  const first: Person = {
    id: null,
    name: own.name,
    about: own.isViewer ? 'You, with the account’s own login' : 'The account’s own login',
    role: 'owner',
    since: null,
    isSuspended: false,
  };
  const people = members.map(
    (member): Person => ({
      id: member.id,
      name: member.name,
      about: member.id === viewerId ? `You, ${member.email}` : member.email,
      role: member.role,
      since: member.created_at,
      isSuspended: member.suspended_at !== null,
    }),
  );
  return (
    <section class="section">
      <h2>People</h2>
      <Table
        caption="People"
        rows={[first, ...people]}
        columns={[
          {
            header: 'Name',
            isName: true,
            cell: ({ name, about, isSuspended }) => (
              <>
                {isolated(name)} {isSuspended && <Badge tone="bad">Suspended</Badge>}
                <span class="sub">{isolated(about)}</span>
              </>
            ),
          },
          { header: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
          {
            header: 'Since',
            cell: ({ since }) => (since === null ? 'The beginning' : <Time at={since} precision="day" />),
          },
          {
            header: 'Actions',
            isActions: true,
            cell: (person) => <Actions {...person} viewerId={viewerId} />,
          },
        ]}
      />
      <p class="soft-text top-space">
        The account’s own login always stays an owner, so the account is never without one.
      </p>
    </section>
  );
}

function Actions({ id, name, role, viewerId }: Person & { viewerId: string }) {
  if (id === null) return null;
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    <div class="row">
      <PostButton
        action={`${MEMBERS_PATH}/${id}/role`}
        values={{ role: other }}
        small
        label={`Make ${other}: ${name}`}
      >
        Make {other}
      </PostButton>
      {id === viewerId ? (
        <ButtonLink href={`/account/accounts`} small label="Leave this account">
          Leave…
        </ButtonLink>
      ) : (
        <ButtonLink href={removePath(id)} small label={`Remove… ${name}`}>
          Remove…
        </ButtonLink>
      )}
    </div>
  );
}

const ROLE_HINTS: Readonly<Record<Role, string>> = {
  member: 'Listings, offers, claims, campaigns, requests, webhooks.',
  owner: 'API keys, plan and members too.',
};

const Invite = ({ form, sendsMail }: Pick<MembersPageProps, 'form' | 'sendsMail'>) => (
  <section class="card narrow">
    <h2>Invite somebody</h2>
    <Form form={form} action={MEMBERS_PATH}>
      <TextField
        form={form}
        name="email"
        type="email"
        inputmode="email"
        label="Email address"
        optional
        hint={
          sendsMail
            ? 'We’ll send the invitation to it. Without an address you get a link to pass on, which works for anyone who has it.'
            : 'Only this person can then use the link. Without an address it works for anyone who has it.'
        }
      />
      <RadioField
        form={form}
        name="role"
        label="Role"
        choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value], hint: ROLE_HINTS[value] }))}
      />
      <FormActions>
        <Button tone="primary">Invite</Button>
      </FormActions>
    </Form>
  </section>
);
