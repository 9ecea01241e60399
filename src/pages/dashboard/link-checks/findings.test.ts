import { describe, expect, test } from 'vitest';
import { type LinkCheck, MAX_VISITS_MS, type Visit } from '../../../background/link-checks/link-check.ts';
import { inLanguage } from '../../../platform/languages/language.ts';
import type { CheckedCall, Evidence } from './evidence.ts';
import { findingsOf, WATCHED_MS } from './findings.ts';

const STARTED = Date.parse('2026-11-20T10:00:00.000Z');
const at = (seconds: number): string => new Date(STARTED + seconds * 1_000).toISOString();

const TOO_MANY_REDIRECTS = 'The link redirects more than 5 times.';

const VISIT: Visit = {
  method: 'GET',
  at: at(1),
  tookMs: 120,
  origin: 'https://notes.example',
  redirects: 0,
  leftTo: null,
  status: 200,
  failure: null,
  tls: { protocol: 'TLSv1.3', validTo: '2027-02-01T00:00:00.000Z' },
  hasRedeemed: false,
};
const HEAD: Visit = { ...VISIT, method: 'HEAD' };
const VISITED: LinkCheck = {
  account_id: 'a',
  offer_id: 'o',
  link: 'https://notes.example/welcome?claim={claim}',
  claim_id: 'c',
  started_at: at(0),
  visited_at: at(5),
  visits: null,
  browser_claim_id: null,
  opened_at: null,
  reopened_at: null,
};

const findingsWith = (check: Partial<LinkCheck> = {}, more: Partial<Evidence> = {}) => {
  const findings = findingsOf({
    check: { ...VISITED, ...check },
    visits: { head: HEAD, get: VISIT },
    calls: [],
    redeemedAt: null,
    nowMs: STARTED + 10_000,
    ...more,
  });
  const states = findings.steps.map(({ state }) => state).join(' ');
  return {
    ...findings,
    states,
    of: (title: string) => findings.steps.find((step) => step.title.includes(title))!,
  };
};
const withGet = (get: Partial<Visit>) =>
  findingsWith({}, { visits: { head: HEAD, get: { ...VISIT, ...get } } });

describe('redemption page', () => {
  test('is described by status, response time, redirects and TLS', () => {
    const { state, text } = withGet({ redirects: 1 }).of('answers');
    expect(state).toBe('good');
    expect(text).toBe(
      'GET got 200 after 120 ms. It followed 1 redirect to notes.example. The connection used TLSv1.3, with a certificate valid until 2027-02-01.',
    );
  });

  test.each([
    ['https://www.notes.example', 'note'],
    ['http://www.notes.example', 'bad'],
  ] as const)('with a redirect to %s is marked as %s', (origin, state) => {
    const finding = withGet({ redirects: 1, origin, leftTo: origin }).of('answers');
    expect(finding).toMatchObject({ state, text: expect.stringContaining(origin) });
  });

  test.each([
    [{ status: 404 }, /Respond with 200 to a GET/],
    [{ status: 403 }, /open the page without signing in/],
    [{ status: 302 }, /Answer with a page/],
    [{ status: 302, failure: TOO_MANY_REDIRECTS }, /Answer with a page/],
    [{ status: null, failure: 'The connection was refused.' }, /continue in your browser/],
  ] as const)('with the response %o is marked as bad, with a fix', (get, fix) => {
    const finding = withGet(get).of('answers');
    expect(finding.state).toBe('bad');
    expect(finding.fix).toMatch(fix);
  });

  test('with too many redirects is described in the marketplace’s language', () => {
    const german = inLanguage('de', () => withGet({ status: 302, failure: TOO_MANY_REDIRECTS }).steps[0]);
    expect(german?.text).toContain('Der Link leitet mehr als fünfmal weiter.');
  });

  test('that does not respond leaves the other steps unknown, and the owner can continue in the browser', () => {
    const findings = withGet({ status: null, failure: 'x', tls: null });
    expect(findings.states).toBe('bad later later later later later');
    expect(findings.next).toBe('open');
  });
});

describe('automatic visits', () => {
  const underWay = { visited_at: null };

  test('are awaited for one minute, then reported as interrupted', () => {
    const early = findingsWith(underWay, { visits: null });
    expect([early.isLive, early.next]).toEqual([true, null]);
    expect(early.states).toBe('waiting waiting waiting later later later');
    const late = findingsWith(underWay, { visits: null, nowMs: STARTED + MAX_VISITS_MS });
    expect(late.of('answers')).toMatchObject({ state: 'later', text: expect.stringContaining('restarted') });
    const given = findingsWith(underWay, { visits: null, nowMs: STARTED + WATCHED_MS });
    expect(given.isLive).toBe(false);
  });

  test.each(['HEAD', 'GET'] as const)('are marked as bad if a %s request redeems the claim', (method) => {
    const redeemedBy = (visit: Visit) => ({ ...visit, hasRedeemed: visit.method === method });
    const findings = findingsWith({}, { visits: { head: redeemedBy(HEAD), get: redeemedBy(VISIT) } });
    const text = expect.stringContaining(`A ${method} request redeemed the claim`);
    expect(findings.of('redeems nothing')).toMatchObject({ state: 'bad', text });
  });

  test('get a note with advice if the server does not call verify', () => {
    const fix = expect.stringContaining('redeem: false');
    expect(findingsWith().of('calls verify')).toMatchObject({ state: 'note', fix });
  });

  test('are marked as bad if the page fails with a 5xx status and the server does not call verify', () => {
    const { state, fix } = withGet({ status: 503 }).of('calls verify');
    expect(state).toBe('bad');
    expect(fix).toMatch(/server’s log. 401 means the API key is missing/);
    expect(withGet({ status: 404 }).of('calls verify').state).toBe('note');
  });
});

describe('visits in the browser', () => {
  const opened = { browser_claim_id: 'b', opened_at: at(20) };
  const reopened = { ...opened, reopened_at: at(30) };
  const call: CheckedCall = {
    at: at(22),
    request_id: 'r',
    outcome: 'valid',
    cause: 'valid',
    redeem: 0,
    ip: '203.0.113.9',
    key_name: 'Shop',
    key_mode: 'test',
    isOwn: true,
    delayMs: 2_000,
    diagnosis: null,
  };
  const redeeming: CheckedCall = { ...call, at: at(24), delayMs: 4_000, redeem: 1, outcome: 'redeemed' };

  test('the next step is to redeem, then to reopen, until the second visit is refused', () => {
    expect(findingsWith().states).toBe('good good note later later later');
    const open = findingsWith(opened);
    expect(open.states).toBe('good good waiting later waiting later');
    expect([open.next, open.isLive]).toEqual(['redeem', true]);
    const redeemed = findingsWith(opened, { calls: [call, redeeming], redeemedAt: at(24) });
    expect(redeemed.states).toBe('good good good good good waiting');
    expect(redeemed.of('calls verify').text).toBe(
      'A call with the test key “Shop” arrived from 203.0.113.9, 2 s after the page was opened. The response was valid.',
    );
    expect(redeemed.of('redeemed once').text).toContain('4 s after');
    expect(redeemed.next).toBe('reopen');
    const again = findingsWith(reopened, { calls: [call], redeemedAt: at(24) });
    expect([again.next, again.isLive]).toEqual(['reopen', true]);
    const refused = { ...call, at: at(31), outcome: 'already_redeemed' };
    const done = findingsWith(reopened, { calls: [call, refused], redeemedAt: at(24) });
    expect([done.next, done.isLive, done.of('second visit').state]).toEqual([null, false, 'good']);
  });

  test('a failed call is shown with its diagnosis, and a missing call is awaited for 15 minutes', () => {
    const diagnosis = { what: 'The body was wrong.', fix: 'Send JSON.' };
    const failed = { ...redeeming, isOwn: false, outcome: 'invalid_request', diagnosis };
    const text = expect.stringContaining('The body was wrong.');
    const bad = { state: 'bad', text, fix: 'Send JSON.', requestId: 'r' };
    const alone = findingsWith(opened, { calls: [failed] });
    expect(alone.of('calls verify')).toMatchObject(bad);
    expect(alone.of('redeemed once').state).toBe('waiting');
    expect(findingsWith(opened, { calls: [call, failed] }).of('redeemed once')).toMatchObject(bad);
    expect(findingsWith(opened, { nowMs: STARTED + 20_000 + WATCHED_MS }).isLive).toBe(false);
  });

  test('a token that differs from the token in the link is marked as bad', () => {
    const other = findingsWith(opened, { calls: [{ ...call, isOwn: false }] }).of('unchanged');
    expect(other).toMatchObject({ state: 'bad', fix: expect.stringContaining('“claim”') });
  });

  test('a call with a live key gets a note, because live keys do not find test claims', () => {
    const diagnosis = { what: '', fix: '' };
    const live = { ...call, key_mode: 'live', outcome: 'not_found', diagnosis } as const;
    const text = expect.stringContaining('A live key does not find test claims');
    expect(findingsWith(opened, { calls: [live] }).of('calls verify')).toMatchObject({ state: 'note', text });
  });

  test('two redeeming calls for the same visit must share an Idempotency-Key', () => {
    const again = { ...redeeming, at: at(25), outcome: 'already_redeemed' };
    const calls = [call, redeeming, again];
    const twice = findingsWith(opened, { calls, redeemedAt: at(24) }).of('redeemed once');
    expect(twice).toMatchObject({ state: 'bad', fix: expect.stringContaining('same Idempotency-Key') });
    const apart = findingsWith({ ...opened, reopened_at: at(25) }, { calls, redeemedAt: at(24) });
    expect(apart.of('redeemed once').state).toBe('good');
    expect(apart.of('second visit').state).toBe('good');
  });

  test('a second visit is marked as bad if its call gets the response “redeemed”', () => {
    const again = { ...redeeming, at: at(31) };
    const findings = findingsWith(reopened, { calls: [call, redeeming, again], redeemedAt: at(24) });
    const fix = expect.stringContaining('token alone');
    expect(findings.of('second visit')).toMatchObject({ state: 'bad', fix });
  });

  test('a redemption less than a second after the page was loaded gets a note', () => {
    const verified = { ...call, at: at(1) };
    const stateOf = (before: readonly CheckedCall[], redeem: number, verify?: number) => {
      const loaded = verify === undefined ? [] : [{ ...call, at: at(20 + verify) }];
      const calls = [...before, ...loaded, { ...redeeming, at: at(20 + redeem) }];
      return findingsWith(opened, { calls, redeemedAt: at(20 + redeem) }).of('redeemed once').state;
    };
    expect(stateOf([], 0.4)).toBe('note');
    expect(stateOf([], 1)).toBe('good');
    // If the page calls verify on load, the first call marks the page load.
    expect(stateOf([verified], 4.9, 4)).toBe('note');
    expect(stateOf([verified], 5, 4)).toBe('good');
    expect(stateOf([verified], 5)).toBe('good');
    // If the page does not call verify on load, the redirect to the page marks the page load.
    expect(stateOf([], 4.9, 4)).toBe('good');
  });
});
