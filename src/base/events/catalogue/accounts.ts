/** Events about accounts, sessions and the settings of the marketplace. */
import { type Message, message } from '../../../platform/languages/translate.ts';
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

/** By `wish`. */
const ASKED: Readonly<Record<string, Message>> = {
  plan: message('An account asks for another plan'),
  publish: message('An account asks for permission to publish'),
  name: message('An account asks for another name'),
} satisfies Readonly<Record<AccountRequestsTable['wish'], Message>>;

/** `plan`: unset if the invitation doesn't change the plan. */
const INVITATION = { role: fact<'owner' | 'operator'>(), plan: optional(plan()) };

const invitedAs = ({ plan }: Pick<Texts, 'plan'>, role: unknown): string =>
  `${role === 'operator' ? ' to become an operator' : ' to publish'}${plan === null ? '' : ` on the ${plan} plan`}`;

export const ACCOUNTS = {
  'account.created': event({
    title: message('Account created'),
    data: { email: person(), plan: plan(), operator: fact<boolean>(), terms: optional(fact()) },
    audit: ({ email, plan }, { operator }, { actor, subjectId }) =>
      actor === `account:${subjectId}`
        ? `signed up as ${email}${operator === true ? ' and became an operator' : ''}`
        : `created the ${operator === true ? 'operator ' : ''}account ${email} on the ${plan} plan`,
  }),
  'account.deletion_planned': event({
    title: message('Deletion of an account planned'),
    data: { delete_at: fact(), reason: fact<'asked' | 'unused'>() },
    audit: (_, { reason, delete_at }) => [
      reason === 'unused'
        ? 'will delete the account, because nobody uses it'
        : 'asked for the deletion of the account',
      ending('It will be deleted on', delete_at),
    ],
  }),
  'account.deletion_undone': event({
    title: message('Deletion of an account undone'),
    data: {},
    audit: () => 'undid the deletion of the account',
  }),
  'account.deleted': event({
    title: message('Account deleted'),
    data: { keys_until: fact() },
    audit: () => 'deleted the account and its personal data',
  }),
  'account.plan_changed': event({
    title: message('Plan of an account changed'),
    data: { from: plan(), to: plan() },
    audit: ({ from, to }) => `moved the account from ${from} to ${to}`,
    notices: { decisions: always },
  }),
  'account.asked': event({
    title: message('Account requested a plan, a name or permission to publish'),
    data: REQUEST,
    audit: (texts, data) => `asked for ${wishText(texts, data)}`,
    notices: { review: always },
    chat: (read) => {
      const wish = read('wish');
      return Object.hasOwn(ASKED, wish) ? ASKED[wish]! : message('An account asks for something');
    },
  }),
  'account.request_withdrawn': event({
    title: message('Request of an account withdrawn'),
    data: REQUEST,
    audit: (texts, data) => `withdrew the request for ${wishText(texts, data)}`,
  }),
  'account.decision_undone': event({
    title: message('Decision about an account undone'),
    data: { decision: fact<'approve' | 'decline'>(), name: person(), decided_at: fact() },
    audit: ({ name }, { decision }) =>
      `undid the decision to ${decision === 'approve' ? 'approve' : 'decline'} the name “${name}”`,
  }),
  'account.request_declined': event({
    title: message('Request of an account declined'),
    data: { ...REQUEST, reason: person() },
    audit: (texts, data) => `declined the request for ${wishText(texts, data)}`,
    isDecision: ({ wish }) => wish === 'name',
    notices: { decisions: always },
  }),
  'account.terms_accepted': event({
    title: message('Terms accepted'),
    data: { version: fact() },
    audit: ({ version }) => `accepted the terms (version ${version})`,
  }),
  'account.publishing_allowed': event({
    title: message('Account may publish'),
    data: {},
    audit: () => 'allowed the account to publish',
    notices: { decisions: always },
  }),
  'account.publishing_ended': event({
    title: message('Permission to publish revoked'),
    data: {},
    audit: () => 'revoked the account’s permission to publish',
  }),
  'account.operator_made': event({
    title: message('Operator added'),
    data: {},
    audit: () => 'made the account an operator',
  }),
  'account.operator_removed': event({
    title: message('Operator removed'),
    data: { operator_keys: COUNT, endpoints: COUNT },
    audit: ({ operator_keys, endpoints }) => [
      'removed the operator rights of the account',
      [
        operator_keys === null ? '' : `Operator keys revoked: ${operator_keys}.`,
        endpoints === null ? '' : `Webhook endpoints of the marketplace paused: ${endpoints}.`,
      ]
        .filter(Boolean)
        .join(' ') || null,
    ],
  }),
  'account.renamed': event({
    title: message('Account renamed'),
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
    title: message('Invited to the marketplace'),
    data: { ...INVITATION, again: optional(fact<true>()) },
    audit: (texts, { role, again }) =>
      `${again === true ? 'sent an invitation again' : 'invited somebody'}${invitedAs(texts, role)}`,
  }),
  'account.invitation_withdrawn': event({
    title: message('Invitation to the marketplace withdrawn'),
    data: {},
    audit: () => 'withdrew an invitation to the marketplace',
  }),
  'account.invitation_accepted': event({
    title: message('Invitation to the marketplace accepted'),
    data: { ...INVITATION, invitation_id: fact() },
    audit: (texts, { role }) => `accepted an invitation${invitedAs(texts, role)}`,
  }),
  'account.identity_linked': event({
    title: message('Identity linked to an account'),
    data: { issuer: fact(), ...ENDED },
    audit: ({ issuer }, { replaced }) =>
      `linked the account to an identity from ${issuer}${replaced === true ? '; all earlier sign-in methods, keys and webhooks were removed, because the email address had never been confirmed' : ''}`,
  }),
  'account.email_confirmed': event({
    title: message('Email address confirmed'),
    data: ENDED,
    audit: (_, { replaced }) =>
      `confirmed the email address of the account${replaced === true ? '; all earlier sign-in methods, members, invitations, keys and webhooks were removed' : ''}`,
  }),
  'system.check_failed': event({
    title: message('System check failing'),
    data: { check: fact() },
    audit: ({ check }) => `saw the system check “${check}” fail`,
    chat: (read) => message('A system check is failing: {check}', { check: read('check') }),
  }),
  'system.check_recovered': event({
    title: message('System check passing again'),
    data: { check: fact() },
    audit: ({ check }) => `saw the system check “${check}” pass again`,
    chat: (read) => message('A system check passes again: {check}', { check: read('check') }),
  }),
  'settings.changed': event({
    title: message('Settings changed'),
    data: { changes: fact() },
    audit: ({ changes }) => ['changed the settings', changes],
  }),
  'account.suspended': event({
    title: message('Account suspended'),
    data: { reason: optional(note()), sessions: COUNT, invitations: COUNT, endpoints: COUNT },
    audit: () => 'suspended the account',
  }),
  'account.restored': event({
    title: message('Suspension of an account ended'),
    data: { suspended_at: optional(fact()) },
    audit: () => 'ended the suspension of the account',
  }),
  'account.sessions_ended': event({
    title: message('All sessions of an account ended'),
    data: { sessions: fact<number>() },
    audit: () => 'ended all sessions of the account',
  }),
  'account.mail_resumed': event({
    title: message('Mail to the account resumed'),
    data: {},
    audit: () => 'resumed mail to the account, after the mail server had refused its address',
  }),
  'account.two_factor_reset': event({
    title: message('Second factor reset'),
    data: { passkeys: fact<number>() },
    audit: () => 'reset the second factor of the account and removed its passkeys',
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
    title: message('Signed in'),
    data: { ip: optional(network()), how: optional(fact<keyof typeof SIGNED_IN_BY>()) },
    audit: (texts, { ip, how }) =>
      `signed in${textFor(SIGNED_IN_BY, how)}${ip == null ? '' : ` from ${texts.ip}`}`,
  }),
  'session.sign_in_refused': event({
    title: message('Sign-in refused'),
    data: { failure: fact<SignInFailure>(), network: network() },
    audit: (texts, { failure, network }) => [
      `could not sign in${network == null ? '' : ` from ${texts.network}`}${textFor(FAILURES, failure)}`,
      'The audit log records at most five refused sign-ins per account in 15 minutes. The service’s log has all of them.',
    ],
  }),
  'session.signed_out': event({
    title: message('Signed out'),
    data: {},
    audit: () => 'signed out',
  }),
  'session.revoked': event({
    title: message('Session ended'),
    data: {},
    audit: () => 'ended a session',
  }),
  'session.password_changed': event({
    title: message('Password changed'),
    data: {},
    audit: () => 'changed the password',
  }),
  'session.email_changed': event({
    title: message('Email address changed'),
    data: {
      from: person(),
      to: person(),
      handed_over: optional(fact<true>()),
      keys: COUNT,
    },
    audit: ({ from, to }) => `changed the email address from ${from} to ${to}`,
  }),
  'session.second_factor_on': event({
    title: message('Second factor turned on'),
    data: {},
    audit: () => 'turned the second factor on',
  }),
  'session.second_factor_off': event({
    title: message('Second factor turned off'),
    data: {},
    audit: () => 'turned the second factor off',
  }),
  'session.backup_codes_renewed': event({
    title: message('Backup codes replaced'),
    data: {},
    audit: () => 'replaced the backup codes',
  }),
  'session.passkey_added': event({
    title: message('Passkey added'),
    data: PASSKEY,
    audit: ({ name }) => `added the passkey “${name}”`,
  }),
  'session.passkey_removed': event({
    title: message('Passkey removed'),
    data: PASSKEY,
    audit: ({ name }) => `removed the passkey “${name}”`,
  }),
};
