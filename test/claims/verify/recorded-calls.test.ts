/** The request log of verify: each call is logged with the cause of its response and without secrets. */
import { expect, test } from 'vitest';
import {
  ALL_CAUSES,
  CAUSES,
  type Cause,
  fixedCauseOf,
  isFailure,
  isFixed,
  isFound,
  type Outcome,
  statusOf,
} from '../../../src/claims/attempts/cause.ts';
import { hashToken } from '../../../src/claims/token.ts';
import type { VerificationResponse } from '../../../src/claims/verify/decision/verification.ts';
import { FIXED_TOKENS } from '../../../src/claims/verify/endpoint/fixed-tokens.ts';
import { checksumBase62 } from '../../../src/platform/secrets/secrets.ts';
import {
  CALLER,
  FOUND_BODY,
  found,
  KEY,
  openServer,
  shareServer,
  TOKEN,
} from '../../platform/http/harness.ts';
import { callVerify, outcomesOf } from '../../support/verify.ts';

const server = shareServer();

const TEST_TEXT = `clm_test_${'c'.repeat(27)}`;
const TEST_TOKEN = TEST_TEXT + checksumBase62(TEST_TEXT);
const FOUND = found() as VerificationResponse & { kind: 'found' };

interface Sent {
  readonly body?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The verifier's answer; by default, a redeemed claim. */
  readonly answer?: VerificationResponse;
}

const NOT_FOUND: VerificationResponse = { kind: 'not_found', caller: CALLER };
const FOR_TEST_KEY: VerificationResponse = { kind: 'not_found', caller: { ...CALLER, mode: 'test' } };
const refused = (code: (VerificationResponse & { kind: 'refused' })['code']): Sent => ({
  answer: { kind: 'refused', code, caller: CALLER },
});

const CALLS: readonly (readonly [Cause, Sent])[] = [
  ['redeemed', {}],
  ['repeated', { answer: found(true), headers: { 'Idempotency-Key': '"order-4711"' } }],
  ['valid', { answer: { ...FOUND, status: 'valid' } }],
  ['already_redeemed', { answer: { ...FOUND, status: 'already_redeemed' } }],
  ['token_unknown', { answer: NOT_FOUND }],
  ['token_unknown', { answer: NOT_FOUND, token: 'imported-token' }],
  ['token_unknown', { answer: FOR_TEST_KEY, token: TEST_TOKEN }],
  ['token_altered', { token: `${TOKEN.slice(0, -1)}!` }],
  ['token_altered', { token: TOKEN.slice(0, 20) }],
  ['token_altered', { token: `${TOKEN}x` }],
  ['link_sent', { answer: NOT_FOUND, token: `https://ada.example/welcome?claim=${TOKEN}` }],
  ['link_sent', { answer: NOT_FOUND, token: 'https://ada.example/welcome?claim=imported-token' }],
  ['placeholder_sent', { answer: NOT_FOUND, token: 'https://ada.example/welcome?claim={claim}' }],
  ['text_around_token', { answer: NOT_FOUND, token: ` ${TOKEN}` }],
  ['text_around_token', { token: `${TOKEN}&via=shop` }],
  ['text_around_token', { answer: NOT_FOUND, token: `"${TEST_TOKEN}"` }],
  ['text_around_token', { answer: NOT_FOUND, token: `claim=${TOKEN}` }],
  ['placeholder_sent', { answer: NOT_FOUND, token: '{claim}' }],
  ['placeholder_sent', { answer: NOT_FOUND, token: '%7Bclaim%7D' }],
  ['test_token_with_live_key', { answer: NOT_FOUND, token: TEST_TOKEN }],
  ['live_token_with_test_key', { answer: FOR_TEST_KEY }],
  ['body_unreadable', { body: '' }],
  ['body_unreadable', { body: `\ufeff{"token":"${TOKEN}"}` }],
  ['body_not_json', { body: `token=${TOKEN}` }],
  ['body_not_object', { body: `["${TOKEN}"]` }],
  ['member_unknown', { body: `{"token":"${TOKEN}","${TOKEN}":true}` }],
  ['member_twice', { body: `{"token":"${TOKEN}","token":"${TOKEN}"}` }],
  ['token_missing', { body: '{"redeem":true}' }],
  ['token_malformed', { body: '{"token":42}' }],
  ['token_malformed', { token: '' }],
  ['token_malformed', { token: TOKEN.repeat(10) }],
  ['redeem_malformed', { body: `{"token":"${TOKEN}","redeem":"true"}` }],
  ['reference_malformed', { body: `{"token":"${TOKEN}","reference":"${'x'.repeat(101)}"}` }],
  ['idempotency_key_malformed', { headers: { 'Idempotency-Key': '"open' } }],
  ['idempotency_key_reused', refused('idempotency_key_reused')],
  ['invalid_api_key', refused('invalid_api_key')],
  ['plan_without_api_keys', refused('plan_without_api_keys')],
  ['account_suspended', refused('account_suspended')],
  ['unsupported_media_type', { headers: { 'Content-Type': 'text/plain' } }],
  ['body_too_large', { body: ' '.repeat(5_000) }],
];

async function call({ body, token = TOKEN, headers, answer }: Sent): Promise<Response> {
  server.answer = ({ tokenHash }) => {
    if (answer?.kind === 'refused') return answer;
    if (tokenHash === null) return { kind: 'authorized', caller: answer?.caller ?? CALLER };
    return answer ?? FOUND;
  };
  return callVerify(server.url, KEY, body ?? { token, redeem: true }, {
    'User-Agent': 'shop/1.2',
    ...headers,
  });
}

test.each(CALLS)('a call is logged with the cause %s and without secrets (case %#)', async (cause, sent) => {
  const response = await call(sent);
  const answer = (await response.json()) as Record<string, unknown>;
  expect(server.attempts).toHaveLength(1);
  const attempt = server.attempts[0]!;
  expect(attempt).toMatchObject({ cause, userAgent: 'shop/1.2' });
  expect(response.status).toBe(statusOf(cause));
  const { outcome } = CAUSES[cause];
  if ('code' in answer) {
    expect(answer['code']).toBe(outcome);
    expect(attempt.detail).toBe(answer['detail']);
    expect(attempt.offerId).toBeNull();
  } else {
    expect(attempt.detail).toBeNull();
    expect(attempt.offerId).toBe(response.ok ? JSON.parse(FOUND_BODY).offer_id : null);
  }
  const isRead =
    sent.body === undefined && !cause.startsWith('body_') && sent.headers?.['Content-Type'] === undefined;
  const isTaken = isRead && cause !== 'token_malformed';
  expect(attempt.redeem).toBe(isTaken ? true : null);
  expect(attempt.tokenLast4).toBe(isTaken ? (sent.token ?? TOKEN).slice(-4) : null);
  const text = JSON.stringify({ ...attempt, tokenHash: null });
  expect(text).not.toContain(TOKEN.slice(0, 12));
  expect(text).not.toContain(KEY.slice(0, 16));
});

test('the calls above cover every cause except fixed tokens, early rejections and the rate limit', () => {
  const met = new Set(CALLS.map(([cause]) => cause));
  expect(ALL_CAUSES.filter((cause) => !met.has(cause) && !isFixed(cause))).toEqual([
    'network_not_allowed',
    'browser_call',
    'method_not_allowed',
    'rate_limited',
  ]);
});

test('each outcome of a fixed token has a separate cause, which is not a failure', () => {
  const outcomes = new Set([...FIXED_TOKENS.values()].flatMap(outcomesOf)) as ReadonlySet<Outcome>;
  for (const outcome of outcomes) expect(CAUSES[fixedCauseOf(outcome)].outcome).toBe(outcome);
  const fixed = ALL_CAUSES.filter(isFixed);
  expect(new Set(fixed.map((cause) => CAUSES[cause].outcome))).toEqual(outcomes);
  expect(fixed.filter((cause) => isFailure(cause) || isFound(cause))).toEqual([]);
});

test('a call that is rejected for a malformed Idempotency-Key or by the rate limit redeems nothing', async () => {
  server.submitted.length = 0;
  await call({ headers: { 'Idempotency-Key': '"open' } });
  expect(server.submitted).toMatchObject([{ tokenHash: null, redeem: true }]);
  const limited = await openServer({ rateLimit: 1, clock: () => 0 });
  for (let i = 0; i < 3; i += 1) await callVerify(limited.url, KEY, { token: TOKEN, redeem: true });
  expect(limited.attempts.map(({ cause }) => cause)).toEqual(['redeemed', 'redeemed', 'rate_limited']);
  expect(limited.submitted.map(({ tokenHash }) => tokenHash !== null)).toEqual([true, true, false]);
  expect(limited.attempts[0]!.tokenHash).toEqual(hashToken(TOKEN));
});
