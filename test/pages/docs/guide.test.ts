/** Compares the documentation with the code: files, limits, settings and error pages. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from '@hono/zod-openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { API, OPERATIONS } from '../../../src/api/operations.ts';
import { MAX_BODY_BYTES as MAX_OPERATOR_BODY_BYTES } from '../../../src/api/operator/definitions.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '../../../src/api/owner/schemas.ts';
import { CATALOGUE_PAGE_SIZE, MAX_CATALOGUE_PAGE_SIZE } from '../../../src/api/public/catalogue.ts';
import { parseConfig } from '../../../src/app/config/config.ts';
import { docsOfSetting, SETTING_NAMES, SETTING_OF_VARIABLE } from '../../../src/app/config/settings.ts';
import {
  MAX_LINK_CHECKS_OF_DOMAIN,
  MAX_LINK_CHECKS_PER_HOUR,
} from '../../../src/background/link-checks/link-check.ts';
import {
  DEFAULT_RETENTION,
  MAX_MAIL_DAYS,
  MAX_SIGN_IN_DAYS,
  MAX_UNUSED_MONTHS,
  MIN_MAIL_DAYS,
  MIN_SIGN_IN_DAYS,
  MIN_UNUSED_MONTHS,
} from '../../../src/background/personal-data/retention.ts';
import { CHECKS, docsOfCheck } from '../../../src/background/system/check.ts';
import { MAX_ENDPOINTS } from '../../../src/background/webhooks/endpoint.ts';
import { OWNERS_MESSAGES } from '../../../src/background/webhooks/message.ts';
import { guidePath } from '../../../src/base/paths.ts';
import { MAX_CLAIMANT_LENGTH } from '../../../src/claims/claim.ts';
import { CLAIM_FILTER_NAMES } from '../../../src/claims/search/claim-filter.ts';
import { MAX_TOKEN_LENGTH, MIN_IMPORTED_TOKEN_LENGTH } from '../../../src/claims/token.ts';
import { REPLAY_WINDOW_MS } from '../../../src/claims/verify/decision/verification.ts';
import { SANDBOX_CALLS_PER_SECOND } from '../../../src/claims/verify/endpoint/endpoint.ts';
import {
  FIRST_REDEMPTION_KEPT_MS,
  FIXED_TOKENS,
  type FixedResponse,
  LATE_RESPONSE_MS,
} from '../../../src/claims/verify/endpoint/fixed-tokens.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../../src/claims/verify/endpoint/idempotency-key.ts';
import { MAX_BODY_BYTES, VERIFY_CLAIM } from '../../../src/claims/verify/endpoint/operation.ts';
import { TIMEOUT_MS } from '../../../src/claims/verify/verifier.ts';
import { MAX_LABEL_LENGTH } from '../../../src/marketplace/campaigns/label.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_LISTING_NAME_LENGTH,
  MAX_SUMMARY_LENGTH,
} from '../../../src/marketplace/listings/fields.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../../src/marketplace/listings/listing.ts';
import { MAX_CODE_LENGTH, MAX_OFFER_TEXT_LENGTH } from '../../../src/marketplace/offers/fields.ts';
import { KINDS, MAX_OFFERS_OF_LISTING } from '../../../src/marketplace/offers/offer.ts';
import { MAX_WAITING_DRAWINGS } from '../../../src/marketplace/pictures/encoder.ts';
import {
  GONE_DAYS,
  MAX_LISTS_OF_PERSON,
  MAX_WAITING_PEOPLE,
  WAITING_DAYS,
} from '../../../src/marketplace/waiting-list/waiting-list.ts';
import { errorMarkdown } from '../../../src/pages/docs/error-pages.ts';
import { FILES_ELSEWHERE, GUIDE } from '../../../src/pages/docs/guide.ts';
import { type DocPage, type Library, loadLibrary } from '../../../src/pages/docs/library.ts';
import type { Block } from '../../../src/pages/docs/markdown.ts';
import { referencePath } from '../../../src/pages/docs/reference-pages.ts';
import { FEED_LENGTH } from '../../../src/pages/market/discovery/feed.ts';
import { SITEMAP_PAGE_SIZE } from '../../../src/pages/market/discovery/sitemap.ts';
import {
  KEYS_KEPT_DAYS,
  MAX_ACCOUNT_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  UNDO_DAYS,
} from '../../../src/people/accounts/account.ts';
import {
  MAX_ACTIVE_KEYS,
  MAX_ACTIVE_OPERATOR_KEYS,
  MAX_DURATION_MS,
  MAX_KEY_NAME_LENGTH,
  MAX_KEY_NETWORKS,
  SANDBOX_KEY,
} from '../../../src/people/keys/key.ts';
import {
  MAX_ACCESS_LINKS,
  MAX_DAYS_OF_LINK,
  MAX_GRANTS_OF_PERSON,
  MAX_LINK_NAME_LENGTH,
  MAX_PEOPLE_OF_LINK,
} from '../../../src/people/visibility/access-link.ts';
import { ERRORS, type ErrorCode } from '../../../src/platform/errors.ts';
import { describeError, errorsOf, type Operation } from '../../../src/platform/http/operations/operation.ts';
import { UNKNOWN_KEYS_PER_SECOND } from '../../../src/platform/http/server/cached-keys.ts';
import { BURST_SECONDS } from '../../../src/platform/http/server/rate-limit.ts';
import { SERVER_LIMITS } from '../../../src/platform/http/server/server-limits.ts';
import { MAX_ADDRESS_LENGTH } from '../../../src/platform/network/web-address.ts';
import { MAX_REASON_LENGTH } from '../../../src/platform/text/text.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DAY_MS = 86_400_000;

let library: Library;
beforeAll(async () => {
  library = await loadLibrary(API);
});

const pageAt = (path: string): DocPage => library.pages.get(path)!;

describe('the API reference', () => {
  test('has a page for each operation, with its call, input, output and own errors', () => {
    const index = pageAt(guidePath('reference')).markdown;
    for (const operation of OPERATIONS) {
      const path = referencePath(operation);
      expect(index).toContain(`${path})`);
      const { markdown } = pageAt(path);
      const [output] = Object.values(operation.outputs);
      const members = [
        ...Object.values(operation.input).flatMap((part) => membersOf('schema' in part ? part.schema : part)),
        ...membersOf(output!.schema),
        ...Object.keys(operation.errors),
      ];
      expect(members.filter((name) => !markdown.includes(`| \`${name}\` |`), path)).toEqual([]);
      expect(markdown).toContain(`\`${operation.method.toUpperCase()} ${operation.path}\``);
      if (operation.scope !== undefined) expect(markdown).toContain(`\`${operation.scope}\``);
      // Examples name every parameter of the path.
      expect(markdown.split('## Example')[1]).not.toMatch(/^curl.*\{|=undefined/m);
    }
  });
});

describe('the page about webhook events', () => {
  test('has each type of event with its members, and an example with the same members', () => {
    const { markdown, blocks } = pageAt(guidePath('webhook-events'));
    const messages = blocks.flatMap(jsonOf).map((text) => JSON.parse(text));
    const sections = new Map(markdown.split('\n## ').map((section) => [section.split('\n', 1)[0]!, section]));
    for (const [type, { shape }] of OWNERS_MESSAGES) {
      const members = Object.keys((shape['data'] as z.ZodObject).shape);
      const section = sections.get(type) ?? '';
      const example = messages.find((message) => message.type === type);
      expect(
        members.filter((name) => !section.includes(`| \`data.${name}\` |`)),
        type,
      ).toEqual([]);
      expect(Object.keys(example.data)).toEqual(members);
      // The description of the message accepts the example.
      expect(shape['data']!.safeParse(example.data).error, type).toBeUndefined();
    }
    expect(sections.get('Headers')).toContain('| `webhook-signature` | always |');
    expect(sections.get('Headers')).toContain('| `traceparent` | sometimes |');
    expect(sections.has('endpoint.test')).toBe(true);
    expect(sections.has('marketplace')).toBe(true);
  });

  test('is linked from the reference and from the guide', () => {
    for (const name of ['reference', 'webhooks']) {
      expect(pageAt(guidePath(name)).markdown).toContain('/docs/webhook-events)');
    }
  });
});

const membersOf = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

describe('the guide', () => {
  test('includes every file of docs/guide, and its README links to all pages', () => {
    const files = globSync('docs/guide/*.md', { cwd: ROOT }).map((path) =>
      path.slice('docs/guide/'.length, -3),
    );
    const shown = GUIDE.flatMap(({ pages }) => pages);
    expect(files.filter((name) => !shown.includes(name))).toEqual([]);
    const readme = pageAt('/docs').markdown;
    const missing = shown.filter(
      (name) =>
        name !== 'README' &&
        ![`(${name}.md)`, `/docs/${name})`, `(../../${FILES_ELSEWHERE[name]})`].some((link) =>
          readme.includes(link),
        ),
    );
    expect(missing).toEqual([]);
  });

  test('uses every file in docs/snippets', () => {
    expect(globSync('*', { cwd: `${ROOT}docs/snippets` }).sort()).toEqual(
      [...library.snippets.keys()].sort(),
    );
  });

  test('has valid JSON in every JSON block', () => {
    const blocks = [...library.pages.values()].flatMap(({ blocks }) => blocks.flatMap(jsonOf));
    expect(blocks.length).toBeGreaterThan(20);
    for (const text of blocks) expect(() => JSON.parse(text), text).not.toThrow();
  });

  test('uses CHANGELOG.md as the changelog page', () => {
    const text = readFileSync(`${ROOT}${FILES_ELSEWHERE['changelog']}`, 'utf8');
    expect(pageAt('/docs/changelog').markdown).toBe(text);
  });
});

const jsonOf = (block: Block): readonly string[] => {
  if (block.type === 'list') return (block.items.flatMap(({ tokens }) => tokens) as Block[]).flatMap(jsonOf);
  return block.type === 'code' && block.lang === 'json' ? [block.text] : [];
};

describe('consistency of the guide with the code', () => {
  const text = (name: string): string => pageAt(`/docs/${name}`).markdown;
  const seconds = (ms: number): number => ms / 1_000;
  const hours = REPLAY_WINDOW_MS / 3_600_000;

  test('the limits page states the limits in the code', () => {
    const { verifyRateLimit: rate, requestLog } = parseConfig({});
    const { headersTimeoutMs, requestTimeoutMs } = SERVER_LIMITS;
    const number = new Intl.NumberFormat('en').format;
    for (const row of [
      `| verifications of one API key | ${rate} a second for each process of the service, with bursts of ${rate * BURST_SECONDS};`,
      `| verifications with the sandbox key from one network | ${SANDBOX_CALLS_PER_SECOND} a second for each process of the service, with bursts of ${SANDBOX_CALLS_PER_SECOND * BURST_SECONDS};`,
      `| unknown API keys from one network | ${UNKNOWN_KEYS_PER_SECOND} a second for each process of the service, with bursts of ${UNKNOWN_KEYS_PER_SECOND * BURST_SECONDS};`,
      `| body | ${MAX_BODY_BYTES / 1024} KiB,`,
      `| \`token\` | ${MAX_TOKEN_LENGTH} characters |`,
      `| \`Idempotency-Key\` | ${MAX_IDEMPOTENCY_KEY_LENGTH} characters |`,
      `| replay of a response by \`Idempotency-Key\` | ${hours} hours |`,
      `| time to send the headers | ${seconds(headersTimeoutMs)} seconds,`,
      `| time to send the whole request | ${seconds(requestTimeoutMs)} seconds,`,
      `| response time | ${Math.ceil(seconds(TIMEOUT_MS))} seconds,`,
      `| listings | ${MAX_LISTINGS_OF_ACCOUNT};`,
      `| offers of a listing | ${MAX_OFFERS_OF_LISTING};`,
      `| active API keys | ${MAX_ACTIVE_KEYS} |`,
      `| addresses and networks of a key | ${MAX_KEY_NETWORKS} |`,
      `${MAX_ACCESS_LINKS} that work at the same time, each for at most ${number(MAX_PEOPLE_OF_LINK)} people and ${MAX_DAYS_OF_LINK} days, with a name of at most ${MAX_LINK_NAME_LENGTH} characters. One person can use ${MAX_GRANTS_OF_PERSON} links |`,
      `| [link checks](link-check.md) | ${MAX_LINK_CHECKS_PER_HOUR} an hour; ${MAX_LINK_CHECKS_OF_DOMAIN} an hour of all accounts together`,
      `| webhook endpoints | ${MAX_ENDPOINTS};`,
      `| lifetime of an API key, if set | ${number(MAX_DURATION_MS / DAY_MS)} days |`,
      `| campaign label | ${MAX_LABEL_LENGTH} characters |`,
      `| redemption link | ${number(MAX_ADDRESS_LENGTH)} characters |`,
      `| shared code | ${MAX_CODE_LENGTH} characters |`,
      `| text of an offer | ${MAX_OFFER_TEXT_LENGTH} characters |`,
      `| name of a listing | ${MAX_LISTING_NAME_LENGTH} characters |`,
      `| summary of a listing | ${MAX_SUMMARY_LENGTH} characters |`,
      `| description of a listing | ${number(MAX_DESCRIPTION_LENGTH)} characters |`,
      `| name of an API key | ${MAX_KEY_NAME_LENGTH} characters |`,
      `| active operator keys of an operator | ${MAX_ACTIVE_OPERATOR_KEYS} |`,
      `| body | ${MAX_OPERATOR_BODY_BYTES / 1024} KiB,`,
      `| entries per page | ${PAGE_SIZE} by default, at most ${number(MAX_PAGE_SIZE)} (\`limit\`) |`,
      `| reference of a claimant | ${MAX_CLAIMANT_LENGTH} characters |`,
      `| name of an account or operator key | ${MAX_ACCOUNT_NAME_LENGTH} characters |`,
      `| email address | ${MAX_EMAIL_LENGTH} characters |`,
      `| reason of a decision | ${number(MAX_REASON_LENGTH)} characters |`,
      `| listings on a page of the catalogue | ${CATALOGUE_PAGE_SIZE} by default, at most ${MAX_CATALOGUE_PAGE_SIZE} (\`limit\`) |`,
      `| listings on a page of the sitemap | ${number(SITEMAP_PAGE_SIZE)} |`,
      `| offers in the feed | ${FEED_LENGTH} |`,
      `| link previews being drawn or waiting | ${MAX_WAITING_DRAWINGS} in`,
      `| people on the waiting list of an offer | ${number(MAX_WAITING_PEOPLE)} |`,
      `| waiting lists that one person is on | ${MAX_LISTS_OF_PERSON} |`,
      `| the request log | ${requestLog.days} days; for each account, at most the newest ${number(requestLog.calls)} calls`,
    ]) {
      expect(text('limits')).toContain(row);
    }
  });

  test('the other pages state the limits in the code', () => {
    expect(text('verify')).toContain(`at most ${MAX_TOKEN_LENGTH} characters`);
    expect(text('verify')).toContain(`UTF-8, at most ${MAX_BODY_BYTES / 1024} KiB`);
    const kinds = KINDS.map((kind) => `\`${kind}\``);
    expect(text('verify')).toContain(`${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`);
    expect(text('safe-retries')).toContain(`For ${hours} hours, the same token with the same key`);
    expect(text('safe-retries')).toContain(`takes 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible`);
    expect(text('how-a-claim-works')).toContain(`for ${hours} hours. See`);
    expect(text('how-a-claim-works')).toContain(
      `${MIN_IMPORTED_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH} characters`,
    );
    for (const words of [
      `at most ${WAITING_DAYS} days; ${GONE_DAYS} days after the listing has left`,
      `API keys of the account stop working`,
      `**Existing claims can be redeemed for ${KEYS_KEPT_DAYS} more days;`,
      `forever; or ${MIN_UNUSED_MONTHS} to ${MAX_UNUSED_MONTHS} months`,
      `| ${DEFAULT_RETENTION.mailDays} days; or ${MIN_MAIL_DAYS} to ${MAX_MAIL_DAYS} |`,
      `or ${MIN_SIGN_IN_DAYS} to ${new Intl.NumberFormat('en').format(MAX_SIGN_IN_DAYS)} days`,
    ]) {
      expect(text('privacy')).toContain(words);
    }
    expect(text('how-a-claim-works')).toContain(`for only ${KEYS_KEPT_DAYS} more days`);
    expect(text('limits')).toContain(`| an account whose deletion is planned | ${UNDO_DAYS} days;`);
    expect(text('limits')).toContain(`can be redeemed for ${KEYS_KEPT_DAYS} days |`);
    expect(text('campaigns')).toContain(`1 to ${MAX_LABEL_LENGTH} characters`);
    expect(text('campaigns')).toContain(`at most ${MAX_CODE_LENGTH} characters`);
  });

  test('the verify page documents every member and outcome of the response', () => {
    const examples = VERIFY_CLAIM.outputs[200].examples;
    for (const member of Object.keys(examples.redeemed))
      expect(text('verify')).toContain(`| \`${member}\` |`);
    for (const outcome of [...Object.keys(examples), 'not_found']) {
      expect(text('verify')).toMatch(new RegExp(`^\\| (?:200|404) \\| \`${outcome}\` \\|`, 'm'));
    }
  });

  test('the owner API page lists every claim filter, and the operator API page lists every operation', () => {
    // The owner API has no `mode` filter: the API key determines the mode.
    const offered = CLAIM_FILTER_NAMES.filter((name) => name !== 'mode');
    const filters = offered.filter((name) => !text('owner-api').includes(`\`${name}\``));
    expect(filters).toEqual([]);
    const [, table = ''] = text('operator-api').split('## All calls');
    let [method, path] = ['', ''];
    const calls = [
      ...table
        .split('\n## ')[0]!
        .matchAll(/`([A-Z]+ )?((?:…|\/api\/v1\/operator)\/[^`? ]+)[^`]*`(?=[^|]*\|)/g),
    ].map(([, verb, written]) => {
      method = verb?.trim() ?? method;
      const isWhole = /^…\/(accounts|listings|offers|keys|claims)\b/.test(written!);
      path = written!.replace('…', isWhole ? '/api/v1/operator' : path.replace(/\/[^/]+$/, ''));
      return `${method} ${path}`;
    });
    const operations = OPERATIONS.filter(({ path: of }) => of.startsWith('/api/v1/operator/'));
    expect(new Set(calls)).toEqual(new Set(operations.map((of) => `${of.method.toUpperCase()} ${of.path}`)));
  });

  test('the test mode page lists every fixed token with its responses, in order', () => {
    const outcomeOf = (answer: FixedResponse): string => {
      if (answer.kind === 'error') return `${ERRORS[answer.code].status} \`${answer.code}\``;
      return `\`${answer.kind === 'found' ? answer.status : answer.kind}\``;
    };
    const rows = [...FIXED_TOKENS.values()].map(({ token, toVerify, toRedeem, arrival }) => {
      const [verified, redeemed] = [toVerify, toRedeem].map((answer) =>
        answer.kind === 'found' && answer.via !== null
          ? `${outcomeOf(answer)}, with a campaign label`
          : outcomeOf(answer),
      );
      if (toRedeem.kind !== 'error') {
        const arrived = {
          immediate: redeemed,
          late: `${redeemed}, after ${seconds(LATE_RESPONSE_MS)} seconds`,
          never: 'none: the connection is cut',
        }[arrival];
        return `| \`${token}\` | ${verified} | ${arrived} |`;
      }
      const isAlike = verified === redeemed;
      return `| \`${token}\` | ${redeemed}${isAlike ? '' : `; ${verified} with \`redeem: false\``} |`;
    });
    expect(text('test-mode').match(/^\| `clm_test_.*$/gm)).toEqual(rows);
  });

  test('the test mode page states the sandbox key and the limits of test mode', () => {
    expect(text('test-mode')).toContain(`\`\`\`text\n${SANDBOX_KEY}\n`);
    const rate = `${SANDBOX_CALLS_PER_SECOND} requests a second with it, with bursts of ${SANDBOX_CALLS_PER_SECOND * BURST_SECONDS};`;
    expect(text('test-mode')).toContain(rate);
    expect(text('test-mode')).toContain(`first request for ${FIRST_REDEMPTION_KEPT_MS / 60_000} minutes`);
  });

  test('the settings page has a heading for every setting, and the doctor page for every check, in order', () => {
    const sections = (path: string, depth: number) =>
      pageAt(path).blocks.flatMap((block) =>
        block.type === 'heading' && block.depth === depth ? [[block.text, `${path}#${block.id}`]] : [],
      );
    expect(sections('/docs/settings', 3)).toEqual(SETTING_NAMES.map((name) => [name, docsOfSetting(name)]));
    expect(sections('/docs/doctor', 2)).toEqual(CHECKS.map((name) => [name, docsOfCheck(name)]));
    const names = new Set<string>();
    parseConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
    expect([...names].toSorted()).toEqual([...SETTING_OF_VARIABLE.keys()].toSorted());
  });
});

describe('error pages', () => {
  test('state the meaning, cause and fix of every error code', () => {
    const errors = errorsOf(VERIFY_CLAIM);
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { status, title, meaning, cause, fix } = describeError(code, errors[code]);
      const { markdown } = pageAt(`/docs/errors/${code}`);
      for (const part of [`# ${title}\n`, `HTTP ${status} · \`${code}\``, meaning, cause, fix]) {
        expect(markdown, code).toContain(part);
      }
      const returnedBy = /^Returned by (.*)$/m.exec(markdown)?.[1] ?? '';
      const ofVerify =
        /^every operation(?: with an API key| with a body)?(?:,|$)/.test(returnedBy) ||
        returnedBy.includes('`POST /api/v1/marketplace/claims/verify`');
      expect(ofVerify, code).toBe(code in errors);
    }
  });

  test('list each distinct text once, with the operations that share it', () => {
    const base: Operation = { ...VERIFY_CLAIM, id: 'other', path: '/api/v1/other' };
    const third: Operation = { ...base, path: '/api/v1/third', errors: {} };
    const markdown = errorMarkdown('body_too_large', [VERIFY_CLAIM, base, third]);
    expect(markdown.match(/^Returned by .*$/gm)).toEqual(['Returned by every operation']);
    expect(markdown.match(/^## .*$/gm)).toEqual(['## Meaning', '## Cause', '## Fix', '## Example']);
    expect(markdown).toContain(`- \`POST /api/v1/third\`: ${ERRORS.body_too_large.meaning}`);
    expect(markdown).toContain('larger than 4 KiB');
    expect(markdown).toContain(ERRORS.body_too_large.meaning);
  });

  test('name groups of operations instead of long lists', () => {
    const { markdown } = pageAt('/docs/errors/invalid_api_key');
    expect(markdown).toContain(
      "Returned by every operation with an API key, every operation of the operator's API\n",
    );
    expect(markdown).toContain('- Every operation with an API key: The API key is not valid.\n');
    expect(pageAt('/docs/errors/internal_error').markdown).toMatch(
      /^## Meaning\n\n- `POST \/api\/v1\/marketplace\/claims\/verify`: .+\n- Other operations: .+\n$/m,
    );
    for (const code of Object.keys(ERRORS)) {
      for (const item of pageAt(`/docs/errors/${code}`).markdown.match(/^- .*$/gm) ?? []) {
        expect(item.match(/`(?:GET|POST|PUT|PATCH|DELETE) /g)?.length ?? 0, `${code}: ${item}`).toBeLessThan(
          6,
        );
      }
    }
  });
});
