/** Events about what may act for an account: keys, webhook endpoints and members. */
import { type Message, message } from '../../../platform/languages/translate.ts';
import { always, type Detail, event, publicEvent } from '../event-kind.ts';
import {
  type DataOf,
  EDIT,
  fact,
  network,
  optional,
  person,
  type StoredOf,
  type TextsOf,
} from '../members.ts';
import { ending, siteText, textFor } from '../sentence-parts.ts';

const EXPIRES_AT = optional(fact());
const END = { revoked_at: optional(fact()), expires_at: EXPIRES_AT };
const NEW_KEY = { new_id: fact(), new_start: fact() };

const OPERATOR_KEY = { name: person(), start: fact() };
const KEY = { ...OPERATOR_KEY, mode: fact<'live' | 'test'>() };

type KeyTexts = TextsOf<typeof KEY>;
const keyText = ({ mode, name, start }: KeyTexts): string => `the ${mode} API key “${name}” (${start}…)`;
const operatorKeyText = ({ name, start }: Omit<KeyTexts, 'mode'>): string =>
  `the operator key “${name}” (${start}…)`;

interface KeyEvent {
  readonly subjectId: string;
  readonly data: StoredOf<typeof KEY>;
}

const keyBody = ({ subjectId, data: { name, mode, start } }: KeyEvent) => ({
  key_id: subjectId,
  name,
  mode,
  start,
});

/** `chat`: what happened to the key. */
const keyWebhook = (chat: (values: { readonly name: string }) => Message) => ({
  body: keyBody,
  chat: (read: (member: 'name') => string) => chat({ name: read('name') }),
});

const DISABLED = {
  gone: 'It responded with 410 Gone.',
  failing: 'Every request to it had failed for five days.',
  manual: '',
  member_gone: '',
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

const endpointText = ({ marketplace }: StoredOf<typeof ENDPOINT>): string =>
  marketplace === true ? 'a webhook endpoint of the marketplace' : 'a webhook endpoint';

const COUNT = optional(fact<number>());

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

const ENDED_NAMES = {
  invitations: 'Invitations ended',
  endpoints: 'Webhook endpoints paused',
  endpoints_kept: 'Webhook endpoints handed over',
  keys_kept: 'API keys that the person may keep using',
  keys: 'API keys that the person created',
};

function endedText(texts: TextsOf<typeof ENDED>, { keys_end_at }: StoredOf<typeof ENDED>): Detail {
  const counts = Object.entries(ENDED_NAMES).flatMap(([part, name]) => {
    const count = texts[part as keyof typeof ENDED_NAMES];
    return count === null ? [] : [`${name}: ${count}.`];
  });
  if (counts.length === 0) return null;
  const words = counts.join(' ');
  return ending(`${words} These keys stop working on`, keys_end_at) ?? words;
}

type Role = 'owner' | 'member';
const ROLE = { role: fact<Role>() };
const roleText = (role: Role | null | undefined): string => (role === 'owner' ? 'an owner' : 'a member');
/** The owner gets mail if API keys stop working. */
const KEYS_END = {
  problems: ({ keys, keys_end_at }: StoredOf<typeof ENDED>): boolean =>
    Number(keys ?? 0) > 0 && typeof keys_end_at === 'string',
};

export const ACCESS = {
  'key.created': publicEvent({
    title: message('API key created'),
    data: { ...KEY, expires_at: EXPIRES_AT },
    audit: (texts, { expires_at }) => [`created ${keyText(texts)}`, ending('It expires', expires_at)],
    webhook: keyWebhook((values) => message('API key created: {name}', values)),
  }),
  'key.rolled': publicEvent({
    title: message('API key rolled'),
    data: { ...KEY, ...NEW_KEY, ...END },
    audit: (texts, { expires_at }) => [
      `rolled ${keyText(texts)}`,
      ending('The old key works until', expires_at),
    ],
    webhook: {
      body: (event) => ({
        ...keyBody(event),
        new_key_id: event.data.new_id,
        ends_at: event.data.revoked_at ?? event.data.expires_at ?? null,
      }),
      chat: (read) => message('API key rolled: {name}', { name: read('name') }),
    },
  }),
  'key.revoked': publicEvent({
    title: message('API key revoked'),
    data: KEY,
    audit: (texts) => `revoked ${keyText(texts)}`,
    webhook: keyWebhook((values) => message('API key revoked: {name}', values)),
  }),
  'key.seen_in_browser': publicEvent({
    title: message('API key sent by a browser'),
    data: { origin: optional(fact()), ip: optional(network()), request_id: fact() },
    // The actor of this event is the key itself.
    audit: ({ origin }) => `was sent by a browser${origin === null ? '' : ` from ${origin}`}`,
    notices: { problems: always },
    webhook: {
      body: ({ subjectId, data }) => ({ key_id: subjectId, origin: data.origin ?? null }),
      chat: () => message('A browser sent an API key. Roll the key: anyone who opened the page may have it'),
    },
  }),
  'operator_key.created': event({
    title: message('Operator key created'),
    data: { ...OPERATOR_KEY, scopes: fact<readonly string[]>(), expires_at: EXPIRES_AT },
    audit: (texts, { scopes, expires_at }) => [
      `created ${operatorKeyText(texts)} for ${Array.isArray(scopes) ? scopes.join(', ') : 'unknown scopes'}`,
      ending('It expires', expires_at),
    ],
  }),
  'operator_key.replaced': event({
    title: message('Operator key replaced'),
    data: { ...OPERATOR_KEY, ...NEW_KEY, ...END },
    audit: (texts, { expires_at }) => [
      `replaced ${operatorKeyText(texts)}`,
      ending('The old key works until', expires_at),
    ],
  }),
  'operator_key.revoked': event({
    title: message('Operator key revoked'),
    data: OPERATOR_KEY,
    audit: (texts) => `revoked ${operatorKeyText(texts)}`,
  }),
  'endpoint.created': event({
    title: message('Webhook endpoint created'),
    data: ENDPOINT_EVENTS,
    audit: ({ origin }, data) => `created ${endpointText(data)} at ${siteText(origin)}`,
  }),
  'endpoint.changed': event({
    title: message('Webhook endpoint changed'),
    data: { ...EDIT, ...ENDPOINT_EVENTS },
    audit: ({ origin }, data) => `changed ${endpointText(data)} at ${siteText(origin)}`,
  }),
  'endpoint.disabled': event({
    title: message('Webhook endpoint disabled'),
    data: { ...ENDPOINT, reason: fact<DisabledReason>() },
    audit: ({ origin }, data) => [
      `disabled ${endpointText(data)} at ${siteText(origin)}`,
      textFor(DISABLED, data.reason) || null,
    ],
    notices: {
      problems: ({ reason }) => reason != null && reason !== 'manual' && Object.hasOwn(DISABLED, reason),
    },
  }),
  'endpoint.enabled': event({
    title: message('Webhook endpoint enabled'),
    data: ENDPOINT,
    audit: ({ origin }, data) => `enabled ${endpointText(data)} at ${siteText(origin)}`,
  }),
  'endpoint.secret_rolled': event({
    title: message('Secret of a webhook endpoint rolled'),
    data: { ...ENDPOINT, old_expires_at: fact() },
    audit: ({ origin }, data) => `rolled the secret of ${endpointText(data)} at ${siteText(origin)}`,
  }),
  'endpoint.deleted': event({
    title: message('Webhook endpoint deleted'),
    data: ENDPOINT,
    audit: ({ origin }, data) => `deleted ${endpointText(data)} at ${siteText(origin)}`,
  }),
  'member.invited': event({
    title: message('Member invited'),
    data: ROLE,
    audit: (_, { role }) => `invited somebody to work in the account as ${roleText(role)}`,
  }),
  'member.invitation_withdrawn': event({
    title: message('Invitation of a member withdrawn'),
    data: {},
    audit: () => 'withdrew an invitation to work in the account',
  }),
  'member.joined': event({
    title: message('Member joined'),
    data: ROLE,
    audit: (_, { role }) => `joined the account as ${roleText(role)}`,
  }),
  'member.role_changed': event({
    title: message('Role of a member changed'),
    data: { from: fact<Role>(), to: fact<Role>(), ...ENDED },
    audit: (texts, data) => [
      `changed the role of a member from ${texts.from} to ${texts.to}`,
      endedText(texts, data),
    ],
  }),
  'member.left': event({
    title: message('Member left'),
    data: ENDED,
    audit: (texts, data) => ['left the account', endedText(texts, data)],
    notices: KEYS_END,
  }),
  'member.removed': event({
    title: message('Member removed'),
    data: ENDED,
    audit: (texts, data) => ['removed a member from the account', endedText(texts, data)],
  }),
  'member.suspended': event({
    title: message('Access of a suspended member ended'),
    data: ENDED,
    audit: (texts, data) => ['ended what a suspended person could do in the account', endedText(texts, data)],
    notices: KEYS_END,
  }),
};
