import {
  DESK_ACCOUNTS_PATH,
  DESK_INVITATIONS_PATH,
  deskAccountPath,
  inviteOwnerPath,
} from '../../../base/paths.ts';
import { DEFAULT_PLAN, PLANS } from '../../../people/accounts/account.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { type InvitedRole, MAX_NOTE_LENGTH, MAX_PEOPLE } from '../../../people/invitations/invitation.ts';
import type { InvitedPeople, UnmailedCause } from '../../../people/invitations/invite.ts';
import type { ListedInvitation } from '../../../people/invitations/queries.ts';
import { INVITATION_DAYS } from '../../../people/members/member.ts';
import { offeredLanguages } from '../../../platform/languages/language.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { RadioField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo, PlanName, usePlanName } from '../../ui/site.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';

interface InvitationsPageProps {
  readonly form: FormState;
  /** The rejected form of an existing invitation. */
  readonly refused: FormState | null;
  /** What became of the addresses of the form that was just sent. */
  readonly invited: InvitedPeople;
  readonly invitations: readonly ListedInvitation[];
  /** The current time. Invitations that end earlier have expired. */
  readonly at: string;
  readonly sendsMail: boolean;
  readonly done: string | null;
}

export const InvitationsPage = (props: InvitationsPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Accounts'), DESK_ACCOUNTS_PATH]]} />}
      title={t('Invite people')}
      lead={
        props.sendsMail
          ? t('Each person gets an email from your marketplace. Its link works once, within {days} days.', {
              days: INVITATION_DAYS,
            })
          : t(
              'This service has no mail server, so you get a link for each person to pass on. It works once, within {days} days.',
              { days: INVITATION_DAYS },
            )
      }
    />
    <div class="stack-loose">
      <Outcomes invited={props.invited} />
      {props.refused !== null && <FormProblems form={props.refused} />}
      {props.form.status === 200 && props.refused === null && props.invited.length === 0 && (
        <Removed done={props.done} />
      )}
      <InviteForm {...props} />
      <SentInvitations {...props} />
    </div>
  </>
);

function Removed({ done }: Pick<InvitationsPageProps, 'done'>) {
  if (done === 'withdrawn') {
    return (
      <Notice tone="good">{t('The invitation was removed, and its link doesn’t work any more.')}</Notice>
    );
  }
  return done === 'ended' ? (
    <Notice tone="warn">{t('Nothing was removed: the invitation was accepted or removed before.')}</Notice>
  ) : null;
}

interface InviteOwnerProps {
  readonly owner: Pick<Account, 'id' | 'email' | 'deleted_at' | 'suspended_at'>;
  readonly isInUse: boolean;
}

/** For an account that an operator has created. */
export function InviteOwner({ owner, isInUse }: InviteOwnerProps) {
  if (isInUse || owner.deleted_at !== null || owner.suspended_at !== null) return null;
  return (
    <Notice
      title={t('Nobody has signed in to this account yet')}
      actions={
        <PostButton action={inviteOwnerPath(owner.id)} small>
          {t('Invite the owner')}
        </PostButton>
      }
    >
      {t('{email} gets an invitation to take the account over, with everything in it.', {
        email: isolated(owner.email),
      })}
    </Notice>
  );
}

const isMailed = ({ outcome }: InvitedPeople[number]): boolean => outcome.is === 'mailed';

function Outcomes({ invited }: { invited: InvitedPeople }) {
  const mailed = invited.filter(isMailed);
  const others = invited.filter((person) => !isMailed(person));
  return (
    <>
      {mailed.length > 0 && (
        <Notice tone="good">
          {mailed.length === 1
            ? t('The invitation to {email} is on its way.', { email: isolated(mailed[0]!.email) })
            : t('{count, number} invitations are on their way.', { count: mailed.length })}
        </Notice>
      )}
      {others.map((person) => (
        <NotMailed {...person} />
      ))}
    </>
  );
}

function NotMailed({ email, outcome }: InvitedPeople[number]) {
  const address = isolated(email);
  if (outcome.is === 'account') {
    return (
      <Notice tone="warn">
        {t(
          '{address} wasn’t invited: <a>this account</a> has the address already. You can change its plan or make it an operator there.',
          { address, a: linkTo(deskAccountPath(outcome.accountId)) },
        )}
      </Notice>
    );
  }
  if (outcome.is === 'open') {
    return (
      <Notice tone="warn">
        {t('{address} already has an open invitation. You can resend it below.', { address })}
      </Notice>
    );
  }
  if (outcome.is === 'mailed') return null;
  return (
    <Notice
      tone={outcome.cause === 'no-server' ? 'good' : 'warn'}
      title={t('Pass this link on to {address}', { address })}
    >
      <div class="stack">
        {outcome.cause !== 'no-server' && <p>{causeText(outcome.cause)}</p>}
        <p>{t('It isn’t shown again.')}</p>
        <CopyLine text={outcome.link} what={t('the link')} />
      </div>
    </Notice>
  );
}

const causeText = (cause: Exclude<UnmailedCause, 'no-server'>): string =>
  cause === 'refused'
    ? t(
        'The invitation was created but not mailed: the owner of this address has opted out of invitations by email.',
      )
    : t(
        'The invitation was created but not mailed: this address has received several emails recently. You can resend it in {wait}.',
        { wait: cause.wait },
      );

function InviteForm({ form, sendsMail }: InvitationsPageProps) {
  const planName = usePlanName();
  return (
    <Form form={form} action={DESK_INVITATIONS_PATH}>
      <TextAreaField
        form={form}
        name="people"
        label={t('Email addresses')}
        hint={t(
          'One per line, or separated by commas; also with names, such as {example}. At most {count}.',
          {
            example: 'Ada Lovelace <ada@example.com>',
            count: MAX_PEOPLE,
          },
        )}
        rows={3}
      />
      <RadioField
        form={form}
        name="role"
        label={t('Role')}
        boxed
        choices={[
          {
            value: 'owner',
            label: t('publisher|Owner'),
            hint: t('Publishes apps, also if publishing needs permission.'),
          },
          {
            value: 'operator',
            label: t('Operator'),
            hint: t(
              'Can open the desk and change everything, like you. Over https, they first set up a second factor.',
            ),
          },
        ]}
      />
      <SelectField
        form={form}
        name="plan"
        label={t('Plan')}
        choices={[
          {
            value: '',
            label: t('{plan} for a new account; unchanged for others', { plan: planName(DEFAULT_PLAN) }),
          },
          ...PLANS.map((plan) => ({ value: plan, label: planName(plan) })),
        ]}
      />
      {sendsMail && (
        <>
          <TextField
            form={form}
            name="note"
            label={t('Personal message')}
            optional
            wraps
            hint={t(
              'Shown in the email after your name. Links, addresses and phone numbers are left out. At most {count, number} characters.',
              { count: MAX_NOTE_LENGTH },
            )}
          />
          <SelectField
            form={form}
            name="language"
            label={t('Language of the email')}
            choices={offeredLanguages().map(({ code, name }) => ({ value: code, label: name }))}
          />
        </>
      )}
      <FormActions>
        <Button tone="primary">{sendsMail ? t('Send invitations') : t('Create invitations')}</Button>
      </FormActions>
    </Form>
  );
}

function SentInvitations({
  invitations,
  at,
  sendsMail,
}: Pick<InvitationsPageProps, 'invitations' | 'at' | 'sendsMail'>) {
  const isExpired = ({ expires_at }: ListedInvitation) => expires_at <= at;
  const parts = [
    [t('Open invitations'), invitations.filter((invitation) => !isExpired(invitation)), false],
    [t('Expired invitations'), invitations.filter(isExpired), true],
  ] as const;
  return (
    <>
      {parts.map(
        ([title, rows, areExpired]) =>
          rows.length > 0 && (
            <Section title={title}>
              <Table caption={title} rows={rows} columns={columns({ areExpired, sendsMail })} />
            </Section>
          ),
      )}
    </>
  );
}

const ROLE_NAMES: Readonly<Record<InvitedRole, Message>> = {
  owner: message('publisher|Owner'),
  operator: message('Operator'),
};

const columns = ({
  areExpired,
  sendsMail,
}: Readonly<Record<'areExpired' | 'sendsMail', boolean>>): readonly Column<ListedInvitation>[] => [
  {
    header: t('Person'),
    isName: true,
    cell: ({ name, email, mailed_at, failure }) => (
      <>
        <Breakable text={isolated(email)} />
        {name !== null && <span class="sub">{isolated(name)}</span>}
        <span class="sub">
          {mailed_at === null
            ? t('Not mailed: pass the link on')
            : failure === null
              ? t('Mailed {time}', { time: <Time at={mailed_at} /> })
              : t('Not delivered yet: {failure}', { failure })}
        </span>
      </>
    ),
  },
  {
    header: t('Role'),
    cell: ({ role, plan }) => (
      <>
        {t(ROLE_NAMES[role])}
        {plan !== null && (
          <span class="sub">
            <PlanName of={plan} />
          </span>
        )}
      </>
    ),
  },
  {
    header: areExpired ? t('Expired') : t('Works until'),
    cell: ({ expires_at, invited_by }) => (
      <>
        <TimeWithZone at={expires_at} />
        {invited_by !== null && (
          <span class="sub">{t('Invited by {name}', { name: isolated(invited_by) })}</span>
        )}
      </>
    ),
  },
  {
    header: t('Actions'),
    isActions: true,
    cell: ({ id, email }) => (
      <>
        <PostButton
          action={`${DESK_INVITATIONS_PATH}/${id}/again`}
          small
          label={sendsMail ? t('Resend to {email}', { email }) : t('New link for {email}', { email })}
        >
          {sendsMail ? t('Resend') : t('New link')}
        </PostButton>
        <PostButton
          action={`${DESK_INVITATIONS_PATH}/${id}/withdraw`}
          small
          label={
            areExpired
              ? t('Remove the invitation for {email}', { email })
              : t('Withdraw the invitation for {email}', { email })
          }
        >
          {areExpired ? t('Remove') : t('Withdraw')}
        </PostButton>
      </>
    ),
  },
];
