/** Events about accounts and the settings of the marketplace. */
import { type Message, message, storedText } from '../../../platform/languages/translate.ts';
import type { AccountRequestsTable } from '../../../platform/store/tables/accounts.ts';
import { capital } from '../../../platform/text/text.ts';
import { always, event } from '../event-kind.ts';
import { changesText, type LoggedChange } from '../logged-changes.ts';
import { COUNT, EDIT, fact, note, optional, person, plan, type StoredOf, trail } from '../members.ts';
import { ending, variant, yesNo } from '../sentence-parts.ts';

/** In the language of the reader. The identifier of a check is its name without a capital letter. */
const checkName = (check: string) => (): string => storedText(capital(check));

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

/** The identity provider whose claim decided; `null`: a person did. */
const BY_CLAIM = { issuer: optional(fact()) };

/** `plan`: for the wish `plan`. `name`: for the wish `name`. */
const REQUEST = {
  wish: fact<AccountRequestsTable['wish']>(),
  plan: optional(plan()),
  name: optional(person()),
};

type Texts = Readonly<Record<'plan' | 'name', string | null>>;

const wishValues = ({ plan, name }: Texts, { wish }: StoredOf<typeof REQUEST>) => ({
  wish: variant(wish, ['plan', 'publish', 'name']),
  plan: plan ?? message('unknown'),
  name: name ?? message('unknown'),
});

/** By `wish`. */
const ASKED: Readonly<Record<string, Message>> = {
  plan: message('An account asks for another plan'),
  publish: message('An account asks for permission to publish'),
  name: message('An account asks for another name'),
} satisfies Readonly<Record<AccountRequestsTable['wish'], Message>>;

/** `plan`: unset if the invitation doesn't change the plan. */
const INVITATION = { role: fact<'owner' | 'operator'>(), plan: optional(plan()) };

const invitedValues = ({ plan }: Pick<Texts, 'plan'>, role: unknown) => ({
  role: variant(role, ['operator']),
  hasPlan: yesNo(plan !== null),
  plan: plan ?? '',
});

export const ACCOUNTS = {
  'account.created': event({
    title: message('Account created'),
    data: { email: person(), plan: plan(), operator: fact<boolean>(), terms: optional(fact()) },
    audit: ({ email, plan }, { operator }, { actor, subjectId }) => {
      const isOperator = yesNo(operator === true);
      return actor === `account:${subjectId}`
        ? message('{who} signed up as {email}{isOperator, select, yes { and became an operator} other {}}.', {
            email,
            isOperator,
          })
        : message(
            '{who} created the {isOperator, select, yes {operator account} other {account}} {email} on the {plan} plan.',
            { isOperator, email, plan },
          );
    },
  }),
  'account.deletion_planned': event({
    title: message('Deletion of an account planned'),
    data: { delete_at: fact(), reason: fact<'asked' | 'unused'>() },
    audit: (_, { reason, delete_at }) => [
      reason === 'unused'
        ? message('{who} will delete the account, because nobody uses it.')
        : message('{who} asked for the deletion of the account.'),
      ending(message('It will be deleted on {time}.'), delete_at),
    ],
  }),
  'account.deletion_undone': event({
    title: message('Deletion of an account undone'),
    data: {},
    audit: () => message('{who} undid the deletion of the account.'),
  }),
  'account.deleted': event({
    title: message('Account deleted'),
    data: { keys_until: fact() },
    audit: () => message('{who} deleted the account and its personal data.'),
  }),
  'account.plan_changed': event({
    title: message('Plan of an account changed'),
    data: { from: plan(), to: plan() },
    audit: ({ from, to }) => message('{who} moved the account from {from} to {to}.', { from, to }),
    notices: { decisions: always },
  }),
  'account.asked': event({
    title: message('Account requested a plan, a name or permission to publish'),
    data: REQUEST,
    audit: (texts, data) =>
      message(
        '{who} asked for {wish, select, plan {the {plan} plan} publish {permission to publish} name {the name “{name}”} other {something}}.',
        wishValues(texts, data),
      ),
    notices: { review: always },
    chat: (read) => {
      const wish = read('wish');
      return Object.hasOwn(ASKED, wish) ? ASKED[wish]! : message('An account asks for something');
    },
  }),
  'account.request_withdrawn': event({
    title: message('Request of an account withdrawn'),
    data: REQUEST,
    audit: (texts, data) =>
      message(
        '{who} withdrew the request for {wish, select, plan {the {plan} plan} publish {permission to publish} name {the name “{name}”} other {something}}.',
        wishValues(texts, data),
      ),
  }),
  'account.decision_undone': event({
    title: message('Decision about an account undone'),
    data: { decision: fact<'approve' | 'decline'>(), name: person(), decided_at: fact() },
    audit: ({ name }, { decision }) =>
      message(
        '{who} undid the decision to {decision, select, approve {approve} other {decline}} the name “{name}”.',
        { decision: variant(decision, ['approve']), name },
      ),
  }),
  'account.request_declined': event({
    title: message('Request of an account declined'),
    data: { ...REQUEST, reason: person() },
    audit: (texts, data) =>
      message(
        '{who} declined the request for {wish, select, plan {the {plan} plan} publish {permission to publish} name {the name “{name}”} other {something}}.',
        wishValues(texts, data),
      ),
    isDecision: ({ wish }) => wish === 'name',
    notices: { decisions: always },
  }),
  'account.terms_accepted': event({
    title: message('Terms accepted'),
    data: { version: fact() },
    audit: ({ version }) => message('{who} accepted the terms (version {version}).', { version }),
  }),
  'account.publishing_allowed': event({
    title: message('Account may publish'),
    data: {},
    audit: () => message('{who} allowed the account to publish.'),
    notices: { decisions: always },
  }),
  'account.publishing_ended': event({
    title: message('Permission to publish revoked'),
    data: {},
    audit: () => message('{who} revoked the account’s permission to publish.'),
  }),
  'account.operator_made': event({
    title: message('Operator added'),
    data: BY_CLAIM,
    audit: ({ issuer }) =>
      issuer === null
        ? message('{who} made the account an operator.')
        : message('{who} made the account an operator, because of a claim of {issuer}.', { issuer }),
  }),
  'account.operator_removed': event({
    title: message('Operator removed'),
    data: { ...BY_CLAIM, operator_keys: COUNT, endpoints: COUNT },
    audit: ({ issuer, operator_keys, endpoints }) => [
      issuer === null
        ? message('{who} removed the operator rights of the account.')
        : message(
            '{who} removed the operator rights of the account, because {issuer} no longer sends the claim.',
            {
              issuer,
            },
          ),
      operator_keys === null ? null : message('Operator keys revoked: {count}.', { count: operator_keys }),
      endpoints === null
        ? null
        : message('Webhook endpoints of the marketplace paused: {count}.', { count: endpoints }),
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
        ? message('{who} approved the new name of the account, “{to}” instead of “{from}”.', { from, to })
        : message('{who} changed the name of the account from “{from}” to “{to}”.', { from, to }),
    isDecision: ({ approved }) => approved === true,
    notices: { decisions: ({ approved }) => approved === true },
  }),
  'account.invited': event({
    title: message('Invited to the marketplace'),
    data: { ...INVITATION, again: optional(fact<true>()) },
    audit: (texts, { role, again }) =>
      again === true
        ? message(
            '{who} sent an invitation again {role, select, operator {to become an operator} other {to publish}}{hasPlan, select, yes { on the {plan} plan} other {}}.',
            invitedValues(texts, role),
          )
        : message(
            '{who} invited somebody {role, select, operator {to become an operator} other {to publish}}{hasPlan, select, yes { on the {plan} plan} other {}}.',
            invitedValues(texts, role),
          ),
  }),
  'account.invitation_withdrawn': event({
    title: message('Invitation to the marketplace withdrawn'),
    data: {},
    audit: () => message('{who} withdrew an invitation to the marketplace.'),
  }),
  'account.invitation_accepted': event({
    title: message('Invitation to the marketplace accepted'),
    data: { ...INVITATION, invitation_id: fact() },
    audit: (texts, { role }) =>
      message(
        '{who} accepted an invitation {role, select, operator {to become an operator} other {to publish}}{hasPlan, select, yes { on the {plan} plan} other {}}.',
        invitedValues(texts, role),
      ),
  }),
  'account.identity_linked': event({
    title: message('Identity linked to an account'),
    data: { issuer: fact(), ...ENDED },
    audit: ({ issuer }, { replaced }) =>
      replaced === true
        ? message(
            '{who} linked the account to an identity from {issuer}; all earlier sign-in methods, keys and webhooks were removed, because the email address had never been confirmed.',
            { issuer },
          )
        : message('{who} linked the account to an identity from {issuer}.', { issuer }),
  }),
  'account.email_confirmed': event({
    title: message('Email address confirmed'),
    data: ENDED,
    audit: (_, { replaced }) =>
      replaced === true
        ? message(
            '{who} confirmed the email address of the account; all earlier sign-in methods, members, invitations, keys and webhooks were removed.',
          )
        : message('{who} confirmed the email address of the account.'),
  }),
  'system.check_failed': event({
    title: message('System check failing'),
    data: { check: fact() },
    audit: ({ check }) => message('{who} saw the system check “{check}” fail.', { check: checkName(check) }),
    chat: (read) => message('A system check is failing: {check}', { check: checkName(read('check')) }),
  }),
  'system.check_recovered': event({
    title: message('System check passing again'),
    data: { check: fact() },
    audit: ({ check }) =>
      message('{who} saw the system check “{check}” pass again.', { check: checkName(check) }),
    chat: (read) => message('A system check passes again: {check}', { check: checkName(read('check')) }),
  }),
  'settings.changed': event({
    title: message('Settings changed'),
    data: { changes: fact<readonly LoggedChange[]>() },
    audit: (_, { changes }) => [message('{who} changed the settings.'), changesText(changes)],
  }),
  'account.suspended': event({
    title: message('Account suspended'),
    data: {
      reason: optional(note()),
      with_account: optional(fact()),
      sessions: COUNT,
      invitations: COUNT,
      endpoints: COUNT,
    },
    audit: ({ reason, with_account: account }) => [
      message('{who} suspended the account.'),
      reason,
      account === null ? null : message('Suspended together with the account {account}.', { account }),
    ],
  }),
  'account.restored': event({
    title: message('Suspension of an account ended'),
    data: { suspended_at: optional(fact()) },
    audit: () => message('{who} ended the suspension of the account.'),
  }),
  'account.sessions_ended': event({
    title: message('All sessions of an account ended'),
    data: { sessions: fact<number>() },
    audit: () => message('{who} ended all sessions of the account.'),
  }),
  'account.mail_resumed': event({
    title: message('Mail to the account resumed'),
    data: {},
    audit: () => message('{who} resumed mail to the account, after the mail server had refused its address.'),
  }),
  'account.two_factor_reset': event({
    title: message('Second factor reset'),
    data: { passkeys: fact<number>() },
    audit: () => message('{who} reset the second factor of the account and removed its passkeys.'),
  }),
};
