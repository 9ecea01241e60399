/**
 * Sends large headers, JSON bodies and fields of upload forms that are built to take long. The thread that answers also
 * redeems, so no request may occupy it for long.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/operations.ts';
import { FIELD_LENGTHS } from '../../../src/app/field-lengths.ts';
import { PICTURE_FIELD } from '../../../src/pages/ui/picture-form.tsx';
import { createOperatorKey } from '../../../src/people/keys/create.ts';
import { SCOPES } from '../../../src/people/keys/key.ts';
import { addPasskey, beginPasskey, verifyPasskey } from '../../../src/people/sign-in/credentials/passkeys.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';
import { signInServices } from '../../support/person.ts';
import { pathWith, routesOf } from '../site-routes.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';
import { MAX_CPU_MS, type Request, repeated, slowRequests } from './slow-requests.ts';

const TEST_TIMEOUT_MS = 240_000;
const BODY_LENGTH = 60_000;
/** Node refuses requests with larger headers. */
const HEADER_LENGTH = 14 * 1024;
const UNITS = [
  '"',
  ',',
  ';',
  '=',
  ' ',
  '"a",',
  'W/"a",',
  '0-,',
  'a=b;',
  '%41',
  '::',
  '\\"',
  'de;q=0.1,',
  'a.',
];

let site: WholeSite;
let operatorKey: string;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
  const account = site.people.operator.accountId;
  const key = { account, name: 'Fuzz', scopes: SCOPES, expiresIn: '90d', actor: 'operator' as const };
  operatorKey = (await createOperatorKey(site.context, key)).key;
});
afterAll(() => site?.close());

const send = (requests: Iterable<readonly [name: string, request: Request]>) =>
  slowRequests(site.service.baseUrl, requests);

/** JSON texts of about `length` bytes. `member`: the name of a member that the operation knows. */
const hostileJson = (length: number, member: string): readonly string[] => {
  const name = JSON.stringify(member);
  const half = Math.floor(length / 2);
  const nested = `${'['.repeat(half)}${']'.repeat(half)}`;
  const members = (nameOf: (index: number) => string) =>
    `{${Array.from({ length: Math.floor(length / 14) }, (_, index) => `"${nameOf(index)}":1`).join(',')}}`;
  return [
    '['.repeat(length),
    nested,
    `{"a":`.repeat(length / 5),
    `{${name}:${nested.slice(8, -8)}}`,
    `{${name}:${'9'.repeat(length - 20)}}`,
    `{${name}:-0.${'0'.repeat(length - 30)}1e-999999}`,
    `{${name}:[${'1,'.repeat(half - 20)}1]}`,
    `{${name}:"${String.raw`\u0316\u0301`.repeat(length / 12 - 4)}"}`,
    `{"${'k'.repeat(length - 10)}":1}`,
    members(() => member),
    members((index) => `key${index}`),
    members((index) => `${member}${index}`),
    ' '.repeat(length),
    '"'.repeat(length),
  ];
};

test('no JSON body takes long, whatever its structure', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { slow, statuses } = await send(
    OPERATIONS.flatMap(({ method, path, input }) => {
      const { schema, maxBytes = 0 } = input?.body ?? {};
      const members = Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
      const key = path.includes('/operator/') ? operatorKey : site.apiKey;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return members.length === 0
        ? []
        : hostileJson(Math.min(BODY_LENGTH, maxBytes) - 64, members[0]!).map((body, index) => {
            const at = path.replaceAll(/\{\w+\}/g, site.ids.offer);
            return [
              `${method} ${path} body ${index}`,
              { method: method.toUpperCase(), path: at, headers, body },
            ] as const;
          });
    }),
  );
  expect(slow).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(100);
  expect([statuses.get(200), statuses.get(500), statuses.get(503)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

/** CBOR data of about `length` bytes. */
const hostileCbor = (length: number): readonly Buffer[] => {
  const repeat = (...bytes: number[]) => Buffer.alloc(length, Buffer.from(bytes));
  const authData = Buffer.concat([
    Buffer.alloc(32),
    // User present and verified, with a credential and extensions.
    Buffer.from([0xc5]),
    Buffer.alloc(4 + 16),
    Buffer.from([0, 1, 1]),
    repeat(0x81).subarray(100),
  ]);
  const text = (words: string) => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)]);
  const size = Buffer.from([0x59, authData.length >> 8, authData.length & 255]);
  return [
    repeat(0x81),
    repeat(0xa1, 0x00),
    repeat(0xa1, 0x81),
    repeat(0xc1),
    repeat(0x9b, 0xff),
    repeat(0xbb, 0x00, 0x00, 0x00, 0x00, 0xff),
    repeat(0x5b, 0x00, 0x00, 0x00, 0x01),
    repeat(0x80),
    Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), size, authData],
    ]),
  ];
};

test('no response of an authenticator takes long, whatever its structure', async () => {
  // WebAuthn requires a host name.
  const services = { ...signInServices(site.service), baseUrl: 'http://localhost' };
  const maxLength = FIELD_LENGTHS['credential']!;
  const outcomes: string[] = [];
  const slow: string[] = [];
  const send = async (name: string, work: () => Promise<unknown>) => {
    const cpuMs = await cpuMsOf(async () => {
      const error = await work().then(
        () => null,
        (reason: unknown) => reason,
      );
      outcomes.push(error instanceof Refusal ? 'refused' : `${name}: ${String(error)}`);
    }, MAX_CPU_MS);
    if (cpuMs > MAX_CPU_MS) slow.push(`${name}: ${Math.round(cpuMs)} ms`);
  };
  const json = ['id', 'response', 'rawId'].flatMap((member) => hostileJson(maxLength, member));
  for (const [index, credential] of [...json, JSON.stringify({ id: 'a\0b' })].entries()) {
    await send(`use ${index}`, () => verifyPasskey(services, credential));
  }
  const { accountId } = site.people.owner;
  const session = { accountId, sessionId: accountId, name: '', email: 'o@example.com', isOperator: false };
  for (const [index, cbor] of hostileCbor(maxLength / 2).entries()) {
    await send(`add ${index}`, async () => {
      const { challenge } = await beginPasskey(services, session);
      const data = { type: 'webauthn.create', challenge, origin: services.baseUrl };
      const response = {
        clientDataJSON: Buffer.from(JSON.stringify(data)).toString('base64url'),
        attestationObject: cbor.toString('base64url'),
        transports: [hostileJson(200, 'x')],
      };
      const credential = JSON.stringify({ id: 'AQ', rawId: 'AQ', type: 'public-key', response });
      expect(credential.length).toBeLessThan(maxLength);
      await addPasskey(services, { session, name: 'Fuzz', credential });
    });
  }
  expect(slow).toEqual([]);
  expect(new Set(outcomes)).toEqual(new Set(['refused']));
});

test('no header takes long, on pages, files and operations', { timeout: TEST_TIMEOUT_MS }, async () => {
  const json = { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' };
  const names = (cookie: string) => cookie.split('; ').map((pair) => pair.split('=')[0]!);
  const cookies = names(site.people.owner.person.cookie);
  const targets: readonly (readonly [Request, readonly string[]])[] = [
    [
      { method: 'GET', path: '/dashboard/claims', headers: {} },
      [
        'cookie',
        'accept-language',
        'if-none-match',
        'if-modified-since',
        'range',
        'x-forwarded-for',
        'forwarded',
      ],
    ],
    [
      { method: 'GET', path: `/l/${site.slug}/badge.svg`, headers: {} },
      ['if-none-match', 'range', 'accept', 'accept-encoding'],
    ],
    [
      { method: 'POST', path: '/api/v1/marketplace/claims/verify', headers: json, body: '{"token":"x"}' },
      ['idempotency-key', 'authorization', 'content-type', 'x-forwarded-for', 'x-request-id', 'origin'],
    ],
    [
      {
        method: 'GET',
        path: '/api/v1/operator/accounts',
        headers: { authorization: `Bearer ${operatorKey}` },
      },
      ['authorization', 'accept', 'x-forwarded-for', 'user-agent'],
    ],
    [
      {
        method: 'POST',
        path: '/sign-in',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'email=a',
      },
      ['content-type', 'origin', 'referer', 'sec-fetch-site', 'user-agent'],
    ],
  ];
  const { slow, statuses } = await send(
    UNITS.flatMap((unit) => {
      const long = repeated(unit, HEADER_LENGTH);
      const values = [long, `"${long}"`, `a=${long}`];
      return [
        ...targets.flatMap(([request, headers]) =>
          headers.flatMap((name) =>
            values.map((value) => {
              const typed = name === 'content-type' ? `${request.headers[name]}; ${value}` : value;
              const sent = { ...request, headers: { ...request.headers, [name]: typed } };
              return [`${request.path} ${name} ${JSON.stringify(unit)}`, sent] as const;
            }),
          ),
        ),
        ...cookies.map((name) => {
          const headers = { cookie: `${name}=${long}` };
          return [
            `cookie ${name} ${JSON.stringify(unit)}`,
            { method: 'GET', path: '/account', headers },
          ] as const;
        }),
      ];
    }),
  );
  expect(slow).toEqual([]);
  expect(statuses.get(500)).toBeUndefined();
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(800);
});

test('no text in an upload form takes long, and a field that is too long is refused', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const uploads = routesOf(site.service).filter(
    ({ method, path }) => method === 'POST' && /\/pictures\/[\w-]+$/.test(path),
  );
  expect(uploads.length).toBeGreaterThan(5);
  const boundary = 'x'.repeat(30);
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const { slow, statuses } = await send(
    uploads.flatMap((route) =>
      ['\u0316\u0301', '{', ' ', '\r\n', '--', '"', 'a.'].map((unit) => {
        const long = repeated(unit, BODY_LENGTH / 2);
        const body = `${['version', 'seen', 'alt'].map((name) => part(name, name === 'seen' ? long : 'a')).join('')}${part(long.slice(0, 200).replaceAll(/["\r\n]/g, '-'), long)}--${boundary}--\r\n`;
        const person = route.path.startsWith('/desk') ? 'operator' : 'owner';
        const headers = {
          cookie: site.people[person].person.cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': `multipart/form-data; boundary=${boundary}`,
        };
        return [
          `${route.path} ${JSON.stringify(unit)}`,
          { method: 'POST', path: pathWith(route, site.ids), headers, body },
        ] as const;
      }),
    ),
  );
  expect(slow).toEqual([]);
  expect(statuses.get(422)).toBeGreaterThan(40);
  expect(statuses.get(500)).toBeUndefined();

  const upload = uploads.find(({ path }) => path.startsWith('/dashboard/listings'))!;
  const form = new FormData();
  form.append('seen', 'a'.repeat(BODY_LENGTH));
  form.append(PICTURE_FIELD, new Blob([new Uint8Array(8)]), 'icon.png');
  const answer = await site.people.owner.person.post(pathWith(upload, site.ids), form);
  expect([answer.status, answer.text]).toEqual([
    422,
    expect.stringContaining('60,000 characters; at most 2,000'),
  ]);
});
