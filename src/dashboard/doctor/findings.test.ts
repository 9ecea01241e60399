import { describe, expect, it } from 'vitest';
import { type CheckUp, MAX_WALK_MS, NOTHING_FOUND, type Visit, WATCHED_MS } from '../../checkups/check-up.ts';
import type { Examination } from './finding.ts';
import { findingsOf } from './findings.ts';

const STARTED = Date.parse('2026-11-20T10:00:00.000Z');
const at = (seconds: number): string => new Date(STARTED + seconds * 1_000).toISOString();

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
const PAGE = {
  referrerPolicy: 'unsafe-url',
  toldByReferer: [],
  toldByAddress: [],
  scriptHosts: [],
  refreshHost: null,
  holdsKey: false,
};
const WALKED: CheckUp = {
  accountId: 'a',
  offerId: 'o',
  template: 'https://notes.example/welcome?claim={claim}',
  claimId: 'c',
  startedAt: at(0),
  walkedAt: at(5),
  walk: { head: { ...VISIT, method: 'HEAD' }, get: VISIT, page: PAGE },
  browserClaimId: null,
  openedAt: null,
  openedAgainAt: null,
};

const examined = (checkUp: Partial<CheckUp> = {}, more: Partial<Examination> = {}) => {
  const findings = findingsOf({
    checkUp: { ...WALKED, ...checkUp },
    calls: [],
    redeemedAt: null,
    exposedKeys: [],
    hasUnrecorded: false,
    baseUrl: 'https://claims.example',
    nowMs: STARTED + 10_000,
    ...more,
  });
  const all = [...findings.fromHere, ...findings.inBrowser];
  return { ...findings, of: (title: string) => all.find((finding) => finding.title.includes(title))! };
};
const withGet = (get: Partial<Visit>, page = WALKED.walk.page) =>
  examined({ walk: { ...WALKED.walk, get: { ...VISIT, ...get }, page } });

describe('the page', () => {
  it('is described by status, time, TLS and redirects', () => {
    const { state, text } = withGet({ redirects: 1 }).of('answers');
    expect(state).toBe('good');
    expect(text).toBe(
      'GET answered 200 after 120 ms over TLSv1.3, with a certificate until 2027-02-01, after 1 redirect to notes.example.',
    );
    expect(withGet({ tls: { protocol: 'TLSv1.3', validTo: null } }).of('answers').text).toContain(
      'until 2027-02-01',
    );
    expect(withGet({ tookMs: 4_000 }).of('answers').state).toBe('note');
  });

  it.each([
    ['https://www.notes.example', 'note'],
    ['http://www.notes.example', 'bad'],
  ] as const)(
    'that redirects to another origin, %s, gets a %s with the link that is right',
    (origin, state) => {
      expect(withGet({ redirects: 1, origin, leftTo: origin }).of('answers')).toMatchObject({
        state,
        snippet: `${origin}/welcome?claim={claim}`,
      });
    },
  );

  it.each([
    [{ status: 404 }, /answer 200 to a GET/],
    [{ status: 403 }, /open without a sign-in/],
    [{ status: 302 }, /Answer the link with a page/],
    [{ status: 302, failure: 'It redirects more than 5 times.' }, /Answer the link with a page/],
    [{ status: null, failure: 'The connection was refused.' }, /go on in your browser/],
  ] as const)('that answers %o is wrong, with what to change', (get, fix) => {
    const finding = withGet(get).of('answers');
    expect(finding.state).toBe('bad');
    expect(finding.fix).toMatch(fix);
  });

  it('that leads on by itself is mentioned with where', () => {
    const finding = withGet({}, { ...PAGE, refreshHost: 'www.notes.example' }).of('answers');
    expect(finding.state).toBe('note');
    expect(finding.text).toMatch(/leads on to www\.notes\.example by itself/);
  });

  it('that does not answer leaves the other steps unknown, and the browser open', () => {
    const found = withGet({ status: null, failure: 'x', tls: null }, null);
    expect(found.fromHere.map(({ state }) => state)).toEqual([
      'bad',
      'later',
      'later',
      'later',
      'later',
      'later',
    ]);
    expect(found.next).toBe('open');
  });
});

describe('a walk', () => {
  it('is waited for while it is under way, and not for ever', () => {
    const underWay = { walkedAt: null, walk: NOTHING_FOUND };
    const early = examined(underWay);
    expect([early.isLive, early.next]).toEqual([true, 'nothing']);
    expect(early.fromHere.every(({ state }) => state === 'waiting')).toBe(true);
    const late = examined(underWay, { nowMs: STARTED + MAX_WALK_MS });
    expect(examined(underWay, { nowMs: STARTED + WATCHED_MS }).isLive).toBe(false);
    expect(late.of('answers')).toMatchObject({ state: 'later', text: expect.stringContaining('cut off') });
  });

  it('without a call is fine, with advice', () => {
    expect(examined().of('asks about the token')).toMatchObject({
      state: 'note',
      snippet: expect.stringContaining('"redeem": false'),
    });
  });

  it('without a call is a fault where the page failed', () => {
    const { state, fix } = withGet({ status: 503 }).of('asks about the token');
    expect(state).toBe('bad');
    expect(fix).toMatch(/log of your server: 401 means that the key is missing/);
    expect(withGet({ status: 404 }).of('asks about the token').state).toBe('note');
  });

  it('names what other sites are told', () => {
    const told = (page: object) => withGet({}, { ...PAGE, ...page }).of('stays with you');
    expect(told({}).state).toBe('good');
    expect(told({ scriptHosts: ['a.example'] })).toMatchObject({ state: 'note' });
    expect(told({ toldByReferer: ['a.example', 'b.example', 'c.example'] })).toMatchObject({
      state: 'bad',
      text: expect.stringContaining('a.example, b.example and c.example'),
      snippet: 'Referrer-Policy: strict-origin',
    });
    expect(told({ toldByAddress: ['a.example'] }).state).toBe('bad');
  });
});

describe('in the browser', () => {
  const opened = { browserClaimId: 'b', openedAt: at(20) };
  const call = {
    at: at(22),
    requestId: 'r',
    outcome: 'valid',
    redeem: false,
    ip: '203.0.113.9',
    keyName: 'Shop',
    keyMode: 'test',
    part: 'browser',
    isOwn: true,
    diagnosis: null,
  } as const;
  const redeeming = { ...call, at: at(23), redeem: true, outcome: 'redeemed' };

  it('each step waits for the one before it', () => {
    expect(examined().inBrowser.map(({ state }) => state)).toEqual(['later', 'later', 'later', 'good']);
    const open = examined(opened);
    expect(open.inBrowser.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'later', 'good']);
    expect([open.next, open.isLive]).toEqual(['redeem', true]);
    const redeemed = examined(opened, { calls: [call, redeeming], redeemedAt: at(23) });
    expect(redeemed.inBrowser.map(({ state }) => state)).toEqual(['good', 'good', 'waiting', 'good']);
    expect(redeemed.of('opens and asks').text).toContain(
      'with the test key “Shop”, from 203.0.113.9, 2.0 s after the page was opened',
    );
    expect(redeemed.of('claim is redeemed').text).toContain('3.0 s after');
    expect(redeemed.next).toBe('open-again');
    const again = examined({ ...opened, openedAgainAt: at(30) }, { calls: [call], redeemedAt: at(23) });
    expect([again.next, again.isLive]).toEqual(['press-again', true]);
    const refused = { ...call, at: at(31), outcome: 'already_redeemed' };
    const done = examined(
      { ...opened, openedAgainAt: at(30) },
      { calls: [call, refused], redeemedAt: at(23) },
    );
    expect([done.next, done.isLive, done.of('second time').state]).toEqual(['nothing', false, 'good']);
  });

  it('a call that failed says why, and is not waited for endlessly', () => {
    const failed = {
      ...call,
      at: at(24),
      isOwn: false,
      redeem: true,
      outcome: 'invalid_request',
      diagnosis: { what: 'The body was wrong.', fix: 'Send JSON.' },
    };
    const bad = {
      state: 'bad',
      text: expect.stringContaining('The body was wrong.'),
      fix: 'Send JSON.',
      requestId: 'r',
      snippet: expect.stringContaining('Idempotency-Key: <attempt>'),
    };
    const alone = examined(opened, { calls: [failed] });
    expect(alone.of('opens and asks')).toMatchObject(bad);
    expect(alone.of('claim is redeemed').state).toBe('waiting');
    expect(examined(opened, { calls: [call, failed] }).of('claim is redeemed')).toMatchObject(bad);
    expect(examined(opened, { nowMs: STARTED + 20_000 + WATCHED_MS }).isLive).toBe(false);
  });

  it('two calls that redeem for one visit must share a key', () => {
    const again = { ...redeeming, at: at(24), outcome: 'already_redeemed' };
    const calls = [call, redeeming, again];
    const twice = examined(opened, { calls, redeemedAt: at(23) }).of('claim is redeemed');
    expect(twice).toMatchObject({ state: 'bad', fix: expect.stringContaining('same Idempotency-Key') });
    const apart = examined({ ...opened, openedAgainAt: at(24) }, { calls, redeemedAt: at(23) });
    expect(apart.of('claim is redeemed').state).toBe('good');
    expect(apart.of('second time').state).toBe('good');
  });

  it('a page that redeems at once and never asks before seems to do so by itself', () => {
    const soon = { ...redeeming, at: at(20.4) };
    const stateOf = (calls: (typeof soon)[], hasUnrecorded = false) =>
      examined(opened, { calls, hasUnrecorded, redeemedAt: at(20.4) }).of('claim is redeemed').state;
    expect(stateOf([soon])).toBe('note');
    expect(stateOf([{ ...soon, ...call, at: at(20.2) } as never, soon])).toBe('good');
    expect(stateOf([redeeming])).toBe('good');
    expect(stateOf([soon], true)).toBe('good');
  });

  it('a call that was not recorded may be the one that is missing', () => {
    const { of } = examined(opened, { hasUnrecorded: true });
    expect(of('asks about the token').state).toBe('note');
    for (const title of ['asks about the token', 'opens and asks']) {
      expect(of(title).text).toContain('calls of your server were not recorded');
    }
  });

  it('keys that a browser has sent are named', () => {
    const { state, text } = examined({}, { exposedKeys: ['Shop', 'Old'] }).of('sent by a browser');
    expect([state, text]).toEqual(['bad', expect.stringContaining('“Shop” and “Old”')]);
  });
});
