import { expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import { mailboxOf, PLANS, parseAccountName, parseEmail, parsePlan, planHasApiKeys } from './account.ts';

test('the Studio and Everything plans include API keys; the Starter plan does not', () => {
  expect(PLANS.map((plan) => [plan, planHasApiKeys(plan)])).toEqual([
    ['starter', false],
    ['studio', true],
    ['everything', true],
  ]);
});

test('parsePlan accepts the three plans and rejects anything else', () => {
  for (const plan of PLANS) expect(parsePlan(plan)).toBe(plan);
  expect(() => parsePlan('Pro')).toThrow('The plan must be one of starter, studio, everything; found "Pro".');
  expect(() => parsePlan('__proto__')).toThrow('The plan must be one of');
});

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada.Lovelace+shop@Example.CO.UK ', 'ada.lovelace+shop@example.co.uk'],
  ['root@localhost', 'root@localhost'],
  ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
  ['jo@BÜCHER.example', 'jo@xn--bcher-kva.example'],
  ['jo@bu\u0308cher.example', 'jo@xn--bcher-kva.example'],
  ['jo@XN--BCHER-KVA.example', 'jo@xn--bcher-kva.example'],
  ['jo@bücher。example', 'jo@xn--bcher-kva.example'],
  ["o'brien@xn--bcher-kva.example", "o'brien@xn--bcher-kva.example"],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('parseEmail(%j) returns %j', (text, email) => {
  expect(parseEmail(text)).toBe(email);
});

test.each([
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'a b@example.com',
  'ada@@example.com',
  'ada@example..com',
  '.ada@example.com',
  'ada.@example.com',
  'ada@-example.com',
  'ada@example.com\nbcc: x@example.com',
  'ada@exä mple.com',
  '=?utf-8?q?x?=@x.example',
  '=?utf-8?b?eA==?=@x.example',
  'Ada <ada@example.com>',
  'ada@example.com,bob@example.com',
  `${'a'.repeat(65)}@example.com`,
])('parseEmail rejects %j', (text) => {
  expect(() => parseEmail(text)).toThrow('is not an email address. It must look like ada@example.com.');
});

test.each(['josé@example.com', 'ジョー@example.com', 'josé@bücher.example', 'jo\u0301@example.com'])(
  'parseEmail names the non-ASCII character before the @ in %j',
  (text) => {
    expect(() => parseEmail(text)).toThrow(
      /^The part before the @ contains ".", which many mail servers don’t/,
    );
  },
);

test('parseEmail reports a blank address as empty', () => {
  for (const text of ['', ' ']) expect(() => parseEmail(text)).toThrow('The email address is empty.');
});

test('an email address may have at most 254 characters', () => {
  const domain = Array.from({ length: 4 }, () => 'd'.repeat(60)).join('.');
  expect(parseEmail(`${'a'.repeat(254 - domain.length - 1)}@${domain}`)).toHaveLength(254);
  expect(() => parseEmail(`${'a'.repeat(255 - domain.length - 1)}@${domain}`)).toThrow('has 255 characters');
});

test.each([`${'a.'.repeat(125)}@`, `a@${'a-'.repeat(120)}!`])(
  'parseEmail rejects the hostile input %j in under 200 ms',
  async (text) => {
    const read = () => expect(() => parseEmail(text)).toThrow();
    expect(await cpuMsOf(read, 200)).toBeLessThanOrEqual(200);
  },
);

test.each([
  ['a.d.a+shop@googlemail.com', 'ada@gmail.com'],
  ['a.d-a_@pm.me', 'ada@proton.me'],
  ['ada@protonmail.com', 'ada@proton.me'],
  ['ada+x@me.com', 'ada@icloud.com'],
  ['ada.lovelace@ya.ru', 'ada-lovelace@yandex.ru'],
  ['anything@ada.fastmail.com', 'ada@fastmail.com'],
  ['ada@fastmail.com', 'ada@fastmail.com'],
  ['a.d-a+x@example.com', 'a.d-a@example.com'],
  ['a.d.a@mail.me.com', 'a.d.a@mail.me.com'],
  ['...@pm.me', '...@proton.me'],
])('mailboxOf(%j) is %j', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
  expect(mailboxOf(mailbox)).toBe(mailbox);
});

test('an account name is trimmed and must not be empty', () => {
  expect(parseAccountName(' Ada & Co ')).toBe('Ada & Co');
  expect(() => parseAccountName('')).toThrow('The name of the account is empty.');
});
