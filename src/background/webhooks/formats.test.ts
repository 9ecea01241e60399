import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { SOFTWARE } from '../../platform/text/text.ts';
import { TEST_EVENT_TYPE } from './endpoint.ts';
import {
  ENDPOINT_FORMATS,
  type EndpointFormat,
  formatFor,
  requestOf,
  shownUrl,
  withoutAddress,
} from './formats.ts';

const SLACK = 'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstwxyz';
const DISCORD = 'https://discord.com/api/webhooks/1234567890/ab-cd_efghijklmnopqrstuvwxyz0123456789';
const MATTERMOST = 'https://chat.example.com/hooks/abcdefghijklmnopqrstuvwxyz';

test('formatFor detects the format from the URL and rejects a format that the chat does not accept', () => {
  for (const [url, format] of [
    [SLACK, 'slack'],
    [DISCORD, 'discord'],
    ['https://ptb.discordapp.com/api/v10/webhooks/1/abc', 'discord'],
    [MATTERMOST, 'mattermost'],
    ['https://ntfy.sh/topic', 'ntfy'],
    ['https://slack.com.example/services/x', 'standard'],
    ['https://app.example/webhooks', 'standard'],
    // Discord accepts the Slack format at this URL.
    [`${DISCORD}/slack`, 'standard'],
  ] as const) {
    expect(formatFor(url, '')).toBe(format);
    expect(formatFor(url, format)).toBe(format);
  }
  expect(formatFor(`${DISCORD}/slack`, 'slack')).toBe('slack');
  expect(formatFor('https://ntfy.example/topic', 'ntfy')).toBe('ntfy');
  expect(() => formatFor(SLACK, 'standard')).toThrow(
    'Slack URL, and Slack doesn’t accept the format Signed JSON',
  );
  expect(() => formatFor(DISCORD, 'slack')).toThrow('Discord URL');
  expect(() => formatFor(SLACK, '__proto__')).toThrow('Choose a format.');
});

test('a chat URL is displayed without its secret parts', () => {
  expect(shownUrl(SLACK)).toBe('https://hooks.slack.com/…wxyz');
  expect(shownUrl('https://ntfy.sh/my-topic?auth=c2VjcmV0')).toBe('https://ntfy.sh/…');
  expect(new URL(shownUrl(SLACK)).host).toBe('hooks.slack.com');
  expect(withoutAddress('{"topic":"my-topic"}', 'https://ntfy.sh/my-topic')).toBe('{"topic":"…"}');
});

const OWNER_ID = '00000000-0000-4000-8000-000000000000';

const sentTo = (format: EndpointFormat, message: object, { account_id = OWNER_ID, language = 'en' } = {}) =>
  requestOf({ format, account_id }, JSON.stringify(message), language);

describe('user text in chat messages', () => {
  const NASTY =
    '<!channel> <@U1> @everyone @here **bold** [x](https://evil.example) `code` # head\n> quote <https://evil.example|bank> &lt;';
  const bodyOf = (format: EndpointFormat, data: object, type = 'claim.created') => {
    const { body } = sentTo(format, { type, data: { mode: 'live', ...data } });
    return format === 'ntfy' ? { text: body } : JSON.parse(body);
  };
  const offer = { offer: NASTY, listing: 'acme', via: 'news' };

  test('cannot mention anyone or add formatting in Slack', () => {
    const { text, ...rest } = bodyOf('slack', offer);
    expect(text).not.toMatch(/[<>]/);
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).toContain('&amp;lt;');
    expect(rest).toEqual({ mrkdwn: false, unfurl_links: false, unfurl_media: false });
  });

  test('cannot mention anyone or add formatting in Discord', () => {
    const { content, ...rest } = bodyOf('discord', offer);
    expect(rest).toEqual({ allowed_mentions: { parse: [] }, flags: 4 });
    expect(content).toContain('\\*\\*bold\\*\\* \\[x\\]\\(https://evil.example\\)');
    expect(content).toContain('\\<@U1\\>');
  });

  test('cannot mention anyone or add formatting in Mattermost', () => {
    const { text } = bodyOf('mattermost', offer);
    expect(text).not.toMatch(/@(?!\u200b)|<(?!\u200b)/);
    expect(text).toContain('\\*\\*bold\\*\\*');
  });

  test('is put on one line and truncated to fit Discord’s length limit', () => {
    const long = { offer: '*'.repeat(5_000), listing: '*'.repeat(5_000), via: '*'.repeat(5_000) };
    for (const format of ['slack', 'discord', 'mattermost', 'ntfy'] as const) {
      const body = bodyOf(format, long);
      const text: string = body.text ?? body.content;
      expect(text.length).toBeLessThan(2_000);
      expect(bodyOf(format, offer).text ?? bodyOf(format, offer).content).not.toContain('\n');
    }
  });
});

test.each([
  [OWNER_ID, WEBHOOK_EVENT_TYPES],
  [MARKETPLACE_ID, EVENT_TYPES],
])(
  'every event of %s has a message in every format, even if all its data is missing',
  (account_id, types) => {
    for (const type of [...types, TEST_EVENT_TYPE]) {
      for (const format of ENDPOINT_FORMATS) {
        const { body } = sentTo(format, { type, data: {} }, { account_id });
        expect(body).not.toContain('undefined');
        expect(body).not.toContain(SOFTWARE);
        if (format === 'standard') expect(body).toBe(JSON.stringify({ type, data: {} }));
      }
    }
  },
);

const CLAIM = { mode: 'test', offer: '20% off', listing: 'acme', listing_name: 'Acme Notes', via: null };

test('a chat gets a sentence with the name of the listing, in the language of the marketplace', () => {
  const redeemed = { type: 'claim.redeemed', data: CLAIM };
  const { body, contentType } = sentTo('ntfy', redeemed);
  expect([body, contentType]).toEqual([
    'Test: Claim redeemed: 20% off (Acme Notes)',
    'text/plain; charset=utf-8',
  ]);
  expect(sentTo('ntfy', redeemed, { language: 'de' }).body).toBe(
    'Test: Gutschein eingelöst: 20% off (Acme Notes)',
  );
  const rejected = { type: 'listing.rejected', data: { listing: 'acme', reason: 'No price.' } };
  expect(sentTo('ntfy', rejected).body).toBe('Listing acme was rejected: No price.');
  const changed = { type: 'offer.changed', data: { ...CLAIM, mode: null, change: 'constructor' } };
  expect(sentTo('ntfy', changed).body).toBe('Offer changed: 20% off (Acme Notes)');
});

test('operators’ chats get a link to the desk, and owners’ chats get none', () => {
  const url = 'https://claims.example/desk/listings/1';
  const data = { listing: 'acme', listing_name: 'Acme <Notes>', url };
  const submitted = { type: 'listing.submitted', data };
  const { body } = sentTo('slack', submitted, { account_id: MARKETPLACE_ID });
  expect(JSON.parse(body).text).toBe(`Listing submitted for review: Acme &lt;Notes&gt; ${url}`);
  expect(sentTo('ntfy', { type: 'listing.approved', data }).body).toBe('Listing Acme <Notes> is live');
  // An owner’s endpoint has no sentence for an event of the marketplace.
  expect(sentTo('ntfy', submitted).body).toBe('listing.submitted');
});
