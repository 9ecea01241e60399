/** Events about signing in, sessions, and what people sign in with. */
import { message } from '../../../platform/languages/translate.ts';
import { event } from '../event-kind.ts';
import { COUNT, fact, network, optional, person } from '../members.ts';
import { variant, yesNo } from '../sentence-parts.ts';

const SIGN_IN_METHODS = ['oidc', 'email', 'link'] as const;
const FAILURES = ['password', 'code', 'second-factor', 'limit'] as const;

export type SignInFailure = (typeof FAILURES)[number];

const PASSKEY = { name: person() };

export const SESSIONS = {
  'session.signed_in': event({
    title: message('Signed in'),
    data: { ip: optional(network()), how: optional(fact<(typeof SIGN_IN_METHODS)[number]>()) },
    audit: ({ ip }, { how }) =>
      message(
        '{who} signed in{how, select, oidc { through the identity provider} email { with an emailed link or code} link { with a link from the command line} other {}}{hasIp, select, yes { from {ip}} other {}}.',
        { how: variant(how, SIGN_IN_METHODS), hasIp: yesNo(ip !== null), ip: ip ?? '' },
      ),
  }),
  'session.sign_in_refused': event({
    title: message('Sign-in refused'),
    data: { failure: fact<SignInFailure>(), network: network() },
    audit: (texts, { failure, network }) => [
      message(
        '{who} could not sign in{hasNetwork, select, yes { from {network}} other {}}{failure, select, password {: the password was wrong} second {: the second factor was wrong} limit {: too many attempts} other {}}.',
        {
          hasNetwork: yesNo(network != null),
          network: texts.network,
          failure: variant(failure, FAILURES).replace('second-factor', 'second'),
        },
      ),
      message(
        'The audit log records at most five refused sign-ins per account in 15 minutes. The service’s log has all of them.',
      ),
    ],
  }),
  'session.signed_out': event({
    title: message('Signed out'),
    data: {},
    audit: () => message('{who} signed out.'),
  }),
  'session.revoked': event({
    title: message('Session ended'),
    data: { by_provider: optional(fact<boolean>()) },
    audit: (_, { by_provider }) =>
      by_provider === true
        ? message('{who} ended a session, because the identity provider asked for it.')
        : message('{who} ended a session.'),
  }),
  'session.password_changed': event({
    title: message('Password changed'),
    data: {},
    audit: () => message('{who} changed the password.'),
  }),
  'session.email_changed': event({
    title: message('Email address changed'),
    data: {
      from: person(),
      to: person(),
      handed_over: optional(fact<true>()),
      keys: COUNT,
    },
    audit: ({ from, to }) => message('{who} changed the email address from {from} to {to}.', { from, to }),
  }),
  'session.second_factor_on': event({
    title: message('Second factor turned on'),
    data: {},
    audit: () => message('{who} turned the second factor on.'),
  }),
  'session.second_factor_off': event({
    title: message('Second factor turned off'),
    data: {},
    audit: () => message('{who} turned the second factor off.'),
  }),
  'session.backup_codes_renewed': event({
    title: message('Backup codes replaced'),
    data: {},
    audit: () => message('{who} replaced the backup codes.'),
  }),
  'session.passkey_added': event({
    title: message('Passkey added'),
    data: PASSKEY,
    audit: ({ name }) => message('{who} added the passkey “{name}”.', { name }),
  }),
  'session.passkey_removed': event({
    title: message('Passkey removed'),
    data: PASSKEY,
    audit: ({ name }) => message('{who} removed the passkey “{name}”.', { name }),
  }),
};
