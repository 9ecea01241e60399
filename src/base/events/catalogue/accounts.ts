/** Events about accounts, sessions and the settings of the marketplace. */
import type { AccountRequestsTable } from '../../../platform/store/tables/accounts.ts';
import { always, event } from '../event-kind.ts';
import { EDIT, fact, network, note, optional, person, plan, type StoredOf, trail } from '../members.ts';
import { ending, textFor } from '../sentence-parts.ts';

const COUNT = optional(fact<number>());

/** What the first confirmation of an address ended, and how many of each. */
const ENDED = {
  replaced: optional(fact<boolean>()),
  passwords: COUNT,
  passkeys: COUNT,
  second_factors: COUNT,
  identities: COUNT,
  sessions: COUNT,
  members: COUNT,
  invitations: COUNT,
  roles: COUNT,
  keys: COUNT,
  endpoints: COUNT,
};

/** `plan`: for the wish `plan`. `name`: for the wish `name`. */
const REQUEST = {
  wish: fact<AccountRequestsTable['wish']>(),
  plan: optional(plan()),
  name: optional(person()),
};

type Texts = Readonly<Record<'plan' | 'name', string | null>>;

function wishText({ plan, name }: Texts, { wish }: StoredOf<typeof REQUEST>): string {
  switch (wish) {
    case 'plan':
      return `the ${plan ?? 'unknown'} plan`;
    case 'publish':
      return 'permission to publish';
    case 'name':
      return `the name “${name ?? 'unknown'}”`;
    default:
      return 'something';
  }
}

/** `plan`: unset if the invitation doesn't change the plan. */
const INVITATION = { role: fact<'owner' | 'operator'>(), plan: optional(plan()) };

const invitedAs = ({ plan }: Pick<Texts, 'plan'>, role: unknown): string =>
  `${role === 'operator' ? ' to become an operator' : ' to publish'}${plan === null ? '' : ` on the ${plan} plan`}`;

export const ACCOUNTS = {
  'account.created': event({
    data: { email: person(), plan: plan(), operator: fact<boolean>(), terms: optional(fact()) },
    audit: ({ email, plan }, { operator }, { actor, subjectId }) =>
      actor === `account:${subjectId}`
        ? `signed up as ${email}${operator === true ? ' and became an operator' : ''}`
        : `created the ${operator === true ? 'operator ' : ''}account ${email} on the ${plan} plan`,
  }),
  'account.deletion_planned': event({
    data: { delete_at: fact(), reason: fact<'asked' | 'unused'>() },
    audit: (_, { reason, delete_at }) => [
      reason === 'unused'
        ? 'will delete the account, because nobody uses it'
        : 'asked for the deletion of the account',
      ending('It will be deleted on', delete_at),
    ],
  }),
  'account.deletion_undone': event({ data: {}, audit: () => 'undid the deletion of the account' }),
  'account.deleted': event({
    data: { keys_until: fact() },
    audit: () => 'deleted the account and its personal data',
  }),
  'account.plan_changed': event({
    data: { from: plan(), to: plan() },
    audit: ({ from, to }) => `moved the account from ${from} to ${to}`,
    notices: { decisions: always },
  }),
  'account.asked': event({
    data: REQUEST,
    audit: (texts, data) => `asked for ${wishText(texts, data)}`,
    name: 'Account requested a plan, a name or permission to publish',
    notices: { review: always },
  }),
  'account.request_withdrawn': event({
    data: REQUEST,
    audit: (texts, data) => `withdrew the request for ${wishText(texts, data)}`,
  }),
  'account.decision_undone': event({
    data: { decision: fact<'approve' | 'decline'>(), name: person(), decided_at: fact() },
    audit: ({ name }, { decision }) =>
      `undid the decision to ${decision === 'approve' ? 'approve' : 'decline'} the name “${name}”`,
  }),
  'account.request_declined': event({
    data: { ...REQUEST, reason: person() },
    audit: (texts, data) => `declined the request for ${wishText(texts, data)}`,
    isDecision: ({ wish }) => wish === 'name',
    notices: { decisions: always },
  }),
  'account.terms_accepted': event({
    data: { version: fact() },
    audit: ({ version }) => `accepted the terms (version ${version})`,
  }),
  'account.publishing_allowed': event({
    data: {},
    audit: () => 'allowed the account to publish',
    notices: { decisions: always },
  }),
  'account.publishing_ended': event({
    data: {},
    audit: () => 'revoked the account’s permission to publish',
  }),
  'account.operator_made': event({
    data: {},
    audit: () => 'made the account an operator',
    name: 'Operator added',
  }),
  'account.operator_removed': event({
    data: { operator_keys: COUNT },
    audit: ({ operator_keys }) => [
      'removed the operator rights of the account',
      operator_keys === null ? null : `Operator keys revoked: ${operator_keys}.`,
    ],
    name: 'Operator removed',
  }),
  'account.renamed': event({
    data: {
      ...EDIT,
      from: person(),
      to: person(),
      through: optional(trail()),
      approved: optional(fact<true>()),
    },
    audit: ({ from, to }, { approved }) =>
      approved === true
        ? `approved the new name of the account, “${to}” instead of “${from}”`
        : `changed the name of the account from “${from}” to “${to}”`,
    isDecision: ({ approved }) => approved === true,
    notices: { decisions: ({ approved }) => approved === true },
  }),
  'account.invited': event({
    data: { ...INVITATION, again: optional(fact<true>()) },
    audit: (texts, { role, again }) =>
      `${again === true ? 'sent an invitation again' : 'invited somebody'}${invitedAs(texts, role)}`,
    name: 'Invited to the marketplace',
  }),
  'account.invitation_withdrawn': event({
    data: {},
    audit: () => 'withdrew an invitation to the marketplace',
    name: 'Invitation to the marketplace withdrawn',
  }),
  'account.invitation_accepted': event({
    data: { ...INVITATION, invitation_id: fact() },
    audit: (texts, { role }) => `accepted an invitation${invitedAs(texts, role)}`,
    name: 'Invitation to the marketplace accepted',
  }),
  'account.identity_linked': event({
    data: { issuer: fact(), ...ENDED },
    audit: ({ issuer }, { replaced }) =>
      `linked the account to an identity from ${issuer}${replaced === true ? '; all earlier sign-in methods, keys and webhooks were removed, because the email address had never been confirmed' : ''}`,
  }),
  'account.email_confirmed': event({
    data: ENDED,
    audit: (_, { replaced }) =>
      `confirmed the email address of the account${replaced === true ? '; all earlier sign-in methods, members, invitations, keys and webhooks were removed' : ''}`,
  }),
  'settings.changed': event({
    data: { changes: fact() },
    audit: ({ changes }) => ['changed the settings', changes],
  }),
  'account.suspended': event({
    data: { reason: optional(note()), sessions: COUNT, invitations: COUNT },
    audit: () => 'suspended the account',
  }),
  'account.restored': event({
    data: { suspended_at: optional(fact()) },
    audit: () => 'ended the suspension of the account',
  }),
  'account.sessions_ended': event({
    data: { sessions: fact<number>() },
    audit: () => 'ended all sessions of the account',
  }),
  'account.mail_resumed': event({
    data: {},
    audit: () => 'resumed mail to the account, after the mail server had refused its address',
    name: 'Mail to the account resumed',
  }),
  'account.two_factor_reset': event({
    data: { passkeys: fact<number>() },
    audit: () => 'reset the second factor of the account and removed its passkeys',
    name: 'Second factor reset',
  }),
};

const SIGNED_IN_BY = { oidc: ' through the identity provider', email: ' with an emailed link or code' };

const FAILURES = {
  password: ': the password was wrong',
  code: '',
  'second-factor': ': the second factor was wrong',
  limit: ': too many attempts',
};

export type SignInFailure = keyof typeof FAILURES;

const PASSKEY = { name: person() };

export const SESSIONS = {
  'session.signed_in': event({
    data: { ip: optional(network()), how: optional(fact<keyof typeof SIGNED_IN_BY>()) },
    audit: (texts, { ip, how }) =>
      `signed in${textFor(SIGNED_IN_BY, how)}${ip == null ? '' : ` from ${texts.ip}`}`,
  }),
  'session.sign_in_refused': event({
    data: { failure: fact<SignInFailure>(), network: network() },
    audit: (texts, { failure, network }) => [
      `could not sign in${network == null ? '' : ` from ${texts.network}`}${textFor(FAILURES, failure)}`,
      'The audit log records at most five refused sign-ins per account in 15 minutes. The service’s log has all of them.',
    ],
    name: 'Sign-in refused',
  }),
  'session.signed_out': event({ data: {}, audit: () => 'signed out' }),
  'session.revoked': event({ data: {}, audit: () => 'ended a session', name: 'Session ended' }),
  'session.password_changed': event({ data: {}, audit: () => 'changed the password' }),
  'session.email_changed': event({
    data: {
      from: person(),
      to: person(),
      handed_over: optional(fact<true>()),
      keys: COUNT,
    },
    audit: ({ from, to }) => `changed the email address from ${from} to ${to}`,
  }),
  'session.second_factor_on': event({ data: {}, audit: () => 'turned the second factor on' }),
  'session.second_factor_off': event({ data: {}, audit: () => 'turned the second factor off' }),
  'session.backup_codes_renewed': event({ data: {}, audit: () => 'replaced the backup codes' }),
  'session.passkey_added': event({ data: PASSKEY, audit: ({ name }) => `added the passkey “${name}”` }),
  'session.passkey_removed': event({ data: PASSKEY, audit: ({ name }) => `removed the passkey “${name}”` }),
};
