/** Describes events in English: a sentence with the actor and the action, and optional details. */

import type { EventRecord, EventType } from '../../../base/events/queries.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';

export type LoggedEvent = Omit<EventRecord, 'seq' | 'accountId'>;

export interface EventWords {
  /** Such as `Olga approved the listing Calm Notes.` */
  readonly sentence: string;
  /** Further facts, such as the reason or the changes; `null` if there are none. */
  readonly detail: string | null;
  /** ISO 8601 UTC time, shown between the detail and the full stop. */
  readonly at?: string;
}

type Data = LoggedEvent['data'];
type Detail = string | readonly [words: string, at: string] | null;
/**
 * What the actor did. Names in braces are replaced by values of the event. If the description is a plain string, the
 * detail is the event's reason, or `null` if no reason was given.
 */
type Described = string | readonly [deed: string, detail: Detail];

type Description = Described | ((data: Data, event: LoggedEvent) => Described);

const WISHES: Readonly<Record<string, string>> = {
  plan: 'the {planName} plan',
  publish: 'permission to publish',
  name: 'the name “{name}”',
};

const wishText = ({ wish }: Data): string => WISHES[String(wish)] ?? 'something';

const SENTENCES: Readonly<Record<EventType, Description>> = {
  'account.created': ({ operator }, { actor, subjectId }) =>
    actor === `account:${subjectId}`
      ? `signed up as {email}${operator === true ? ' and became an operator' : ''}`
      : `created the ${operator === true ? 'operator ' : ''}account {email} on the {planName} plan`,
  'account.deletion_planned': (data) => [
    data['reason'] === 'unused'
      ? 'will delete the account, because nobody uses it'
      : 'asked for the deletion of the account',
    has(data, 'delete_at') ? ['It will be deleted on', text(data, 'delete_at')] : null,
  ],
  'account.deletion_undone': 'undid the deletion of the account',
  'account.deleted': 'deleted the account and its personal data',
  'account.plan_changed': 'moved the account from {fromName} to {toName}',
  'account.asked': (data) => `asked for ${wishText(data)}`,
  'account.request_withdrawn': (data) => `withdrew the request for ${wishText(data)}`,
  'account.decision_undone': ({ decision }) =>
    `undid the decision to ${decision === 'approve' ? 'approve' : 'decline'} the name “{name}”`,
  'account.request_declined': (data) => `declined the request for ${wishText(data)}`,
  'account.terms_accepted': 'accepted the terms (version {version})',
  'account.publishing_allowed': 'allowed the account to publish',
  'account.publishing_ended': 'revoked the account’s permission to publish',
  'account.operator_made': 'made the account an operator',
  'account.operator_removed': (data) => [
    'removed the operator rights of the account',
    has(data, 'operator_keys') ? `Operator keys revoked: ${text(data, 'operator_keys')}.` : null,
  ],
  'account.renamed': ({ approved }) =>
    approved === true
      ? 'approved the new name of the account, “{to}” instead of “{from}”'
      : 'changed the name of the account from “{from}” to “{to}”',
  'account.identity_linked': ({ replaced }) =>
    `linked the account to an identity from {issuer}${replaced === true ? '; all earlier sign-in methods, keys and webhooks were removed, because the email address had never been confirmed' : ''}`,
  'account.email_confirmed': ({ replaced }) =>
    `confirmed the email address of the account${replaced === true ? '; all earlier sign-in methods, members, invitations, keys and webhooks were removed' : ''}`,
  'settings.changed': (data) => ['changed the settings', text(data, 'changes')],
  'account.suspended': 'suspended the account',
  'account.restored': 'ended the suspension of the account',
  'account.sessions_ended': 'ended all sessions of the account',
  'account.mail_resumed': 'resumed mail to the account, after the mail server had refused its address',
  'account.two_factor_reset': 'reset the second factor of the account and removed its passkeys',
  'listing.created': (data) => ['created the listing {slug}', text(data, 'url')],
  'listing.changed': 'changed the listing {slug}',
  'listing.submitted': (data) => ['submitted the listing {slug} for review', given(data, 'reply')],
  'listing.approved': (data) =>
    data['from'] === 'suspended'
      ? 'lifted the suspension of the listing {slug}'
      : ['approved the listing {slug}', has(data, 'origin') ? `Its site is ${siteText(data)}.` : null],
  'listing.changes_requested': 'asked for changes to the listing {slug}',
  'listing.rejected': 'rejected the listing {slug}',
  'listing.reported': 'reported the listing {slug}',
  'listing.reports_dismissed': 'dismissed the reports about the listing {slug}',
  'listing.withdrawn': 'withdrew the listing {slug}',
  'listing.transferred': (data) =>
    has(data, 'to_account')
      ? 'transferred the listing {slug} to another account'
      : 'transferred the listing {slug} to this account',
  'listing.suspended': 'suspended the listing {slug}',
  'offer.changed': 'changed {offerOfListing}',
  'key.created': (data) => ['created {key}', ending('It expires', data)],
  'key.rolled': (data) => ['rolled {key}', ending('The old key works until', data)],
  'key.revoked': 'revoked {key}',
  // The actor of this event is the key itself.
  'key.seen_in_browser': (data) =>
    has(data, 'origin') ? 'was sent by a browser from {origin}' : 'was sent by a browser',
  'operator_key.created': (data) => ['created {operatorKey} for {allScopes}', ending('It expires', data)],
  'operator_key.replaced': (data) => ['replaced {operatorKey}', ending('The old key works until', data)],
  'operator_key.revoked': 'revoked {operatorKey}',
  'endpoint.created': 'created a webhook endpoint at {site}',
  'endpoint.changed': 'changed a webhook endpoint at {site}',
  'endpoint.disabled': (data) => [
    'disabled a webhook endpoint at {site}',
    DISABLED[text(data, 'reason')] ?? null,
  ],
  'endpoint.enabled': 'enabled a webhook endpoint at {site}',
  'endpoint.secret_rolled': 'rolled the secret of a webhook endpoint at {site}',
  'endpoint.deleted': 'deleted a webhook endpoint at {site}',
  'member.invited': ({ role }) => `invited somebody to work in the account as ${roleText(role)}`,
  'member.invitation_withdrawn': 'withdrew an invitation to work in the account',
  'member.joined': ({ role }) => `joined the account as ${roleText(role)}`,
  'member.role_changed': (data) => ['changed the role of a member from {from} to {to}', endedText(data)],
  'member.left': (data) => ['left the account', endedText(data)],
  'member.removed': (data) => ['removed a member from the account', endedText(data)],
  'member.suspended': (data) => ['ended what a suspended person could do in the account', endedText(data)],
  'claim.created': (data) => {
    if (has(data, 'replaces')) return 'issued a claim{label} in place of a redeemed one';
    return has(data, 'claimed_at') ? 'imported a claim{label}' : 'made a claim{label}';
  },
  'claim.redeemed': 'redeemed a claim{label}',
  'session.signed_in': (data) =>
    `signed in${SIGNED_IN_BY[String(data['how'])] ?? ''}${has(data, 'ip') ? ' from {ip}' : ''}`,
  'session.sign_in_refused': (data) => [
    `could not sign in${has(data, 'network') ? ' from {network}' : ''}${REFUSED_SIGN_INS[text(data, 'failure')] ?? ''}`,
    'The audit log records at most five refused sign-ins per account in 15 minutes. The service’s log has all of them.',
  ],
  'session.signed_out': 'signed out',
  'session.revoked': 'ended a session',
  'session.password_changed': 'changed the password',
  'session.email_changed': 'changed the email address from {from} to {to}',
  'session.second_factor_on': 'turned the second factor on',
  'session.second_factor_off': 'turned the second factor off',
  'session.backup_codes_renewed': 'replaced the backup codes',
  'session.passkey_added': 'added the passkey “{name}”',
  'session.passkey_removed': 'removed the passkey “{name}”',
};

const SUBJECTS: Readonly<Record<string, string>> = {
  key: 'API key',
  endpoint: 'Webhook endpoint',
  session: '',
};

/** By event type: names in the filter that can't be derived from the type. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'account.asked': 'Account requested a plan, a name or permission to publish',
  'account.operator_made': 'Operator added',
  'account.operator_removed': 'Operator removed',
  'account.mail_resumed': 'Mail to the account resumed',
  'account.two_factor_reset': 'Second factor reset',
  'session.revoked': 'Session ended',
  'session.sign_in_refused': 'Sign-in refused',
};

/** By event type: the name in the filter, such as “API key rolled”. */
export const EVENT_TYPE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(SENTENCES).map((type) => {
    const [subject = '', deed = ''] = type.split('.');
    return [type, OTHER_NAMES[type] ?? capital(plainWords(`${SUBJECTS[subject] ?? subject} ${deed}`).trim())];
  }),
);

/** `who`: the actor's name, which begins the sentence. `listing`: the listing's name, if known. `zone`: time zone. */
export function describeEvent(
  event: LoggedEvent,
  who: string,
  {
    listing,
    zone,
    planName,
  }: {
    readonly listing?: string | undefined;
    readonly zone: string;
    readonly planName: (plan: string) => string;
  },
): EventWords {
  // A newer version may have written event types that this version doesn't know.
  const known = descriptionOf(event);
  if (known === undefined) return { sentence: `${who}: ${plainWords(event.type)}.`, detail: null };
  const named = listing === undefined ? {} : { slug: listing, listing };
  const { from, to } = event.data;
  const nameOf = (id: unknown) => (typeof id === 'string' ? planName(id) : null);
  const plans = { planName: nameOf(event.data['plan']), fromName: nameOf(from), toName: nameOf(to) };
  const data = { ...plans, ...event.data, from: withTimes(from, zone), to: withTimes(to, zone), ...named };
  const described = typeof known === 'function' ? known(data, event) : known;
  const [deed, further] = typeof described === 'string' ? [described, given(data, 'reason')] : described;
  const sentence = `${who} ${fill(deed, data)}.`;
  const through = throughText(event.data);
  const [words, at] = typeof further === 'string' || further === null ? [further] : further;
  const detail = [words, through].filter((part) => part !== null).join(' ') || null;
  return at === undefined ? { sentence, detail } : { sentence, detail, at };
}

const fill = (deed: string, data: Data): string =>
  deed.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = PARTS[name];
    return part === undefined ? text(data, name) : part(data);
  });

/** `through`: the intermediate values of an event that combines several edits. */
const throughText = ({ through }: Data): string | null =>
  Array.isArray(through)
    ? `Intermediate values: ${through.map((value) => valueText(value, '')).join(', ')}.`
    : null;

/** Fields of an offer that contain times. */
const TIMES = ['starts_at', 'ends_at'];

const withTimes = (values: unknown, zone: string): unknown =>
  isObject(values)
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          TIMES.includes(name) && typeof value === 'string' ? timeTextWithZone(zone, value) : value,
        ]),
      )
    : values;

const descriptionOf = ({ type, data }: LoggedEvent): Description | undefined =>
  EDITS[`${type}/${data['change']}`] ??
  (Object.hasOwn(SENTENCES, type) ? SENTENCES[type as EventType] : undefined);

/** Descriptions of edits, by event type and `change`. */
const EDITS: Readonly<Record<string, Description>> = {
  'listing.changed/edited': (data) => [
    `${data['waits'] === true ? 'proposed changes to' : 'edited'} the listing {slug}`,
    changesText(data),
  ],
  'listing.changed/url_approved': (data) => [
    'approved the new website of the listing {slug}',
    text(data, 'url'),
  ],
  'listing.changed/url_declined': 'declined the new website of the listing {slug}',
  'listing.changed/picture_added': (data) => `${proposedOr('set', data)} {picture} of the listing {slug}`,
  'listing.changed/picture_removed': 'removed {picture} of the listing {slug}',
  'listing.changed/picture_taken_back': 'withdrew the new version of {picture} of the listing {slug}',
  'listing.changed/pictures_approved': 'approved new pictures of the listing {slug}',
  'listing.changed/pictures_declined': 'declined new pictures of the listing {slug}',
  'listing.changed/texts_approved': 'approved changed texts of the listing {slug}',
  'listing.changed/texts_declined': 'kept the approved texts of the listing {slug}',
  'listing.changed/texts_taken_back': 'withdrew changed texts of the listing {slug}',
  'listing.changed/deleted': 'deleted the listing {slug}',
  'listing.changed/featured': 'featured the listing {slug} on the front page, as number {place}',
  'listing.changed/unfeatured': 'removed the listing {slug} from the featured row of the front page',
  'listing.changed/decision_undone': ({ decision }) =>
    `undid the decision to ${DECISIONS[String(decision)] ?? 'change'} the listing {slug}`,
  'offer.changed/created': (data) => ['created {offerOfListing}', linkText(data)],
  'offer.changed/edited': (data) => [
    `${data['waits'] === true ? 'proposed changes to' : 'edited'} {offerOfListing}`,
    changesText(data) ?? linkText(data),
  ],
  'offer.changed/paused': 'paused {offerOfListing}',
  'offer.changed/resumed': 'resumed {offerOfListing}',
  'offer.changed/deleted': 'deleted {offerOfListing}',
  'offer.changed/picture_added': (data) => `${proposedOr('set', data)} the picture of {offerOfListing}`,
  'offer.changed/picture_removed': 'removed the picture of {offerOfListing}',
  'offer.changed/picture_taken_back': 'withdrew the new picture of {offerOfListing}',
  'offer.changed/codes_added': 'added codes to {offerOfListing}',
  'offer.changed/codes_withdrawn': 'withdrew remaining codes of {offerOfListing}',
  'offer.changed/codes_released': [
    'released the withheld codes of {offerOfListing}',
    'The codes were withheld after a restore.',
  ],
  'offer.changed/link_approved': (data) => ['approved the new link of {anOffer}', linkText(data)],
  'offer.changed/link_declined': 'declined the new link of {anOffer}',
};

const proposedOr = (deed: string, { waits }: Data): string => (waits === true ? 'proposed' : deed);

const SIGNED_IN_BY: Readonly<Record<string, string>> = {
  oidc: ' through the identity provider',
  email: ' with an emailed link or code',
};

const REFUSED_SIGN_INS: Readonly<Record<string, string>> = {
  password: ': the password was wrong',
  'second-factor': ': the second factor was wrong',
  limit: ': too many attempts',
};

const DISABLED: Readonly<Record<string, string>> = {
  gone: 'It responded with 410 Gone.',
  failing: 'Every request to it had failed for five days.',
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
  approve_texts: 'approve changed texts of',
  restore_texts: 'keep the approved texts of',
  approve_pictures: 'approve new pictures of',
  decline_pictures: 'decline new pictures of',
};

function linkText(data: Data): string | null {
  if (!has(data, 'origin')) return null;
  const waits = data['waits'] === true ? ' and needs approval' : '';
  return `Its redemption link leads to ${siteText(data)}${waits}.`;
}

const siteText = (data: Data): string => text(data, 'origin').replace(/^https:\/\//, '');

/** Such as `Name: “Notes” → “Notes for teams”`. */
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
  starts_at: 'start date',
  ends_at: 'end date',
};

const fieldName = (field: string): string => FIELD_NAMES[field] ?? plainWords(field);

const MAX_VALUE_LENGTH = 81;

function valueText(value: unknown, field: string): string {
  if (value === null || value === undefined) return 'none';
  if (TIMES.includes(field)) return String(value);
  return `“${isolated(shortened(String(value).replaceAll(/\s+/g, ' '), MAX_VALUE_LENGTH))}”`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const has = (data: Data, name: string): boolean => data[name] !== undefined && data[name] !== null;

const text = (data: Data, name: string): string =>
  has(data, name) ? isolated(String(data[name])) : 'unknown';

const given = (data: Data, name: string): string | null => (has(data, name) ? text(data, name) : null);

const keyName = (kind: string, data: Data): string =>
  `the ${kind} “${text(data, 'name')}” (${text(data, 'start')}…)`;

const PARTS: Readonly<Record<string, (data: Data) => string>> = {
  key: (data) => keyName(`${text(data, 'mode')} API key`, data),
  operatorKey: (data) => keyName('operator key', data),
  allScopes: ({ scopes }) => (Array.isArray(scopes) ? scopes.join(', ') : 'unknown scopes'),
  anOffer: (data) => (has(data, 'offer') ? `the offer “${text(data, 'offer')}”` : 'an offer'),
  offerOfListing: (data) =>
    `${PARTS['anOffer']!(data)}${has(data, 'listing') ? ` of the listing ${text(data, 'listing')}` : ''}`,
  label: (data) => (has(data, 'via') ? ` with the label ${text(data, 'via')}` : ''),
  site: (data) => siteText(data),
  picture: ({ kind }) => (kind === 'icon' ? 'the icon' : 'the cover picture'),
};

const roleText = (role: unknown): string => (role === 'owner' ? 'an owner' : 'a member');

/** What ended with a role (`endRole`), and when the API keys stop working that the person created. */
function endedText(data: Data): Detail {
  const counts = ENDED_PARTS.filter(([part]) => has(data, part));
  if (counts.length === 0) return null;
  const words = counts.map(([part, label]) => `${label}: ${text(data, part)}.`).join(' ');
  return has(data, 'keys_end_at')
    ? [`${words} These keys stop working on`, text(data, 'keys_end_at')]
    : words;
}

const ENDED_PARTS = [
  ['invitations', 'Invitations ended'],
  ['endpoints', 'Webhook endpoints paused'],
  ['endpoints_kept', 'Webhook endpoints handed over'],
  ['keys_kept', 'API keys that the person may keep using'],
  ['keys', 'API keys that the person created'],
] as const;

const ending = (words: string, data: Data): Detail =>
  has(data, 'expires_at') ? [words, text(data, 'expires_at')] : null;

function plainWords(name: string): string {
  return name.replace('.', ' ').replaceAll('_', ' ');
}
