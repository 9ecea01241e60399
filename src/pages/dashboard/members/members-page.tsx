import type { Child } from 'hono/jsx';
import type { TooMany } from '../../../base/brand/plans.ts';
import { ACCOUNT_PATH, INVITATIONS_PATH, MEMBERS_PATH, WORK_ACCOUNTS_PATH } from '../../../base/paths.ts';
import type { Role } from '../../../people/accounts/membership-queries.ts';
import { INVITATION_DAYS, ROLE_NAMES, ROLES } from '../../../people/members/member.ts';
import type { ListedInvitation, Member } from '../../../people/members/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { EmailField, FormId, RadioField } from '../../ui/field.tsx';
import { FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { TooManyNotice } from '../publishing.tsx';

export const rolePath = (memberId: string): string => `${MEMBERS_PATH}/${memberId}/role`;
export const demotePath = (memberId: string): string => `${MEMBERS_PATH}/${memberId}/demote`;
export const removePath = (memberId: string): string => `${MEMBERS_PATH}/${memberId}/remove`;
export const invitationPath = (id: string, action: 'again' | 'withdraw'): string =>
  `${INVITATIONS_PATH}/${id}/${action}`;

const DONE: Readonly<Record<string, Message>> = {
  invited: message('The invitation is on its way.'),
  role: message('The role has been changed.'),
  withdrawn: message('The invitation was removed, and its link doesn’t work any more.'),
  removed: message('The person no longer has access.'),
};

/** `email`: only the person with this address can use the link. `null`: anyone with the link can. */
export interface InvitationLink {
  readonly link: string;
  readonly email: string | null;
  /** Whether the invitation would have been mailed if the address accepted more mail. */
  readonly isUnmailed: boolean;
  /** How long until an invitation can be mailed to this address; `null`: its owner wants none, or nothing was to be mailed. */
  readonly wait: Message | null;
}

interface MembersPageProps {
  /** The account's own login, which is not stored as a member. */
  readonly own: Pick<Member, 'name' | 'email' | 'created_at'> & { readonly isViewer: boolean };
  readonly members: readonly Member[];
  readonly invitations: readonly ListedInvitation[];
  readonly tooMany: TooMany | null;
  readonly viewerId: string;
  /** The current time. Invitations that end earlier have expired. */
  readonly at: string;
  readonly sendsMail: boolean;
  readonly form: FormState;
  /** The rejected form of an existing invitation. */
  readonly refused: FormState | null;
  /** The link of the new invitation, if the invitation was not mailed. Shown only once. */
  readonly link: InvitationLink | null;
  readonly done: string | null;
}

export function MembersPage(props: MembersPageProps) {
  const { form, refused, tooMany, link, done } = props;
  const said = done === null ? undefined : DONE[done];
  const isRefused = form.problems.length > 0;
  return (
    <>
      <PageHeader
        title={t('Members')}
        lead={t(
          'Everyone has their own login, and every change is recorded under the name of the person who made it.',
        )}
        actions={!isRefused && tooMany === null && <Invite {...props} />}
      />
      <div class="stack-loose">
        {said !== undefined && form.status === 200 && refused === null && link === null && (
          <Notice tone="good">{t(said)}</Notice>
        )}
        {refused !== null && <FormProblems form={refused} />}
        {link !== null && <LinkOnce {...link} />}
        {!isRefused && <TooManyNotice tooMany={tooMany} isOwner />}
        {isRefused && (
          <Section title={t('Invite somebody')}>
            <Invite {...props} />
          </Section>
        )}
        <PeopleTable {...props} />
      </div>
    </>
  );
}

const LinkOnce = ({ link, email, isUnmailed, wait }: InvitationLink) => (
  <Notice
    tone={isUnmailed ? 'warn' : 'good'}
    title={
      email === null ? t('Pass this link on') : t('Pass this link on to {email}', { email: isolated(email) })
    }
  >
    <div class="stack">
      {isUnmailed && (
        <p>
          {wait === null
            ? t(
                'The invitation was created but not mailed: the owner of this address has opted out of invitations by email.',
              )
            : t(
                'The invitation was created but not mailed: this address has received several emails recently. Pass the link on, or mail another invitation in {wait}.',
                { wait },
              )}
        </p>
      )}
      <p>
        {t('It works once, within {days} days. It isn’t shown again.', {
          days: INVITATION_DAYS,
        })}
      </p>
      <CopyLine text={link} what={t('link')} />
    </div>
  </Notice>
);

interface Person extends Omit<Member, 'id'> {
  /** `null`: the account's own login, which cannot be changed here. */
  readonly id: string | null;
  readonly isViewer: boolean;
}

interface Invitation extends ListedInvitation {
  readonly isExpired: boolean;
  /** Whether it can be mailed again. Otherwise, its sender gets a new link to pass on. */
  readonly isMailable: boolean;
}

type Row = Person | Invitation;

const isInvitation = (row: Row): row is Invitation => 'expires_at' in row;

function PeopleTable({ own, members, viewerId, at, sendsMail, ...props }: MembersPageProps) {
  const invitations = props.invitations.map((invitation) => ({
    ...invitation,
    isExpired: invitation.expires_at <= at,
    isMailable: sendsMail && invitation.email !== null,
  }));
  const people = [
    { ...own, id: null, role: 'owner', suspended_at: null } as const,
    ...members.map((member) => ({ ...member, isViewer: member.id === viewerId })),
  ];
  return (
    <div>
      <Table<Row>
        caption={t('People')}
        rows={[...people, ...invitations]}
        columns={[
          {
            header: t('Name'),
            isName: true,
            cell: (row) => (isInvitation(row) ? <InvitedName {...row} /> : <PersonName {...row} />),
          },
          { header: t('Role'), cell: ({ role }) => t(ROLE_NAMES[role]), isNowrap: true },
          {
            header: t('Actions'),
            isActions: true,
            cell: (row) => (isInvitation(row) ? <InvitationActions {...row} /> : <Actions {...row} />),
          },
        ]}
      />
      <p class="soft-text narrow top-space">
        {t(
          'Members can use everything except the settings (API keys, plan and members). Owners can use the settings too.',
        )}{' '}
        {t(
          'This account belongs to {email}, who always stays an owner. To hand the account over, <a>change the account’s email address</a>.',
          {
            email: own.email,
            a: (words: Child) => (own.isViewer ? <a href={ACCOUNT_PATH}>{words}</a> : words),
          },
        )}
      </p>
    </div>
  );
}

const PersonName = ({ name, email, created_at, suspended_at, isViewer }: Person) => (
  <>
    {isolated(name)} {isViewer && <Badge tone="plain">{t('You')}</Badge>}{' '}
    {suspended_at !== null && <Badge tone="bad">{t('Suspended')}</Badge>}
    <span class="sub">
      {t('{email}, since {time}', {
        email: <Breakable text={isolated(email)} />,
        time: <Time at={created_at} precision="day" />,
      })}
    </span>
  </>
);

function InvitedName({ email, invited_by, expires_at, isExpired }: Invitation) {
  const values = { name: isolated(invited_by), time: <TimeWithZone at={expires_at} /> };
  return (
    <>
      <Breakable text={isolated(email ?? t('Whoever has the link'))} />{' '}
      {isExpired ? (
        <Badge tone="warn">{t('Expired')}</Badge>
      ) : (
        <Badge tone="plain" hollow>
          {t('Pending')}
        </Badge>
      )}
      <span class="sub">
        {isExpired
          ? t('Invited by {name}, expired {time}', values)
          : t('Invited by {name}, valid until {time}', values)}
      </span>
    </>
  );
}

function InvitationActions({ id, email: address, isExpired, isMailable }: Invitation) {
  const email = address ?? t('whoever has the link');
  return (
    <>
      <PostButton
        action={invitationPath(id, 'again')}
        small
        label={isMailable ? t('Resend to {email}', { email }) : t('New link for {email}', { email })}
      >
        {isMailable ? t('Resend') : t('New link')}
      </PostButton>
      <PostButton
        action={invitationPath(id, 'withdraw')}
        small
        label={
          isExpired
            ? t('Remove the invitation for {email}', { email })
            : t('Withdraw the invitation for {email}', { email })
        }
      >
        {isExpired ? t('Remove') : t('Withdraw')}
      </PostButton>
    </>
  );
}

function Actions({ id, name, role, isViewer }: Person) {
  if (id === null) return null;
  return (
    <>
      {role === 'owner' ? (
        <ButtonLink href={demotePath(id)} small label={t('Make member… {name}', { name })}>
          {t('Make member…')}
        </ButtonLink>
      ) : (
        <PostButton
          action={rolePath(id)}
          values={{ role: 'owner' }}
          small
          label={t('Make owner: {name}', { name })}
        >
          {t('Make owner')}
        </PostButton>
      )}
      {isViewer ? (
        <ButtonLink href={WORK_ACCOUNTS_PATH} small label={t('Leave this account')}>
          {t('Leave…')}
        </ButtonLink>
      ) : (
        <ButtonLink href={removePath(id)} small tone="danger" label={t('Remove… {name}', { name })}>
          {t('Remove…')}
        </ButtonLink>
      )}
    </>
  );
}

const ROLE_HINTS: Readonly<Record<Role, Message>> = {
  member: message('Listings, offers, claims, campaigns, requests, webhooks.'),
  owner: message('Everything a member can use, and also API keys, plan and members.'),
};

const Invite = ({ form, sendsMail }: Pick<MembersPageProps, 'form' | 'sendsMail'>) => (
  <DialogForm
    id="invite"
    form={form}
    action={MEMBERS_PATH}
    opener={t('Invite…')}
    openerTone="primary"
    title={t('Invite somebody')}
    confirm={t('Invite')}
    isHarmless
    fields={(props) => (
      <>
        <FormId form={form} />
        <EmailField
          {...props}
          optional
          hint={
            sendsMail
              ? t(
                  'We’ll send the invitation to this address. If you leave the field empty, you get a link to pass on, and anyone who has the link can use it.',
                )
              : t(
                  'If you enter an address, only the person with this address can use the link. If you leave the field empty, anyone who has the link can use it.',
                )
          }
        />
        <RadioField
          {...props}
          name="role"
          label={t('Role')}
          choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value], hint: ROLE_HINTS[value] }))}
          boxed
        />
      </>
    )}
  />
);
