/**
 * Sends long repeated text in every field of every form, every query parameter, header and member of a JSON body. The
 * thread that answers also redeems, so no request may occupy it for long.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/operations.ts';
import { FIELD_LENGTHS } from '../../../src/app/field-lengths.ts';
import { createOperatorKey } from '../../../src/people/keys/create.ts';
import { SCOPES } from '../../../src/people/keys/key.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';
import type { PersonName } from '../sample-data.ts';
import { everyField, pathWith, type Route, routesOf } from '../site-routes.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';
import { MAX_CPU_MS, repeated, slowRequests } from './slow-requests.ts';

const MAX_FORM_LENGTH = 64 * 1024;
/** Node refuses requests with larger headers. */
const MAX_HEADER_LENGTH = 14 * 1024;
const MAX_QUERY_LENGTH = 8_000;
const TEST_TIMEOUT_MS = 240_000;

const PARAMETERS = ['q', 'via', 'next', 'after', 'from', 'share', 'page', 'range', 'listing', 'category'];
const HEADERS = [
  'accept-encoding',
  'accept-language',
  'authorization',
  'cookie',
  'forwarded',
  'if-none-match',
  'origin',
  'referer',
  'user-agent',
  'x-forwarded-for',
];

const UNITS = [
  '\u0316\u0301',
  '{',
  ' ',
  '\t\n',
  '"\\',
  'a@',
  '=?',
  '%25',
  '&amp;',
  '/.',
  '\u200d\u0661',
  '\ud83d\ude00',
  'claim< ',
  ',;',
  'xn--a.',
];

/**
 * Normalizing combining marks, and patterns that end with `+$`, take quadratic time. With these shares of a body, each
 * takes several times `MAX_CPU_MS`.
 */
const WORST_UNITS = [
  { unit: '\u0316\u0301', share: 0.5 },
  { unit: '{', share: 0.25 },
  { unit: ' ', share: 0.25 },
];

/** A text with all of the worst units. `turn` selects the first, which may be all that a parser reads. */
const worstText = (bytes: number, turn: number): string =>
  WORST_UNITS.map((_, at) => WORST_UNITS[(at + turn) % WORST_UNITS.length]!)
    .map(({ unit, share }) => repeated(unit, shareOf(bytes * share, 1, unit, inForm)))
    .join('');

let site: WholeSite;
let operatorKey: string;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
  const account = site.people.operator.accountId;
  const key = { account, name: 'Fuzz', scopes: SCOPES, expiresIn: '90d', actor: 'operator' as const };
  operatorKey = (await createOperatorKey(site.context, key)).key;
});
afterAll(() => site.close());

const headersOf = (person: PersonName | null): Readonly<Record<string, string>> => ({
  'sec-fetch-site': 'same-origin',
  ...(person !== null && { cookie: site.people[person].person.cookie }),
});

const VISITORS = ['owner', 'operator', 'claimant', null] as const;

function visitorOf({ path }: Route): PersonName | null {
  if (path.startsWith('/dashboard')) return 'owner';
  if (path.startsWith('/desk')) return 'operator';
  return path.startsWith('/account') || path.startsWith('/claims') ? 'claimant' : null;
}

/** The names of the fields of each form's address, from the pages that show the form. */
async function fieldsOfForms(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const fields = new Map<string, Set<string>>();
  for (const route of routesOf(site.service).filter(({ method }) => method === 'GET')) {
    for (const visitor of VISITORS) {
      if (visitor !== visitorOf(route) && route.path.startsWith('/d')) continue;
      const { text } = await site.request(visitor, 'GET', pathWith(route, site.ids));
      for (const form of text.split('<form ').slice(1)) {
        const action = /action="([^"?#]*)/.exec(form)?.[1] ?? '';
        const names = fields.getOrInsertComputed(action, () => new Set());
        for (const [, name] of form.split('</form>', 1)[0]!.matchAll(/ name="([^"]+)"/g)) names.add(name!);
      }
    }
  }
  return fields;
}

const forgetAttempts = () => site.context.db.transaction((tx) => tx.deleteFrom('throttles').execute());

/** Encodes only the characters that have a meaning in a form, because encoded text would have to be much shorter. */
const inForm = (text: string): string => text.replaceAll(/[%&+=\r\n]/g, encodeURIComponent);
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A quarter of the items: another one for each of four neighbours. */
const someOf = <T>(items: readonly T[], turn: number): readonly T[] =>
  items.filter((_, index) => index % 4 === turn % 4);

const formOf = (names: readonly string[], textOf: (name: string) => string): string =>
  names.map((name) => `${encodeURIComponent(name)}=${textOf(name)}`).join('&');

/** Texts by unit and length, because encoding a long text takes as long as sending it. */
const encodedTexts = new Map<string, string>();
const encodedText = (unit: string, length: number): string =>
  encodedTexts.getOrInsertComputed(`${length} ${unit}`, () => inForm(repeated(unit, length)));

/** The length of repeated text of which `count` values take `bytes`. */
const shareOf = (bytes: number, count: number, unit: string, encode: (text: string) => string): number =>
  Math.max(1, Math.floor((bytes / count - 32) / (Buffer.byteLength(encode(unit)) / unit.length)));

test('text that takes quadratic time is detected', async () => {
  const slow = {
    ',': () => /[,;]+$/.test(`${','.repeat(16_000)}x`),
    // A pattern does not take long if its unit ends the text.
    marks: () => worstText(MAX_FORM_LENGTH, 1).normalize(),
    braces: () => /\{+$/.test(worstText(MAX_FORM_LENGTH, 0)),
    spaces: () => / +$/.test(worstText(MAX_FORM_LENGTH, 1)),
  };
  for (const [name, work] of Object.entries(slow)) {
    // Any time is fast enough here, so the work runs once.
    expect(await cpuMsOf(work, Number.MAX_VALUE), name).toBeGreaterThan(MAX_CPU_MS);
  }
});

test('no form takes long, whatever its fields contain', { timeout: TEST_TIMEOUT_MS }, async () => {
  const shown = await fieldsOfForms();
  const posts = routesOf(site.service).filter(({ method }) => method === 'POST');
  const ofForms = posts.filter((route) => shown.has(pathWith(route, site.ids)));
  expect(ofForms.length).toBeGreaterThan(60);
  const slow: string[] = [];
  const all = new Map<number, number>();
  for (const [at, route] of posts.entries()) {
    const path = pathWith(route, site.ids);
    const names = [...(shown.get(path) ?? Object.keys(everyField(site.ids)))].filter(
      (name) => name !== 'shown_to',
    );
    const headers = {
      ...headersOf(visitorOf(route)),
      'content-type': 'application/x-www-form-urlencoded',
    };
    await forgetAttempts();
    const requestOf = (sent: string, textOf: (name: string) => string) => {
      const body = formOf(names, textOf);
      return [`${route.path} ${sent}`, { method: 'POST', path, headers, body }] as const;
    };
    // Each field of a shown form gets the whole body.
    const longest = (shown.has(path) ? names : []).map((long, turn) => {
      const text = inForm(worstText(MAX_FORM_LENGTH - 64 * names.length, at + turn));
      return requestOf(long, (name) => (name === long ? text : ' '));
    });
    // Each form gets some of the units in the longest text that its parsers read, and its neighbours the others.
    const allowed = someOf(UNITS, at).map((unit) => {
      const share = shareOf(MAX_FORM_LENGTH, names.length, unit, inForm);
      return requestOf(JSON.stringify(unit), (name) =>
        encodedText(unit, Math.min(share, 2 * (FIELD_LENGTHS[name] ?? 300))),
      );
    });
    const requests = [...longest, ...allowed];
    const answers = await slowRequests(site.service.baseUrl, names.length === 0 ? [] : requests);
    slow.push(...answers.slow);
    for (const [status, count] of answers.statuses) all.set(status, (all.get(status) ?? 0) + count);
  }
  expect(slow).toEqual([]);
  // Most forms are shown again with the problem. The others redirect, or answer that an object doesn't exist.
  expect(all.get(422)).toBeGreaterThan(500);
  expect(all.get(500)).toBeUndefined();
});

test('no path, query or header takes long', { timeout: TEST_TIMEOUT_MS }, async () => {
  const gets = routesOf(site.service).filter(({ method }) => method === 'GET');
  await forgetAttempts();
  const { slow, statuses } = await slowRequests(
    site.service.baseUrl,
    UNITS.flatMap((unit) => {
      const long = encodeURIComponent(repeated(unit, shareOf(MAX_QUERY_LENGTH, 1, unit, encodeURIComponent)));
      const longPath = encodeURIComponent(
        repeated(unit, shareOf(MAX_HEADER_LENGTH, 1, unit, encodeURIComponent)),
      );
      const ofParameters = PARAMETERS.map((name) => [`?${name} ${JSON.stringify(unit)}`, `${name}=${long}`]);
      const pages = gets.filter((_, index) => index % UNITS.length === UNITS.indexOf(unit));
      return [
        ...pages.flatMap((route) => {
          const query = ofParameters.map(([, text]) => text!)[pages.indexOf(route) % PARAMETERS.length]!;
          const path = `${pathWith(route, site.ids)}?${query}`;
          return [
            [
              `${route.path} ${query.slice(0, 40)}`,
              { method: 'GET', path, headers: headersOf(visitorOf(route)) },
            ] as const,
          ];
        }),
        ...ofParameters.flatMap(([name, query]) =>
          ['/', `/l/${site.slug}`, '/docs/search', '/dashboard/claims'].map(
            (path) =>
              [
                `${path}${name}`,
                { method: 'GET', path: `${path}?${query}`, headers: headersOf('owner') },
              ] as const,
          ),
        ),
        ...['/', '/l/', '/sign-in/link', '/claims/'].map(
          (path) =>
            [
              `${path}… ${JSON.stringify(unit)}`,
              { method: 'GET', path: path + longPath, headers: {} },
            ] as const,
        ),
        ...HEADERS.map((name) => {
          const value = repeated(unit, MAX_HEADER_LENGTH).replaceAll(/[^\x20-\x7e]/g, ';');
          return [
            `${name} ${JSON.stringify(unit)}`,
            { method: 'GET', path: '/', headers: { [name]: value } },
          ] as const;
        }),
      ];
    }),
  );
  expect(slow).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(statuses.get(500)).toBeUndefined();
});

test('no operation takes long, whatever the members of its body contain', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { slow, statuses } = await slowRequests(
    site.service.baseUrl,
    OPERATIONS.flatMap((operation, at) => {
      const { method, path, input } = operation;
      const members = Object.keys((input?.body?.schema as { shape?: object } | undefined)?.shape ?? {});
      const bodyBytes = 0.9 * Math.min(MAX_FORM_LENGTH, input?.body?.maxBytes ?? 0);
      const parameters = Object.keys(input?.query?.shape ?? {});
      const key = path.includes('/operator/') ? operatorKey : site.apiKey;
      const headers = {
        authorization: `Bearer ${key}`,
        ...(members.length > 0 && { 'content-type': 'application/json' }),
      };
      return someOf(UNITS, at).flatMap((unit) => {
        const segment = encodeURIComponent(repeated(unit, shareOf(2_000, 1, unit, encodeURIComponent)));
        const values = (bytes: number, names: readonly string[], encode: (text: string) => string) =>
          names.map((name) => [name, repeated(unit, shareOf(bytes, names.length, unit, encode))] as const);
        const query = new URLSearchParams(
          values(8_000, parameters, encodeURIComponent).map((pair) => [...pair]),
        ).toString();
        const body =
          members.length === 0 ? '' : JSON.stringify(Object.fromEntries(values(bodyBytes, members, inJson)));
        const paths = path.includes('{')
          ? [path.replaceAll(/\{\w+\}/g, segment), path.replaceAll(/\{\w+\}/g, site.ids.offer)]
          : [path];
        return paths.map(
          (each) =>
            [
              `${method} ${path} ${JSON.stringify(unit)}`,
              { method: method.toUpperCase(), path: `${each}?${query}`, headers, body },
            ] as const,
        );
      });
    }),
  );
  expect(slow).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(100);
  expect(statuses.get(500)).toBeUndefined();
});
