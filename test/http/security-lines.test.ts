/**
 * Each attempt of an attacker leaves a line in the service's log, with the attacker's network and nothing that was
 * sent.
 */
import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, it, type MockInstance, vi } from 'vitest';
import { UNKNOWN_KEYS_PER_SECOND } from '../../src/http/server/known-keys.ts';
import { withChecksum } from '../../src/secrets/secrets.ts';
import { type AccountSite, openAccountSite } from '../accounts/support.ts';
import { OTHER_PASSWORD, PASSWORD, type Person, type SignedIn } from '../support/person.ts';
import { callVerify } from '../support/verify.ts';

const WRONG_CODE = '000000';
const WRONG_TOKEN = 'another-token';
const ORIGIN = 'https://evil.example';
/** Far from the networks of the site's people. */
const NETWORK = '203.0.113.7';

let site: AccountSite;
let warned: MockInstance;
/** Has a second factor. */
let ada: SignedIn;
beforeAll(async () => {
  site = await openAccountSite('sqlite', {
    METRICS_TOKEN: 'a-token-of-the-metrics',
    // Where the rate limit is off, unknown keys are not limited either.
    VERIFY_RATE_LIMIT: '100',
  });
  warned = vi.spyOn(site.log, 'warn');
  ada = await site.withSecondFactor();
});
afterAll(() => site.close());

const attacker = (): Person => site.browser({ 'X-Forwarded-For': NETWORK });
/** With the cookies of Ada. */
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
  ['a wrong password at the sign-in', 'sign_in_failed', () => attacker().signIn(ada.email, OTHER_PASSWORD)],
  [
    'a wrong password of someone who is signed in',
    'sign_in_failed',
    () => thief().post('/account/prove/password', { password: OTHER_PASSWORD }),
  ],
  [
    'a wrong second factor at the sign-in',
    'second_factor_failed',
    async () => {
      const person = attacker();
      await person.signIn(ada.email);
      await person.post('/sign-in/second-factor', { code: WRONG_CODE });
    },
  ],
  [
    'a wrong second factor of someone who is signed in',
    'second_factor_failed',
    () => thief().post('/account/prove/code', { code: WRONG_CODE }),
  ],
  [
    'a form of another site',
    'foreign_request',
    () => send('/sign-out', { method: 'POST', headers: { Origin: ORIGIN } }),
  ],
  ['a page of the desk', 'desk_probed', () => thief().get('/desk')],
  [
    'metrics with a wrong token',
    'metrics_refused',
    () => send('/metrics', { headers: { Authorization: `Bearer ${WRONG_TOKEN}` } }),
  ],
  ['many unknown keys', 'unknown_keys', sendUnknownKeys],
];

it.each(ATTEMPTS)('%s: %s', async (_, event, attempt) => {
  warned.mockClear();
  await attempt();
  const lines = warned.mock.calls.map(([bindings]) => bindings).filter((one) => 'security' in one);
  expect(new Set(lines.map(({ security }) => security))).toEqual(new Set([event]));
  for (const { network } of lines) expect(network).toBe(NETWORK);
  for (const sent of [ada.email, PASSWORD, OTHER_PASSWORD, WRONG_CODE, WRONG_TOKEN, ORIGIN, 'cck_']) {
    expect(JSON.stringify(lines)).not.toContain(sent);
  }
});

it('the address of a client is determined once per request, whatever asks for it', async () => {
  warned.mockClear();
  const checked = vi.spyOn(BlockList.prototype, 'check');
  try {
    // Four things ask for it: the limit of its network, the check for misconfigured proxies, the log and the event.
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
