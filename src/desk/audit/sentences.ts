/** Events in words: a sentence with the actor and the action, and a second one with details. */

import type { EventType } from '../../events/queries.ts';
import { capital, isolated } from '../../text/text.ts';
import { timeText } from '../../text/time-zone.ts';

export interface LoggedEvent {
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventWords {
  /** `Olga Operator approved the listing notes.` */
  readonly sentence: string;
  /** A reason, or the changes; `null` without details. */
  readonly detail: string | null;
  /** A time at the end of the detail, before its full stop; ISO 8601 UTC. */
  readonly at?: string;
}

/** Names of the types in the filter, in the order of the list. */
export const EVENT_TYPE_NAMES: Readonly<Record<EventType, string>> = {
  'account.created': 'Account created',
  'account.identity_linked': 'Identity linked',
  'account.plan_changed': 'Plan changed',
  'account.operator_made': 'Operator added',
  'account.operator_removed': 'Operator removed',
  'account.renamed': 'Name changed',
  'account.suspended': 'Account suspended',
  'account.restored': 'Account restored',
  'account.sessions_ended': 'All sessions ended',
  'account.two_factor_reset': 'Second factor reset',
  'listing.created': 'Listing created',
  'listing.changed': 'Listing changed',
  'listing.submitted': 'Listing submitted',
  'listing.approved': 'Listing approved',
  'listing.changes_requested': 'Changes requested',
  'listing.rejected': 'Listing rejected',
  'listing.withdrawn': 'Listing withdrawn',
  'listing.suspended': 'Listing suspended',
  'offer.changed': 'Offer changed',
  'key.created': 'API key created',
  'key.rolled': 'API key rolled',
  'key.revoked': 'API key revoked',
  'key.seen_in_browser': 'API key seen in a browser',
  'operator_key.created': 'Operator key created',
  'operator_key.replaced': 'Operator key replaced',
  'operator_key.revoked': 'Operator key revoked',
  'endpoint.created': 'Webhook endpoint created',
  'endpoint.changed': 'Webhook endpoint changed',
  'endpoint.disabled': 'Webhook endpoint disabled',
  'endpoint.enabled': 'Webhook endpoint enabled',
  'endpoint.secret_rolled': 'Webhook secret rolled',
  'endpoint.deleted': 'Webhook endpoint deleted',
  'claim.created': 'Claim created',
  'claim.redeemed': 'Claim redeemed',
  'session.signed_in': 'Signed in',
  'session.sign_in_refused': 'Sign-in refused',
  'session.signed_out': 'Signed out',
  'session.revoked': 'Session ended',
  'session.password_changed': 'Password changed',
  'session.email_changed': 'Email address changed',
  'session.second_factor_on': 'Second factor turned on',
  'session.second_factor_off': 'Second factor turned off',
  'session.passkey_added': 'Passkey added',
  'session.passkey_removed': 'Passkey removed',
};

type Data = LoggedEvent['data'];
type Describe = (
  who: string,
  data: Data,
  event: LoggedEvent,
) => string | readonly [sentence: string, detail: string | null, at?: string];

const SENTENCES: Readonly<Record<EventType, Describe>> = {
  'account.created': (who, data, { actor, subjectId }) =>
    actor === `account:${subjectId}`
      ? `${who} signed up as ${text(data, 'email')}${data['operator'] === true ? ' and became an operator' : ''}.`
      : `${who} created the account ${text(data, 'email')}${data['operator'] === true ? ', an operator,' : ''} on the ${capital(text(data, 'plan'))} plan.`,
  'account.plan_changed': (who, data) =>
    `${who} moved the account from ${capital(text(data, 'from'))} to ${capital(text(data, 'to'))}.`,
  'account.operator_made': (who) => `${who} made the account an operator.`,
  'account.operator_removed': (who) => `${who} removed the operator rights of the account.`,
  'account.renamed': (who, data) =>
    `${who} changed the name of the account from “${text(data, 'from')}” to “${text(data, 'to')}”.`,
  'account.identity_linked': (who, data) =>
    `${who} linked the account to an identity of ${text(data, 'issuer')}${data['replaced'] === true ? ', which replaced its earlier sign-in: its email address was never confirmed' : ''}.`,
  'account.suspended': (who, data) => [`${who} suspended the account.`, reasonOf(data)],
  'account.restored': (who) => `${who} ended the suspension of the account.`,
  'account.sessions_ended': (who) => `${who} ended all sessions of the account.`,
  'account.two_factor_reset': (who) =>
    `${who} reset the second factor of the account and removed its passkeys.`,
  'listing.created': (who, data) => [`${who} created the listing ${text(data, 'slug')}.`, text(data, 'url')],
  'listing.changed': listingChanged,
  'listing.submitted': (who, data) => [
    `${who} submitted the listing ${text(data, 'slug')} for review.`,
    has(data, 'reply') ? text(data, 'reply') : null,
  ],
  'listing.approved': (who, data) =>
    data['from'] === 'suspended'
      ? `${who} lifted the suspension of the listing ${text(data, 'slug')}.`
      : [
          `${who} approved the listing ${text(data, 'slug')}.`,
          has(data, 'origin') ? `Its site is ${siteText(data)}.` : null,
        ],
  'listing.changes_requested': (who, data) => [
    `${who} asked for changes to the listing ${text(data, 'slug')}.`,
    reasonOf(data),
  ],
  'listing.rejected': (who, data) => [`${who} rejected the listing ${text(data, 'slug')}.`, reasonOf(data)],
  'listing.withdrawn': (who, data) => `${who} withdrew the listing ${text(data, 'slug')}.`,
  'listing.suspended': (who, data) => [`${who} suspended the listing ${text(data, 'slug')}.`, reasonOf(data)],
  'offer.changed': offerChanged,
  'key.created': (who, data) => [`${who} created ${keyName(data)}.`, ...ending('It expires', data)],
  'key.rolled': (who, data) => [
    `${who} rolled ${keyName(data)}.`,
    ...ending('The old one works until', data),
  ],
  'key.revoked': (who, data) => `${who} revoked ${keyName(data)}.`,
  // The actor is the key.
  'key.seen_in_browser': (who, data) =>
    has(data, 'origin')
      ? `${who} was sent by a browser from ${text(data, 'origin')}.`
      : `${who} was sent by a browser.`,
  'operator_key.created': (who, data) => [
    `${who} created ${operatorKeyName(data)} for ${scopesText(data)}.`,
    ...ending('It expires', data),
  ],
  'operator_key.replaced': (who, data) => [
    `${who} replaced ${operatorKeyName(data)}.`,
    ...ending('The old one works until', data),
  ],
  'operator_key.revoked': (who, data) => `${who} revoked ${operatorKeyName(data)}.`,
  'endpoint.created': (who, data) => `${who} created a webhook endpoint at ${siteText(data)}.`,
  'endpoint.changed': (who, data) => `${who} changed a webhook endpoint at ${siteText(data)}.`,
  'endpoint.disabled': (who, data) => [
    `${who} disabled a webhook endpoint at ${siteText(data)}.`,
    DISABLED[text(data, 'reason')] ?? null,
  ],
  'endpoint.enabled': (who, data) => `${who} enabled a webhook endpoint at ${siteText(data)}.`,
  'endpoint.secret_rolled': (who, data) =>
    `${who} rolled the secret of a webhook endpoint at ${siteText(data)}.`,
  'endpoint.deleted': (who, data) => `${who} deleted a webhook endpoint at ${siteText(data)}.`,
  'claim.created': (who, data) => {
    const label = has(data, 'via') ? ` with the label ${text(data, 'via')}` : '';
    if (has(data, 'replaces')) return `${who} issued a claim in place of a redeemed one${label}.`;
    if (has(data, 'claimed_at')) return `${who} imported a claim${label}.`;
    return `${who} made a claim${label}.`;
  },
  'claim.redeemed': (who, data) =>
    `${who} redeemed a claim${has(data, 'via') ? ` with the label ${text(data, 'via')}` : ''}.`,
  'session.signed_in': (who, data) =>
    `${who} signed in${data['how'] === 'oidc' ? ' through the identity provider' : ''}${has(data, 'ip') ? ` from ${text(data, 'ip')}` : ''}.`,
  'session.sign_in_refused': (who, data) => [
    `${who} could not sign in from ${text(data, 'network')}${REFUSED_SIGN_INS[text(data, 'failure')] ?? ''}.`,
    'Further attempts within 15 minutes are only in the log of the service.',
  ],
  'session.signed_out': (who) => `${who} signed out.`,
  'session.revoked': (who) => `${who} ended a session.`,
  'session.password_changed': (who) => `${who} changed the password.`,
  'session.email_changed': (who, data) =>
    `${who} changed the email address from ${text(data, 'from')} to ${text(data, 'to')}.`,
  'session.second_factor_on': (who) => `${who} turned the second factor on.`,
  'session.second_factor_off': (who) => `${who} turned the second factor off.`,
  'session.passkey_added': (who, data) => `${who} added the passkey “${text(data, 'name')}”.`,
  'session.passkey_removed': (who, data) => `${who} removed the passkey “${text(data, 'name')}”.`,
};

/**
 * `who`: the name of the actor, which begins the sentence. `listing`: the name of the listing, if known. `zone`: for the
 * times in the words.
 */
export function describeEvent(
  event: LoggedEvent,
  who: string,
  { listing, zone }: { readonly listing?: string | undefined; readonly zone: string },
): EventWords {
  // A newer version of the program may have written other types.
  const describe = isKnown(event.type) ? SENTENCES[event.type] : null;
  if (describe === null) return { sentence: `${who}: ${plainWords(event.type)}.`, detail: null };
  const named = listing === undefined ? {} : { slug: listing, listing };
  const { from, to } = event.data;
  const dated = { from: withEndDate(from, zone), to: withEndDate(to, zone) };
  const described = describe(who, { ...event.data, ...dated, ...named }, event);
  const [sentence, further, at] = typeof described === 'string' ? [described, null] : described;
  const detail = [further, throughText(event.data)].filter((part) => part !== null).join(' ') || null;
  return at === undefined ? { sentence, detail } : { sentence, detail, at };
}

/** Values between the edits that one event combines. */
const throughText = ({ through }: Data): string | null =>
  Array.isArray(through) ? `In between: ${through.map((value) => valueText(value, '')).join(', ')}.` : null;

/** The values of one side of an edit, with an end date in words. */
const withEndDate = (values: unknown, zone: string): unknown =>
  isObject(values) && typeof values['ends_at'] === 'string'
    ? { ...values, ends_at: timeText(zone, values['ends_at']) }
    : values;

const isKnown = (type: string): type is EventType => Object.hasOwn(SENTENCES, type);

function listingChanged(who: string, data: Data): ReturnType<Describe> {
  const listing = `the listing ${text(data, 'slug')}`;
  switch (data['change']) {
    case 'edited':
      return [`${who} edited ${listing}.`, changesText(data)];
    case 'url_approved':
      return [`${who} approved the new website of ${listing}.`, text(data, 'url')];
    case 'url_declined':
      return [`${who} declined the new website of ${listing}.`, reasonOf(data)];
    case 'deleted':
      return `${who} deleted ${listing}.`;
    case 'decision_undone':
      return `${who} undid the decision to ${DECISIONS[text(data, 'decision')] ?? 'change'} ${listing}.`;
    default:
      return `${who} changed ${listing}.`;
  }
}

const REFUSED_SIGN_INS: Readonly<Record<string, string>> = {
  password: ': the password was wrong',
  'second-factor': ': the second factor was wrong',
  limit: ': too many attempts',
};

const DISABLED: Readonly<Record<string, string>> = {
  gone: 'It responded with 410 Gone.',
  failing: 'It had failed for five days.',
};

const DECISIONS: Readonly<Record<string, string>> = {
  approve: 'approve',
  request_changes: 'ask for changes to',
  reject: 'reject',
  suspend: 'suspend',
  lift: 'lift the suspension of',
  approve_url: 'approve the new website of',
  decline_url: 'decline the new website of',
  approve_link: 'approve a new link of',
  decline_link: 'decline a new link of',
};

function offerChanged(who: string, data: Data): ReturnType<Describe> {
  const offer = has(data, 'offer') ? `the offer “${text(data, 'offer')}”` : 'an offer';
  const place = has(data, 'listing') ? ` of the listing ${text(data, 'listing')}` : '';
  switch (data['change']) {
    case 'created':
      return [`${who} created ${offer}${place}.`, linkText(data)];
    case 'edited':
      return [`${who} edited ${offer}${place}.`, changesText(data) ?? linkText(data)];
    case 'paused':
      return `${who} paused ${offer}${place}.`;
    case 'resumed':
      return `${who} resumed ${offer}${place}.`;
    case 'deleted':
      return `${who} deleted ${offer}${place}.`;
    case 'link_approved':
      return [`${who} approved the new link of ${offer}.`, linkText(data)];
    case 'link_declined':
      return [`${who} declined the new link of ${offer}.`, reasonOf(data)];
    default:
      return `${who} changed ${offer}${place}.`;
  }
}

function linkText(data: Data): string | null {
  if (!has(data, 'origin')) return null;
  const waits = data['waits'] === true ? ' and waits for approval' : '';
  return `Its redemption link leads to ${siteText(data)}${waits}.`;
}

/** An origin without `https://`. */
const siteText = (data: Data): string => text(data, 'origin').replace(/^https:\/\//, '');

/** The changes of an edit: `name: “Notes” → “Notes for teams”`. */
function changesText(data: Data): string | null {
  const { from, to } = data;
  if (!isObject(from) || !isObject(to)) return null;
  const changes = Object.keys(to).map(
    (field) => `${fieldName(field)}: ${valueText(from[field], field)} → ${valueText(to[field], field)}`,
  );
  return changes.length === 0 ? null : capital(changes.join('; '));
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  url: 'website',
  proposed_url: 'proposed website',
  offer: 'text',
  ends_at: 'end date',
};

const fieldName = (field: string): string => FIELD_NAMES[field] ?? plainWords(field);

const MAX_VALUE_LENGTH = 80;

function valueText(value: unknown, field: string): string {
  if (value === null || value === undefined) return 'none';
  if (field === 'ends_at') return String(value);
  const characters = [...String(value).replaceAll(/\s+/g, ' ')];
  const shown = characters.slice(0, MAX_VALUE_LENGTH).join('');
  return `“${isolated(`${shown}${characters.length > MAX_VALUE_LENGTH ? '…' : ''}`)}”`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const has = (data: Data, name: string): boolean => data[name] !== undefined && data[name] !== null;

const text = (data: Data, name: string): string =>
  has(data, name) ? isolated(String(data[name])) : 'unknown';

const reasonOf = (data: Data): string | null => (has(data, 'reason') ? text(data, 'reason') : null);

const keyName = (data: Data): string =>
  `the ${text(data, 'mode')} API key “${text(data, 'name')}” (${text(data, 'start')}…)`;

const operatorKeyName = (data: Data): string =>
  `the operator key “${text(data, 'name')}” (${text(data, 'start')}…)`;

const scopesText = (data: Data): string =>
  Array.isArray(data['scopes']) ? data['scopes'].join(', ') : 'unknown scopes';

const ending = (words: string, data: Data): [detail: string | null, at?: string] =>
  has(data, 'expires_at') ? [words, text(data, 'expires_at')] : [null];

const plainWords = (name: string): string => name.replace('.', ' ').replaceAll('_', ' ');
