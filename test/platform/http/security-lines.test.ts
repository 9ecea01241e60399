/** Attacks are logged as security events, with the attacker's network but without data that the attacker sent. */
import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, type MockInstance, test, vi } from 'vitest';
import { UNKNOWN_KEYS_PER_SECOND } from '../../../src/platform/http/server/cached-keys.ts';
import { withChecksum } from '../../../src/platform/secrets/secrets.ts';
import { type AccountSite, openAccountSite } from '../../people/sign-in/support.ts';
import { OTHER_PASSWORD, PASSWORD, type Person, type SignedIn } from '../../support/person.ts';
import { callVerify } from '../../support/verify.ts';

const WRONG_CODE = '000000';
const WRONG_TOKEN = 'another-token';
const ORIGIN = 'https://evil.example';
/** The attacker's network. No user of the site connects from this network. */
const NETWORK = '203.0.113.7';

let site: AccountSite;
let warned: MockInstance;
/** A user with a second factor. */
let ada: SignedIn;
beforeAll(async () => {
  site = await openAccountSite('sqlite', {
    METRICS_TOKEN: 'a-token-of-the-metrics',
    // Unknown keys are limited only if the rate limit is on.
    VERIFY_RATE_LIMIT: '100',
  });
  warned = vi.spyOn(site.log, 'warn');
  ada = await site.withSecondFactor();
});
afterAll(() => site.close());

const attacker = (): Person => site.browser({ 'X-Forwarded-For': NETWORK });
/** An attacker with Ada's session cookies. */
const thief = (): Person => {
  const person = attacker();
  for (const [name, value] of ada.person.cookies) person.cookies.set(name, value);
  return person;
};
const send = (path: string, init: RequestInit) =>
  fetch(site.baseUrl + path, { ...init, headers: { 'X-Forwarded-For': NETWORK, ...init.headers } });

const sendUnknownKeys = () =>
  Promise.all(
    Array.from({ length: 3 * UNKNOWN_KEYS_PER_SECOND }, (_, number) => {
      const key = withChecksum(`cck_live_${String(number).padStart(32, 'x')}`);
      return callVerify(site.baseUrl, key, { token: 'x' }, { 'X-Forwarded-For': NETWORK });
    }),
  );

const ATTEMPTS: readonly (readonly [name: string, event: string, attempt: () => Promise<unknown>])[] = [
  ['a wrong password at sign-in', 'sign_in_failed', () => attacker().signIn(ada.email, OTHER_PASSWORD)],
  [
    'a wrong password in a signed-in session',
    'sign_in_failed',
    () => thief().post('/account/prove', { proof_password: OTHER_PASSWORD }),
  ],
  [
    'a wrong second factor at sign-in',
    'second_factor_failed',
    async () => {
      const person = attacker();
      await person.signIn(ada.email);
      await person.post('/sign-in/second-factor', { code: WRONG_CODE });
    },
  ],
  [
    'a wrong second factor in a signed-in session',
    'second_factor_failed',
    () => thief().post('/account/prove', { proof_code: WRONG_CODE }),
  ],
  [
    'a cross-site form submission',
    'foreign_request',
    () => send('/sign-out', { method: 'POST', headers: { Origin: ORIGIN } }),
  ],
  [
    'a request for the operator desk by a user who is not an operator',
    'desk_probed',
    () => thief().get('/desk'),
  ],
  [
    'a metrics request with a wrong token',
    'metrics_refused',
    () => send('/metrics', { headers: { Authorization: `Bearer ${WRONG_TOKEN}` } }),
  ],
  ['a flood of unknown API keys', 'unknown_keys', sendUnknownKeys],
];

test.each(ATTEMPTS)('%s is logged as %s', async (_, event, attempt) => {
  warned.mockClear();
  await attempt();
  const lines = warned.mock.calls.map(([bindings]) => bindings).filter((one) => 'security' in one);
  expect(new Set(lines.map(({ security }) => security))).toEqual(new Set([event]));
  for (const { network } of lines) expect(network).toBe(NETWORK);
  for (const sent of [ada.email, PASSWORD, OTHER_PASSWORD, WRONG_CODE, WRONG_TOKEN, ORIGIN, 'cck_']) {
    expect(JSON.stringify(lines)).not.toContain(sent);
  }
});

test('the client address is determined once per request', async () => {
  warned.mockClear();
  const checked = vi.spyOn(BlockList.prototype, 'check');
  try {
    // The address is needed for the rate limit, the proxy check, the security log and the event log.
    await attacker().signIn(ada.email, OTHER_PASSWORD);
    expect(warned.mock.calls).toContainEqual([
      expect.objectContaining({ network: NETWORK }),
      expect.anything(),
    ]);
    expect(checked.mock.calls.filter(([address]) => address === NETWORK)).toHaveLength(1);
  } finally {
    checked.mockRestore();
  }
});
