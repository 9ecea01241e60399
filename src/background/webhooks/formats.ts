/**
 * Request formats: signed JSON, or a sentence for a chat service. The URL of a chat is itself the secret, so it is
 * stored encrypted, and the column `url` has only the part that may be shown.
 */

import {
  EVENT_TYPES,
  operatorsSentence,
  WEBHOOK_EVENT_TYPES,
  webhookOf,
} from '../../base/events/catalogue.ts';
import { invalid } from '../../platform/errors.ts';
import { inLanguage } from '../../platform/languages/language.ts';
import { type Message, message, t, type Words } from '../../platform/languages/translate.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import type { WebhookEndpointsTable } from '../../platform/store/tables/webhooks.ts';
import { isMarketplaces, TEST_EVENT_TYPE } from './endpoint.ts';
import { purposeOfWebhookSecret } from './signing.ts';

export type EndpointFormat = WebhookEndpointsTable['format'];
type ChatFormat = Exclude<EndpointFormat, 'standard'>;

interface Chat {
  readonly title: string;
  readonly isOwn: (url: URL) => boolean;
  /** Escapes text that people typed, so that it can't mention anyone, use formatting, or disguise a URL. */
  readonly inert: (text: string) => string;
  readonly contentType: string;
  readonly body: (sentence: string) => string;
}

const JSON_TYPE = 'application/json';
const MARKDOWN = /[\\`*_~|>#[\]()<]/g;
const escapeMarkdown = (text: string): string => text.replaceAll(MARKDOWN, String.raw`\$&`);
/** Breaks mentions without a visible change. */
const ZERO_WIDTH_SPACE = '\u200b';

const CHATS: Readonly<Record<ChatFormat, Chat>> = {
  slack: {
    title: 'Slack',
    isOwn: ({ hostname }) => hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com',
    // Slack uses these characters in links and mentions: `<!channel>` (docs.slack.dev, Formatting message text).
    inert: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    contentType: JSON_TYPE,
    body: (text) => JSON.stringify({ text, mrkdwn: false, unfurl_links: false, unfurl_media: false }),
  },
  discord: {
    title: 'Discord',
    isOwn: ({ hostname, pathname }) =>
      /^(?:[a-z]+\.)?discord(?:app)?\.com$/.test(hostname) &&
      /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[^/]+$/.test(pathname),
    inert: escapeMarkdown,
    contentType: JSON_TYPE,
    // Flag 4 (SUPPRESS_EMBEDS) disables link previews.
    body: (content) => JSON.stringify({ content, allowed_mentions: { parse: [] }, flags: 4 }),
  },
  mattermost: {
    title: 'Mattermost',
    isOwn: ({ pathname }) => /\/hooks\/[a-z0-9]{26}$/.test(pathname),
    // Mattermost also understands Slack's mentions, which begin with `<`.
    inert: (text) => escapeMarkdown(text).replaceAll(/[@<]/g, `$&${ZERO_WIDTH_SPACE}`),
    contentType: JSON_TYPE,
    body: (text) => JSON.stringify({ text }),
  },
  ntfy: {
    title: 'ntfy',
    isOwn: ({ hostname }) => hostname === 'ntfy.sh',
    inert: (text) => text,
    contentType: 'text/plain; charset=utf-8',
    body: (sentence) => sentence,
  },
};

const CHAT_FORMATS = Object.keys(CHATS) as readonly ChatFormat[];
export const ENDPOINT_FORMATS: readonly EndpointFormat[] = ['standard', ...CHAT_FORMATS];

export const formatTitle = (format: EndpointFormat): Words =>
  format === 'standard' ? message('Signed JSON') : CHATS[format].title;

const chatOf = (url: URL): ChatFormat | null =>
  CHAT_FORMATS.find((format) => CHATS[format].isOwn(url)) ?? null;

/** If `name` is empty, detects the format from the URL. Refuses a format that the chat at the URL doesn't accept. */
export function formatFor(url: string, name: string): EndpointFormat {
  const own = chatOf(new URL(url));
  if (name === '') return own ?? 'standard';
  const format = ENDPOINT_FORMATS.find((one) => one === name);
  if (format === undefined) throw invalid(message('Choose a format.'));
  if (own !== null && own !== format) {
    throw invalid(
      message('This is a {title} URL, and {title} doesn’t accept the format {format}.', {
        title: CHATS[own].title,
        format: formatTitle(format),
      }),
    );
  }
  return format;
}

const SHOWN_END = 4;
/**
 * The end of a URL's last path segment is shown only if the segment is at least this long. Four characters would reveal
 * too much of a shorter segment.
 */
const LONG_END = 20;

/** The part of a chat's URL that may be shown: the origin and, if the last segment is long, its last characters. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  const end = pathname.split('/').at(-1) ?? '';
  return `${origin}/…${end.length >= LONG_END ? end.slice(-SHOWN_END) : ''}`;
}

type StoredAddress = Pick<WebhookEndpointsTable, 'id' | 'format' | 'url' | 'secret'>;

/** The URL for requests; `null` if no configured secret key can decrypt it. */
export const addressOf = (box: SecretBox, { id, format, url, secret }: StoredAddress): string | null =>
  format === 'standard' ? url : box.decrypt(secret, purposeOfWebhookSecret(id));

/** Removes the secret parts of a chat's URL from the chat's response, because ntfy echoes the topic. */
export const withoutAddress = (text: string, address: string): string =>
  new URL(address).pathname
    .split('/')
    .filter((part) => part.length > 2)
    .reduce((text, part) => text.replaceAll(part, '…'), text);

/** `payload`: the stored message, as JSON. `language`: of the sentence for a chat. */
export function requestOf(
  endpoint: Pick<WebhookEndpointsTable, 'format' | 'account_id'>,
  payload: string,
  language: string,
) {
  const { format } = endpoint;
  if (format === 'standard') return { contentType: JSON_TYPE, body: payload };
  const { inert, contentType, body } = CHATS[format];
  const stored = JSON.parse(payload) as StoredMessage;
  const sentence = inLanguage(language, () => sentenceOf(stored, isMarketplaces(endpoint), inert));
  return { contentType, body: body(sentence) };
}

interface StoredMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Maximum length of a value before escaping. Escaping for Discord can double the length. A sentence contains up to
 * three values, and Discord accepts at most 2,000 characters.
 */
const MAX_TEXT_LENGTH = 250;

function sentenceOf({ type, data }: StoredMessage, isForOperators: boolean, inert: Chat['inert']): string {
  if (type === TEST_EVENT_TYPE) return t('This is a test event');
  const read = (member: string): string => {
    const value = data[member];
    if (typeof value !== 'string') return '';
    const line = [...value.replaceAll(/\s+/g, ' ')];
    return inert(
      line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH).join('')}…` : line.join(''),
    );
  };
  const sentence = isForOperators ? operatorsMessage(type, read) : ownersMessage(type, read);
  // Another version may have stored the message of a type that this version doesn't know.
  if (sentence === undefined) return inert(type);
  const text = data['mode'] === 'test' ? t('Test: {sentence}', { sentence }) : t(sentence);
  // The link is this service's own, so it needs no escaping.
  return isForOperators && typeof data['url'] === 'string' ? `${text} ${data['url']}` : text;
}

type Read = (member: string) => string;

function ownersMessage(name: string, read: Read): Message | undefined {
  const type = WEBHOOK_EVENT_TYPES.find((one) => one === name);
  return type && webhookOf(type).chat(read);
}

function operatorsMessage(name: string, read: Read): Message | undefined {
  const type = EVENT_TYPES.find((one) => one === name);
  return type && operatorsSentence(type, read);
}
