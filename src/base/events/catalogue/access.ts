/** Events about what may act for an account: keys, webhook endpoints and members. */
import { type Message, message } from '../../../platform/languages/translate.ts';
import { always, type Detail, event, publicEvent } from '../event-kind.ts';
import {
  COUNT,
  type DataOf,
  EDIT,
  fact,
  listing,
  network,
  optional,
  person,
  type StoredOf,
  type TextsOf,
} from '../members.ts';
import { ending, siteText, variant, yesNo } from '../sentence-parts.ts';
import { KEY_DATA, KEY_IN_BROWSER_DATA, ROLLED_KEY_DATA } from './webhook-data.ts';

const EXPIRES_AT = optional(fact());
const NETWORKS = { networks: optional(network()) };
const END = { revoked_at: optional(fact()), expires_at: EXPIRES_AT };
const NEW_KEY = { new_id: fact(), new_start: fact() };

const OPERATOR_KEY = { name: person(), start: fact() };
const KEY = { ...OPERATOR_KEY, mode: fact<'live' | 'test'>() };

type KeyTexts = Pick<TextsOf<typeof KEY>, 'name' | 'start'>;

const keyValues = ({ name, start }: KeyTexts, { mode }: StoredOf<typeof KEY>) => ({
  name,
  start,
  mode: variant(mode, ['live', 'test']),
});
const operatorKeyValues = ({ name, start }: KeyTexts) => ({ name, start });

interface KeyEvent {
  readonly subjectId: string;
  readonly data: StoredOf<typeof KEY>;
}

const keyBody = ({ subjectId, data: { name, mode, start } }: KeyEvent) => ({
  key_id: subjectId,
  name: name ?? null,
  mode: mode ?? null,
  start: start ?? null,
});

/** `networks`: separated by commas; `null`: all. */
const networksText = (networks: string | null | undefined): Message =>
  networks == null
    ? message('It may be used from everywhere.')
    : message('It may be used only from {networks}.', { networks });

/** `chat`: what happened to the key. */
const keyWebhook = (chat: (values: { readonly name: string }) => Message) => ({
  data: KEY_DATA,
  body: keyBody,
  chat: (read: (member: 'name') => string) => chat({ name: read('name') }),
});

const DISABLED = {
  gone: message('It responded with 410 Gone.'),
  failing: message('Every request to it had failed for five days.'),
  manual: null,
  member_gone: null,
};

/**
 * `manual`: the owner disabled the endpoint. `gone`: it responded with 410. `failing`: it failed for days. `member_gone`:
 * the person who set its URL or secret lost their role (`endRole`).
 */
export type DisabledReason = keyof typeof DISABLED;

/**
 * Only the origin of the address, because the path and the query may contain a secret. `marketplace`: the endpoint belongs
 * to the marketplace, and all operators share it.
 */
const ENDPOINT = { origin: fact(), marketplace: optional(fact<true>()) };
const ENDPOINT_EVENTS = { ...ENDPOINT, event_types: fact<readonly string[]>() };

const endpointValues = (
  { origin }: { readonly origin: string },
  { marketplace }: StoredOf<typeof ENDPOINT>,
) => ({ site: siteText(origin), isShared: yesNo(marketplace === true) });

/** What ended with a role (`endRole`), and how many of each; when the API keys stop working that the person created. */
const ENDED = {
  invitations: COUNT,
  endpoints: COUNT,
  endpoints_kept: COUNT,
  keys_kept: COUNT,
  keys: COUNT,
  keys_end_at: optional(fact()),
};

export type EndedParts = DataOf<typeof ENDED>;

const ENDED_TEXTS = {
  invitations: (count: string) => message('Invitations ended: {count}.', { count }),
  endpoints: (count: string) => message('Webhook endpoints paused: {count}.', { count }),
  endpoints_kept: (count: string) => message('Webhook endpoints handed over: {count}.', { count }),
  keys_kept: (count: string) => message('API keys that the person may keep using: {count}.', { count }),
  keys: (count: string) => message('API keys that the person created: {count}.', { count }),
};

function endedTexts(
  texts: TextsOf<typeof ENDED>,
  { keys_end_at }: StoredOf<typeof ENDED>,
): readonly Detail[] {
  const counts = Object.entries(ENDED_TEXTS).flatMap(([part, text]) => {
    const count = texts[part as keyof typeof ENDED_TEXTS];
    return count === null ? [] : [text(count)];
  });
  if (counts.length === 0) return [];
  return [...counts, ending(message('These keys stop working on {time}.'), keys_end_at)];
}

/** `slug`: `null` for the whole marketplace. */
const LINK = { slug: optional(listing()) };
const linkValues = ({ slug }: TextsOf<typeof LINK>) => ({
  of: slug === null ? 'marketplace' : 'listing',
  listing: slug ?? '',
});

type Role = 'owner' | 'member';
const ROLE = { role: fact<Role>() };
const roleValues = ({ role }: StoredOf<typeof ROLE>) => ({ role: variant(role, ['owner', 'member']) });
/** The owner gets mail if API keys stop working. */
const KEYS_END = {
  problems: ({ keys, keys_end_at }: StoredOf<typeof ENDED>): boolean =>
    Number(keys ?? 0) > 0 && typeof keys_end_at === 'string',
};

export const ACCESS = {
  'key.created': publicEvent({
    title: message('API key created'),
    data: { ...KEY, ...NETWORKS, expires_at: EXPIRES_AT },
    audit: (texts, data) => [
      message(
        '{who} created the {mode, select, test {test} other {live}} API key “{name}” ({start}…).',
        keyValues(texts, data),
      ),
      data.networks == null ? null : networksText(data.networks),
      ending(message('It expires {time}.'), data.expires_at),
    ],
    webhook: keyWebhook((values) => message('API key created: {name}', values)),
  }),
  'key.rolled': publicEvent({
    title: message('API key rolled'),
    data: { ...KEY, ...NEW_KEY, ...END },
    audit: (texts, data) => [
      message(
        '{who} rolled the {mode, select, test {test} other {live}} API key “{name}” ({start}…).',
        keyValues(texts, data),
      ),
      ending(message('The old key works until {time}.'), data.expires_at),
    ],
    webhook: {
      data: ROLLED_KEY_DATA,
      body: (event) => ({
        ...keyBody(event),
        new_key_id: event.data.new_id ?? null,
        ends_at: event.data.revoked_at ?? event.data.expires_at ?? null,
      }),
      chat: (read) => message('API key rolled: {name}', { name: read('name') }),
    },
  }),
  'key.networks_changed': publicEvent({
    title: message('Networks of an API key changed'),
    data: { ...KEY, ...NETWORKS },
    audit: (texts, data) => [
      message(
        '{who} changed the networks of the {mode, select, test {test} other {live}} API key “{name}” ({start}…).',
        keyValues(texts, data),
      ),
      networksText(data.networks),
    ],
    webhook: keyWebhook((values) => message('Networks of an API key changed: {name}', values)),
  }),
  'key.revoked': publicEvent({
    title: message('API key revoked'),
    data: KEY,
    audit: (texts, data) =>
      message(
        '{who} revoked the {mode, select, test {test} other {live}} API key “{name}” ({start}…).',
        keyValues(texts, data),
      ),
    webhook: keyWebhook((values) => message('API key revoked: {name}', values)),
  }),
  'key.seen_in_browser': publicEvent({
    title: message('API key sent by a browser'),
    data: { origin: optional(fact()), ip: optional(network()), request_id: fact() },
    // The actor of this event is the key itself.
    audit: ({ origin }) =>
      origin === null
        ? message('{who} was sent by a browser.')
        : message('{who} was sent by a browser from {origin}.', { origin }),
    notices: { problems: always },
    webhook: {
      data: KEY_IN_BROWSER_DATA,
      body: ({ subjectId, data }) => ({ key_id: subjectId, origin: data.origin ?? null }),
      chat: () => message('A browser sent an API key. Roll the key: anyone who opened the page may have it'),
    },
  }),
  'operator_key.created': event({
    title: message('Operator key created'),
    data: { ...OPERATOR_KEY, ...NETWORKS, scopes: fact<readonly string[]>(), expires_at: EXPIRES_AT },
    audit: (texts, { scopes, networks, expires_at }) => [
      message('{who} created the operator key “{name}” ({start}…) for {scopes}.', {
        ...operatorKeyValues(texts),
        scopes: Array.isArray(scopes) ? scopes.join(', ') : message('unknown scopes'),
      }),
      networks == null ? null : networksText(networks),
      ending(message('It expires {time}.'), expires_at),
    ],
  }),
  'operator_key.replaced': event({
    title: message('Operator key replaced'),
    data: { ...OPERATOR_KEY, ...NEW_KEY, ...END },
    audit: (texts, { expires_at }) => [
      message('{who} replaced the operator key “{name}” ({start}…).', operatorKeyValues(texts)),
      ending(message('The old key works until {time}.'), expires_at),
    ],
  }),
  'operator_key.networks_changed': event({
    title: message('Networks of an operator key changed'),
    data: { ...OPERATOR_KEY, ...NETWORKS },
    audit: (texts, { networks }) => [
      message(
        '{who} changed the networks of the operator key “{name}” ({start}…).',
        operatorKeyValues(texts),
      ),
      networksText(networks),
    ],
  }),
  'operator_key.revoked': event({
    title: message('Operator key revoked'),
    data: OPERATOR_KEY,
    audit: (texts) =>
      message('{who} revoked the operator key “{name}” ({start}…).', operatorKeyValues(texts)),
  }),
  'endpoint.created': event({
    title: message('Webhook endpoint created'),
    data: ENDPOINT_EVENTS,
    audit: (texts, data) =>
      message(
        '{who} created a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
  }),
  'endpoint.changed': event({
    title: message('Webhook endpoint changed'),
    data: { ...EDIT, ...ENDPOINT_EVENTS },
    audit: (texts, data) =>
      message(
        '{who} changed a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
  }),
  'endpoint.disabled': event({
    title: message('Webhook endpoint disabled'),
    data: { ...ENDPOINT, reason: fact<DisabledReason>() },
    audit: (texts, data) => [
      message(
        '{who} disabled a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
      data.reason != null && Object.hasOwn(DISABLED, data.reason) ? DISABLED[data.reason] : null,
    ],
    notices: {
      problems: ({ reason }) => reason != null && reason !== 'manual' && Object.hasOwn(DISABLED, reason),
    },
  }),
  'endpoint.enabled': event({
    title: message('Webhook endpoint enabled'),
    data: ENDPOINT,
    audit: (texts, data) =>
      message(
        '{who} enabled a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
  }),
  'endpoint.secret_rolled': event({
    title: message('Secret of a webhook endpoint rolled'),
    data: { ...ENDPOINT, old_expires_at: fact() },
    audit: (texts, data) =>
      message(
        '{who} rolled the secret of a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
  }),
  'endpoint.deleted': event({
    title: message('Webhook endpoint deleted'),
    data: ENDPOINT,
    audit: (texts, data) =>
      message(
        '{who} deleted a webhook endpoint{isShared, select, yes { of the marketplace} other {}} at {site}.',
        endpointValues(texts, data),
      ),
  }),
  'access_link.created': event({
    title: message('Invitation link created'),
    data: { ...LINK, people: fact<number>(), expires_at: fact() },
    audit: (texts, { expires_at }) => [
      message(
        '{who} created an invitation link to {of, select, listing {the listing {listing}} other {the marketplace}} for at most {people} people.',
        { ...linkValues(texts), people: texts.people },
      ),
      ending(message('It works until {time}.'), expires_at),
    ],
  }),
  'access_link.revoked': event({
    title: message('Invitation link revoked'),
    data: LINK,
    audit: (texts) =>
      message(
        '{who} revoked an invitation link to {of, select, listing {the listing {listing}} other {the marketplace}}.',
        linkValues(texts),
      ),
  }),
  'access_link.used': event({
    title: message('Invitation link used'),
    data: LINK,
    audit: (texts) =>
      message(
        '{who} used an invitation link to {of, select, listing {the listing {listing}} other {the marketplace}}.',
        linkValues(texts),
      ),
  }),
  'member.invited': event({
    title: message('Member invited'),
    data: { ...ROLE, again: optional(fact<true>()) },
    audit: (_, data) =>
      data.again === true
        ? message(
            '{who} resent an invitation to work in the account as {role, select, owner {an owner} other {a member}}.',
            roleValues(data),
          )
        : message(
            '{who} invited somebody to work in the account as {role, select, owner {an owner} other {a member}}.',
            roleValues(data),
          ),
  }),
  'member.invitation_withdrawn': event({
    title: message('Invitation of a member withdrawn'),
    data: {},
    audit: () => message('{who} withdrew an invitation to work in the account.'),
  }),
  'member.joined': event({
    title: message('Member joined'),
    data: ROLE,
    audit: (_, data) =>
      message(
        '{who} joined the account as {role, select, owner {an owner} other {a member}}.',
        roleValues(data),
      ),
  }),
  'member.role_changed': event({
    title: message('Role of a member changed'),
    data: { from: fact<Role>(), to: fact<Role>(), ...ENDED },
    audit: (texts, data) => [
      message(
        '{who} changed the role of a member from {from, select, owner {owner} other {member}} to {to, select, owner {owner} other {member}}.',
        { from: variant(data.from, ['owner']), to: variant(data.to, ['owner']) },
      ),
      ...endedTexts(texts, data),
    ],
  }),
  'member.left': event({
    title: message('Member left'),
    data: ENDED,
    audit: (texts, data) => [message('{who} left the account.'), ...endedTexts(texts, data)],
    notices: KEYS_END,
  }),
  'member.removed': event({
    title: message('Member removed'),
    data: ENDED,
    audit: (texts, data) => [message('{who} removed a member from the account.'), ...endedTexts(texts, data)],
  }),
  'member.suspended': event({
    title: message('Access of a suspended member ended'),
    data: ENDED,
    audit: (texts, data) => [
      message('{who} ended what a suspended person could do in the account.'),
      ...endedTexts(texts, data),
    ],
    notices: KEYS_END,
  }),
};
